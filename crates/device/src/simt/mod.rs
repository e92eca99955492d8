//! The simulator: the host's C++ compiler compiles the kernels, and their threads run as fibers of one host thread.
//!
//! It tests kernels on machines without a GPU, and is stricter than a GPU:
//!
//! - **Warps.** A collective needs every lane that its mask names, with the same mask and the same operation. It is an
//!   error if a mask omits the caller, or names a lane that has exited or that a partial last warp does not have. It is
//!   also an error if lanes wait for each other with different masks or operations, or shuffle from a lane outside of
//!   the mask.
//! - **Order.** Lanes run in a random order that the seed determines, each until it waits, so that code which relies on
//!   lockstep fails. The same seed gives the same run.
//! - **Barriers.** It is an error if threads of a block wait at different lines at the same time. Threads that wait for
//!   ever are reported with their places.
//! - **Memory.** Memory is poisoned with `0xCD` before use: allocations when they are made, shared memory when a block
//!   starts. Copies and fills outside of an allocation are errors. AddressSanitizer reports kernels that access memory
//!   outside of an allocation ([`SimtOptions::sanitize`]); without it such an access has undefined behaviour.
//! - **Time.** A launch only queues a kernel. Work runs when a call needs its result ([`Device::is_done`], a copy from
//!   or to ordinary host memory), and only the work that leads there. So code that uses a result without an event or a
//!   wait fails.
//!
//! It cannot show weak memory order, races between blocks that run in parallel, or speed. Fibers do not pre-empt each
//! other: a kernel that waits in a loop of its own instead of `wait_until` never ends. A thread has 60 KiB of stack; a
//! stack overflow ends the process, as does an invalid pointer. A device runs one kernel at a time, whatever its
//! stream, so kernels of two streams cannot wait for each other. It has two multiprocessors of two blocks each.
//!
//! It runs on x86-64 Linux. On other hosts, opening it is an error.

use crate::{Device, Gpu, Result, Settings};
use std::time::Duration;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod host;

/// The name by which a user selects it.
const LABEL: &str = "simt";

/// Options of the simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimtOptions {
    /// Seed of the order of lanes, warps and blocks.
    pub seed: u64,
    /// Whether to compile kernels with AddressSanitizer, which ends the process with a report when a kernel accesses
    /// memory outside of an allocation. Its library must be in the process from the start: `LD_PRELOAD=$(c++
    /// -print-file-name=libasan.so)`.
    pub sanitize: bool,
    /// Faults to inject.
    pub faults: Faults,
    /// How long all threads of a kernel may wait in `wait_until` without progress. The host may still change the value
    /// that they wait for, so this is not an error at once.
    pub poll_limit: Duration,
    /// The number of multiprocessors to report, independent of how many blocks run at the same time. Callers may choose
    /// the size of their blocks by it.
    pub multiprocessors: u32,
}

impl Default for SimtOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            sanitize: false,
            faults: Faults::default(),
            poll_limit: Duration::from_secs(20),
            multiprocessors: 2,
        }
    }
}

/// Faults to inject, for tests of code that uses a device. Allocations and launches of this device are numbered from 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// The number of an allocation that fails with [`Error::OutOfMemory`](crate::Error::OutOfMemory). Later ones
    /// succeed.
    pub allocation: Option<u64>,
    /// The number of a launch that traps when it runs: [`Error::Lost`](crate::Error::Lost).
    pub trap: Option<u64>,
    /// The number of a launch that waits for the cancel word and only then runs, like a long kernel that polls the
    /// word.
    pub endless: Option<u64>,
    /// The number of a launch that does nothing and never ends, like a kernel that does not poll the cancel word.
    pub deaf: Option<u64>,
    /// Whether compiling a module finds no compiler: [`Error::NoCompiler`](crate::Error::NoCompiler).
    pub no_compiler: bool,
    /// Whether host memory of the caller cannot be pinned or mapped: [`Error::Call`](crate::Error::Call).
    pub no_pinning: bool,
    /// The number of a mapping of host memory that is refused, from 1: [`Error::Call`](crate::Error::Call). Later ones
    /// succeed.
    pub mapping: Option<u64>,
    /// Whether managed memory cannot be moved on request: [`Error::Call`](crate::Error::Call).
    pub no_prefetch: bool,
    /// Whether copies in [`Stream::Copy`](crate::Stream::Copy) fail: [`Error::Call`](crate::Error::Call).
    pub no_copy_stream: bool,
    /// The number of a copy in [`Stream::Copy`](crate::Stream::Copy) that fails, from 1: [`Error::Call`](crate::Error::Call).
    /// Those before it land, and later ones succeed.
    pub copy: Option<u64>,
}

/// Opens the simulated device.
#[derive(Debug)]
pub enum Simt {}

impl Simt {
    /// Opens a simulated GPU.
    ///
    /// # Errors
    /// [`Error::NoCompiler`](crate::Error::NoCompiler) without a C++ compiler; on hosts that are not x86-64 Linux; if
    /// [`SimtOptions::sanitize`] is set and AddressSanitizer is not in the process.
    pub fn open(settings: &Settings, options: SimtOptions) -> Result<Gpu> {
        Ok(Gpu::new(Self::device(settings, options)?))
    }

    /// Opens the bare device, for callers that create their own [`Gpu`].
    ///
    /// # Errors
    /// As [`Simt::open`].
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub fn device(settings: &Settings, options: SimtOptions) -> Result<Box<dyn Device>> {
        Ok(Box::new(host::Simulator::new(settings, options)?))
    }

    /// Opens the bare device, for callers that create their own [`Gpu`].
    ///
    /// # Errors
    /// As [`Simt::open`].
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    pub fn device(_settings: &Settings, _options: SimtOptions) -> Result<Box<dyn Device>> {
        Err(crate::Error::NoDevice {
            label: LABEL.to_owned(),
            what: "the simulator needs an x86-64 Linux host".to_owned(),
        })
    }
}
