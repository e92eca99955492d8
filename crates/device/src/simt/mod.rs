//! The simulator: kernels through the host's C++ compiler, their threads as fibers of one thread.
//!
//! It is for tests of kernels where there is no GPU, and stricter than one:
//!
//! - **Warps.** A collective needs every lane that its mask names, with that mask and that operation. A mask that leaves the
//!   caller out, or names a lane that has exited or that a partial last warp does not have, is an error, and so are lanes
//!   that wait for each other with different masks or operations, and a shuffle from a lane outside of the mask.
//! - **Order.** Lanes run in a random order of a seed, one until it waits, so that code which leans on lockstep shows itself.
//!   The same seed gives the same run.
//! - **Barriers.** Threads of a block that wait at different lines at a time are an error. Threads that wait for ever are
//!   reported with their places.
//! - **Memory.** Everything is poisoned with `0xCD` before it is used: allocations when made, shared memory when a block starts.
//!   Copies and fills outside of an allocation are errors; kernels that reach outside are seen by AddressSanitizer
//!   ([`SimtOptions::sanitize`]), without it they do what a wild pointer does.
//! - **Time.** Nothing runs when it is launched. Work happens when somebody asks for it ([`Device::is_done`], a copy from
//!   or to ordinary host memory), and only what leads there, so that what is used without an event or a wait shows itself.
//!
//! It cannot show weak memory order, races between blocks that really run together, or speed. Fibers do not pre-empt: a
//! kernel that waits in a loop of its own instead of by `wait_until` never ends. A thread has 60 KiB of stack; one that outgrows it
//! ends the process, as does a pointer to nowhere. One kernel runs at a time on a device, whatever
//! its stream, so kernels of two streams cannot wait for each other. It has two multiprocessors of two blocks each.
//!
//! Hosts are x86-64 Linux; elsewhere opening it is an error.

use crate::{Device, Gpu, Result, Settings};
use std::time::Duration;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod host;

/// How users ask for it.
const LABEL: &str = "simt";

/// How the simulator behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimtOptions {
    /// What the order of lanes, warps and blocks is drawn from.
    pub seed: u64,
    /// Compiles kernels with AddressSanitizer, which ends the process with a report when a kernel reaches outside of an
    /// allocation. Its library must be in the process from the start: `LD_PRELOAD=$(c++ -print-file-name=libasan.so)`.
    pub sanitize: bool,
    /// What goes wrong on purpose.
    pub faults: Faults,
    /// How long a kernel whose threads all wait in `wait_until` may go on so without any of them getting further. The host may
    /// still change what they look at, so this is not an error at once.
    pub poll_limit: Duration,
    /// How many multiprocessors it says it has, whatever runs at a time: who asks may choose larger blocks where there are more.
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

/// What goes wrong on purpose, for tests of what stands on a device. Numbers count from 1, on this device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// This allocation finds no room: [`Error::OutOfMemory`](crate::Error::OutOfMemory). Those after it do.
    pub allocation: Option<u64>,
    /// This launch traps when it comes to run: [`Error::Lost`](crate::Error::Lost).
    pub trap: Option<u64>,
    /// This launch waits for the cancel word, and only then does what it does, as a kernel that takes for ever but listens.
    pub endless: Option<u64>,
    /// This launch does nothing and never ends, as a kernel that does not listen either.
    pub deaf: Option<u64>,
    /// There is no compiler when a module is to be compiled: [`Error::NoCompiler`](crate::Error::NoCompiler).
    pub no_compiler: bool,
}

/// How the simulated device is opened.
#[derive(Debug)]
pub enum Simt {}

impl Simt {
    /// A simulated GPU.
    ///
    /// # Errors
    /// [`Error::NoCompiler`](crate::Error::NoCompiler) where there is no C++ compiler; on hosts that are not x86-64 Linux; when
    /// AddressSanitizer is asked for and not in the process.
    pub fn open(settings: &Settings, options: SimtOptions) -> Result<Gpu> {
        Ok(Gpu::new(Self::device(settings, options)?))
    }

    /// The device itself, for who makes the handle.
    ///
    /// # Errors
    /// As [`Simt::open`].
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub fn device(settings: &Settings, options: SimtOptions) -> Result<Box<dyn Device>> {
        Ok(Box::new(host::Simulator::new(settings, options)?))
    }

    /// The device itself, for who makes the handle.
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
