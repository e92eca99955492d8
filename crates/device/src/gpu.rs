//! [`Gpu`]: a shared handle to a device. It owns what it allocates. Once its device is lost, every call returns that
//! error.

use crate::{
    Advice, Ahead, Allocation, Arguments, Array, Cache, CancelWord, CopyKind, Device, Error, EventId,
    FunctionId, MemoryInfo, MemoryKind, ModuleId, Parcel, Pinned, Place, Properties, Result, Shape, Source,
    Stream, ahead::Once, ring::Ring,
};
use bytemuck::Pod;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use xxhash_rust::xxh3::xxh3_128;

/// How long a kernel may take to end after the host asked it to.
pub const GRACE: Duration = Duration::from_secs(10);

/// A handle to a device. Clones share the device.
#[derive(Debug, Clone)]
pub struct Gpu {
    shared: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    device: Box<dyn Device>,
    /// The error that lost the device.
    lost: OnceLock<Error>,
    /// Modules by the hash of their whole text.
    modules: Once<ModuleId>,
    /// How many blocks run at the same time, by kernel, threads per block and shared memory.
    resident: Mutex<HashMap<(FunctionId, u32, u32), u32>>,
    /// Nanoseconds spent compiling or reading the compile cache.
    compiling: AtomicU64,
    /// How many times the host asked kernels to end.
    stops: AtomicU64,
    grace: Duration,
    /// The buffers through which large arrays travel.
    ring: Mutex<Ring>,
    /// Bytes of host memory of callers that kernels can read in place.
    mapped: AtomicU64,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.ring.get_mut().unwrap_or_else(PoisonError::into_inner).clear(&*self.device);
    }
}

/// A compiled module.
#[derive(Debug, Clone)]
pub struct Module {
    gpu: Gpu,
    id: ModuleId,
}

/// A kernel, ready to launch.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    id: FunctionId,
}

impl Module {
    /// Returns a kernel of the module by its name.
    ///
    /// # Errors
    /// If the module has no such kernel, or the device is lost.
    pub fn kernel(&self, name: &'static str) -> Result<Kernel> {
        let id = self.gpu.call(|device| device.function(self.id, name))?;
        Ok(Kernel { id })
    }
}

impl Gpu {
    /// Creates a handle to a device.
    pub fn new(device: Box<dyn Device>) -> Self {
        Self::with_grace(device, GRACE)
    }

    /// Creates a handle that gives kernels this long to end after it asked them to.
    pub fn with_grace(device: Box<dyn Device>, grace: Duration) -> Self {
        let (lost, modules, resident) = (OnceLock::new(), Once::default(), Mutex::default());
        let (compiling, stops, ring) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::default());
        let mapped = AtomicU64::new(0);
        let inner = Inner { device, lost, modules, resident, compiling, stops, grace, ring, mapped };
        Self { shared: Arc::new(inner) }
    }

    /// Calls the device, unless it is lost. A fatal error marks it as lost.
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

    /// Returns what the device is and has.
    pub fn properties(&self) -> &Properties {
        self.shared.device.properties()
    }

    /// Returns name and version of the compiler for this device; a GPU may have to load it first. Empty if no compiler
    /// fits.
    pub fn compiler(&self) -> String {
        self.shared.device.compiler()
    }

    /// Returns the device's cache on disk, if it has one.
    pub fn cache(&self) -> Option<&Cache> {
        self.shared.device.cache()
    }

    /// Returns the error that lost the device, if any.
    pub fn lost(&self) -> Option<&Error> {
        self.shared.lost.get()
    }

    /// Returns how much memory is free, held and available in total.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn memory(&self) -> Result<MemoryInfo> {
        self.call(|device| device.memory())
    }

    /// Returns the most bytes held at any one time: [`MemoryInfo::peak`] without a call of the driver.
    pub fn peak(&self) -> u64 {
        self.shared.device.peak()
    }

    /// Compiles a module, or takes it from the cache. Each text is compiled at most once per handle: a second caller waits
    /// for the first. Different texts are compiled at the same time.
    ///
    /// # Errors
    /// [`Error::Compile`], [`Error::NoCompiler`], or if the device is lost.
    pub fn compile(&self, source: &Source) -> Result<Module> {
        if let Some(id) = self.shared.modules.get(key(source)) {
            return Ok(Module { gpu: self.clone(), id });
        }
        let start = Instant::now();
        let id = self.module(source)?;
        self.shared.compiling.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(Module { gpu: self.clone(), id })
    }

    /// Compiles modules on background threads, several at once. Later calls of [`Gpu::compile`] find them, or wait for
    /// those in the making; errors show only there. Dropping the result stops it: see [`Ahead`].
    pub fn compile_ahead(&self, sources: Vec<Arc<Source>>) -> Ahead {
        let gpu = self.clone();
        Ahead::start(sources, move |source| {
            let _ = gpu.module(&source);
        })
    }

    /// Returns a module: makes it, or waits for the caller that makes it.
    fn module(&self, source: &Source) -> Result<ModuleId> {
        self.shared.modules.with(key(source), |slot| match *slot {
            Some(id) => Ok(id),
            None => Ok(*slot.insert(self.call(|device| device.compile(source))?)),
        })
    }

    /// Returns the seconds that callers have waited so far for compiling or for reading the compile cache.
    pub fn compile_seconds(&self) -> f64 {
        Duration::from_nanos(self.shared.compiling.load(Ordering::Relaxed)).as_secs_f64()
    }

    /// Allocates memory. If there is no room, the error names `what`.
    pub(crate) fn alloc(&self, bytes: usize, kind: MemoryKind, what: &str) -> Result<Allocation> {
        self.call(|device| device.alloc(bytes, kind)).map_err(|error| match error {
            Error::OutOfMemory { label, asked, free, total, .. } => {
                Error::OutOfMemory { label, what: what.to_owned(), asked, free, total }
            }
            other => other,
        })
    }

    /// Returns the error for an array whose size in bytes does not fit a `usize`.
    pub(crate) fn too_large(&self, what: &str) -> Error {
        let label = self.properties().label.clone();
        self.memory().map_or_else(
            |error| error,
            |MemoryInfo { free, total, .. }| Error::OutOfMemory {
                label,
                what: what.to_owned(),
                asked: u64::MAX,
                free,
                total,
            },
        )
    }

    /// Returns whether both handles share one device.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Frees memory, after a wait for all work started before.
    ///
    /// # Safety
    /// As for [`Device::free`], except that work in streams may still use the memory.
    pub(crate) unsafe fn free(&self, allocation: Allocation) {
        // If the wait fails, a kernel may still run. The memory then stays allocated until the process ends.
        if self.finish().is_ok() {
            // SAFETY: the caller's promise, and all work has ended.
            unsafe { self.shared.device.free(allocation) };
        }
    }

    /// Allocates an array in device memory, not initialised. If there is no room, the error names `what`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or if the device is lost.
    pub fn array<T: Pod>(&self, len: usize, what: &str) -> Result<Array<T>> {
        Array::new(self, len, what)
    }

    /// Allocates an array in device memory and copies these values to it.
    ///
    /// # Errors
    /// As [`Gpu::array`].
    pub fn array_of<T: Pod>(&self, values: &[T], what: &str) -> Result<Array<T>> {
        let mut array = self.array(values.len(), what)?;
        array.write(values)?;
        Ok(array)
    }

    /// Allocates an array in pinned host memory, all bits zero.
    ///
    /// # Errors
    /// As [`Gpu::array`].
    pub fn pinned<T: Pod>(&self, len: usize, what: &str) -> Result<Pinned<T>> {
        Pinned::new(self, len, what)
    }

    /// Returns how many blocks of this kernel the device can run at the same time.
    ///
    /// # Errors
    /// If not even one block of this size can run, or the device is lost.
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

    /// Launches a kernel. An empty grid does nothing.
    ///
    /// # Safety
    /// The kernel takes an `A`, and every address in it stays valid for what the kernel does with it until the next
    /// [`Gpu::wait`] or [`Gpu::finish`] returns.
    ///
    /// # Errors
    /// If the launch fails or the device is lost.
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

    /// Like [`Gpu::launch`], with all blocks resident at the same time, so that they may wait for each other.
    ///
    /// # Safety
    /// As for [`Gpu::launch`].
    ///
    /// # Errors
    /// Also if there are more blocks than [`Gpu::coresident_blocks`].
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

    /// Queues a copy in the compute stream.
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

    /// Returns the bytes of host memory that kernels can read in place now: all [`Shared`](crate::Shared) memory of this
    /// device. They do not count against its memory budget.
    pub fn shared_bytes(&self) -> u64 {
        self.shared.mapped.load(Ordering::Relaxed)
    }

    /// [`Device::map`].
    ///
    /// # Safety
    /// As for [`Device::map`].
    pub(crate) unsafe fn map(&self, host: u64, bytes: usize) -> Result<u64> {
        // SAFETY: the caller's promise.
        let device = self.call(|device| unsafe { device.map(host, bytes) })?;
        self.shared.mapped.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(device)
    }

    /// [`Device::unmap`], after a wait for all work started before.
    ///
    /// # Safety
    /// As for [`Device::unmap`], except that work in streams may still read the memory.
    ///
    /// # Errors
    /// If the device may still read the memory.
    pub(crate) unsafe fn unmap(&self, host: u64, bytes: usize) -> Result<()> {
        self.finish()?;
        // SAFETY: the caller's promise, and all work has ended.
        self.call(|device| unsafe { device.unmap(host, bytes) })?;
        self.shared.mapped.fetch_sub(bytes as u64, Ordering::Relaxed);
        Ok(())
    }

    /// [`Device::advise`].
    ///
    /// # Safety
    /// As for [`Device::advise`].
    pub(crate) unsafe fn advise(&self, at: u64, bytes: usize, advice: Advice) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.advise(at, bytes, advice) })
    }

    /// Queues moving pages of managed memory beside the compute stream; returns the event after it.
    ///
    /// # Safety
    /// As for [`Device::prefetch`].
    pub(crate) unsafe fn prefetch(&self, at: u64, bytes: usize, to: Place) -> Result<EventId> {
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.prefetch(Stream::Copy, at, bytes, to) })?;
        self.record(Stream::Copy)
    }

    /// [`Device::record`].
    pub(crate) fn record(&self, stream: Stream) -> Result<EventId> {
        self.call(|device| device.record(stream))
    }

    /// Makes a stream wait for an event of the other one: [`Device::wait_for`].
    pub(crate) fn order(&self, stream: Stream, event: EventId) -> Result<()> {
        self.call(|device| device.wait_for(stream, event))
    }

    /// Copies entries from device memory after all work started before. When it returns, they are here.
    ///
    /// # Safety
    /// At least as many entries lie at `from`, in memory of this device.
    ///
    /// # Errors
    /// The errors of the work started before; if the device is lost.
    pub unsafe fn read_from<T: Pod>(&self, from: crate::Address<T>, into: &mut [T]) -> Result<()> {
        let (to, bytes) = (into.as_mut_ptr() as u64, size_of_val(into));
        // SAFETY: the caller's promise. A slice is not pinned memory, so the copy has finished when the call returns.
        unsafe { self.copy(CopyKind::ToHost, to, from.raw(), bytes) }
    }

    /// Makes copies beside the compute stream wait for all work started before.
    pub(crate) fn order_copies(&self) -> Result<()> {
        let event = self.record(Stream::Compute)?;
        let ordered = self.order(Stream::Copy, event);
        self.forget(event);
        ordered
    }

    /// Queues a copy beside the compute stream; returns the event after it.
    ///
    /// # Safety
    /// As for [`Device::copy`].
    pub(crate) unsafe fn copy_beside(
        &self,
        kind: CopyKind,
        to: u64,
        from: u64,
        bytes: usize,
    ) -> Result<EventId> {
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.copy(Stream::Copy, kind, to, from, bytes) })?;
        self.record(Stream::Copy)
    }

    /// [`Device::is_done`].
    pub(crate) fn is_done(&self, event: EventId) -> Result<bool> {
        self.call(|device| device.is_done(event))
    }

    /// [`Device::forget`].
    pub(crate) fn forget(&self, event: EventId) {
        self.shared.device.forget(event);
    }

    /// [`Device::pin`].
    ///
    /// # Safety
    /// As for [`Device::pin`].
    pub(crate) unsafe fn pin(&self, host: u64, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        self.call(|device| unsafe { device.pin(host, bytes) })
    }

    /// Returns the buffers through which large arrays travel. One caller uses them at a time.
    pub(crate) fn ring(&self) -> MutexGuard<'_, Ring> {
        self.shared.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies parcels to their arrays at the speed of the bus, after all work started before. `look` gets every piece of
    /// a parcel before the piece travels, while it is in the cache of the core that calls it: the number of the parcel,
    /// the byte of the parcel where the piece starts, a multiple of 1 MiB, and the piece itself, of at most 2 MiB. Several threads call `look`, in no particular order.
    ///
    /// # Errors
    /// [`Error::Stopped`] if `look` returns false; if the device fails. The arrays then hold anything.
    ///
    /// # Panics
    /// If a parcel is for another device.
    pub fn send(
        &self,
        parcels: &[Parcel<'_>],
        look: impl Fn(usize, usize, &[u8]) -> bool + Sync,
    ) -> Result<()> {
        assert!(parcels.iter().all(|parcel| self.is(parcel.gpu())), "parcels for one device");
        // SAFETY: a parcel borrows its array, which has room for its bytes and lives until the copy has finished.
        unsafe { self.ring().send(self, parcels, &look) }
    }

    /// Queues setting bytes in the compute stream.
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

    /// Waits for all work started so far.
    ///
    /// # Errors
    /// The errors of that work.
    pub fn finish(&self) -> Result<()> {
        self.wait(|| false)
    }

    /// Waits for all work started so far. If `stop` returns `true` meanwhile, asks the kernels to end and, once they
    /// have, returns [`Error::Stopped`]. The memory that they wrote is then in an undefined state between two steps.
    ///
    /// # Errors
    /// The errors of that work; [`Error::Stopped`]; [`Error::Hung`] if a kernel does not end.
    pub fn wait(&self, stop: impl Fn() -> bool) -> Result<()> {
        let event = self.call(|device| device.record(Stream::Compute))?;
        let ended = self.wait_for(event, stop);
        self.shared.device.forget(event);
        ended
    }

    /// [`Gpu::wait`] for the work before an event.
    pub(crate) fn wait_for(&self, event: EventId, stop: impl Fn() -> bool) -> Result<()> {
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
            // Most waits take tens of microseconds, less than it takes to wake a thread that sleeps. So spin first.
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
        // SAFETY: by the contract of `Device` the word is aligned and lives as long as the device, which never writes
        // to it.
        unsafe { AtomicU32::from_ptr(host as *mut u32) }.store(word, Ordering::Release);
    }

    /// Returns how many times the host asked kernels to end. The cancel word reaches all kernels of the device: if this
    /// number rose while a caller waited, its own kernels may have ended early too.
    pub fn stops(&self) -> u64 {
        self.shared.stops.load(Ordering::SeqCst)
    }

    /// Returns the address of the cancel word for kernels.
    pub fn cancel_address(&self) -> crate::Address<u32> {
        crate::Address::new(self.shared.device.cancel_word().device)
    }

    /// Runs `work`, waits for what it started, and returns the seconds of device time that it took.
    ///
    /// # Errors
    /// Those of `work` and of what it started.
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

    /// Records a point in the compute stream: after all work started before, before all work started later.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn mark(&self) -> Result<Mark> {
        let event = self.call(|device| device.record(Stream::Compute))?;
        Ok(Mark { gpu: self.clone(), event })
    }
}

/// Returns the key of a module: the hash of its whole text.
fn key(source: &Source) -> u128 {
    xxh3_128(source.text.as_bytes())
}

/// A point in the work of a device.
pub struct Mark {
    gpu: Gpu,
    event: EventId,
}

impl Mark {
    /// Returns the seconds of device time since an earlier mark. The device must have passed both.
    ///
    /// # Errors
    /// If the device has not passed both marks, or is lost.
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
