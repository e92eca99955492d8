//! A lane of a ring: two page-locked buffers that travel in turn.
//!
//! The thread of a lane makes the buffers when it first needs them. It touches them itself, in huge pages where the
//! system has them, and then locks them. The driver's own allocation of locked memory takes many times as long.

use super::CHUNK;
use crate::{
    Device, EventId, Gpu, Result,
    host::{HUGE_PAGE, advise_huge},
};
use std::{
    alloc::{Layout, alloc, dealloc},
    ptr::NonNull,
    time::{Duration, Instant},
};

/// How long a lane watches for the end of a copy before it sleeps between two looks.
const WATCHED: Duration = Duration::from_micros(30);

/// Two buffers, and the copies that use them.
#[derive(Debug, Default)]
pub(super) struct Lane {
    memory: Memory,
    events: [Option<EventId>; 2],
}

/// The memory of a lane.
#[derive(Debug, Default)]
enum Memory {
    /// Not needed so far.
    #[default]
    None,
    /// `2 * CHUNK` bytes, locked for the device of the ring.
    Locked(NonNull<u8>),
    /// The system has none, or the driver does not lock it.
    Refused,
}

// SAFETY: the lane owns its memory, and only its methods that take `&mut self` touch it.
unsafe impl Send for Lane {}
// SAFETY: as above; shared access reads nothing of the memory.
unsafe impl Sync for Lane {}

impl Lane {
    /// Calls `begin` with one buffer after the other until it returns `None`. `begin` starts a copy that uses the
    /// buffer, and returns the event after the copy and what `end` needs. Once that copy has finished, `end` gets the
    /// buffer, before `begin` gets it again. Does nothing if the lane has no memory.
    pub(super) fn take_turns<J>(
        &mut self,
        gpu: &Gpu,
        begin: impl Fn(&mut [u8]) -> Result<Option<(EventId, J)>>,
        end: impl Fn(&[u8], J),
    ) -> Result<()> {
        let Some(memory) = self.memory(gpu) else { return Ok(()) };
        let mut jobs = [None, None];
        for turn in (0..2).cycle() {
            self.wait_for(turn, gpu)?;
            // SAFETY: this half of the lane's memory, which no copy uses after the wait, and which nothing else
            // borrows: the slice ends with this turn.
            let buffer = unsafe { std::slice::from_raw_parts_mut(memory.add(turn * CHUNK).as_ptr(), CHUNK) };
            if let Some(job) = jobs[turn].take() {
                end(buffer, job);
            }
            match begin(buffer)? {
                Some((event, job)) => (self.events[turn], jobs[turn]) = (Some(event), Some(job)),
                // The other buffer may still travel. It comes next, and then there is nothing left.
                None if jobs[1 - turn].is_some() => {}
                None => return Ok(()),
            }
        }
        Ok(())
    }

    /// Waits for the copies of both buffers.
    pub(super) fn wait(&mut self, gpu: &Gpu) -> Result<()> {
        self.wait_for(0, gpu).and(self.wait_for(1, gpu))
    }

    fn wait_for(&mut self, turn: usize, gpu: &Gpu) -> Result<()> {
        let Some(event) = self.events[turn] else { return Ok(()) };
        let begun = Instant::now();
        while !gpu.is_done(event)? {
            if begun.elapsed() > WATCHED {
                std::thread::sleep(Duration::from_micros(10));
            } else {
                std::thread::yield_now();
            }
        }
        gpu.forget(event);
        self.events[turn] = None;
        Ok(())
    }

    /// Returns the memory of the lane; makes it on the first call.
    fn memory(&mut self, gpu: &Gpu) -> Option<NonNull<u8>> {
        if matches!(self.memory, Memory::None) {
            self.memory = locked(gpu).map_or(Memory::Refused, Memory::Locked);
        }
        match self.memory {
            Memory::Locked(start) => Some(start),
            _ => None,
        }
    }

    /// Unlocks and frees the buffers. If a copy has not been waited for, the device failed and may still use its
    /// buffer, so the memory stays until the process ends.
    pub(super) fn clear(&mut self, device: &dyn Device) {
        if let Memory::Locked(start) = std::mem::take(&mut self.memory)
            && self.events == [None; 2]
        {
            // SAFETY: `locked` locked and allocated it, no copy uses it, and the lane has forgotten it.
            unsafe {
                if device.unpin(start.as_ptr() as u64).is_ok() {
                    dealloc(start.as_ptr(), layout());
                }
            }
        }
    }
}

fn layout() -> Layout {
    const LAYOUT: Layout = match Layout::from_size_align(2 * CHUNK, HUGE_PAGE) {
        Ok(layout) => layout,
        Err(_) => panic!("a huge page is a power of two"),
    };
    LAYOUT
}

/// Allocates, touches and locks the memory of a lane.
fn locked(gpu: &Gpu) -> Option<NonNull<u8>> {
    // SAFETY: the layout is not empty.
    let start = NonNull::new(unsafe { alloc(layout()) })?;
    advise_huge(start, layout().size());
    // SAFETY: the memory was just allocated, with that many bytes. Writing gives it pages, near this thread.
    unsafe { start.write_bytes(0, layout().size()) };
    // SAFETY: the lane owns the memory, and frees it only after it has unlocked it.
    match unsafe { gpu.pin(start.as_ptr() as u64, layout().size()) } {
        Ok(()) => Some(start),
        Err(_) => {
            // SAFETY: allocated above with this layout, and not locked.
            unsafe { dealloc(start.as_ptr(), layout()) };
            None
        }
    }
}
