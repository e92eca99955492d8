//! [`Gpu`]: a shared handle to a device that owns what it allocates and is an error for good once its device is lost.

use crate::{
    Allocation, Arguments, Array, Cache, CancelWord, CopyKind, Device, Error, EventId, FunctionId,
    MemoryInfo, MemoryKind, ModuleId, Pinned, Properties, Result, Shape, Source, Stream,
};
use bytemuck::Pod;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use xxhash_rust::xxh3::xxh3_128;

/// How long a kernel may take to end once it was asked to.
pub const GRACE: Duration = Duration::from_secs(10);

/// A device in use; clones share it.
#[derive(Debug, Clone)]
pub struct Gpu {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    device: Box<dyn Device>,
    /// The error that ended it.
    lost: OnceLock<Error>,
    /// Modules by the hash of their whole text.
    modules: Mutex<HashMap<u128, ModuleId>>,
    /// How many blocks run at a time, by kernel, threads and shared memory.
    resident: Mutex<HashMap<(FunctionId, u32, u32), u32>>,
    /// Nanoseconds spent compiling.
    compiling: AtomicU64,
    /// How often kernels were asked to end.
    stops: AtomicU64,
    grace: Duration,
}

/// Compiled code.
#[derive(Debug, Clone)]
pub struct Module {
    gpu: Gpu,
    id: ModuleId,
}

/// A kernel, ready to be launched.
#[derive(Debug, Clone)]
pub struct Kernel {
    id: FunctionId,
    name: &'static str,
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl Module {
    /// A kernel by its name.
    ///
    /// # Errors
    /// When there is none, or the device is lost.
    pub fn kernel(&self, name: &'static str) -> Result<Kernel> {
        let id = self.gpu.call(|device| device.function(self.id, name))?;
        Ok(Kernel { id, name })
    }
}

impl Gpu {
    /// A handle to a device.
    pub fn new(device: Box<dyn Device>) -> Self {
        Self::with_grace(device, GRACE)
    }

    /// A handle that waits this long for a kernel to end once it was asked to.
    pub fn with_grace(device: Box<dyn Device>, grace: Duration) -> Self {
        let (lost, modules, resident) = (OnceLock::new(), Mutex::default(), Mutex::default());
        let (compiling, stops) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { shared: Arc::new(Shared { device, lost, modules, resident, compiling, stops, grace }) }
    }

    /// Asks the device, unless it is lost.
    fn call<T>(&self, ask: impl FnOnce(&dyn Device) -> Result<T>) -> Result<T> {
        if let Some(error) = self.shared.lost.get() {
            return Err(error.clone());
        }
        ask(&*self.shared.device).inspect_err(|error| {
            if error.is_fatal() {
                let _ = self.shared.lost.set(error.clone());
            }
        })
    }

    /// What it is and has.
    pub fn properties(&self) -> &Properties {
        self.shared.device.properties()
    }

    /// The cache on disk of what is made for it, if it has one.
    pub fn cache(&self) -> Option<&Cache> {
        self.shared.device.cache()
    }

    /// The error that ended it, if one did.
    pub fn lost(&self) -> Option<&Error> {
        self.shared.lost.get()
    }

    /// Its memory now.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn memory(&self) -> Result<MemoryInfo> {
        self.call(|device| device.memory())
    }

    /// The most bytes that were held at a time, as [`Gpu::memory`] says too, but at once.
    pub fn peak(&self) -> u64 {
        self.shared.device.peak()
    }

    /// Compiles a module, or takes it from the cache; one text is compiled once.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::NoCompiler`], or when the device is lost.
    pub fn compile(&self, source: &Source) -> Result<Module> {
        let mut modules = self.shared.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let key = xxh3_128(source.text.as_bytes());
        if let Some(&id) = modules.get(&key) {
            return Ok(Module { gpu: self.clone(), id });
        }
        let start = Instant::now();
        let id = self.call(|device| device.compile(source))?;
        self.shared.compiling.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        modules.insert(key, id);
        Ok(Module { gpu: self.clone(), id })
    }

    /// Seconds spent compiling so far, or reading the cache.
    pub fn compile_seconds(&self) -> f64 {
        Duration::from_nanos(self.shared.compiling.load(Ordering::Relaxed)).as_secs_f64()
    }

    /// Memory of a kind; `what` is named if there is no room.
    pub(crate) fn alloc(&self, bytes: usize, kind: MemoryKind, what: &str) -> Result<Allocation> {
        self.call(|device| device.alloc(bytes, kind)).map_err(|error| match error {
            Error::OutOfMemory { label, asked, free, total, .. } => {
                Error::OutOfMemory { label, what: what.to_owned(), asked, free, total }
            }
            other => other,
        })
    }

    /// Gives memory back, after everything that was started before is done with it.
    ///
    /// # Safety
    /// As for [`Device::free`], but for what is in streams.
    pub(crate) unsafe fn free(&self, allocation: Allocation) {
        // A lost device has nothing to give back to; its process gives all back at its end.
        if self.shared.lost.get().is_none() {
            let _ = self.finish();
            // SAFETY: the caller's promise, and nothing is running any more.
            unsafe { self.shared.device.free(allocation) };
        }
    }

    /// An array of device memory, not initialised; `what` is named if there is no room.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or when the device is lost.
    pub fn array<T: Pod>(&self, len: usize, what: &str) -> Result<Array<T>> {
        Array::new(self, len, what)
    }

    /// An array of device memory with these values.
    ///
    /// # Errors
    /// As [`Gpu::array`].
    pub fn array_of<T: Pod>(&self, values: &[T], what: &str) -> Result<Array<T>> {
        let mut array = self.array(values.len(), what)?;
        array.write(values)?;
        Ok(array)
    }

    /// An array of host memory that kernels reach too, all bits zero.
    ///
    /// # Errors
    /// As [`Gpu::array`].
    pub fn pinned<T: Pod>(&self, len: usize, what: &str) -> Result<Pinned<T>> {
        Pinned::new(self, len, what)
    }

    /// How many blocks of this kernel run at a time.
    ///
    /// # Errors
    /// When a block of this size cannot run at all, or the device is lost.
    pub fn coresident_blocks(&self, kernel: &Kernel, block: u32, shared: u32) -> Result<u32> {
        let key = (kernel.id, block, shared);
        let mut known = self.shared.resident.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&blocks) = known.get(&key) {
            return Ok(blocks);
        }
        let blocks = self.call(|device| device.coresident_blocks(kernel.id, block, shared))?;
        known.insert(key, blocks);
        Ok(blocks)
    }

    /// Starts a kernel. An empty grid does nothing.
    ///
    /// # Safety
    /// The kernel takes an `A`, and every address in it is good for what the kernel does with it until the next
    /// [`Gpu::wait`] or [`Gpu::finish`] returns.
    ///
    /// # Errors
    /// When it cannot be launched or the device is lost.
    pub unsafe fn launch<A: Arguments>(&self, kernel: &Kernel, shape: Shape, arguments: &A) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.launch_bytes(kernel, shape, bytemuck::bytes_of(arguments)) }
    }

    /// [`Gpu::launch`] for a struct that is put together at run time, given as its bytes, which begin at a multiple of 8.
    ///
    /// # Safety
    /// As for [`Gpu::launch`]; the bytes are those of the struct that the kernel takes.
    ///
    /// # Errors
    /// As for [`Gpu::launch`].
    pub unsafe fn launch_bytes(&self, kernel: &Kernel, shape: Shape, arguments: &[u8]) -> Result<()> {
        if shape.grid == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.launch(Stream::Compute, kernel.id, shape, arguments) })
    }

    /// [`Gpu::launch`] with all blocks running at once, so that they may wait for each other.
    ///
    /// # Safety
    /// As for [`Gpu::launch`].
    ///
    /// # Errors
    /// Also when there are more blocks than [`Gpu::coresident_blocks`] says.
    pub unsafe fn launch_coresident<A: Arguments>(
        &self,
        kernel: &Kernel,
        shape: Shape,
        arguments: &A,
    ) -> Result<()> {
        let bytes = bytemuck::bytes_of(arguments);
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.launch_coresident(Stream::Compute, kernel.id, shape, bytes) })
    }

    /// Copies bytes in the compute stream.
    ///
    /// # Safety
    /// As for [`Device::copy`].
    pub(crate) unsafe fn copy(&self, kind: CopyKind, to: u64, from: u64, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.copy(Stream::Compute, kind, to, from, bytes) })
    }

    /// Sets bytes in the compute stream.
    ///
    /// # Safety
    /// As for [`Device::fill`].
    pub(crate) unsafe fn fill(&self, to: u64, byte: u8, bytes: usize) -> Result<()> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.fill(Stream::Compute, to, byte, bytes) })
    }

    /// Waits for everything started.
    ///
    /// # Errors
    /// Of what was started.
    pub fn finish(&self) -> Result<()> {
        self.wait(|| false)
    }

    /// Waits for everything started. If `stop` says so meanwhile, kernels are asked to end, and once they have the error is
    /// [`Error::Stopped`]; memory they wrote is in between.
    ///
    /// # Errors
    /// Of what was started; [`Error::Stopped`]; [`Error::Hung`] if a kernel does not listen.
    pub fn wait(&self, stop: impl Fn() -> bool) -> Result<()> {
        let event = self.call(|device| device.record(Stream::Compute))?;
        let ended = self.wait_for(event, stop);
        self.shared.device.forget(event);
        ended
    }

    fn wait_for(&self, event: EventId, stop: impl Fn() -> bool) -> Result<()> {
        let (begun, mut asked) = (Instant::now(), None::<Instant>);
        loop {
            if self.call(|device| device.is_done(event))? {
                break;
            }
            if asked.is_none() && stop() {
                self.shared.stops.fetch_add(1, Ordering::SeqCst);
                self.cancel(1);
                asked = Some(Instant::now());
            }
            if asked.is_some_and(|since| since.elapsed() > self.shared.grace) {
                let (label, seconds) = (self.properties().label.clone(), self.shared.grace.as_secs_f64());
                return self.call(|_| Err(Error::Hung { label, seconds }));
            }
            // Most waits are for tens of microseconds; a thread that sleeps wakes later than that.
            if begun.elapsed() > Duration::from_millis(2) {
                std::thread::sleep(Duration::from_micros(50));
            } else {
                std::hint::spin_loop();
            }
        }
        if asked.is_some() {
            self.cancel(0);
            return Err(Error::Stopped { label: self.properties().label.clone() });
        }
        Ok(())
    }

    fn cancel(&self, word: u32) {
        let CancelWord { host, .. } = self.shared.device.cancel_word();
        // SAFETY: the device's own pinned word, aligned, alive as long as the device; kernels only read it.
        unsafe { AtomicU32::from_ptr(host as *mut u32) }.store(word, Ordering::Release);
    }

    /// How often kernels were asked to end. All kernels of the device hear that, so who waited while this number rose cannot
    /// know that its own have done all they should.
    pub fn stops(&self) -> u64 {
        self.shared.stops.load(Ordering::SeqCst)
    }

    /// Where kernels read whether they are to end.
    pub fn cancel_address(&self) -> crate::Address<u32> {
        crate::Address::new(self.shared.device.cancel_word().device)
    }

    /// Seconds of device time that `work` takes; it is waited for.
    ///
    /// # Errors
    /// Those of `work`, and of what it started.
    pub fn timed(&self, work: impl FnOnce() -> Result<()>) -> Result<f64> {
        let from = self.call(|device| device.record(Stream::Compute))?;
        let done = work();
        let to = self.call(|device| device.record(Stream::Compute))?;
        let ended = done.and_then(|()| self.wait_for(to, || false));
        let seconds = ended.and_then(|()| self.call(|device| device.seconds_between(from, to)));
        self.shared.device.forget(from);
        self.shared.device.forget(to);
        seconds
    }

    /// Marks a moment in what is started: everything before it has happened, nothing after.
    ///
    /// # Errors
    /// Of the device.
    pub fn mark(&self) -> Result<Mark> {
        let event = self.call(|device| device.record(Stream::Compute))?;
        Ok(Mark { gpu: self.clone(), event })
    }
}

/// A moment in what a device does.
pub struct Mark {
    gpu: Gpu,
    event: EventId,
}

impl Mark {
    /// Seconds of device time since an earlier one; both must have happened.
    ///
    /// # Errors
    /// When one has not, or the device is lost.
    pub fn seconds_since(&self, earlier: &Self) -> Result<f64> {
        self.gpu.call(|device| device.seconds_between(earlier.event, self.event))
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.gpu.shared.device.forget(self.event);
    }
}

impl std::fmt::Debug for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} of {}", self.event, self.gpu.properties().label)
    }
}
