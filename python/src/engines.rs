//! The engines of this process, one for each combination of device, threads and memory limit, made on first use.
//!
//! Threads do not survive `fork`, so a child process makes engines of its own; those of its parent are never dropped
//! there, because that would wait for their threads.

use std::{
    collections::HashMap,
    mem::ManuallyDrop,
    process,
    sync::{Mutex, PoisonError},
};
use warpgraph::{Device, Engine, Error, Settings};

/// What distinguishes two engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) device: Device,
    pub(crate) threads: Option<usize>,
    pub(crate) gpu_memory: Option<u64>,
    process: u32,
}

impl Key {
    pub(crate) fn new(device: Device, threads: Option<usize>, gpu_memory: Option<u64>) -> Self {
        Self { device, threads, gpu_memory, process: process::id() }
    }

    /// Returns the engine on which graphs are read and built, and which looks for no GPU.
    pub(crate) fn usual() -> Self {
        Self::new(Device::Auto, None, None)
    }
}

static ENGINES: Mutex<Option<HashMap<Key, ManuallyDrop<Engine>>>> = Mutex::new(None);

/// Returns the engine of a key.
///
/// # Errors
/// Those of [`Engine::with`].
pub(crate) fn engine(key: Key) -> Result<Engine, Error> {
    let mut engines = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    let engines = engines.get_or_insert_default();
    if let Some(engine) = engines.get(&key) {
        return Ok(Engine::clone(engine));
    }
    let settings = Settings { memory_budget: key.gpu_memory, ..Settings::default() };
    let engine = Engine::with(key.device, key.threads, settings)?;
    engines.insert(key, ManuallyDrop::new(engine.clone()));
    Ok(engine)
}
