//! [`Relay`]: sends bytes to the device ahead of their use, through slots that take turns.
//!
//! A slot is a pinned buffer and device memory of the same size. While kernels read one slot, the host fills the buffer of
//! the next one, and the copy stream carries it over. For each slot, in this order:
//!
//! 1. The host waits for the slot's last copy, then fills its buffer.
//! 2. The copy stream waits for the kernels that read the slot's last bytes, then copies.
//! 3. The compute stream waits for the copy, then runs the kernels that read the new bytes.
//!
//! So no kernel reads a slot early, and no copy overwrites one that a kernel still reads.

use crate::{Address, Array, CopyKind, Error, EventId, Gpu, Pinned, Result, Stream};

/// Slots through which bytes travel to the device ahead of their use. Dropping it waits for the work started before. If
/// the device fails, the memory stays allocated until the process ends.
#[derive(Debug)]
pub struct Relay {
    gpu: Gpu,
    slots: Vec<Slot>,
    /// The number of the slot that the next call of [`Relay::send`] uses.
    next: usize,
    /// The slot of the last call, until [`Relay::used`].
    last: Option<usize>,
    moved: u64,
    /// The first error.
    failed: Option<Error>,
}

/// A slot, and the events that end its last copy and its last use.
#[derive(Debug)]
struct Slot {
    here: Pinned<u8>,
    there: Array<u8>,
    copied: Option<EventId>,
    used: Option<EventId>,
}

impl Relay {
    /// Allocates slots of this many bytes. Two let copies and kernels overlap; three also let the host run ahead. The
    /// device memory counts against the budget. If there is no room, the error names `what`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or if the device is lost.
    ///
    /// # Panics
    /// If there is no slot.
    pub fn new(gpu: &Gpu, bytes: usize, slots: usize, what: &str) -> Result<Self> {
        assert!(slots > 0, "a relay of no slots");
        let slot = |_| {
            let (here, there) = (gpu.pinned(bytes, what)?, gpu.array(bytes, what)?);
            Ok(Slot { here, there, copied: None, used: None })
        };
        let slots = (0..slots).map(slot).collect::<Result<_>>()?;
        Ok(Self { gpu: gpu.clone(), slots, next: 0, last: None, moved: 0, failed: None })
    }

    /// Waits until the next slot's buffer can be filled. If `stop` returns `true` meanwhile, asks the kernels to end:
    /// see [`Gpu::wait`]. [`Relay::send`] waits by itself, but cannot be stopped.
    ///
    /// # Errors
    /// The errors of the work that it waits for; [`Error::Stopped`], after which the relay can still be used; the first
    /// error of this relay.
    pub fn ready(&mut self, stop: impl Fn() -> bool) -> Result<()> {
        self.check()?;
        let Some(event) = self.slots[self.next].copied else { return Ok(()) };
        match self.gpu.wait_for(event, stop) {
            // The kernels have ended, and the copy may have too. The next call waits for it.
            Err(error @ Error::Stopped { .. }) => Err(error),
            Err(error) => self.fail(error),
            Ok(()) => {
                self.gpu.forget(event);
                self.slots[self.next].copied = None;
                Ok(())
            }
        }
    }

    /// Sends bytes through the next slot. `fill` gets its buffer, which holds anything, and returns how many bytes of it
    /// count and a result for the caller. Returns the address of the bytes for kernels that are launched before the next
    /// call. Those start after the copy.
    ///
    /// # Errors
    /// If the device fails; the first error of this relay.
    ///
    /// # Panics
    /// If `fill` returns more bytes than a slot has.
    pub fn send<R>(&mut self, fill: impl FnOnce(&mut [u8]) -> (usize, R)) -> Result<(Address<u8>, R)> {
        self.ready(|| false)?;
        self.used()?;
        let slot = &mut self.slots[self.next];
        let size = slot.here.bytes() as usize;
        // SAFETY: pinned memory of that size, zeroed when it was allocated, which no copy uses after the wait and which
        // only the relay knows.
        let buffer = unsafe { std::slice::from_raw_parts_mut(slot.here.host() as *mut u8, size) };
        let (bytes, result) = fill(buffer);
        assert!(bytes <= size, "{bytes} bytes for a slot of {size}");
        if let Err(error) = self.carry(bytes) {
            return self.fail(error);
        }
        let address = self.slots[self.next].there.address();
        self.last = Some(self.next);
        self.next = (self.next + 1) % self.slots.len();
        self.moved += bytes as u64;
        Ok((address, result))
    }

    /// Marks the end of the use of the bytes sent last. Call it after launching the kernels that read them; the next call
    /// of [`Relay::send`] does it otherwise, which is later than needed if other kernels are launched in between.
    ///
    /// # Errors
    /// If the device fails; the first error of this relay.
    pub fn used(&mut self) -> Result<()> {
        self.check()?;
        let Some(last) = self.last.take() else { return Ok(()) };
        match self.gpu.record(Stream::Compute) {
            Ok(event) => {
                // A slot through which no bytes travelled still has the event of its use before.
                if let Some(before) = self.slots[last].used.replace(event) {
                    self.gpu.forget(before);
                }
                Ok(())
            }
            Err(error) => self.fail(error),
        }
    }

    /// Returns how many bytes were sent.
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// True if an error has ended this relay: every later call returns that error.
    pub fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Queues the copy of the next slot's buffer between the slot's last use and the kernels launched later.
    fn carry(&mut self, bytes: usize) -> Result<()> {
        let (gpu, slot) = (&self.gpu, &mut self.slots[self.next]);
        if bytes == 0 {
            return Ok(());
        }
        if let Some(used) = slot.used {
            gpu.order(Stream::Copy, used)?;
            gpu.forget(used);
            slot.used = None;
        }
        let (to, from) = (slot.there.address().raw(), slot.here.host());
        // SAFETY: both have that many bytes. The host leaves the buffer alone until the event, and `drop` frees both only
        // after the copy.
        let copied = unsafe { gpu.copy_beside(CopyKind::ToDevice, to, from, bytes) }?;
        slot.copied = Some(copied);
        gpu.order(Stream::Compute, copied)
    }

    fn check(&self) -> Result<()> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Keeps an error for all later calls.
    fn fail<T>(&mut self, error: Error) -> Result<T> {
        self.failed = Some(error.clone());
        Err(error)
    }

    /// Waits for everything in the copy stream.
    fn end(&self) -> Result<()> {
        let event = self.gpu.record(Stream::Copy)?;
        let ended = self.gpu.wait_for(event, || false);
        self.gpu.forget(event);
        ended
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let ended = self.end();
        for slot in self.slots.drain(..) {
            slot.copied.into_iter().chain(slot.used).for_each(|event| self.gpu.forget(event));
            if ended.is_err() {
                // A copy may still use the memory.
                std::mem::forget(slot);
            }
        }
    }
}
