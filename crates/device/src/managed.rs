//! [`Managed`]: values in managed memory, whose pages migrate to the processor that touches them.
//!
//! Managed memory counts against the memory budget and must fit the free memory of the device, unless
//! [`Settings::oversubscribe`](crate::Settings::oversubscribe) is set.

use crate::{
    Address, Advice, Allocation, EventId, Gpu, MemoryKind, Place, Result, Stream, array::bytes_of, host,
};
use bytemuck::Pod;
use std::{marker::PhantomData, ops::Range};

/// Values in managed memory. Dropping it waits for the work started before and frees the memory.
#[derive(Debug)]
pub struct Managed<T> {
    gpu: Gpu,
    allocation: Allocation,
    advice: Advice,
    len: usize,
    kind: PhantomData<T>,
}

impl Gpu {
    /// Allocates managed memory, which the host fills with these values, large arrays on all cores. The pages are then
    /// those of the host. If there is no room, the error names `what`. Advice that the device does not take is ignored:
    /// it changes speed only.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory); if the host must not touch managed memory while kernels run; if
    /// the device is lost.
    pub fn managed_of<T: Pod>(&self, values: &[T], advice: Advice, what: &str) -> Result<Managed<T>> {
        let bytes = bytes_of::<T>(self, values.len(), what)?;
        let allocation = self.alloc(bytes, MemoryKind::Managed, what)?;
        let managed = Managed { gpu: self.clone(), allocation, advice, len: values.len(), kind: PhantomData };
        // SAFETY: the allocation is new and has at least as many bytes of host memory, by the contract of `Device`.
        let target =
            unsafe { std::slice::from_raw_parts_mut(allocation.host as *mut _, size_of_val(values)) };
        host::copy(target, bytemuck::cast_slice(values));
        managed.advise(advice)?;
        Ok(managed)
    }
}

impl<T> Managed<T> {
    /// Returns the address that kernels use.
    pub fn address(&self) -> Address<T> {
        Address::new(self.allocation.device)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.allocation.bytes as u64
    }

    /// Starts moving the pages of these bytes to the device, beside kernels that run. Kernels launched later start after
    /// the move.
    ///
    /// # Errors
    /// If the device cannot move pages on request, or is lost.
    ///
    /// # Panics
    /// If the range is not within the memory.
    pub fn prefetch(&self, bytes: Range<usize>) -> Result<()> {
        let (start, end) = (bytes.start, bytes.end);
        assert!(start <= end && end <= self.allocation.bytes, "{bytes:?} of {}", self.allocation.bytes);
        if start == end {
            return Ok(());
        }
        let moved = self.queue(bytes, Place::Device)?;
        let ordered = self.gpu.order(Stream::Compute, moved);
        if ordered.is_err() {
            // No later wait would include the move.
            return ordered.and(self.wait_for(moved));
        }
        self.gpu.forget(moved);
        Ok(())
    }

    /// Moves all pages to the host and waits for it, so that the next run starts cold.
    ///
    /// # Errors
    /// The errors of the work started before; if the device cannot move pages on request, or is lost.
    pub fn evict(&self) -> Result<()> {
        self.gpu.finish()?;
        // With this advice the device would keep its copies of pages that move to the host.
        self.advise(Advice::None)?;
        let ended = self.queue(0..self.allocation.bytes, Place::Host).and_then(|moved| self.wait_for(moved));
        ended.and(self.advise(self.advice))
    }

    fn wait_for(&self, moved: EventId) -> Result<()> {
        let ended = self.gpu.wait_for(moved, || false);
        self.gpu.forget(moved);
        ended
    }

    fn queue(&self, bytes: Range<usize>, to: Place) -> Result<EventId> {
        let at = self.allocation.device + bytes.start as u64;
        // SAFETY: a range of this allocation. It is freed after a wait for the compute stream, which waits for the move,
        // or the caller waits for it.
        unsafe { self.gpu.prefetch(at, bytes.len(), to) }
    }

    /// Gives advice, and ignores that the device does not take it.
    fn advise(&self, advice: Advice) -> Result<()> {
        if self.advice == Advice::None {
            return Ok(());
        }
        let Allocation { device, bytes, .. } = self.allocation;
        // SAFETY: this allocation.
        match unsafe { self.gpu.advise(device, bytes, advice) } {
            Err(error) if error.is_fatal() => Err(error),
            _ => Ok(()),
        }
    }
}

impl<T> Drop for Managed<T> {
    fn drop(&mut self) {
        // SAFETY: this device allocated the memory, and this is its only owner.
        unsafe { self.gpu.free(self.allocation) };
    }
}
