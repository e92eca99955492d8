//! [`Machine`]: a device and the run on it. Compiles, launches and waits; every wait can be stopped.

use crate::edges::adapted;
use crate::error::{ended, lift};
use std::{
    cell::{Cell, RefCell},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};
use warpgraph_core::{Device, DeviceTrouble, Error, Options, Recorder, Result, Watch};
use warpgraph_device::{Arguments, Array, Gpu, Kernel, Mark, Pinned, Shape, Source};
use warpgraph_graph::timeline::{Phase, Span};

/// The most threads per block, for every kernel. Eight warps hide each other's latency and leave enough registers for
/// all.
pub(crate) const BLOCK: u32 = 256;
/// Threads per block on a device with few multiprocessors, such as the simulator: two warps, since idle threads cost
/// time there.
const SMALL_BLOCK: u32 = 64;
const FEW_MULTIPROCESSORS: u32 = 4;
/// Blocks that [`Grid::For`] and [`Grid::Tiles`] launch at most per block that can run at a time. The last blocks fill
/// the gaps that others leave.
const WAVES: u64 = 4;

/// The host polls pinned memory for this long. If it must wait longer, it asks the driver, which also knows about
/// errors.
const WATCHED: Duration = Duration::from_millis(1);
const SHORT_WAIT: Duration = Duration::from_micros(50);
/// The most pairs of time marks that the host collects before it reads them.
const MOST_MARKS: usize = 512;

/// Bytes of the two structs of [`Machine::start_given`] at most, twice those of the first.
const GIVEN: usize = 2048;

/// A device, and the options that control the run.
pub(crate) struct Machine<'a> {
    gpu: &'a Gpu,
    options: &'a Options,
    during: &'static str,
    began: Instant,
    compiled: f64,
    /// How many times runs had asked kernels to end when this run began.
    stops: u64,
    /// The start and end marks of timed kernels, and the seconds of those already read, by account.
    marks: RefCell<Vec<(Account, [Mark; 2])>>,
    seconds: [Cell<f64>; ACCOUNTS],
}

/// The account that the time of a kernel is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    /// Kernels that expand frontiers.
    Kernel,
    /// Kernels that elect tiles without using them.
    Tiling,
    /// Kernels that only read the rows of a frontier, as every balance must.
    Bare,
    /// Kernels that sample accesses.
    Sampling,
    /// Kernels that list the tiles of a frontier.
    Listing,
}

const ACCOUNTS: usize = 5;

/// A kernel that takes arguments of type `A`.
pub(crate) struct Launch<A> {
    kernel: Kernel,
    block: u32,
    shared: u32,
    coresident: u32,
    takes: std::marker::PhantomData<A>,
}

/// The size of a grid.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Grid {
    /// One thread per item, but not more blocks than a few waves.
    For(u64),
    /// As many blocks as can run at a time; their threads take equal shares of this many items. Fewer blocks if there
    /// are fewer items.
    Shares(u64),
    /// For this many entries with this many arcs in total: the threads of a block share the arcs of its entries.
    Tiles(u64, u64),
    /// One block per item, but not more blocks than a few waves.
    Blocks(u64),
    /// One block.
    One,
}

/// The fewest arcs that are worth starting another block that works by tiles.
pub(crate) const TILED_ARCS: u64 = 256;

impl<'a> Machine<'a> {
    /// Creates a machine on a device. `during` completes the phrase "interrupted while ...".
    pub(crate) fn new(gpu: &'a Gpu, options: &'a Options, during: &'static str) -> Self {
        let (compiled, stops) = (gpu.compile_seconds(), gpu.stops());
        let (marks, seconds) = (RefCell::default(), Default::default());
        Self { gpu, options, during, began: Instant::now(), compiled, stops, marks, seconds }
    }

    /// Returns true if the run measures what electing tiles costs.
    pub(crate) fn prices_tiling(&self) -> bool {
        self.options.price_tiling
    }

    /// Returns the options of the run.
    pub(crate) fn options(&self) -> &'a Options {
        self.options
    }

    /// Returns what watches the run, if anything does.
    pub(crate) fn watch(&self) -> Option<&Arc<dyn Watch>> {
        self.options.watch.as_ref()
    }

    /// Returns the number of threads per block.
    pub(crate) fn block(&self) -> u32 {
        if self.is_small() { SMALL_BLOCK } else { BLOCK }
    }

    /// Returns true if the device has so few multiprocessors that idle threads cost time.
    pub(crate) fn is_small(&self) -> bool {
        self.gpu.properties().multiprocessors <= FEW_MULTIPROCESSORS
    }

    /// Returns the device.
    pub(crate) fn gpu(&self) -> &'a Gpu {
        self.gpu
    }

    /// Starts the clock of the run; everything before was preparation.
    pub(crate) fn recorder(&self, transfer_seconds: f64) -> Recorder {
        let compile_seconds = self.gpu.compile_seconds() - self.compiled;
        Recorder::start(self.options, self.began).on(device_of(self.gpu), transfer_seconds, compile_seconds)
    }

    fn label(&self) -> &'a str {
        &self.gpu.properties().label
    }

    /// Returns true if the run must stop.
    pub(crate) fn should_stop(&self) -> bool {
        self.options.control.should_stop()
    }

    /// Converts the error of a wait, and gives a stopped run the error that says what stopped it.
    pub(crate) fn ended(&self, error: warpgraph_device::Error) -> Error {
        ended(error, &self.options.control, self.during)
    }

    /// Returns an error if the run must stop. In that case it first asks the running kernels to end and waits for them,
    /// because arrays can only be freed after that.
    pub(crate) fn check(&self) -> Result<()> {
        self.options.control.check(self.during).map_err(|why| {
            let _ = self.gpu.wait(|| true);
            why.into()
        })
    }

    /// Compiles a module and returns a kernel of it.
    pub(crate) fn kernel<A: Arguments>(&self, source: &Source, name: &'static str) -> Result<Launch<A>> {
        self.shaped(source, name, BLOCK, 0)
    }

    /// Does the same as [`Machine::kernel`], for a kernel that needs this many bytes of dynamic shared memory.
    pub(crate) fn sharing<A: Arguments>(
        &self,
        source: &Source,
        name: &'static str,
        shared: u32,
    ) -> Result<Launch<A>> {
        self.shaped(source, name, BLOCK, shared)
    }

    /// Does the same as [`Machine::kernel`], for blocks of this many threads (fewer on small devices) and this many
    /// bytes of dynamic shared memory.
    pub(crate) fn shaped<A: Arguments>(
        &self,
        source: &Source,
        name: &'static str,
        block: u32,
        shared: u32,
    ) -> Result<Launch<A>> {
        let block = if self.is_small() { block.min(SMALL_BLOCK) } else { block };
        let _span = self.span(Phase::Kernels);
        let source = &*adapted(source, self.options);
        let kernel = self.gpu.compile(source).and_then(|module| module.kernel(name)).map_err(lift)?;
        let coresident = self.gpu.coresident_blocks(&kernel, block, shared).map_err(lift)?;
        Ok(Launch { kernel, block, shared, coresident, takes: std::marker::PhantomData })
    }

    /// Allocates an array.
    pub(crate) fn array<T: bytemuck::Pod>(&self, len: usize, what: &str) -> Result<Array<T>> {
        let _span = self.span(Phase::Allocating);
        self.gpu.array(len, what).map_err(lift)
    }

    /// Starts a span of the timeline that records the run, if there is one.
    pub(crate) fn span(&self, phase: Phase) -> Span {
        self.options.control.span(phase)
    }

    /// Allocates an array of zeros.
    pub(crate) fn zeros<T: bytemuck::Pod>(&self, len: usize, what: &str) -> Result<Array<T>> {
        let mut array = self.array(len, what)?;
        array.fill_bytes(0).map_err(lift)?;
        Ok(array)
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// Every address in `arguments` must be valid for what the kernel does with it, and its memory must live until the
    /// next wait.
    pub(crate) unsafe fn start<A: Arguments>(
        &self,
        launch: &Launch<A>,
        grid: Grid,
        arguments: &A,
    ) -> Result<()> {
        let shape = Shape { grid: launch.blocks(grid), block: launch.block, shared: launch.shared };
        // SAFETY: the kernel was compiled for an `A`; the caller promises the rest.
        unsafe { self.gpu.launch(&launch.kernel, shape, arguments) }.map_err(lift)
    }

    /// Does the same as [`Machine::start`] on a coresident grid, so that its blocks may wait for each other. The grid
    /// has as many blocks as can run at a time, but not more than `most`.
    ///
    /// # Safety
    /// As for [`Machine::start`].
    pub(crate) unsafe fn start_coresident<A: Arguments>(
        &self,
        launch: &Launch<A>,
        most: u32,
        arguments: &A,
    ) -> Result<()> {
        let grid = launch.coresident.min(most).max(1);
        let shape = Shape { grid, block: launch.block, shared: launch.shared };
        // SAFETY: the kernel was compiled for an `A`; the caller promises the rest.
        unsafe { self.gpu.launch_coresident(&launch.kernel, shape, arguments) }.map_err(lift)
    }

    /// Does the same as [`Machine::start`], and adds the kernel's time to an account.
    ///
    /// # Safety
    /// As for [`Machine::start`].
    pub(crate) unsafe fn start_timed<A: Arguments>(
        &self,
        launch: &Launch<A>,
        grid: Grid,
        arguments: &A,
        account: Account,
    ) -> Result<()> {
        // SAFETY: the caller promises what `start` requires.
        self.on_account(account, || unsafe { self.start(launch, grid, arguments) })
    }

    /// [`Machine::start_timed`] for a kernel that takes an `A` and, behind it, a struct whose bytes are `own`.
    ///
    /// # Safety
    /// As for [`Machine::start`], for both structs.
    pub(crate) unsafe fn start_given<A: Arguments>(
        &self,
        launch: &Launch<A>,
        grid: Grid,
        arguments: &A,
        own: &[u8],
        account: Account,
    ) -> Result<()> {
        const { assert!(size_of::<A>().is_multiple_of(8), "no padding between the structs") };
        const { assert!(size_of::<A>() <= GIVEN / 2, "there is room for both structs") };
        let mut words = [0u64; GIVEN / 8];
        let given = &mut bytemuck::cast_slice_mut(&mut words)[..size_of::<A>() + own.len()];
        let (first, second) = given.split_at_mut(size_of::<A>());
        first.copy_from_slice(bytemuck::bytes_of(arguments));
        second.copy_from_slice(own);
        let shape = Shape { grid: launch.blocks(grid), block: launch.block, shared: launch.shared };
        // SAFETY: the caller's promise.
        let start = || unsafe { self.gpu.launch_bytes(&launch.kernel, shape, given) }.map_err(lift);
        self.on_account(account, start)
    }

    /// Adds the device time of everything that `work` launches to an account.
    pub(crate) fn on_account(&self, account: Account, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let from = self.gpu.mark().map_err(lift)?;
        work()?;
        let to = self.gpu.mark().map_err(lift)?;
        self.marks.borrow_mut().push((account, [from, to]));
        Ok(())
    }

    /// Returns the seconds of device time on an account, up to the last wait.
    pub(crate) fn seconds_of(&self, account: Account) -> f64 {
        self.seconds[account as usize].get()
    }

    /// Returns the seconds of device time in kernels that expand frontiers, up to the last wait.
    pub(crate) fn kernel_seconds(&self) -> f64 {
        self.seconds_of(Account::Kernel)
    }

    /// Returns the seconds of device time that electing tiles took, without the reading of rows that every balance
    /// does.
    pub(crate) fn tiling_seconds(&self) -> f64 {
        let elected = (self.seconds_of(Account::Tiling) - self.seconds_of(Account::Bare)).max(0.0);
        elected + self.seconds_of(Account::Listing)
    }

    /// Copies an array to the host and waits for everything that was launched.
    pub(crate) fn fetch<T: bytemuck::Pod>(&self, pinned: &mut Pinned<T>, array: &Array<T>) -> Result<()> {
        pinned.fetch(array).map_err(lift)?;
        self.wait()
    }

    /// Waits until a kernel has written `number` to an entry of pinned memory. Everything launched before that kernel
    /// is then done too.
    pub(crate) fn wait_told(&self, told: &Pinned<u64>, at: usize, number: u64) -> Result<()> {
        // The simulator only makes progress while the host waits for it.
        if self.gpu.properties().driver.is_empty() || self.marks.borrow().len() > MOST_MARKS {
            return self.wait();
        }
        let begun = Instant::now();
        while told.get(at) != number {
            let waited = begun.elapsed();
            // The kernel may take long, be asked to end, or never finish.
            if waited > WATCHED || self.options.control.should_stop() {
                return self.wait();
            }
            // Longer than a superstep of a few vertices takes: let other threads have the processor.
            if waited > SHORT_WAIT {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
        std::sync::atomic::fence(Ordering::Acquire);
        self.undisturbed()
    }

    /// Waits for everything that was launched.
    pub(crate) fn wait(&self) -> Result<()> {
        self.wait_watching(|| {})
    }

    /// Does the same as [`Machine::wait`], and calls `watch` repeatedly meanwhile.
    pub(crate) fn wait_watching(&self, watch: impl Fn()) -> Result<()> {
        let control = &self.options.control;
        let stop = || {
            watch();
            control.should_stop()
        };
        self.gpu.wait(stop).map_err(|error| ended(error, control, self.during))?;
        self.look_at_marks()?;
        self.undisturbed()
    }

    /// Waits for the kernels that are still running after the answer is complete. They can no longer be stopped.
    pub(crate) fn finish(&self) -> Result<()> {
        self.gpu.finish().map_err(lift)?;
        self.look_at_marks()
    }

    /// Adds the times between all marks to their accounts. All marks must have been reached.
    fn look_at_marks(&self) -> Result<()> {
        for (account, [from, to]) in self.marks.borrow_mut().drain(..) {
            let total = &self.seconds[account as usize];
            total.set(total.get() + to.seconds_since(&from).map_err(lift)?);
        }
        Ok(())
    }

    /// Returns an error if another run asked the kernels of this run to end.
    fn undisturbed(&self) -> Result<()> {
        if self.gpu.stops() == self.stops {
            return Ok(());
        }
        Err(Error::Device {
            kind: DeviceTrouble::Call,
            what: format!("another run on {} was stopped while this one was {}", self.label(), self.during),
            help: "run it again; give runs that may be stopped an engine of their own".to_owned(),
        })
    }
}

impl<A> Launch<A> {
    /// Returns the number of blocks that can run at a time.
    pub(crate) fn coresident(&self) -> u32 {
        self.coresident
    }

    /// Returns the number of threads per block.
    pub(crate) fn block(&self) -> u32 {
        self.block
    }

    /// Returns the number of blocks of a grid.
    pub(crate) fn blocks(&self, grid: Grid) -> u32 {
        let coresident = u64::from(self.coresident);
        let blocks = match grid {
            Grid::For(items) => items.div_ceil(u64::from(self.block)).min(coresident * WAVES),
            Grid::Shares(items) => items.div_ceil(u64::from(self.block)).clamp(1, coresident),
            Grid::Tiles(entries, arcs) => {
                let by_entries = entries.div_ceil(u64::from(self.block));
                by_entries.max((arcs / TILED_ARCS).min(entries)).clamp(1, coresident * WAVES)
            }
            Grid::Blocks(items) => items.min(coresident * WAVES),
            Grid::One => 1,
        };
        u32::try_from(blocks).unwrap_or(u32::MAX)
    }
}

/// Returns the [`Device`] of a GPU.
pub(crate) fn device_of(gpu: &Gpu) -> Device {
    let label = &gpu.properties().label;
    label.parse().unwrap_or_else(|_| unreachable!("devices are labelled simt or cuda:N, not {label}"))
}
