//! [`Crew`]: the workers. They take chunks from the queues and handle them until nothing is pending.
//!
//! The first Ns workers prefer hub chunks, the others cold ones; a worker whose queue is empty takes from the other. Ns is
//! such that hub chunks are walked Np times while all cold ones are walked once: with lambda the share of hub chunks and
//! tau workers, `Ns = lambda * tau * Np / (1 - lambda + lambda * Np)`, from 1 to tau - 1. A worker on its own takes the hub
//! chunks of a round first, then its cold ones.

use super::{
    ring::Waits,
    rounds::{Marks, Rounds},
    schedule::Schedule,
    tally::{Done, Tally, sum},
};
use crate::{Recorder, parts::Team};
use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use warpgraph_core::{Error, PathUse, Result};
use warpgraph_graph::{Control, Paths, Vertex};

/// Chunks that a worker handles between two looks at the control.
const LOOK: u64 = 64;

/// What is done with a chunk.
pub(super) trait Handles: Sync {
    /// Walks a chunk, merges its mirrors into masters and wakes the chunks that must know. `merged` is empty memory to
    /// work in.
    fn handle(&self, chunk: u32, is_first: bool, merged: &mut Vec<Vertex>) -> Done;
}

/// How a run of the crew ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    /// Nothing is pending.
    Quiet,
    /// The limit of rounds is reached.
    Limit,
}

pub(super) struct Crew<'a> {
    schedule: &'a Schedule<'a>,
    control: &'a Control,
    rounds: Mutex<Rounds<'a>>,
    marks: Marks,
    tallies: Vec<Tally>,
    /// Workers that prefer hub chunks.
    hub_workers: usize,
    /// Set when workers must leave early.
    stop: AtomicBool,
    limited: AtomicBool,
    failure: Mutex<Option<Error>>,
    /// Time in which the crew was at work.
    elapsed: Duration,
}

/// A chunk from a queue.
struct Taken {
    chunk: u32,
    is_stolen: bool,
}

impl<'a> Crew<'a> {
    pub(super) fn new(
        schedule: &'a Schedule<'a>,
        control: &'a Control,
        rounds: Rounds<'a>,
        hub_workers: usize,
    ) -> Self {
        Self {
            schedule,
            control,
            rounds: Mutex::new(rounds),
            marks: Marks::default(),
            tallies: (0..rayon::current_num_threads()).map(|_| Tally::default()).collect(),
            hub_workers,
            stop: AtomicBool::new(false),
            limited: AtomicBool::new(false),
            failure: Mutex::new(None),
            elapsed: Duration::ZERO,
        }
    }

    /// Handles all chunks that are queued, and those that they wake, until none is pending or the limit of rounds is
    /// reached.
    ///
    /// # Errors
    /// When interrupted, or when a sum does not converge.
    pub(super) fn run(&mut self, team: &Team, handler: &dyn Handles) -> Result<Stopped> {
        self.control.check("walking along paths")?;
        let start = Instant::now();
        self.marks.set(self.schedule, &self.tallies);
        let crew = &*self;
        team.round(crew.tallies.len(), &|_, number| crew.work(number, handler));
        self.elapsed += start.elapsed();
        if let Some(failure) = lock(&self.failure).take() {
            return Err(failure);
        }
        let (all, is_limited) = (sum(&self.tallies), self.limited.load(Relaxed));
        if !is_limited && self.rounds().has_begun(&all) {
            self.rounds().end(all)?;
        }
        Ok(if is_limited { Stopped::Limit } else { Stopped::Quiet })
    }

    /// Returns the rounds, while no worker is at work.
    pub(super) fn rounds(&mut self) -> &mut Rounds<'a> {
        self.rounds.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what was done so far.
    pub(super) fn done(&self) -> Done {
        sum(&self.tallies)
    }

    /// Reports what was done.
    pub(super) fn report(self, paths: &Paths) -> &'a mut Recorder {
        let (done, found) = (sum(&self.tallies), paths.found());
        let workers = self.tallies.len();
        let whole = self.elapsed.as_nanos() as f64 * workers as f64;
        let at_work = done.present.saturating_sub(done.idle) as f64;
        let recorder = self.rounds.into_inner().unwrap_or_else(PoisonError::into_inner).into_recorder();
        recorder.work(done.work);
        recorder.paths(PathUse {
            hubs: found.hubs,
            paths: found.paths(),
            hub_paths: found.hub_paths,
            chunks: paths.chunks() as u64,
            hub_chunks: paths.hub_chunks() as u64,
            handled: done.handled,
            stolen: done.stolen,
            workers: workers as u64,
            hub_workers: self.hub_workers as u64,
            busy: if whole > 0.0 { (at_work / whole).min(1.0) } else { 0.0 },
            held_bytes: paths.bytes(),
            making_seconds: 0.0,
        });
        recorder
    }

    /// Is a worker until nothing is pending or the crew must stop.
    fn work(&self, number: usize, handler: &dyn Handles) {
        let _leaving = Leaving { stop: &self.stop, tally: &self.tallies[number], came: Instant::now() };
        let (tally, mut merged, mut handled) = (&self.tallies[number], Vec::new(), 0u64);
        while !self.stop.load(Relaxed) {
            tally.begin();
            let Some(taken) = self.take(number) else {
                tally.found_none();
                if self.schedule.is_quiet() {
                    return;
                }
                if !self.schedule.wake_crowd() {
                    self.wait(tally);
                }
                continue;
            };
            if handled.is_multiple_of(LOOK) {
                self.look();
            }
            handled += 1;
            if self.marks.are_passed(self.schedule, &self.tallies) {
                self.end_round();
            }
            // Once the crew stops, chunks stay pending, and the run is over.
            if !self.stop.load(Relaxed) {
                let is_first = self.schedule.begin(taken.chunk);
                let done = handler.handle(taken.chunk, is_first, &mut merged);
                tally.handled(&Done { handled: 1, stolen: taken.is_stolen.into(), ..done });
                self.schedule.end(taken.chunk);
            }
        }
    }

    fn take(&self, number: usize) -> Option<Taken> {
        let Schedule { hot, cold, .. } = self.schedule;
        let alone = self.tallies.len() == 1;
        let wants_hot = if alone { self.marks.has_hot(self.schedule) } else { number < self.hub_workers };
        let (own, other) = if wants_hot { (hot, cold) } else { (cold, hot) };
        if let Some(chunk) = own.pop() {
            return Some(Taken { chunk, is_stolen: false });
        }
        other.pop().map(|chunk| Taken { chunk, is_stolen: !alone && !own.is_void() })
    }

    /// Ends the round, unless another worker does so or has just done so.
    fn end_round(&self) {
        let Ok(mut rounds) = self.rounds.try_lock() else { return };
        if !self.marks.are_passed(self.schedule, &self.tallies) {
            return;
        }
        self.schedule.wake_crowd();
        self.marks.set(self.schedule, &self.tallies);
        match rounds.end(sum(&self.tallies)) {
            Ok(false) => {}
            Ok(true) => {
                self.limited.store(true, Relaxed);
                self.stop.store(true, Relaxed);
            }
            Err(error) => self.fail(error),
        }
    }

    /// Waits until there is a chunk to take, nothing is pending, or the crew must stop.
    fn wait(&self, tally: &Tally) {
        let (start, mut waits, mut turns) = (Instant::now(), Waits::default(), 0u64);
        while !(self.schedule.has_work() || self.schedule.is_quiet() || self.stop.load(Relaxed)) {
            if waits.wait() {
                turns += 1;
                if turns.is_multiple_of(LOOK) {
                    self.look();
                }
            }
        }
        tally.idled(start.elapsed());
    }

    /// Stops the crew if the run must stop.
    fn look(&self) {
        if let Err(error) = self.control.check("walking along paths") {
            self.fail(error.into());
        }
    }

    fn fail(&self, error: Error) {
        lock(&self.failure).get_or_insert(error);
        self.stop.store(true, Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts the time of a worker. If the worker panics, the others stop, because its chunk would stay pending for ever.
struct Leaving<'a> {
    stop: &'a AtomicBool,
    tally: &'a Tally,
    came: Instant,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.tally.was_present(self.came.elapsed());
        if std::thread::panicking() {
            self.stop.store(true, Relaxed);
        }
    }
}
