//! Runs searches on all threads and adds up their dependencies in the order of the sources.
//!
//! A thread takes the next source, searches, and adds its dependencies after those of all earlier sources. So the sums
//! have the same bits on any number of threads, without one array of sums per thread.

use super::Task;
use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering::Relaxed},
};
use warpgraph_core::{Error, Result};
use warpgraph_graph::{Control, Vertex, memory};

/// Searches from one source at a time.
pub(super) trait Walk {
    /// Computes the dependencies of all vertices on a source.
    ///
    /// # Errors
    /// If interrupted, or if the weights do not allow it.
    fn walk(&mut self, source: Vertex, control: &Control) -> Result<()>;

    /// Returns the vertices reached, the source first, and their dependencies; that of the source is 0.
    fn dependencies(&self) -> (&[Vertex], &[f64]);

    /// Returns the number of outgoing arcs of a vertex.
    fn degree(&self, v: Vertex) -> usize;
}

/// Searches that any kind of walker can make.
pub(super) trait Searches {
    /// Makes all searches with walkers of `bytes` bytes each, and returns the bytes of all of them.
    ///
    /// # Errors
    /// If interrupted, if memory is short, or if the weights do not allow a search.
    fn run<W: Walk>(self, make: impl Fn() -> Result<W> + Sync, bytes: u64) -> Result<u64>;
}

/// Returns how many walkers, of `bytes` bytes each, may work at once. Their number is limited by the threads, and by a quarter
/// of the memory limit.
pub(super) fn walkers(bytes: u64) -> usize {
    let room = memory::limit().map_or(u64::MAX, |all| all / 4) / bytes.max(1);
    rayon::current_num_threads().min(room.max(1) as usize)
}

/// The sources still to search from, and the sums.
pub(super) struct Ledger<'a, 't> {
    sources: &'a [Vertex],
    taken: AtomicUsize,
    state: Mutex<State<'a, 't>>,
    turn: Condvar,
    control: Control,
}

struct State<'a, 't> {
    next: usize,
    sums: &'a mut [f64],
    task: &'a mut Task<'t>,
    failed: Option<Error>,
}

impl<'a, 't> Ledger<'a, 't> {
    pub(super) fn new(sources: &'a [Vertex], sums: &'a mut [f64], task: &'a mut Task<'t>) -> Self {
        let control = task.options.control.clone();
        let state = Mutex::new(State { next: 0, sums, task, failed: None });
        Self { sources, taken: AtomicUsize::new(0), state, turn: Condvar::new(), control }
    }

    fn work<W: Walk>(&self, make: &(impl Fn() -> Result<W> + Sync)) {
        let mut walker = match make() {
            Ok(walker) => walker,
            Err(error) => return self.fail(error),
        };
        while let Some((number, &source)) = self.take() {
            match walker.walk(source, &self.control) {
                Ok(()) => self.add(number, &walker),
                Err(error) => return self.fail(error),
            }
        }
    }

    /// Takes the next source and its number.
    fn take(&self) -> Option<(usize, &Vertex)> {
        let number = self.taken.fetch_add(1, Relaxed);
        Some((number, self.sources.get(number)?))
    }

    /// Adds the dependencies on source `number` when it is its turn. Running threads hold all earlier sources, so the
    /// turn comes.
    fn add(&self, number: usize, walker: &impl Walk) {
        let mut state = self.lock();
        while state.next != number && state.failed.is_none() {
            state = self.turn.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.failed.is_some() {
            return;
        }
        let (reached, deltas) = walker.dependencies();
        let mass = state.task.masses.of(reached[0]);
        let end = if state.task.config.endpoints { 1.0 } else { 0.0 };
        let mut arcs = walker.degree(reached[0]) as u64;
        state.sums[reached[0] as usize] += end * (reached.len() - 1) as f64;
        for (&v, delta) in reached.iter().zip(deltas).skip(1) {
            state.sums[v as usize] += mass * delta + end;
            arcs += walker.degree(v) as u64;
        }
        state.task.tell(1, reached.len(), arcs, || "1 source".to_owned());
        state.next += 1;
        drop(state);
        self.turn.notify_all();
    }

    fn fail(&self, error: Error) {
        self.taken.store(self.sources.len(), Relaxed);
        self.lock().failed.get_or_insert(error);
        self.turn.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, 't>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the error that ended the searches, if any.
    fn close(self) -> Result<()> {
        match self.state.into_inner().unwrap_or_else(PoisonError::into_inner).failed {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Searches for Ledger<'_, '_> {
    fn run<W: Walk>(self, make: impl Fn() -> Result<W> + Sync, bytes: u64) -> Result<u64> {
        let walkers = walkers(bytes).min(self.sources.len());
        rayon::in_place_scope(|scope| {
            for _ in 1..walkers {
                scope.spawn(|_| self.work(&make));
            }
            self.work(&make);
        });
        self.close()?;
        Ok(walkers as u64 * bytes)
    }
}
