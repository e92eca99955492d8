//! Devices that run kernels written in CUDA C++.
//!
//! [`Device`] is the interface that an engine needs: compile, allocate, copy, launch, wait. Two devices implement it.
//! [`cuda`] is an NVIDIA GPU, driven through its driver; NVRTC compiles the kernels for the GPU that is installed.
//! [`simt`] is a simulator: the host's C++ compiler compiles the same kernel text, and the threads run as fibers. The
//! simulator is slow, deterministic, and strict about warps, barriers and memory; it tests kernels on machines without
//! a GPU. It cannot show weak memory order, races between blocks that run in parallel, or speed.
//!
//! All other code uses a [`Gpu`]: a shared handle that owns the memory it allocates ([`Array`], [`Pinned`],
//! [`Managed`]), lets kernels read host memory in place ([`Shared`]) or sends it ahead of use ([`Relay`], [`Carrier`]), keeps
//! compiled modules, waits for kernels and can stop them, and returns the same error for good once its device is lost.
//!
//! A device is a handle, never a global: the only state outside of it is the compile cache on disk ([`Cache`]).
//!
//! This crate knows nothing about graphs. A kernel takes one struct of arguments. [`arguments!`] declares it once in
//! Rust and generates the CUDA struct from it.

mod ahead;
mod arguments;
mod array;
pub mod bundle;
mod cache;
mod carrier;
pub use bytemuck;
pub mod cuda;
mod error;
mod gpu;
mod host;
mod managed;
pub mod nvrtc;
mod relay;
mod ring;
mod shared;
pub mod simt;
mod source;
mod stage;

pub use ahead::{Ahead, Cubins, is_ahead};
pub use arguments::{Address, Arguments, FieldLayout, Kind};
pub use array::{Array, Parcel, Pinned};
pub use cache::Cache;
pub use carrier::{Carrier, Channel, Landing};
pub use error::{Error, Result};
pub use gpu::{GRACE, Gpu, Kernel, Mark, Module};
pub use managed::Managed;
pub use relay::Relay;
pub use shared::Shared;
pub use source::{Numbered, Source};
pub use stage::{Stage, TellStage};

use std::{fmt, path::PathBuf, sync::Arc};

/// The functions and macros that kernels are written with. Kernels include it as `prelude.cuh`.
pub const PRELUDE: (&str, &str) = ("prelude.cuh", include_str!("prelude.cuh"));

/// What a device is and what it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties {
    /// The name by which a user selects it: `cuda:0`, `simt`.
    pub label: String,
    /// The product name that the device reports: `NVIDIA H200`.
    pub name: String,
    /// Compute capability; (7, 0) for the simulator.
    pub capability: (u32, u32),
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of memory.
    pub memory: u64,
    /// Version of the driver; empty for a device without a driver.
    pub driver: String,
    /// Name and version of the compiler for this device: `NVRTC 13.0`, `g++ 12.2.0`. Empty if no compiler fits, and for
    /// an open GPU, which loads its compiler when it first needs one: ask [`Gpu::compiler`].
    pub compiler: String,
}

/// Bytes of a device's memory: free, total, held and at the peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Bytes free now. Other processes may take them.
    pub free: u64,
    /// Bytes in total, or the budget if it is smaller.
    pub total: u64,
    /// Bytes that this handle holds now.
    pub held: u64,
    /// The most bytes that this handle held at any one time.
    pub peak: u64,
}

/// Where memory lies, and whether the host, the device or both can access it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// Device memory. The host can only copy to and from it.
    Device,
    /// Page-locked host memory, mapped for the device: both read and write it, the device over the bus.
    Pinned,
    /// Managed memory: pages migrate to the processor that touches them. Limited to the device memory that is free, unless
    /// [`Settings::oversubscribe`] is set.
    Managed,
}

/// How kernels will use managed memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Advice {
    /// In any way.
    #[default]
    None,
    /// They read it and hardly ever write it: the device reads copies of pages, which it drops instead of moving them
    /// back.
    ReadMostly,
}

/// Where pages of managed memory can lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// In the memory of the device.
    Device,
    /// In the memory of the host.
    Host,
}

/// A piece of memory. This is plain data: its holder must pass it to [`Device::free`] exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    /// The address that kernels use.
    pub device: u64,
    /// The address that the host uses; 0 for [`MemoryKind::Device`].
    pub host: u64,
    /// Size in bytes.
    pub bytes: usize,
    /// Kind of memory.
    pub kind: MemoryKind,
}

/// A queue of work. Work within one stream runs in order; only events order work across the two streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Kernels, and the copies that they need.
    Compute,
    /// Copies ahead of use.
    Copy,
}

/// The direction of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CopyKind {
    /// From host memory to device memory.
    ToDevice,
    /// From device memory to host memory.
    ToHost,
    /// From device memory to device memory.
    Within,
}

/// Identifies a point in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventId(pub u64);

/// Identifies a compiled module on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModuleId(pub u64);

/// Identifies a kernel of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u64);

/// The size of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Number of blocks.
    pub grid: u32,
    /// Threads per block.
    pub block: u32,
    /// Bytes of dynamic shared memory per block.
    pub shared: u32,
}

/// The cancel word: one u32 in host memory, which long kernels poll over the bus. While it is 0 they continue;
/// otherwise they end early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelWord {
    /// The address at which kernels read it.
    pub device: u64,
    /// The address at which the host writes it.
    pub host: u64,
}

/// A callback that receives the name of a module.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// Settings for opening a device.
#[derive(Clone, Default)]
pub struct Settings {
    /// The folder of compiled kernels; `None` selects the user's cache folder.
    pub cache: Option<PathBuf>,
    /// If set, the text of every kernel that is used is written into this folder.
    pub keep_kernels: Option<PathBuf>,
    /// The file of packed cubins ([`bundle`]); `None` selects the one that `WARPGRAPH_KERNELS` names, or the one that lies
    /// beside the executable. It holds code that runs, so name only a file that you trust like the executable.
    pub bundle: Option<PathBuf>,
    /// The most bytes of device memory to use.
    pub memory_budget: Option<u64>,
    /// Whether managed memory may exceed the budget and the device's memory. It then counts in [`MemoryInfo::held`] and
    /// [`MemoryInfo::peak`], and leaves the budget to other memory. Beware: pages that migrate back and forth can hang a
    /// GPU.
    pub oversubscribe: bool,
    /// Called with the name of a module before it is compiled. Compiling takes a tenth of a second or more.
    pub compiling: Option<Tell>,
    /// Called after each step of opening the device and after each module that was compiled, on the thread that did it.
    pub stages: Option<TellStage>,
    /// What [`cuda::compile_ahead`] makes with these settings, for the GPU that is opened with them.
    pub cubins: Cubins,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("cache", &self.cache)
            .field("keep_kernels", &self.keep_kernels)
            .field("bundle", &self.bundle)
            .field("memory_budget", &self.memory_budget)
            .field("oversubscribe", &self.oversubscribe)
            .finish_non_exhaustive()
    }
}

/// The interface of a device. Launches and copies are asynchronous where the device allows it, so any later call may
/// return the error of a kernel. Use a device through [`Gpu`], which owns what it allocates. Only the `unsafe`
/// functions of this trait let a kernel access memory.
///
/// # Safety
/// Safe code of [`Gpu`], [`Array`] and [`Pinned`] relies on these promises of every implementation:
///
/// - [`Device::alloc`] returns memory of at least the size asked for, disjoint from all other allocations. Pinned and
///   managed memory has a host address that is a multiple of 256, and the host may read and write it until
///   [`Device::free`].
/// - [`Device::copy`] no longer uses host memory that is not pinned once it returns, even with an error, unless it copies
///   from mapped memory in [`Stream::Copy`].
/// - [`Device::map`] lets kernels read exactly the bytes of the range, and not after [`Device::unmap`] succeeded.
/// - [`Device::is_done`] returns `true` only after all work before the event has ended.
/// - [`Device::cancel_word`] always returns the same word. Its host address is aligned and valid as long as the device
///   lives, and the device never writes to it.
/// - The safe functions accept any id, also one of another device, and return an error if it is unknown.
pub unsafe trait Device: Send + Sync + fmt::Debug {
    /// Returns what the device is and has.
    fn properties(&self) -> &Properties;

    /// Returns how much memory is free, held and available in total.
    ///
    /// # Errors
    /// If the device is lost.
    fn memory(&self) -> Result<MemoryInfo>;

    /// Returns [`MemoryInfo::peak`], without asking a driver for the other figures.
    fn peak(&self) -> u64 {
        self.memory().map_or(0, |memory| memory.peak)
    }

    /// Returns the cache of compiled code; `None` if the device has no cache.
    fn cache(&self) -> Option<&Cache> {
        None
    }

    /// Returns name and version of the compiler for this device; a GPU may have to load it first. Empty if no compiler
    /// fits.
    fn compiler(&self) -> String {
        self.properties().compiler.clone()
    }

    /// Compiles a module for this device, or takes it from the cache, and loads it.
    ///
    /// # Errors
    /// [`Error::Compile`] with the compiler's log; if there is no compiler; if the device is lost.
    fn compile(&self, source: &Source) -> Result<ModuleId>;

    /// Returns a kernel of a module by its name.
    ///
    /// # Errors
    /// If the module has no kernel of that name.
    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId>;

    /// Returns how many blocks of this kernel the whole device can run at the same time.
    ///
    /// # Errors
    /// If not even one block of this size can run.
    fn coresident_blocks(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32>;

    /// Allocates memory, not initialised.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] with the bytes that are free.
    fn alloc(&self, bytes: usize, kind: MemoryKind) -> Result<Allocation>;

    /// Frees memory.
    ///
    /// # Safety
    /// The allocation came from this device's [`Device::alloc`] and was not freed before. No work in a stream uses it,
    /// now or later.
    unsafe fn free(&self, allocation: Allocation);

    /// Locks pages of host memory that the caller owns, so that the device copies from and to them without the
    /// processor, and [`Device::copy`] does not wait. The call may take long, and does not keep other calls from
    /// running.
    ///
    /// # Safety
    /// The range is valid host memory, is not locked yet, and stays allocated until [`Device::unpin`].
    ///
    /// # Errors
    /// If the system or the driver does not allow it.
    unsafe fn pin(&self, host: u64, bytes: usize) -> Result<()>;

    /// Unlocks host memory.
    ///
    /// # Safety
    /// [`Device::pin`] locked memory that starts there. No work in a stream uses it, now or later.
    ///
    /// # Errors
    /// If the device is lost. Then it may still use the memory.
    unsafe fn unpin(&self, host: u64) -> Result<()>;

    /// Lets kernels read host memory of the caller in place. Returns the address that kernels use. Memory may be mapped
    /// several times. The call locks the pages of the range, so it may take long; it does not keep other calls from
    /// running, except for this function and [`Device::unmap`].
    ///
    /// # Safety
    /// The range is valid host memory of at least one byte, and stays allocated until [`Device::unmap`] succeeds.
    /// Kernels only read it.
    ///
    /// # Errors
    /// If the device, the system or the driver does not allow it. Then nothing is mapped.
    unsafe fn map(&self, _host: u64, _bytes: usize) -> Result<u64> {
        Err(unsupported(self, "map", "kernels cannot read host memory of a caller"))
    }

    /// Ends one [`Device::map`] of this range.
    ///
    /// # Safety
    /// [`Device::map`] mapped exactly this range. No work in a stream uses it, now or later.
    ///
    /// # Errors
    /// If the device is lost. Then it may still read the memory.
    unsafe fn unmap(&self, _host: u64, _bytes: usize) -> Result<()> {
        Err(unsupported(self, "unmap", "no host memory of a caller is mapped"))
    }

    /// Tells the device how kernels will use managed memory, in place of what it was told before. This changes speed only.
    ///
    /// # Safety
    /// The range is in managed memory of this device.
    ///
    /// # Errors
    /// If the device does not take advice.
    unsafe fn advise(&self, _at: u64, _bytes: usize, _advice: Advice) -> Result<()> {
        Err(unsupported(self, "advise", "there is no managed memory"))
    }

    /// Queues moving pages of managed memory to where they will be needed. This changes speed only.
    ///
    /// # Safety
    /// The range is in managed memory of this device, which is not freed before the work is done.
    ///
    /// # Errors
    /// If the device cannot move pages on request.
    unsafe fn prefetch(&self, _stream: Stream, _at: u64, _bytes: usize, _to: Place) -> Result<()> {
        Err(unsupported(self, "prefetch", "there is no managed memory"))
    }

    /// Queues a copy. A copy to or from host memory that is not pinned has finished when this returns, except for one in
    /// [`Stream::Copy`] from memory that [`Device::map`] mapped.
    ///
    /// # Safety
    /// Both ranges are valid, of the kinds of memory that `kind` names, and do not overlap. Until the copy has
    /// finished, the host does not touch the pinned memory, and neither range is freed.
    unsafe fn copy(&self, stream: Stream, kind: CopyKind, to: u64, from: u64, bytes: usize) -> Result<()>;

    /// Queues setting bytes of device memory to `byte`.
    ///
    /// # Safety
    /// As for [`Device::copy`].
    unsafe fn fill(&self, stream: Stream, to: u64, byte: u8, bytes: usize) -> Result<()>;

    /// Launches a kernel. Its only parameter is the struct whose bytes are `arguments`.
    ///
    /// # Safety
    /// The kernel takes that struct, and every address in it stays valid for what the kernel does with it until the
    /// kernel ends.
    unsafe fn launch(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()>;

    /// Like [`Device::launch`], with all blocks resident at the same time, so that they may wait for each other.
    ///
    /// # Safety
    /// As for [`Device::launch`].
    ///
    /// # Errors
    /// Also if the grid is larger than [`Device::coresident_blocks`].
    unsafe fn launch_coresident(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()>;

    /// Records an event at the end of what is in a stream now.
    ///
    /// # Errors
    /// If the device is lost.
    fn record(&self, stream: Stream) -> Result<EventId>;

    /// Returns whether all work before the event has ended. Never blocks for long. On the simulator this call runs a
    /// slice of that work.
    ///
    /// # Errors
    /// The error of any work that failed.
    fn is_done(&self, event: EventId) -> Result<bool>;

    /// Makes a stream wait for an event of the other stream.
    ///
    /// # Errors
    /// If the device is lost.
    fn wait_for(&self, stream: Stream, event: EventId) -> Result<()>;

    /// Returns the seconds of device time between two events, both done.
    ///
    /// # Errors
    /// If the device is lost or an event is not done.
    fn seconds_between(&self, from: EventId, to: EventId) -> Result<f64>;

    /// Releases an event.
    fn forget(&self, event: EventId);

    /// Returns the word by which the host asks kernels to end.
    fn cancel_word(&self) -> CancelWord;
}

/// Returns the error of a call that a device does not implement.
fn unsupported<D: Device + ?Sized>(device: &D, call: &str, what: &str) -> Error {
    let label = device.properties().label.clone();
    Error::Call { label, call: call.to_owned(), what: what.to_owned() }
}
