//! Label propagation, all vertices at once, by counting labels in small tables.
//!
//! Two arrays of labels alternate, so every vertex reads the labels of the previous round. A vertex counts the labels
//! around it in a table twice as wide as its row, which stays in the L1 cache. After a round in which few labels
//! changed, only vertices next to a change count again: no other label can change.
//!
//! One thread counts for each vertex, and labels are original vertices, so the answer is the same on any number of
//! threads and in any order of the vertices. A round that restores the labels of two rounds before ends the run; see
//! [`warpgraph_core::label_propagation`].
//!
//! Expected work O(m) per round. Memory: 8 bytes and one bit per vertex, and per thread a table of at most 32 bytes
//! times the largest degree. Directed graphs need the transpose.

mod count;

use crate::{
    Options, Recorder,
    parts::{Bitmap, Team, atomics, balanced, team},
};
use count::Counter;
use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Instant,
};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    label_propagation::{LabelPropagation, LabelPropagationAnswer},
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, View, Weights, with_views};

/// Arcs and vertices that a thread takes at a time.
const WORK: usize = 1 << 13;
/// All vertices count again if more than one in this many changed.
const DENSE_SHARE: usize = 16;

/// Computes the label of every vertex, which is an original vertex.
///
/// # Errors
/// If interrupted, or if memory is short.
pub fn label_propagation(
    graph: &Graph,
    config: &LabelPropagation,
    options: &Options,
) -> Result<LabelPropagationAnswer> {
    options.control.check("spreading labels")?;
    let prepared = Instant::now();
    let incoming = graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    let n = graph.vertices();
    let (mut labels, mut before) = (Pages::scratch(n)?, Pages::scratch(n)?);
    (0..n).for_each(|v| labels[v] = options.original(v as Vertex));
    before.copy_from_slice(&labels);
    let halt = with_views!(graph.out().csr, incoming.csr, |out, incoming_view| {
        let weigh = |weights| config.weighted.then_some(weights);
        let other =
            graph.is_directed().then(|| Side { view: incoming_view, weights: weigh(&incoming.weights) });
        let around = Around { out: Side { view: out, weights: weigh(&graph.out().weights) }, other };
        let rounds = Rounds { around, options, ranges: balanced(out, WORK) };
        team(|team| rounds.run(team, config.max_iterations, [&mut labels, &mut before], &mut recorder))?
    });
    let plan = Plan::bsp(Some(Direction::Pull));
    let run = recorder.finish(plan, halt, (8 * n + n / 8) as u64);
    Ok(LabelPropagationAnswer::new(graph, config, labels, run))
}

/// The arcs of one direction, with their weights if the configuration uses them.
struct Side<'a, O> {
    view: View<'a, O>,
    weights: Option<&'a Weights>,
}

/// All arcs of a vertex, in both directions.
struct Around<'a, O, I> {
    out: Side<'a, O>,
    /// Incoming arcs, if the graph is directed.
    other: Option<Side<'a, I>>,
}

/// The data of a member of the team.
#[derive(Default)]
struct Local {
    counter: Counter,
    /// Vertices that changed in this round.
    changed: Vec<Vertex>,
    /// Number of vertices whose label is not that of two rounds before.
    moved: usize,
}

struct Rounds<'a, O, I> {
    around: Around<'a, O, I>,
    options: &'a Options,
    ranges: Vec<Range<usize>>,
}

impl<O: Offset, I: Offset> Rounds<'_, O, I> {
    /// Runs rounds until no label changes, or until the labels are those after `limit` rounds. Leaves them in the first
    /// array.
    fn run(
        &self,
        team: &Team,
        limit: u64,
        [labels, spare]: [&mut Pages<Vertex>; 2],
        recorder: &mut Recorder,
    ) -> Result<Halted> {
        let n = labels.len();
        let mut locals: Vec<Mutex<Local>> = Vec::new();
        locals.resize_with(team.members(), Mutex::default);
        let mut awake: Option<Bitmap> = None;
        for round in 1.. {
            self.options.control.check("spreading labels")?;
            self.options.control.report("label propagation", round - 1, Some(limit));
            self.round(team, &locals, awake.as_ref(), labels, atomics(spare));
            std::mem::swap(labels, spare);
            let (mut changed, mut moved) = (Vec::new(), 0);
            for local in &mut locals {
                let local = local.get_mut().unwrap_or_else(PoisonError::into_inner);
                changed.append(&mut local.changed);
                moved += std::mem::take(&mut local.moved);
            }
            recorder.step(n, Direction::Pull, || format!("{} labels changed", changed.len()));
            if changed.is_empty() {
                return Ok(Halted::Converged);
            }
            let left = limit - round;
            let swaps = round > 1 && moved == 0;
            if swaps && left % 2 == 1 {
                std::mem::swap(labels, spare);
            }
            if swaps {
                return Ok(Halted::Alternates);
            }
            if left == 0 {
                return Ok(Halted::MaxIterations);
            }
            awake = if changed.len() > n / DENSE_SHARE { None } else { Some(self.wake(&changed, n)?) };
        }
        Ok(Halted::MaxIterations)
    }

    /// Counts around every vertex that is `awake`. `next` holds the labels of two rounds before and receives the new
    /// ones.
    fn round(
        &self,
        team: &Team,
        locals: &[Mutex<Local>],
        awake: Option<&Bitmap>,
        labels: &[Vertex],
        next: &[AtomicU32],
    ) {
        team.round(self.ranges.len(), &|member, range| {
            let mut local = locals[member].lock().unwrap_or_else(PoisonError::into_inner);
            let Local { counter, changed, moved } = &mut *local;
            for v in self.ranges[range].clone() {
                let counts = awake.is_none_or(|awake| awake.contains(v as Vertex));
                let label =
                    if counts { self.around.majority(v as Vertex, labels, counter) } else { labels[v] };
                if label != labels[v] {
                    changed.push(v as Vertex);
                }
                *moved += usize::from(label != next[v].load(Relaxed));
                next[v].store(label, Relaxed);
            }
        });
    }

    /// Returns the neighbours of the vertices that changed.
    fn wake(&self, changed: &[Vertex], n: usize) -> Result<Bitmap> {
        let mut awake = Bitmap::empty(n)?;
        for &v in changed {
            self.around.out.view.neighbors(v).iter().for_each(|&u| awake.insert(u));
            if let Some(other) = &self.around.other {
                other.view.neighbors(v).iter().for_each(|&u| awake.insert(u));
            }
        }
        Ok(awake)
    }
}
