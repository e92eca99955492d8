//! The native CPU engine: each algorithm in its fastest known form, on the rayon pool it is called in.
//!
//! Every function takes a graph, a configuration that was checked against it, and [`Options`]; it returns the answer, or
//! the error of an interrupt, a full memory or a negative cycle.

mod adsorption;
mod batch;
mod bc;
mod bfs;
mod closeness;
mod kcore;
mod label_propagation;
mod mst;
mod pagerank;
mod parts;
mod program;
mod scc;
mod sssp;
mod triangles;
mod wcc;

pub use adsorption::adsorption;
pub use bc::bc;
pub use bfs::bfs;
pub use closeness::closeness;
pub use kcore::kcore;
pub use label_propagation::label_propagation;
pub use mst::mst;
pub use pagerank::pagerank;
pub use program::program;
pub use scc::scc;
pub use sssp::sssp;
pub use triangles::triangles;
pub use wcc::wcc;

use std::time::Instant;
use warpgraph_core::{Direction, Halted, Order, Plan, Run, Step};
use warpgraph_graph::{Control, NodeMap, Vertex};

/// What every algorithm is told beside its configuration.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The plan asked for; it has passed [`Plan::check`].
    pub plan: Plan,
    /// Cancel flag, deadline, progress.
    pub control: Control,
    /// Record every superstep.
    pub trace: bool,
    /// Give the same bits run after run, whatever that costs: smallest-id ties, sums in a fixed order.
    pub deterministic: bool,
    /// The order the graph is in.
    pub order: Order,
    /// How the graph was renumbered into that order, for what speaks of original vertices; `None` if it was not.
    pub map: Option<NodeMap>,
    /// The seed of a random source.
    pub seed: u64,
    /// The number of the run, from 0: another random source each.
    pub run: u64,
}

impl Options {
    /// The original number of a vertex: what ties are broken by.
    #[inline]
    pub fn original(&self, v: Vertex) -> Vertex {
        self.map.as_ref().map_or(v, |map| map.original(v))
    }

    /// The direction the plan fixes for the whole run.
    pub(crate) fn direction(&self) -> Option<Direction> {
        match self.plan {
            Plan::Auto => None,
            Plan::Bsp { direction } => direction,
        }
    }
}

/// Collects the [`Run`] while an algorithm works.
pub(crate) struct Recorder {
    start: Instant,
    step: Instant,
    prepare_seconds: f64,
    trace: Option<Vec<Step>>,
    order: Order,
    rounds: u64,
    /// Bytes of arrays beside those that every run of the algorithm has.
    held: u64,
}

impl Recorder {
    /// Starts the clock; `prepared` is when preparation began, which is reported apart.
    pub(crate) fn start(options: &Options, prepared: Instant) -> Self {
        let start = Instant::now();
        Self {
            start,
            step: start,
            prepare_seconds: (start - prepared).as_secs_f64(),
            trace: options.trace.then(Vec::new),
            order: options.order,
            rounds: 0,
            held: 0,
        }
    }

    /// Ends a superstep.
    pub(crate) fn step(&mut self, frontier: usize, direction: Direction, note: impl FnOnce() -> String) {
        if let Some(trace) = &mut self.trace {
            let now = Instant::now();
            trace.push(Step {
                round: self.rounds,
                frontier: frontier as u64,
                direction,
                seconds: (now - self.step).as_secs_f64(),
                note: note(),
            });
            self.step = now;
        }
        self.rounds += 1;
    }

    /// Notes arrays of so many bytes that this run made beside those that every run has.
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.held += bytes as u64;
    }

    /// Supersteps so far.
    pub(crate) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Stops the clock.
    pub(crate) fn finish(self, plan: Plan, halt: Halted, state_bytes: u64) -> Run {
        Run {
            device: "cpu".to_owned(),
            plan,
            order: self.order,
            threads: rayon::current_num_threads(),
            rounds: self.rounds,
            halt,
            prepare_seconds: self.prepare_seconds,
            fetch_seconds: 0.0,
            seconds: self.start.elapsed().as_secs_f64(),
            state_bytes: state_bytes + self.held,
            trace: self.trace.unwrap_or_default(),
        }
    }
}
