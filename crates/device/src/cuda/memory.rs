//! Who holds how much of a GPU's memory, and who may have more.
//!
//! Bytes are counted as they were asked for, so that a budget means the same on every device; the pieces behind them are a little
//! larger ([`super::pieces`]). What lies idle counts as free, is at most a quarter of the device's memory, and goes back
//! to the driver before anybody is told that there is no room or the budget is passed.

use super::{
    context::Context,
    pieces::{Idle, Piece, class_of},
};
use crate::{Allocation, Error, MemoryInfo, MemoryKind, Result};
use cudarc::driver::{
    result::{self, DriverError},
    sys::CUresult,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The memory of one device, as far as this handle uses it.
#[derive(Debug)]
pub(super) struct Memory {
    /// Bytes the device has.
    device: u64,
    budget: Option<u64>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Bytes of device and managed memory in use, and the most at a time.
    held: u64,
    peak: u64,
    idle: Idle,
    /// Page-locked memory in use: where it begins, and its length.
    pinned: BTreeMap<u64, usize>,
}

impl Memory {
    /// Of a device that has so much.
    pub(super) fn new(device: u64, budget: Option<u64>) -> Self {
        let state = State { held: 0, peak: 0, idle: Idle::new(device / 4), pinned: BTreeMap::new() };
        Self { device, budget, state: Mutex::new(state) }
    }

    /// [`crate::Device::memory`].
    pub(super) fn info(&self, context: &Context) -> Result<MemoryInfo> {
        self.info_of(context, &self.state())
    }

    /// The most bytes that were held at a time.
    pub(super) fn peak(&self) -> u64 {
        self.state().peak
    }

    fn info_of(&self, context: &Context, state: &State) -> Result<MemoryInfo> {
        let (free, total) = context.call("cuMemGetInfo", result::mem_get_info)?;
        let (mut free, mut total) = (free as u64 + state.idle.device(), total as u64);
        if let Some(budget) = self.budget {
            free = free.min(budget.saturating_sub(state.held));
            total = total.min(budget);
        }
        Ok(MemoryInfo { free, total, held: state.held, peak: state.peak })
    }

    /// [`crate::Device::alloc`].
    pub(super) fn alloc(&self, context: &Context, bytes: usize, kind: MemoryKind) -> Result<Allocation> {
        let state = &mut *self.state();
        let full = |state: &State| self.full(context, state, bytes, kind);
        let class = match class_of(bytes) {
            // What lies idle has room already; asking how much the host has left takes longer than all the rest.
            Some(class) if kind == MemoryKind::Pinned && state.idle.has(kind, class) => class,
            Some(class) if self.has_room(context, state, bytes, kind)? => class,
            _ => return Err(full(state)),
        };
        let is_on_device = kind != MemoryKind::Pinned;
        let past = |budget| state.held + state.idle.device() + class as u64 > budget;
        if is_on_device && self.budget.is_some_and(past) {
            state.idle.clear(context);
        }
        let piece = match state.idle.take(context, kind, class) {
            Ok(piece) => piece,
            Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => return Err(full(state)),
            Err(error) => return Err(context.error(&format!("allocating {bytes} bytes"), error)),
        };
        if is_on_device {
            state.held += bytes as u64;
            state.peak = state.peak.max(state.held);
        } else {
            state.pinned.insert(piece.host, bytes);
        }
        Ok(Allocation { device: piece.device, host: piece.host, bytes, kind })
    }

    /// [`crate::Device::free`].
    ///
    /// # Safety
    /// As there.
    pub(super) unsafe fn free(&self, context: &Context, allocation: Allocation) {
        let Allocation { device, host, bytes, kind } = allocation;
        let Some(class) = class_of(bytes) else { return };
        let state = &mut *self.state();
        match kind {
            MemoryKind::Pinned => {
                state.pinned.remove(&host);
            }
            MemoryKind::Device | MemoryKind::Managed => {
                state.held = state.held.saturating_sub(bytes as u64);
            }
        }
        // SAFETY: the caller's promise, and the class follows from the bytes as it did when it was taken.
        unsafe { state.idle.put(context, kind, class, Piece { device, host }) };
    }

    /// Gives back to the driver what lies idle.
    pub(super) fn give_back_idle(&self, context: &Context) {
        self.state().idle.clear(context);
    }

    /// Is this range page-locked memory of ours?
    pub(super) fn is_pinned(&self, host: u64, bytes: usize) -> bool {
        let state = self.state();
        let begun = state.pinned.range(..=host).next_back();
        begun.is_some_and(|(begin, length)| host - begin + bytes as u64 <= *length as u64)
    }

    /// Is there room for so many bytes more, as far as we can tell ourselves? Managed memory must fit what is free: more makes
    /// pages go back and forth, and can hang a GPU. Host memory must fit what is available: the system would end processes.
    fn has_room(&self, context: &Context, state: &State, bytes: usize, kind: MemoryKind) -> Result<bool> {
        let bytes = bytes as u64;
        let wanted = state.held.saturating_add(bytes);
        let in_budget = wanted <= self.budget.unwrap_or(u64::MAX);
        Ok(match kind {
            MemoryKind::Pinned => bytes <= host_memory().0,
            MemoryKind::Device => in_budget && bytes <= self.device,
            MemoryKind::Managed => {
                in_budget && wanted <= self.device && bytes <= self.info_of(context, state)?.free
            }
        })
    }

    /// There is no room; [`crate::Gpu`] says for what.
    fn full(&self, context: &Context, state: &State, bytes: usize, kind: MemoryKind) -> Error {
        let (what, asked) = ("memory".to_owned(), bytes as u64);
        if kind == MemoryKind::Pinned {
            let (free, total) = host_memory();
            return Error::OutOfMemory { label: "the host".to_owned(), what, asked, free, total };
        }
        match self.info_of(context, state) {
            Ok(MemoryInfo { free, total, .. }) => {
                Error::OutOfMemory { label: context.label().to_owned(), what, asked, free, total }
            }
            Err(error) => error,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes of the host's memory that are available, and in all; all there could be where the system does not tell.
fn host_memory() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
    };
    (field("MemAvailable:").unwrap_or(u64::MAX), field("MemTotal:").unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_says_how_much_memory_is_available() {
        let (free, total) = host_memory();
        assert!(0 < free && free <= total);
    }
}
