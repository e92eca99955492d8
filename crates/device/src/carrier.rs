//! [`Carrier`]: copies parts of shared host memory to arrays on the device, beside the kernels.
//!
//! A [`Relay`](crate::Relay) fills its buffers on the host. A carrier copies nothing on the host: its source is memory that the
//! device reaches already, so the copy engine takes it from where it lies. The caller keeps the order: before it overwrites
//! bytes that kernels read, it calls [`Carrier::after_kernels`]; before it launches kernels that read new bytes, it calls
//! [`Landing::before_kernels`] of what [`Carrier::landing`] returned behind their copies.

use crate::{Array, CopyKind, Error, Gpu, Result, Shared, Stream};
use std::{ops::Range, sync::Arc};

/// Copies from shared memory in a stream of its own. Dropping it waits for its copies. If the device fails, what it was given
/// stays allocated until the process ends.
#[derive(Debug)]
pub struct Carrier {
    gpu: Gpu,
    moved: u64,
    /// The channels that copies went through.
    channels: Vec<Arc<Channel>>,
    /// The first error.
    failed: Option<Error>,
}

/// Shared host memory, and an array of its device that parts of it are copied to.
#[derive(Debug)]
pub struct Channel {
    source: Shared<u8>,
    target: Array<u32>,
}

impl Channel {
    /// Pairs a source with a target.
    ///
    /// # Panics
    /// If they are of two devices.
    pub fn new(source: Shared<u8>, target: Array<u32>) -> Self {
        assert!(source.gpu().is(target.gpu()), "memory of one device");
        Self { source, target }
    }

    /// Returns the source.
    pub fn source(&self) -> &Shared<u8> {
        &self.source
    }

    /// Returns the target.
    pub fn target(&self) -> &Array<u32> {
        &self.target
    }
}

impl Carrier {
    /// Copies nothing yet.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), moved: 0, channels: Vec::new(), failed: None }
    }

    /// Makes later copies wait for all kernels launched so far.
    ///
    /// # Errors
    /// If the device fails; the first error of this carrier.
    pub fn after_kernels(&mut self) -> Result<()> {
        self.check()?;
        let ordered = self.gpu.order_copies();
        self.noted(ordered)
    }

    /// Queues a copy of some bytes of a channel's source to a place in its target, in bytes.
    ///
    /// # Safety
    /// No kernel writes to these bytes of the target, and no kernel reads them unless it was launched before the last
    /// [`Carrier::after_kernels`] or is launched after [`Landing::before_kernels`] of a later [`Carrier::landing`].
    ///
    /// # Errors
    /// If the device fails; the first error of this carrier.
    ///
    /// # Panics
    /// If the bytes are not in the source, or do not fit the target.
    pub unsafe fn carry(&mut self, channel: &Arc<Channel>, bytes: Range<usize>, at: usize) -> Result<()> {
        self.check()?;
        let Channel { source, target } = &**channel;
        let (all, room) = (source.bytes(), target.bytes());
        assert!(bytes.start <= bytes.end && bytes.end as u64 <= all, "bytes {bytes:?} of {all}");
        assert!((at + bytes.len()) as u64 <= room, "{} bytes at {at} of {room}", bytes.len());
        if bytes.is_empty() {
            return Ok(());
        }
        if !self.channels.iter().any(|known| Arc::ptr_eq(known, channel)) {
            self.channels.push(Arc::clone(channel));
        }
        let (to, from) = (target.address().raw() + at as u64, source.host() + bytes.start as u64);
        // SAFETY: both ranges are inside of their memory, which the channel keeps until the copy has ended. Nothing writes to
        // shared memory, and the caller keeps kernels off the target.
        let copied = unsafe { self.gpu.copy_beside(CopyKind::ToDevice, to, from, bytes.len()) };
        let copied = copied.map(|event| self.gpu.forget(event));
        self.moved += bytes.len() as u64;
        self.noted(copied)
    }

    /// Returns the end of all copies queued so far.
    ///
    /// # Errors
    /// If the device fails; the first error of this carrier.
    pub fn landing(&mut self) -> Result<Landing> {
        self.check()?;
        let event = self.gpu.record(Stream::Copy);
        self.noted(event).map(|event| Landing { gpu: self.gpu.clone(), event })
    }

    /// Returns how many bytes were queued.
    pub fn moved(&self) -> u64 {
        self.moved
    }

    fn check(&self) -> Result<()> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Keeps an error for all later calls.
    fn noted<T>(&mut self, result: Result<T>) -> Result<T> {
        result.inspect_err(|error| self.failed = Some(error.clone()))
    }

    /// Waits for everything in the copy stream.
    fn end(&self) -> Result<()> {
        let event = self.gpu.record(Stream::Copy)?;
        let ended = self.gpu.wait_for(event, || false);
        self.gpu.forget(event);
        ended
    }
}

impl Drop for Carrier {
    fn drop(&mut self) {
        if !self.channels.is_empty() && self.end().is_err() {
            // A copy may still use the memory.
            std::mem::forget(std::mem::take(&mut self.channels));
        }
    }
}

/// The end of some copies.
#[derive(Debug)]
pub struct Landing {
    gpu: Gpu,
    event: crate::EventId,
}

impl Landing {
    /// Makes kernels that are launched later wait for these copies.
    ///
    /// # Errors
    /// If the device fails.
    pub fn before_kernels(&self) -> Result<()> {
        self.gpu.order(Stream::Compute, self.event)
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        self.gpu.forget(self.event);
    }
}
