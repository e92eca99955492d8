//! Draws samples on all threads, and counts for which vertices they count.

use super::path::{self, Sampler};
use crate::{Options, parts::atomics};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use warpgraph_core::{Draws, Error, Result};
use warpgraph_graph::{Offset, Pages, Vertex, View, memory};

/// Samples that a thread takes at a time.
const TAKEN: u64 = 16;

/// The samples drawn so far.
pub(super) struct Drawing<'a, O, I> {
    out: View<'a, O>,
    incoming: View<'a, I>,
    options: &'a Options,
    counts: Pages<u64>,
    /// The number of the next sample.
    next: u64,
    arcs: u64,
    /// One per thread that draws, made by that thread.
    samplers: Vec<Mutex<Option<Sampler<'a, O, I>>>>,
}

impl<'a, O: Offset, I: Offset> Drawing<'a, O, I> {
    /// Creates a drawing without samples. The number of threads is limited by a quarter of the memory limit.
    pub(super) fn new(out: View<'a, O>, incoming: View<'a, I>, options: &'a Options) -> Result<Self> {
        let n = out.vertices();
        let room = memory::limit().map_or(u64::MAX, |all| all / 4) / path::bytes(n).max(1);
        let workers = rayon::current_num_threads().min(room.max(1) as usize);
        let samplers = (0..workers).map(|_| Mutex::new(None)).collect();
        Ok(Self { out, incoming, options, counts: Pages::zeroed(n)?, next: 0, arcs: 0, samplers })
    }

    /// Returns for each vertex the samples that count for it.
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Sets all counts to 0; later samples have new numbers.
    pub(super) fn forget(&mut self) {
        self.counts.fill(0);
    }

    /// Returns the arcs that the samples looked at.
    pub(super) fn arcs(&self) -> u64 {
        self.arcs
    }

    /// Returns the bytes of counts and samplers.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.counts.len() as u64 + self.samplers.len() as u64 * path::bytes(self.counts.len())
    }

    /// Draws the samples up to number `end`.
    ///
    /// # Errors
    /// If interrupted, or if memory is short.
    pub(super) fn draw_to(&mut self, end: u64) -> Result<()> {
        let (next, failed) = (AtomicU64::new(self.next), Mutex::new(None));
        let counts = atomics(&mut self.counts);
        let work = Work { options: self.options, counts, next, end, arcs: AtomicU64::new(0), failed };
        let (out, incoming, samplers) = (self.out, self.incoming, &self.samplers);
        let run = |number: usize| {
            let mut kept = lock(&samplers[number]);
            work.run(number == 0, &mut kept, || Sampler::new(out, incoming));
        };
        rayon::in_place_scope(|scope| {
            (1..samplers.len()).for_each(|number| scope.spawn(move |_| run(number)));
            run(0);
        });
        self.next = end;
        self.arcs += work.arcs.into_inner();
        match work.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// Samples that threads share out.
struct Work<'a> {
    options: &'a Options,
    counts: &'a [AtomicU64],
    next: AtomicU64,
    end: u64,
    arcs: AtomicU64,
    failed: Mutex<Option<Error>>,
}

impl Work<'_> {
    /// Draws until no sample is left. Ends the others if it fails.
    fn run<'s, O: Offset, I: Offset>(
        &self,
        tells: bool,
        kept: &mut Option<Sampler<'s, O, I>>,
        make: impl FnOnce() -> Result<Sampler<'s, O, I>>,
    ) {
        let sampler = match kept.take().map_or_else(make, Ok) {
            Ok(sampler) => kept.insert(sampler),
            Err(error) => return self.fail(error),
        };
        if let Err(error) = self.draw(tells, sampler) {
            self.fail(error);
        }
        self.arcs.fetch_add(sampler.take_arcs(), Relaxed);
    }

    fn fail(&self, error: Error) {
        self.next.store(self.end, Relaxed);
        lock(&self.failed).get_or_insert(error);
    }

    fn draw<O: Offset, I: Offset>(&self, tells: bool, sampler: &mut Sampler<'_, O, I>) -> Result<()> {
        let Options { seed, run, ref control, .. } = *self.options;
        let n = self.counts.len() as u64;
        loop {
            let start = self.next.fetch_add(TAKEN, Relaxed);
            if start >= self.end {
                return Ok(());
            }
            control.check("sampling paths")?;
            for number in start..self.end.min(start + TAKEN) {
                let mut draws = Draws::of(seed, run, number);
                let (s, t) = draws.pair(n);
                let count = |v: Vertex| {
                    self.counts[v as usize].fetch_add(1, Relaxed);
                };
                sampler.path(s as Vertex, t as Vertex, &mut draws, count);
            }
            if tells {
                control.report("bc", start, Some(self.end));
            }
        }
    }
}

/// Locks what one thread uses at a time; a poisoned lock means that the run is panicking anyway.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
