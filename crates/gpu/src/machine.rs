//! [`Machine`]: a device with a run on it. Compiles, launches and waits; every wait can be stopped.

use crate::error::{ended, lift};
use std::{
    cell::{Cell, RefCell},
    sync::atomic::Ordering,
    time::{Duration, Instant},
};
use warpgraph_core::{Error, Options, Recorder, Result};
use warpgraph_device::{Arguments, Array, Gpu, Kernel, Mark, Pinned, Shape, Source};

/// Threads a block at most, for every kernel: eight warps hide each other's waits, and leave registers enough for all.
pub(crate) const BLOCK: u32 = 256;
/// On a device of a few multiprocessors, such as the simulator: two warps, since idle threads cost there.
const SMALL_BLOCK: u32 = 64;
const FEW_MULTIPROCESSORS: u32 = 4;
/// Blocks that a kernel without shares of its own is given for each that runs at a time: the last ones fill the gaps.
const WAVES: u64 = 4;

/// What a kernel tells is watched for so long; whoever waits longer asks the device, which knows of errors too.
const WATCHED: Duration = Duration::from_millis(1);
const SHORT_WAIT: Duration = Duration::from_micros(50);
/// So many moments are marked at most before the host looks at them.
const MOST_MARKS: usize = 512;

/// Bytes of the two structs of [`Machine::start_given`] at most, twice those of the first.
const GIVEN: usize = 2048;

/// A device, and what steers the run.
pub(crate) struct Machine<'a> {
    gpu: &'a Gpu,
    options: &'a Options,
    during: &'static str,
    began: Instant,
    compiled: f64,
    /// How often kernels had been asked to end when the run began.
    stops: u64,
    /// When timed kernels began and ended, and the seconds of those that are done with, by account.
    marks: RefCell<Vec<(Account, [Mark; 2])>>,
    seconds: [Cell<f64>; ACCOUNTS],
}

/// Whose time a kernel takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    /// Kernels that expand frontiers.
    Kernel,
    /// Kernels that elect tiles, and do nothing with them.
    Tiling,
    /// Kernels that look at the rows of a frontier, as all balances do.
    Bare,
    /// Kernels that sample accesses.
    Sampling,
    /// Kernels that list the tiles of a frontier.
    Listing,
}

const ACCOUNTS: usize = 5;

/// A kernel that takes an `A`.
pub(crate) struct Launch<A> {
    kernel: Kernel,
    block: u32,
    shared: u32,
    device_graph: u32,
    takes: std::marker::PhantomData<A>,
}

/// How many blocks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Grid {
    /// As many as so many items need, a thread each, and not more than a few waves.
    For(u64),
    /// As many as run at a time, threads taking equal shares of so many items; fewer if there are fewer.
    Shares(u64),
    /// For so many entries of so many arcs in all: a block's threads share the arcs of its entries.
    Tiles(u64, u64),
    /// One.
    One,
}

/// A block that goes by tiles is worth its start for so many arcs.
pub(crate) const TILED_ARCS: u64 = 256;

impl<'a> Machine<'a> {
    /// On a device; `during` completes "interrupted while ...".
    pub(crate) fn new(gpu: &'a Gpu, options: &'a Options, during: &'static str) -> Self {
        let (compiled, stops) = (gpu.compile_seconds(), gpu.stops());
        let (marks, seconds) = (RefCell::default(), Default::default());
        Self { gpu, options, during, began: Instant::now(), compiled, stops, marks, seconds }
    }

    /// Is what electing tiles costs to be found out?
    pub(crate) fn prices_tiling(&self) -> bool {
        self.options.price_tiling
    }

    /// Threads a block.
    pub(crate) fn block(&self) -> u32 {
        if self.is_small() { SMALL_BLOCK } else { BLOCK }
    }

    /// Has the device so few multiprocessors that idle threads cost?
    pub(crate) fn is_small(&self) -> bool {
        self.gpu.properties().multiprocessors <= FEW_MULTIPROCESSORS
    }

    /// The device.
    pub(crate) fn gpu(&self) -> &'a Gpu {
        self.gpu
    }

    /// Starts the clock of the run: everything before was preparation.
    pub(crate) fn recorder(&self, transfer_seconds: f64) -> Recorder {
        let compile_seconds = self.gpu.compile_seconds() - self.compiled;
        Recorder::start(self.options, self.began).on(self.label(), transfer_seconds, compile_seconds)
    }

    fn label(&self) -> &'a str {
        &self.gpu.properties().label
    }

    /// May the run go on? If not, what is running is asked to end first: arrays can only be let go of after it.
    pub(crate) fn check(&self) -> Result<()> {
        self.options.control.check(self.during).map_err(|why| {
            let _ = self.gpu.wait(|| true);
            why.into()
        })
    }

    /// Compiles a module and finds a kernel in it.
    pub(crate) fn kernel<A: Arguments>(&self, source: &Source, name: &'static str) -> Result<Launch<A>> {
        self.shaped(source, name, BLOCK, 0)
    }

    /// [`Machine::kernel`] that asks for so many bytes of shared memory at launch.
    pub(crate) fn sharing<A: Arguments>(
        &self,
        source: &Source,
        name: &'static str,
        shared: u32,
    ) -> Result<Launch<A>> {
        self.shaped(source, name, BLOCK, shared)
    }

    /// [`Machine::kernel`] for blocks of so many threads, fewer on small devices, and so many bytes of shared memory asked for at launch.
    pub(crate) fn shaped<A: Arguments>(
        &self,
        source: &Source,
        name: &'static str,
        block: u32,
        shared: u32,
    ) -> Result<Launch<A>> {
        let block = if self.is_small() { block.min(SMALL_BLOCK) } else { block };
        let kernel = self.gpu.compile(source).and_then(|module| module.kernel(name)).map_err(lift)?;
        let device_graph = self.gpu.coresident_blocks(&kernel, block, shared).map_err(lift)?;
        Ok(Launch { kernel, block, shared, device_graph, takes: std::marker::PhantomData })
    }

    /// An array.
    pub(crate) fn array<T: bytemuck::Pod>(&self, len: usize, what: &str) -> Result<Array<T>> {
        self.gpu.array(len, what).map_err(lift)
    }

    /// An array of zeros.
    pub(crate) fn zeros<T: bytemuck::Pod>(&self, len: usize, what: &str) -> Result<Array<T>> {
        let mut array = self.array(len, what)?;
        array.fill_bytes(0).map_err(lift)?;
        Ok(array)
    }

    /// Starts a kernel.
    ///
    /// # Safety
    /// Every address in `arguments` is good for what the kernel does with it, and what is there lives until the next wait.
    pub(crate) unsafe fn start<A: Arguments>(
        &self,
        launch: &Launch<A>,
        grid: Grid,
        arguments: &A,
    ) -> Result<()> {
        let shape = Shape { grid: launch.blocks(grid), block: launch.block, shared: launch.shared };
        // SAFETY: the kernel was found for an A; the caller promises the rest.
        unsafe { self.gpu.launch(&launch.kernel, shape, arguments) }.map_err(lift)
    }

    /// [`Machine::start`] with all blocks running at once, so that they may wait for each other: as many as run at a time, and not more
    /// than `most`.
    ///
    /// # Safety
    /// As for [`Machine::start`].
    pub(crate) unsafe fn start_coresident<A: Arguments>(
        &self,
        launch: &Launch<A>,
        most: u32,
        arguments: &A,
    ) -> Result<()> {
        let grid = launch.device_graph.min(most).max(1);
        let shape = Shape { grid, block: launch.block, shared: launch.shared };
        // SAFETY: the kernel was found for an A; the caller promises the rest.
        unsafe { self.gpu.launch_coresident(&launch.kernel, shape, arguments) }.map_err(lift)
    }

    /// [`Machine::start`] for a kernel whose time is on an account.
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
        // SAFETY: as promised by the caller.
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

    /// What `work` starts is on an account.
    pub(crate) fn on_account(&self, account: Account, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let from = self.gpu.mark().map_err(lift)?;
        work()?;
        let to = self.gpu.mark().map_err(lift)?;
        self.marks.borrow_mut().push((account, [from, to]));
        Ok(())
    }

    /// Seconds of device time on an account, up to the last wait.
    pub(crate) fn seconds_of(&self, account: Account) -> f64 {
        self.seconds[account as usize].get()
    }

    /// Seconds of device time in kernels that expand, up to the last wait.
    pub(crate) fn kernel_seconds(&self) -> f64 {
        self.seconds_of(Account::Kernel)
    }

    /// Seconds of device time that electing tiles took, but for what every balance does.
    pub(crate) fn tiling_seconds(&self) -> f64 {
        let elected = (self.seconds_of(Account::Tiling) - self.seconds_of(Account::Bare)).max(0.0);
        elected + self.seconds_of(Account::Listing)
    }

    /// Waits for everything started, and copies an array to the host on the way.
    pub(crate) fn fetch<T: bytemuck::Pod>(&self, pinned: &mut Pinned<T>, array: &Array<T>) -> Result<()> {
        pinned.fetch(array).map_err(lift)?;
        self.wait()
    }

    /// Waits until a kernel has told a number, at an entry of memory that is watched: then all that was started before it is done too.
    pub(crate) fn wait_told(&self, told: &Pinned<u64>, at: usize, number: u64) -> Result<()> {
        // A simulator goes on only while it is waited for.
        if self.gpu.properties().driver.is_empty() || self.marks.borrow().len() > MOST_MARKS {
            return self.wait();
        }
        let begun = Instant::now();
        while told.get(at) != number {
            let waited = begun.elapsed();
            // It may take long, be asked to end, or never come.
            if waited > WATCHED || self.options.control.should_stop() {
                return self.wait();
            }
            // Longer than a superstep of a few vertices: somebody else may need the processor.
            if waited > SHORT_WAIT {
                std::thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
        std::sync::atomic::fence(Ordering::Acquire);
        self.undisturbed()
    }

    /// Waits for everything started.
    pub(crate) fn wait(&self) -> Result<()> {
        self.wait_watching(|| {})
    }

    /// [`Machine::wait`] that calls `watch` again and again.
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

    /// Waits for what a run has left behind once its answer is there; it is too late to stop it.
    pub(crate) fn finish(&self) -> Result<()> {
        self.gpu.finish().map_err(lift)?;
        self.look_at_marks()
    }

    /// Adds up what was marked; all of it has happened.
    fn look_at_marks(&self) -> Result<()> {
        for (account, [from, to]) in self.marks.borrow_mut().drain(..) {
            let total = &self.seconds[account as usize];
            total.set(total.get() + to.seconds_since(&from).map_err(lift)?);
        }
        Ok(())
    }

    /// Kernels of this run were not asked to end by another one.
    fn undisturbed(&self) -> Result<()> {
        if self.gpu.stops() == self.stops {
            return Ok(());
        }
        Err(Error::Device {
            kind: "device",
            what: format!("another run on {} was stopped while this one was {}", self.label(), self.during),
            help: "run it again; give runs that may be stopped an engine of their own".to_owned(),
        })
    }
}

impl<A> Launch<A> {
    /// The blocks of a grid.
    pub(crate) fn blocks(&self, grid: Grid) -> u32 {
        let device_graph = u64::from(self.device_graph);
        let blocks = match grid {
            Grid::For(items) => items.div_ceil(u64::from(self.block)).min(device_graph * WAVES),
            Grid::Shares(items) => items.div_ceil(u64::from(self.block)).clamp(1, device_graph),
            Grid::Tiles(entries, arcs) => {
                let by_entries = entries.div_ceil(u64::from(self.block));
                by_entries.max((arcs / TILED_ARCS).min(entries)).clamp(1, device_graph * WAVES)
            }
            Grid::One => 1,
        };
        u32::try_from(blocks).unwrap_or(u32::MAX)
    }
}
