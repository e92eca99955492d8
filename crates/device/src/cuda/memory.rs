//! Counts the memory of a GPU that this handle holds, and decides whether there is room for more.
//!
//! Bytes count as asked for, so that a budget means the same on every device; the pieces that back them are a little
//! larger ([`super::pieces`]). Idle pieces count as free and take at most a quarter of the device's memory. They go
//! back to the driver before an allocation fails for lack of room or exceeds the budget.

use super::{
    context::Context,
    pieces::{self, Idle, Piece, class_of},
};
use crate::{Allocation, Error, MemoryInfo, MemoryKind, Result, host};
use cudarc::driver::{
    result::{self, DriverError},
    sys::CUresult,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The memory of one device that this handle uses.
#[derive(Debug)]
pub(super) struct Memory {
    /// Bytes of device memory.
    device: u64,
    budget: Option<u64>,
    /// Whether managed memory may exceed the budget and the device's memory.
    oversubscribe: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Bytes of device and managed memory in use, and the most at any one time.
    held: u64,
    peak: u64,
    /// Bytes of managed memory among those in use.
    managed: u64,
    idle: Idle,
    /// Pinned memory in use: start address and length.
    pinned: BTreeMap<u64, usize>,
}

impl Memory {
    /// Creates the account of a device with this many bytes of memory.
    pub(super) fn new(device: u64, budget: Option<u64>, oversubscribe: bool) -> Self {
        let idle = Idle::new(device / 4);
        let state = State { held: 0, peak: 0, managed: 0, idle, pinned: BTreeMap::new() };
        Self { device, budget, oversubscribe, state: Mutex::new(state) }
    }

    /// [`crate::Device::memory`].
    pub(super) fn info(&self, context: &Context) -> Result<MemoryInfo> {
        self.info_of(context, &self.state())
    }

    /// Returns the most bytes held at any one time.
    pub(super) fn peak(&self) -> u64 {
        self.state().peak
    }

    fn info_of(&self, context: &Context, state: &State) -> Result<MemoryInfo> {
        let (free, total) = context.call("cuMemGetInfo", result::mem_get_info)?;
        let (mut free, mut total) = (free as u64 + state.idle.device(), total as u64);
        if let Some(budget) = self.budget {
            free = free.min(budget.saturating_sub(self.counted(state)));
            total = total.min(budget);
        }
        Ok(MemoryInfo { free, total, held: state.held, peak: state.peak })
    }

    /// [`crate::Device::alloc`].
    pub(super) fn alloc(&self, context: &Context, bytes: usize, kind: MemoryKind) -> Result<Allocation> {
        let state = &mut *self.state();
        let full = |state: &State| self.full(context, state, bytes, kind);
        let class = match class_of(bytes) {
            // An idle piece needs no check for room. Asking for the host's free memory takes longer than all the rest.
            Some(class) if kind == MemoryKind::Pinned && state.idle.has(kind, class) => class,
            Some(class) if self.has_room(context, state, bytes, kind)? => class,
            _ => return Err(full(state)),
        };
        let is_on_device = kind != MemoryKind::Pinned;
        let past = |budget| self.counted(state) + state.idle.device() + class as u64 > budget;
        // An idle piece of this class takes no more memory than it does now.
        if is_on_device && !state.idle.has(kind, class) && self.budget.is_some_and(past) {
            state.idle.clear(context);
        }
        let piece = match state.idle.take(context, kind, class) {
            Ok(piece) => piece,
            Err(DriverError(CUresult::CUDA_ERROR_OUT_OF_MEMORY)) => return Err(full(state)),
            Err(error) => return Err(context.error(&format!("allocating {bytes} bytes"), error)),
        };
        if is_on_device {
            state.held += bytes as u64;
            state.managed += if kind == MemoryKind::Managed { bytes as u64 } else { 0 };
            state.peak = state.peak.max(state.held);
        } else {
            state.pinned.insert(piece.host, bytes);
        }
        Ok(Allocation { device: piece.device, host: piece.host, bytes, kind })
    }

    /// [`crate::Device::free`].
    ///
    /// # Safety
    /// As for [`crate::Device::free`].
    pub(super) unsafe fn free(&self, context: &Context, allocation: Allocation) {
        let Allocation { device, host, bytes, kind } = allocation;
        let Some(class) = class_of(bytes) else { return };
        let state = &mut *self.state();
        match kind {
            MemoryKind::Pinned => {
                state.pinned.remove(&host);
            }
            MemoryKind::Device => state.held = state.held.saturating_sub(bytes as u64),
            MemoryKind::Managed => {
                state.held = state.held.saturating_sub(bytes as u64);
                state.managed = state.managed.saturating_sub(bytes as u64);
            }
        }
        // SAFETY: the caller's promise, and the class follows from the bytes, as it did in `alloc`.
        unsafe { state.idle.put(context, kind, class, Piece { device, host }) };
    }

    /// [`crate::Device::pin`].
    ///
    /// # Safety
    /// As for [`crate::Device::pin`].
    pub(super) unsafe fn pin(&self, context: &Context, host: u64, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        context.call("cuMemHostRegister", || unsafe { pieces::lock(host, bytes) })?;
        self.state().pinned.insert(host, bytes);
        Ok(())
    }

    /// [`crate::Device::unpin`].
    ///
    /// # Safety
    /// As for [`crate::Device::unpin`].
    pub(super) unsafe fn unpin(&self, context: &Context, host: u64) -> Result<()> {
        self.state().pinned.remove(&host);
        // SAFETY: the caller's promise.
        context.call("cuMemHostUnregister", || unsafe { pieces::unlock(host) })
    }

    /// Returns all idle pieces to the driver.
    pub(super) fn give_back_idle(&self, context: &Context) {
        self.state().idle.clear(context);
    }

    /// Returns whether this range is pinned memory of this handle.
    pub(super) fn is_pinned(&self, host: u64, bytes: usize) -> bool {
        let state = self.state();
        let begun = state.pinned.range(..=host).next_back();
        begun.is_some_and(|(begin, length)| host - begin + bytes as u64 <= *length as u64)
    }

    /// Returns the bytes that count against the budget. Managed memory that may exceed it does not: its pages make room
    /// for other memory.
    fn counted(&self, state: &State) -> u64 {
        if self.oversubscribe { state.held.saturating_sub(state.managed) } else { state.held }
    }

    /// Returns whether there is room for this many more bytes, as far as the handle can tell. Managed memory must fit
    /// the free memory of the device, unless the settings allow more: otherwise pages migrate back and forth, which can
    /// hang a GPU. Pinned memory, and managed memory beyond the device's, must fit the available memory of the host:
    /// otherwise the system would end processes.
    fn has_room(&self, context: &Context, state: &State, bytes: usize, kind: MemoryKind) -> Result<bool> {
        let bytes = bytes as u64;
        let wanted = self.counted(state).saturating_add(bytes);
        let in_budget = wanted <= self.budget.unwrap_or(u64::MAX);
        Ok(match kind {
            MemoryKind::Pinned => bytes <= host::memory().0,
            MemoryKind::Device => in_budget && bytes <= self.device,
            MemoryKind::Managed if self.oversubscribe => bytes <= host::memory().0,
            MemoryKind::Managed => {
                in_budget && wanted <= self.device && bytes <= self.info_of(context, state)?.free
            }
        })
    }

    /// Returns the error for lack of room. [`crate::Gpu`] adds what the memory was for.
    fn full(&self, context: &Context, state: &State, bytes: usize, kind: MemoryKind) -> Error {
        let (what, asked) = ("memory".to_owned(), bytes as u64);
        if kind == MemoryKind::Pinned || (kind == MemoryKind::Managed && self.oversubscribe) {
            let (free, total) = host::memory();
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
