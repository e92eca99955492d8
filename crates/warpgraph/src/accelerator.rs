//! The GPU of an engine: opened at once where it was asked for by name, when it is first needed where the engine decides.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use warpgraph_core::{Device, DeviceTrouble, Error, Result};
use warpgraph_device::{Gpu, Settings, cuda, simt};
use warpgraph_gpu::lift;

/// A GPU, or why there is none.
#[derive(Debug)]
pub(crate) struct Accelerator {
    device: Device,
    settings: Settings,
    opened: OnceLock<Result<Gpu, Arc<Error>>>,
    /// Why it is not to be asked again.
    given_up: OnceLock<Arc<Error>>,
    /// Held by the run that is on it.
    turn: Mutex<()>,
}

impl Accelerator {
    /// The GPU that this device stands for, not opened yet.
    pub(crate) fn new(device: Device, settings: Settings) -> Self {
        let device = if device == Device::Auto { Device::FIRST_GPU } else { device };
        let (opened, given_up, turn) = (OnceLock::new(), OnceLock::new(), Mutex::new(()));
        Self { device, settings, opened, given_up, turn }
    }

    /// One that was opened elsewhere.
    pub(crate) fn of(gpu: Gpu, device: Device) -> Self {
        let accelerator = Self::new(device, Settings::default());
        let _ = accelerator.opened.set(Ok(gpu));
        accelerator
    }

    /// One that cannot be opened.
    #[cfg(test)]
    pub(crate) fn failed(device: Device, error: Error) -> Self {
        let accelerator = Self::new(device, Settings::default());
        let _ = accelerator.opened.set(Err(Arc::new(error)));
        accelerator
    }

    /// The GPU; looks for it the first time.
    pub(crate) fn open(&self) -> Result<&Gpu, &Arc<Error>> {
        let open = || {
            let opened = match self.device {
                Device::Cuda(index) => cuda::open(index, &self.settings),
                Device::Simt => simt::Simt::open(&self.settings, simt::SimtOptions::default()),
                _ => return Err(Arc::new(none_asked_for())),
            };
            opened.map_err(|error| Arc::new(lift(error)))
        };
        self.opened.get_or_init(open).as_ref()
    }

    /// The GPU, unless it was given up.
    pub(crate) fn working(&self) -> Result<&Gpu, &Arc<Error>> {
        match self.given_up.get() {
            Some(why) => Err(why),
            None => self.open(),
        }
    }

    /// The GPU, if it is open; does not look for it.
    pub(crate) fn get(&self) -> Option<&Gpu> {
        self.opened.get()?.as_ref().ok()
    }

    /// Is not to be asked again, but for the want of memory: another run may take less.
    pub(crate) fn give_up(&self, error: &Arc<Error>) {
        if !is_full(error) {
            let _ = self.given_up.set(Arc::clone(error));
        }
    }

    /// Why it cannot be used, as far as that is known.
    pub(crate) fn problem(&self) -> Option<&Error> {
        let opened = || self.opened.get()?.as_ref().err();
        self.given_up.get().or_else(opened).map(|error| &**error)
    }

    /// Waits until no other run is on the GPU: whoever stops one stops all kernels that are under way.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Is it for want of device memory?
pub(crate) fn is_full(error: &Error) -> bool {
    error.trouble() == Some(DeviceTrouble::Memory)
}

fn none_asked_for() -> Error {
    Error::Device {
        kind: DeviceTrouble::NoDevice,
        what: "this engine is on the processor, and has no GPU".to_owned(),
        help: "make one on Device::Cuda, Device::Simt or Device::Auto".to_owned(),
    }
}
