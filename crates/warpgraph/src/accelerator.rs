//! The GPU of an engine. An engine on a named GPU opens it at once; an engine on [`Device::Auto`] opens it when a run
//! first needs it.

use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    thread::JoinHandle,
};
use warpgraph_core::{Device, DeviceTrouble, Error, Result};
use warpgraph_device::{Ahead, Gpu, Settings, Source, cuda, simt};
use warpgraph_gpu::lift;
use warpgraph_graph::timeline::Lane;

/// Holds a GPU, or the reason why there is none.
#[derive(Debug)]
pub(crate) struct Accelerator {
    device: Device,
    settings: Settings,
    /// One GPU, or several that share graphs.
    opened: OnceLock<Result<Vec<Gpu>, Arc<Error>>>,
    /// The failure after which the engine no longer uses the GPU.
    given_up: OnceLock<Arc<Error>>,
    /// The run that uses the GPU holds this lock.
    turn: Mutex<()>,
    /// Threads that compile kernels before a run asks for them.
    ahead: Mutex<Vec<Ahead>>,
}

impl Accelerator {
    /// Returns the GPU that `device` names, not opened yet.
    pub(crate) fn new(device: Device, settings: Settings) -> Self {
        let device = if device == Device::Auto { Device::FIRST_GPU } else { device };
        let (opened, given_up, turn) = (OnceLock::new(), OnceLock::new(), Mutex::new(()));
        Self { device, settings, opened, given_up, turn, ahead: Mutex::default() }
    }

    /// Wraps a GPU that the caller has opened.
    pub(crate) fn of(gpu: Gpu, device: Device) -> Self {
        Self::of_all(vec![gpu], device)
    }

    /// Wraps GPUs that the caller has opened, at least one.
    pub(crate) fn of_all(gpus: Vec<Gpu>, device: Device) -> Self {
        let accelerator = Self::new(device, Settings::default());
        let _ = accelerator.opened.set(Ok(gpus));
        accelerator
    }

    /// Returns a GPU whose opening fails with `error`.
    #[cfg(test)]
    pub(crate) fn failed(device: Device, error: Error) -> Self {
        let accelerator = Self::new(device, Settings::default());
        let _ = accelerator.opened.set(Err(Arc::new(error)));
        accelerator
    }

    /// Returns the GPU, the first of several; opens it on the first call.
    pub(crate) fn open(&self) -> Result<&Gpu, &Arc<Error>> {
        self.all().map(|gpus| &gpus[0])
    }

    /// Returns all GPUs, at least one; opens them on the first call.
    pub(crate) fn all(&self) -> Result<&[Gpu], &Arc<Error>> {
        let open = || match self.device {
            Device::Several(group) => {
                (0..group.count()).map(|part| self.opened(group.member(part), part)).collect()
            }
            device => self.opened(device, 0).map(|gpu| vec![gpu]),
        };
        self.opened.get_or_init(open).as_deref()
    }

    /// Opens one GPU, which has this part of graphs.
    fn opened(&self, device: Device, part: usize) -> Result<Gpu, Arc<Error>> {
        let opened = match device {
            Device::Cuda(index) => cuda::open(index, &self.settings),
            Device::Simt => {
                let seed = simt::SimtOptions::default().seed + part as u64;
                simt::Simt::open(&self.settings, simt::SimtOptions { seed, ..Default::default() })
            }
            _ => return Err(Arc::new(none_asked_for())),
        };
        opened.map_err(|error| Arc::new(lift(error)))
    }

    /// Returns true if the memory budget, if there is one, holds this many bytes.
    pub(crate) fn may_hold(&self, bytes: u64) -> bool {
        self.settings.memory_budget.is_none_or(|budget| bytes <= budget)
    }

    /// Returns true if unified memory may exceed the memory of the GPU.
    pub(crate) fn oversubscribes(&self) -> bool {
        self.settings.oversubscribe
    }

    /// Starts to open the GPU on a thread of its own. Later calls wait for it. Without a thread, the first of them opens
    /// the GPU.
    pub(crate) fn open_ahead(self: &Arc<Self>) -> Opening {
        let accelerator = Arc::clone(self);
        let open = move || {
            let _lane = Lane::Device.enter();
            let _ = accelerator.open();
        };
        Opening(std::thread::Builder::new().name("warpgraph-open".to_owned()).spawn(open).ok())
    }

    /// Starts to compile modules that a run will ask for, also while the GPU is being opened.
    pub(crate) fn compile_ahead(&self, sources: Vec<Arc<Source>>) {
        let ahead = match (self.get(), self.device) {
            // Open plans run another form there.
            (_, Device::Several(_)) => return,
            (Some(gpu), _) => gpu.compile_ahead(sources),
            (None, Device::Cuda(index)) => cuda::compile_ahead(index, &self.settings, sources),
            (None, _) => return,
        };
        let mut known = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|earlier| !earlier.is_finished());
        known.push(ahead);
    }

    /// Keeps the GPU open until the process ends.
    pub(crate) fn leave_open(self: &Arc<Self>) {
        // Waits for threads that compile: a process must not end inside of a compiler.
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner).clear();
        std::mem::forget(Arc::clone(self));
    }

    /// Returns the GPU, unless the engine has given it up.
    pub(crate) fn working(&self) -> Result<&Gpu, &Arc<Error>> {
        match self.given_up.get() {
            Some(why) => Err(why),
            None => self.open(),
        }
    }

    /// Returns the GPU if it is open; does not open it.
    pub(crate) fn get(&self) -> Option<&Gpu> {
        self.opened.get()?.as_ref().ok()?.first()
    }

    /// Stops using the GPU because of `error`, unless it only ran out of memory: another run may need less.
    pub(crate) fn give_up(&self, error: &Arc<Error>) {
        if !is_full(error) {
            let _ = self.given_up.set(Arc::clone(error));
        }
    }

    /// Returns why the GPU cannot be used; `None` if no failure is known yet.
    pub(crate) fn problem(&self) -> Option<&Error> {
        let opened = || self.opened.get()?.as_ref().err();
        self.given_up.get().or_else(opened).map(|error| &**error)
    }

    /// Waits until no other run is on the GPU. Runs must not overlap, because stopping one run stops every kernel on
    /// the GPU.
    pub(crate) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread that opens a GPU. Dropping it waits for the thread: a process must not end while the driver starts.
#[derive(Debug, Default)]
pub(crate) struct Opening(Option<JoinHandle<()>>);

impl Drop for Opening {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

/// Returns true if the error means that device memory is full.
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
