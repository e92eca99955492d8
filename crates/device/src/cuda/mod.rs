//! NVIDIA GPUs, through their driver.
//!
//! Nothing of CUDA is needed to build or to start. The driver is searched for when a GPU is opened; without one the
//! error is [`crate::Error::NoDriver`]. This module calls only functions that the driver of CUDA 12.0 has. It uses a
//! GPU through its primary context, which every call makes current, so calls may come from any thread.
//!
//! Every raw driver call is in one of the files here: `driver` (what there is), `context` (how calls are made and what
//! their errors mean), `pieces` (memory), `mapped` (host memory of callers), `streams` (copies and events), `modules` (code and launches).

mod compiler;
mod context;
mod driver;
mod mapped;
mod memory;
mod modules;
mod pieces;
mod streams;

use crate::{
    Advice, Ahead, Allocation, Cache, CancelWord, CopyKind, Device, EventId, FunctionId, Gpu, MemoryInfo,
    MemoryKind, ModuleId, Place, Properties, Result, Settings, Shape, Source, Stage, Stream, nvrtc::Places,
};
use compiler::Compiler;
pub(crate) use compiler::Cubin;
use context::Context;
use driver::Driver;
use mapped::Mapped;
use memory::Memory;
use modules::Modules;
use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use streams::{Ended, Streams};

/// How long dropping a GPU waits for its work. After that, the running kernels keep their memory until the process
/// ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// Lists all GPUs that this process can see, including those that cannot be opened. `compiler` is empty where none fits;
/// to fill it in, this call loads NVRTC.
///
/// # Errors
/// [`crate::Error::NoDriver`].
pub fn list() -> Result<Vec<Properties>> {
    let (driver, places) = (Driver::start()?, Places::of_this_process());
    let with_compiler = |index| {
        let (_, mut gpu) = driver.device(index)?;
        if let Ok((nvrtc, _)) = driver.compiler_for(&gpu, &places) {
            gpu.compiler = nvrtc.name();
        }
        Ok(gpu)
    };
    (0..driver.count).map(with_compiler).collect()
}

/// Opens the GPU of this number.
///
/// # Errors
/// [`crate::Error::NoDriver`]; [`crate::Error::NoDevice`] if there is no GPU of this number or another process uses it
/// exclusively; [`crate::Error::Capability`] if it is too old. A GPU looks for NVRTC when it first must compile a module, so
/// its absence is an error of that call.
pub fn open(index: u32, settings: &Settings) -> Result<Gpu> {
    Ok(Gpu::new(device(index, settings)?))
}

/// Opens the GPU of this number as a bare device, for callers that create their own [`Gpu`] or use none.
///
/// # Errors
/// As [`open`].
pub fn device(index: u32, settings: &Settings) -> Result<Box<dyn Device>> {
    Ok(Box::new(Cuda::open(index, settings)?))
}

/// Compiles modules for the GPU of this number on background threads, several at once, without opening it: the driver may
/// create its context at the same time. A GPU that is opened with the same settings, or with a clone of them, finds the
/// cubins in [`Settings::cubins`] or waits for those in the making. Errors show only there. Dropping the result stops it:
/// see [`Ahead`].
pub fn compile_ahead(index: u32, settings: &Settings, sources: Vec<Arc<Source>>) -> Ahead {
    let (settings, compiler) = (settings.clone(), OnceLock::new());
    let start = move || {
        let driver = Driver::start()?;
        let (_, properties) = driver.device(index)?;
        Driver::check(&properties)?;
        Ok::<_, crate::Error>(Compiler::new(driver, &properties, &settings))
    };
    Ahead::start(sources, move |source| {
        if let Ok(compiler) = compiler.get_or_init(&start) {
            let _ = compiler.make_ahead(&source);
        }
    })
}

/// An open GPU.
#[derive(Debug)]
struct Cuda {
    properties: Properties,
    compiler: Compiler,
    modules: Modules,
    memory: Memory,
    mapped: Mapped,
    streams: Streams,
    cancel: Allocation,
    /// The last field, since dropping it releases the context that the others need.
    context: Context,
}

impl Cuda {
    fn open(index: u32, settings: &Settings) -> Result<Self> {
        let (driver, (device, properties)) = settings.staged(Stage::Driver, None, || {
            let driver = Driver::start()?;
            Ok((driver, driver.device(index)?))
        })?;
        Driver::check(&properties)?;
        let compiler = Compiler::new(driver, &properties, settings);

        let context = settings.staged(Stage::Context, None, || Context::retain(device, &properties.label))?;
        let memory = Memory::new(properties.memory, settings.memory_budget, settings.oversubscribe);
        let mapped = Mapped::default();
        let (streams, cancel) = settings.staged(Stage::Streams, None, || {
            let cancel = || memory.alloc(&context, size_of::<u32>(), MemoryKind::Pinned);
            Ok((Streams::new(&context)?, cancel()?))
        })?;
        let modules = Modules::default();
        let opened = Self { properties, compiler, modules, memory, mapped, streams, cancel, context };
        opened.cancel_flag().store(0, Ordering::Release);
        Ok(opened)
    }

    fn cancel_flag(&self) -> &AtomicU32 {
        // SAFETY: pinned memory of this size, aligned, freed only when this is dropped. Kernels only read it.
        unsafe { AtomicU32::from_ptr(self.cancel.host as *mut u32) }
    }
}

// SAFETY: the driver returns disjoint memory, pinned and managed memory in whole pages; `copy` waits for the stream if
// the host memory is not pinned; an event is done when the driver says so; the cancel word is freed when this is
// dropped, and kernels only read it; ids are checked indices.
unsafe impl Device for Cuda {
    fn properties(&self) -> &Properties {
        &self.properties
    }

    fn memory(&self) -> Result<MemoryInfo> {
        self.memory.info(&self.context)
    }

    fn peak(&self) -> u64 {
        self.memory.peak()
    }

    fn cache(&self) -> Option<&Cache> {
        Some(self.compiler.cache())
    }

    fn compiler(&self) -> String {
        self.compiler.name()
    }

    fn compile(&self, source: &Source) -> Result<ModuleId> {
        self.modules.compile(&self.context, &self.compiler, source)
    }

    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId> {
        self.modules.function(&self.context, module, name)
    }

    fn coresident_blocks(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32> {
        let each = self.modules.coresident_blocks(&self.context, function, block, shared)?;
        Ok(each * self.properties.multiprocessors)
    }

    fn alloc(&self, bytes: usize, kind: MemoryKind) -> Result<Allocation> {
        if kind == MemoryKind::Managed {
            self.context.check_managed()?;
        }
        self.memory.alloc(&self.context, bytes, kind)
    }

    unsafe fn free(&self, allocation: Allocation) {
        // SAFETY: the caller's promise.
        unsafe { self.memory.free(&self.context, allocation) };
    }

    unsafe fn pin(&self, host: u64, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.memory.pin(&self.context, host, bytes) }
    }

    unsafe fn unpin(&self, host: u64) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.memory.unpin(&self.context, host) }
    }

    unsafe fn map(&self, host: u64, bytes: usize) -> Result<u64> {
        // SAFETY: the caller's promise.
        unsafe { self.mapped.map(&self.context, host, bytes) }
    }

    unsafe fn unmap(&self, host: u64, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.mapped.unmap(&self.context, host, bytes) }
    }

    unsafe fn advise(&self, at: u64, bytes: usize, advice: Advice) -> Result<()> {
        let device = self.context.device();
        // SAFETY: the caller's promise.
        self.context.call("cuMemAdvise", || unsafe { pieces::advise(device, at, bytes, advice) })
    }

    unsafe fn prefetch(&self, stream: Stream, at: u64, bytes: usize, to: Place) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.streams.prefetch(&self.context, stream, at, bytes, to) }
    }

    unsafe fn copy(&self, stream: Stream, kind: CopyKind, to: u64, from: u64, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise. If the memory is neither pinned nor mapped, the code below waits for the copy.
        let copy = |at: usize, bytes| unsafe {
            self.streams.copy(&self.context, stream, kind, (to + at as u64, from + at as u64), bytes)
        };
        let host = match kind {
            CopyKind::ToDevice => from,
            CopyKind::ToHost => to,
            CopyKind::Within => return copy(0, bytes),
        };
        if self.memory.is_pinned(host, bytes) {
            return copy(0, bytes);
        }
        let (mut at, mut queued) = (0, Ok(()));
        let mut waits = stream != Stream::Copy || kind != CopyKind::ToDevice;
        while at < bytes && queued.is_ok() {
            let (piece, is_mapped) = self.mapped.cut(host + at as u64, bytes - at);
            waits |= !is_mapped;
            queued = copy(at, piece);
            at += piece;
        }
        if queued.is_ok() && !waits {
            return Ok(());
        }
        queued.and(self.streams.synchronize(&self.context, stream))
    }

    unsafe fn fill(&self, stream: Stream, to: u64, byte: u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.streams.fill(&self.context, stream, to, byte, bytes) }
    }

    unsafe fn launch(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()> {
        let stream = self.streams.raw(stream);
        // SAFETY: the caller's promise.
        unsafe { self.modules.launch(&self.context, stream, function, shape, arguments, false) }
    }

    unsafe fn launch_coresident(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()> {
        let stream = self.streams.raw(stream);
        // SAFETY: the caller's promise.
        unsafe { self.modules.launch(&self.context, stream, function, shape, arguments, true) }
    }

    fn record(&self, stream: Stream) -> Result<EventId> {
        self.streams.record(&self.context, stream)
    }

    fn is_done(&self, event: EventId) -> Result<bool> {
        self.streams.is_done(&self.context, event)
    }

    fn wait_for(&self, stream: Stream, event: EventId) -> Result<()> {
        self.streams.wait_for(&self.context, stream, event)
    }

    fn seconds_between(&self, from: EventId, to: EventId) -> Result<f64> {
        self.streams.seconds_between(&self.context, from, to)
    }

    fn forget(&self, event: EventId) {
        self.streams.forget(event);
    }

    fn cancel_word(&self) -> CancelWord {
        CancelWord { device: self.cancel.device, host: self.cancel.host }
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        self.cancel_flag().store(1, Ordering::Release);
        match self.streams.end(&self.context, PATIENCE) {
            // SAFETY: no work is running, and dropping the device is its last use.
            Ended::Idle => unsafe {
                self.modules.unload(&self.context);
                self.streams.destroy(&self.context);
                self.memory.free(&self.context, self.cancel);
                self.memory.give_back_idle(&self.context);
            },
            // A kernel ignores the cancel word. Every call that frees would wait for it.
            Ended::Busy => self.context.abandon(),
            // Only the context as a whole can be released.
            Ended::Lost => {}
        }
    }
}
