//! Triangles, by one of three methods to intersect lists of neighbours.
//!
//! Vertices are put in a total order, every vertex keeps the neighbours *before* it, and every triangle u > v > w is
//! found once: at u, for every v before u, as a w that is before both. The methods differ in the order and in the
//! lists:
//!
//! - [`few`]: no vertex has more than a few neighbours (grids, roads). One pass over the graph's own rows; nothing is
//!   built.
//! - [`lists`]: degrees are similar. The order is the graph's own; lists are compact copies of the first halves of the
//!   rows.
//! - [`blocks`]: some degrees are far above the mean. Vertices are renumbered by decreasing degree [1], which bounds
//!   the lists by sqrt(2 m) and concentrates them in small numbers. Lists are stored as words of 64 bits [2], so that
//!   one `and` and one bit count test up to 64 neighbours, and are intersected with 64 others at a time ([`groups`]).
//!
//! All methods read a directed graph by its rows in both directions, count parallel edges once, and ignore self-loops.
//! O(m^1.5) work; 4 bytes (lists) or up to 20 (blocks) per edge. The transpose of a directed graph is kept.
//!
//! If the question allows an error, the total is estimated from sampled pairs of neighbours ([`sampled`]), unless the graph has
//! fewer arcs than the samples cost.
//!
//! [1] T. Schank, D. Wagner, Finding, counting and listing all triangles in large graphs, WEA 2005.
//! [2] M. Koohi Esfahani, P. Kilpatrick, H. Vandierendonck, LOTUS: locality optimizing triangle counting, PPoPP 2022,
//!     has bits for pairs of hubs; here every list is made of words, and there is no line between hubs and others.

mod blocks;
mod count;
mod few;
mod groups;
mod lists;
mod order;
mod rows;
mod sampled;
mod simple;
mod slabs;
mod tally;

use crate::{
    Options, Recorder,
    parts::{BothWays, team},
};
use count::Counting;
use sampled::Estimated;
use std::time::Instant;
use tally::{Everywhere, Nowhere, Tally};
use warpgraph_core::{
    Accuracy, Direction, Halted, Plan, Result,
    triangles::{
        Local, Triangles, TrianglesAnswer,
        sampling::{OF, Sampling},
    },
};
use warpgraph_graph::{Graph, Offset, Pages, with_views};

/// Up to this degree, rows are compared directly.
const FEW: usize = 16;
/// Degrees are similar while the largest is at most this many times the mean.
const ALIKE: usize = 16;

/// A sample costs about as much as the exact count needs for this many arcs.
const ARCS_A_SAMPLE: u64 = 4;
/// Why an answer is exact although the question allows an error.
const FEW_ARCS: &str = "counting every triangle costs no more than the samples would";

/// Counts the triangles, and those at each vertex if the configuration asks for them.
///
/// # Errors
/// If interrupted, or if memory is short.
pub fn triangles(graph: &Graph, config: &Triangles, options: &Options) -> Result<TrianglesAnswer> {
    let prepared = Instant::now();
    let incoming = graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    options.control.check("counting triangles")?;
    let n = graph.vertices();
    if let Some((sampling, Estimated { estimate, look, closed })) =
        estimated(graph, config, options, &mut recorder)?
    {
        let mut run = recorder.finish(Plan::bsp(None), Halted::Tolerance, 12 * n as u64);
        run.accuracy = Some(sampling.accuracy(look, closed));
        return Ok(TrianglesAnswer::estimated(graph, estimate, run));
    }
    let (total, local) = with_views!(graph.out().csr, incoming.csr, |out, incoming| {
        let simple = BothWays { out, incoming: graph.is_directed().then_some(incoming) };
        let mut local = if config.local { Some((Pages::<u64>::zeroed(n)?, simple.degrees()?)) } else { None };
        let total = team(|team| -> Result<u64> {
            let counting = Counting { team, control: &options.control };
            match &mut local {
                None => run(&simple, &Nowhere, &counting, &mut recorder),
                Some((counts, _)) => run(&simple, &Everywhere::new(counts), &counting, &mut recorder),
            }
        })?;
        (total, local)
    });
    let state = if config.local { 12 * n as u64 } else { 0 };
    let mut run = recorder.finish(Plan::bsp(None), Halted::Converged, state);
    run.accuracy = config.max_error.map(|asked| Accuracy::exact(OF, asked, FEW_ARCS));
    let local = local.map(|(triangles, degrees)| Local { triangles, degrees });
    Ok(TrianglesAnswer::new(graph, total, local, run))
}

/// Estimates the total if the question allows an error and samples cost less.
fn estimated(
    graph: &Graph,
    config: &Triangles,
    options: &Options,
    recorder: &mut Recorder,
) -> Result<Option<(Sampling, Estimated)>> {
    let Some(sampling) = Sampling::new(config) else { return Ok(None) };
    if graph.arcs() as u64 <= ARCS_A_SAMPLE.saturating_mul(sampling.looks()[0]) {
        return Ok(None);
    }
    let incoming = graph.incoming()?;
    let found = with_views!(graph.out().csr, incoming.csr, |out, incoming| {
        let simple = BothWays { out, incoming: graph.is_directed().then_some(incoming) };
        team(|team| sampled::estimate(&simple, &sampling, team, options, recorder))?
    });
    Ok(found.map(|found| (sampling, found)))
}

/// Counts with the method that suits the degrees.
fn run<O: Offset, I: Offset>(
    simple: &BothWays<'_, O, I>,
    tally: &impl Tally,
    counting: &Counting<'_>,
    recorder: &mut Recorder,
) -> Result<u64> {
    let n = simple.vertices();
    let largest = simple.max_degree(counting.team);
    let note = |way: &str| format!("{way}; the largest degree is {largest}");
    if largest <= FEW && simple.incoming.is_none() {
        let total = few::count(simple.out, tally, counting)?;
        recorder.step(n, Direction::Push, || note("compared rows as they are"));
        return Ok(total);
    }
    let alike = largest <= ALIKE * (simple.arcs() / n.max(1)).max(1);
    if alike {
        lists::count(simple, tally, counting, recorder)
    } else {
        blocks::count(simple, tally, counting, recorder)
    }
}
