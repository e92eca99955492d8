//! Walks along random paths of random graphs give the answers of supersteps, and the test would notice if they did not.

mod agree;
mod algorithms;
mod ends;
mod graphs;
mod programs;

use crate::{Options, program};
use graphs::Sample;
use std::{
    cell::Cell,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};
use warpgraph_core::{
    Model, PathPlan, Plan, Result,
    program::{ProgramAnswer, VertexProgram},
};

thread_local! {
    /// Schedules that this thread makes drop one wake-up in so many; 0 drops none.
    static DROPPED: Cell<u32> = const { Cell::new(0) };
    /// Workers of schedules that this thread makes pause at one critical place in so many; 0 pauses none.
    static PAUSED: Cell<u32> = const { Cell::new(0) };
}

/// Drops wake-ups now and then, to show that the tests notice, and lets other threads go first where that is critical.
pub(in crate::program::paths) struct Faults {
    dropped: u32,
    paused: u32,
    met: AtomicU32,
}

impl Faults {
    /// Returns what the current thread asked for.
    pub(in crate::program::paths) fn wanted() -> Self {
        Self { dropped: DROPPED.get(), paused: PAUSED.get(), met: AtomicU32::new(0) }
    }

    /// Returns true if wake-ups are dropped at all.
    pub(in crate::program::paths) fn drops(&self) -> bool {
        self.dropped > 0
    }

    /// Returns true if this wake-up is to be dropped.
    pub(in crate::program::paths) fn strike(&self) -> bool {
        self.meets(self.dropped)
    }

    /// Lets another thread run now and then.
    pub(in crate::program::paths) fn stumble(&self) {
        if self.meets(self.paused) {
            std::thread::yield_now();
        }
    }

    fn meets(&self, one_in: u32) -> bool {
        one_in > 0 && self.met.fetch_add(1, Relaxed).is_multiple_of(one_in)
    }
}

/// Runs with one wake-up in so many dropped, and a pause at one critical place in so many.
fn with_faults<R>(dropped: u32, paused: u32, run: impl FnOnce() -> R) -> R {
    DROPPED.set(dropped);
    PAUSED.set(paused);
    let result = run();
    DROPPED.set(0);
    PAUSED.set(0);
    result
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Returns options that walk along the paths of a sample.
fn along(sample: &Sample, np: u32) -> Options {
    let np = NonZeroU32::new(np).unwrap();
    let plan = PathPlan { np, backward: !sample.paths.recipe().both_arcs, ..PathPlan::DEFAULT };
    let plan = Plan { model: Some(Model::Paths(plan)), residency: None };
    Options { plan, paths: Some(Arc::clone(&sample.paths)), ..Options::default() }
}

/// Runs a program along paths, on the current thread pool.
fn walk<P: VertexProgram + Clone>(
    sample: &Sample,
    program: &P,
    options: &Options,
) -> Result<ProgramAnswer<P::Value>> {
    program::program(&sample.graph, &Arc::new(program.clone()), options)
}

/// Runs a program by supersteps.
fn step<P: VertexProgram + Clone>(sample: &Sample, program: &P) -> Result<ProgramAnswer<P::Value>> {
    program::program(&sample.graph, &Arc::new(program.clone()), &Options::default())
}
