//! Devices that run kernels written in CUDA C++.
//!
//! [`Device`] is what an engine needs of one: compile, allocate, copy, launch, wait. There are two. [`cuda`] is an NVIDIA GPU
//! through its driver, with kernels compiled by NVRTC for the card that is there. [`simt`] is the same kernel text through
//! the host's C++ compiler, its threads run as fibers: slow, deterministic, and strict about warps, barriers and memory,
//! to test kernels where there is no GPU. It cannot show weak memory order, races between blocks that really run
//! together, or speed.
//!
//! Everything else uses a [`Gpu`]: a shared handle to a device that owns its memory ([`Array`], [`Pinned`]), remembers compiled
//! modules, waits with a way to stop, and turns into an error for good once its device is lost.
//!
//! A device is a handle, never a global: nothing here has state outside of it but the compile cache on disk ([`Cache`]).
//!
//! This crate knows nothing of graphs. What a kernel is given is one struct, declared once in Rust by [`arguments!`], from
//! which the CUDA struct is printed.

mod arguments;
mod array;
mod cache;
pub use bytemuck;
pub mod cuda;
mod error;
mod gpu;
pub mod nvrtc;
pub mod simt;
mod source;

pub use arguments::{Address, Arguments, FieldLayout, Kind};
pub use array::{Array, Pinned};
pub use cache::Cache;
pub use error::{Error, Result};
pub use gpu::{GRACE, Gpu, Kernel, Mark, Module};
pub use source::{Numbered, Source};

use std::{fmt, path::PathBuf, sync::Arc};

/// The words kernels are written in: include it as `prelude.cuh`.
pub const PRELUDE: (&str, &str) = ("prelude.cuh", include_str!("prelude.cuh"));

/// What a device is and has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties {
    /// How a user asks for it: `cuda:0`, `simt`.
    pub label: String,
    /// What it calls itself: `NVIDIA H200`.
    pub name: String,
    /// Its compute capability; (7, 0) for the simulator.
    pub capability: (u32, u32),
    /// Its multiprocessors.
    pub multiprocessors: u32,
    /// The most threads of a block.
    pub block_threads: u32,
    /// Bytes of shared memory that a block may have without asking for more.
    pub block_shared: u32,
    /// Bytes of its second-level cache; 0 if unknown.
    pub l2: u64,
    /// Bytes of memory.
    pub memory: u64,
    /// The version of the driver; empty if there is none.
    pub driver: String,
    /// What compiles for it, and its version: `NVRTC 13.0`, `g++ 12.2.0`; empty if nothing does.
    pub compiler: String,
}

/// Bytes of a device's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Free now; other processes may take it.
    pub free: u64,
    /// In all, or the budget if that is less.
    pub total: u64,
    /// Held by this handle.
    pub held: u64,
    /// The most that this handle held at a time.
    pub peak: u64,
}

/// Where memory lies and who reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryKind {
    /// The device's own; the host copies.
    Device,
    /// The host's, page-locked and mapped: both read and write it, the device over its bus.
    Pinned,
    /// Managed: pages move to who touches them. Never more than the device has free.
    Managed,
}

/// A piece of memory, as its device knows it. Plain data: who holds it must give it back once ([`Device::free`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allocation {
    /// The address kernels use.
    pub device: u64,
    /// The address the host uses; 0 for [`MemoryKind::Device`].
    pub host: u64,
    /// Its size.
    pub bytes: usize,
    /// Its kind.
    pub kind: MemoryKind,
}

/// Queues of work; what is in one happens in order, between the two there is no order but by events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Kernels and the copies they need.
    Compute,
    /// Copies ahead of use.
    Copy,
}

/// Which way a copy goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CopyKind {
    /// From the host to the device.
    ToDevice,
    /// From the device to the host.
    ToHost,
    /// Within the device.
    Within,
}

/// A point in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventId(pub u64);

/// Compiled code on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModuleId(pub u64);

/// A kernel of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FunctionId(pub u64);

/// How many threads are launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Blocks.
    pub grid: u32,
    /// Threads a block.
    pub block: u32,
    /// Bytes of dynamic shared memory a block.
    pub shared: u32,
}

/// The word a long kernel looks at to see whether it should end: one u32, 0 while it may go on. Host memory that the device
/// reads over its bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CancelWord {
    /// Where kernels read it.
    pub device: u64,
    /// Where the host writes it.
    pub host: u64,
}

/// Is told the name of a module.
pub type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// How devices are opened.
#[derive(Clone, Default)]
pub struct Settings {
    /// The folder of compiled kernels; `None`: the user's cache folder.
    pub cache: Option<PathBuf>,
    /// Writes the text of every kernel that is used into this folder.
    pub keep_kernels: Option<PathBuf>,
    /// Bytes of device memory to use at most.
    pub memory_budget: Option<u64>,
    /// Told the name of a module before it is compiled, which takes a tenth of a second and more.
    pub compiling: Option<Tell>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("cache", &self.cache)
            .field("keep_kernels", &self.keep_kernels)
            .field("memory_budget", &self.memory_budget)
            .finish_non_exhaustive()
    }
}

/// What an engine needs of a device. Implementations launch and copy asynchronously where they can: an error of a kernel may come
/// from any later call. Used through [`Gpu`], which owns what is allocated; the `unsafe` functions here are the only
/// places where a kernel meets memory.
pub trait Device: Send + Sync + fmt::Debug {
    /// What it is and has.
    fn properties(&self) -> &Properties;

    /// Its memory now.
    ///
    /// # Errors
    /// When the device is lost.
    fn memory(&self) -> Result<MemoryInfo>;

    /// [`MemoryInfo::peak`]; one that would have to ask a driver for the rest does not for this.
    fn peak(&self) -> u64 {
        self.memory().map_or(0, |memory| memory.peak)
    }

    /// The cache it keeps compiled code in; `None` if it keeps none.
    fn cache(&self) -> Option<&Cache> {
        None
    }

    /// Compiles for this device, or takes what the cache has, and loads it.
    ///
    /// # Errors
    /// [`Error::Compile`] with the log; when there is no compiler; when the device is lost.
    fn compile(&self, source: &Source) -> Result<ModuleId>;

    /// A kernel by its name.
    ///
    /// # Errors
    /// When the module has none of that name.
    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId>;

    /// How many blocks of this kernel the whole device runs at a time.
    ///
    /// # Errors
    /// When a block of this size cannot run at all.
    fn coresident_blocks(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32>;

    /// Memory, not initialised.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] with what is free.
    fn alloc(&self, bytes: usize, kind: MemoryKind) -> Result<Allocation>;

    /// Gives memory back.
    ///
    /// # Safety
    /// It came from this device's [`Device::alloc`], was not given back before, and nothing in a stream still uses it or will.
    unsafe fn free(&self, allocation: Allocation);

    /// Copies bytes. A copy to or from host memory that is not pinned is done with it when this returns.
    ///
    /// # Safety
    /// Both ranges are valid, of the kinds that `kind` says, and do not overlap; pinned host memory is not touched and nothing is
    /// freed before the copy is done.
    unsafe fn copy(&self, stream: Stream, kind: CopyKind, to: u64, from: u64, bytes: usize) -> Result<()>;

    /// Sets bytes of device memory.
    ///
    /// # Safety
    /// As for [`Device::copy`].
    unsafe fn fill(&self, stream: Stream, to: u64, byte: u8, bytes: usize) -> Result<()>;

    /// Starts a kernel, whose only parameter is the struct whose bytes are `arguments`.
    ///
    /// # Safety
    /// The kernel takes that struct, and every address in it is good for what the kernel does with it until it is done.
    unsafe fn launch(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()>;

    /// [`Device::launch`] with all blocks running at once, so that they may wait for each other.
    ///
    /// # Safety
    /// As for [`Device::launch`].
    ///
    /// # Errors
    /// Also when the grid is larger than [`Device::coresident_blocks`].
    unsafe fn launch_coresident(
        &self,
        stream: Stream,
        function: FunctionId,
        shape: Shape,
        arguments: &[u8],
    ) -> Result<()>;

    /// Marks the end of what is in a stream now.
    ///
    /// # Errors
    /// When the device is lost.
    fn record(&self, stream: Stream) -> Result<EventId>;

    /// Has everything before the event happened? Never waits for long; on the simulator this is what runs a slice of it.
    ///
    /// # Errors
    /// Of what was launched.
    fn is_done(&self, event: EventId) -> Result<bool>;

    /// Makes a stream wait for an event of the other one.
    ///
    /// # Errors
    /// When the device is lost.
    fn wait_for(&self, stream: Stream, event: EventId) -> Result<()>;

    /// Seconds of device time from one event to another, both done.
    ///
    /// # Errors
    /// When the device is lost.
    fn seconds_between(&self, from: EventId, to: EventId) -> Result<f64>;

    /// Lets an event go.
    fn forget(&self, event: EventId);

    /// The word that asks kernels to end.
    fn cancel_word(&self) -> CancelWord;
}
