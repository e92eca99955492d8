//! [`Ring`]: a circular queue of chunks that all workers push to and pop from.
//!
//! It has as many places as there are chunks of its kind, and a chunk is in it at most once, so it is never full. A push
//! takes the next ticket of the tail, a pop the next of the head. Ticket t uses place `t % places`. Two tickets a turn
//! apart share a place, and a thread that is slow to empty it makes the pusher of the later ticket wait: that thread has
//! its ticket and needs nothing else, so the wait ends.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Keeps a counter on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

/// Spins before a waiting thread yields.
const SPINS: u32 = 200;

pub(super) struct Ring<'a> {
    /// A chunk plus 1, or 0 for an empty place.
    places: &'a [AtomicU32],
    head: Apart<AtomicU64>,
    tail: Apart<AtomicU64>,
}

impl<'a> Ring<'a> {
    /// Takes places, all of them 0.
    pub(super) fn new(places: &'a [AtomicU32]) -> Self {
        Self { places, head: Apart::default(), tail: Apart::default() }
    }

    /// Returns true if the ring is for no chunk.
    pub(super) fn is_void(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the tickets of the next pop and of the next push.
    pub(super) fn span(&self) -> (u64, u64) {
        (self.head.0.load(Ordering::Relaxed), self.tail.0.load(Ordering::Relaxed))
    }

    fn place(&self, ticket: u64) -> &AtomicU32 {
        &self.places[(ticket % self.places.len() as u64) as usize]
    }

    /// Appends a chunk that is not in the ring.
    pub(super) fn push(&self, chunk: u32) {
        let place = self.place(self.tail.0.fetch_add(1, Ordering::Relaxed));
        let mut waits = Waits::default();
        while place.compare_exchange_weak(0, chunk + 1, Ordering::Release, Ordering::Relaxed).is_err() {
            waits.wait();
        }
    }

    /// Takes the first chunk; `None` if the ring is empty.
    pub(super) fn pop(&self) -> Option<u32> {
        let mut ticket = self.head.0.load(Ordering::Relaxed);
        loop {
            if ticket >= self.tail.0.load(Ordering::Relaxed) {
                return None;
            }
            match self.head.0.compare_exchange_weak(ticket, ticket + 1, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => break,
                Err(now) => ticket = now,
            }
        }
        let (place, mut waits) = (self.place(ticket), Waits::default());
        loop {
            // The pusher has its ticket, but may not have written yet.
            if place.load(Ordering::Relaxed) != 0
                && let Some(chunk) = place.swap(0, Ordering::Acquire).checked_sub(1)
            {
                return Some(chunk);
            }
            waits.wait();
        }
    }
}

/// Waits a little longer each time: spins at first, then yields.
#[derive(Default)]
pub(super) struct Waits(u32);

impl Waits {
    /// Waits. Returns true once it yields.
    pub(super) fn wait(&mut self) -> bool {
        let yields = self.0 >= SPINS;
        if yields {
            std::thread::yield_now();
        } else {
            self.0 += 1;
            std::hint::spin_loop();
        }
        yields
    }
}
