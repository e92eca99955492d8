//! [`Tally`]: what each worker has done, counted without atomic additions, and [`Done`]: such counts as numbers.

use std::{
    ops::{AddAssign, Sub},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};
use warpgraph_core::Work;

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Done {
    /// Chunks handled, and those of them that a worker took from the queue of the others.
    pub(super) handled: u64,
    pub(super) stolen: u64,
    pub(super) work: Work,
    /// The sum of all changes that were sent, in a sum.
    pub(super) sent: f64,
    /// Nanoseconds in which workers found nothing to do.
    pub(super) idle: u64,
    /// Nanoseconds in which workers were there.
    pub(super) present: u64,
}

impl AddAssign for Done {
    fn add_assign(&mut self, other: Self) {
        self.handled += other.handled;
        self.stolen += other.stolen;
        self.work.updates += other.work.updates;
        self.work.merges += other.work.merges;
        self.work.edges += other.work.edges;
        self.work.bytes += other.work.bytes;
        self.sent += other.sent;
        self.idle += other.idle;
        self.present += other.present;
    }
}

impl Sub for Done {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            handled: self.handled - other.handled,
            stolen: self.stolen - other.stolen,
            work: Work {
                updates: self.work.updates - other.work.updates,
                merges: self.work.merges - other.work.merges,
                edges: self.work.edges - other.work.edges,
                bytes: self.work.bytes - other.work.bytes,
            },
            sent: self.sent - other.sent,
            idle: self.idle - other.idle,
            present: self.present - other.present,
        }
    }
}

/// The counts of one worker. Only that worker writes them, apart from the mark; the worker that ends a round reads them.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Tally {
    /// Chunks handled, plus 1 from before the worker takes the next one until it has handled it.
    begun: AtomicU64,
    /// `begun` when the round began.
    marked: AtomicU64,
    handled: AtomicU64,
    stolen: AtomicU64,
    updates: AtomicU64,
    merges: AtomicU64,
    edges: AtomicU64,
    bytes: AtomicU64,
    /// The bits of an f64.
    sent: AtomicU64,
    idle: AtomicU64,
    present: AtomicU64,
}

impl Tally {
    /// Notes that the worker is about to take a chunk.
    pub(super) fn begin(&self) {
        self.begun.store(self.handled.load(Relaxed) + 1, Relaxed);
    }

    /// Notes that there was no chunk to take.
    pub(super) fn found_none(&self) {
        self.begun.store(self.handled.load(Relaxed), Relaxed);
    }

    /// Notes that a round begins. The worker that ends the last one calls this.
    pub(super) fn mark(&self) {
        self.marked.store(self.begun.load(Relaxed), Relaxed);
    }

    /// Returns true if the chunk that the worker had begun when the round began, if any, is handled.
    pub(super) fn is_past_mark(&self) -> bool {
        self.handled.load(Relaxed) >= self.marked.load(Relaxed)
    }

    /// Adds the handling of a chunk.
    pub(super) fn handled(&self, done: &Done) {
        raise(&self.handled, done.handled);
        raise(&self.stolen, done.stolen);
        raise(&self.updates, done.work.updates);
        raise(&self.merges, done.work.merges);
        raise(&self.edges, done.work.edges);
        raise(&self.bytes, done.work.bytes);
        let sent = f64::from_bits(self.sent.load(Relaxed)) + done.sent;
        self.sent.store(sent.to_bits(), Relaxed);
    }

    /// Adds time without work.
    pub(super) fn idled(&self, time: Duration) {
        raise(&self.idle, time.as_nanos() as u64);
    }

    /// Adds time in which the worker was there.
    pub(super) fn was_present(&self, time: Duration) {
        raise(&self.present, time.as_nanos() as u64);
    }

    /// Returns the counts.
    pub(super) fn read(&self) -> Done {
        let read = |counter: &AtomicU64| counter.load(Relaxed);
        Done {
            handled: read(&self.handled),
            stolen: read(&self.stolen),
            work: Work {
                updates: read(&self.updates),
                merges: read(&self.merges),
                edges: read(&self.edges),
                bytes: read(&self.bytes),
            },
            sent: f64::from_bits(read(&self.sent)),
            idle: read(&self.idle),
            present: read(&self.present),
        }
    }
}

/// Returns the counts of all workers together.
pub(super) fn sum(tallies: &[Tally]) -> Done {
    let mut all = Done::default();
    tallies.iter().for_each(|tally| all += tally.read());
    all
}

/// Adds to a counter that only the caller writes.
fn raise(counter: &AtomicU64, by: u64) {
    counter.store(counter.load(Relaxed) + by, Relaxed);
}
