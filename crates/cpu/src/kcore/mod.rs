//! Core numbers by peeling, level by level [1].
//!
//! `degree[v]` counts v's arcs to vertices that are still there, and never falls below the level. At level k every vertex
//! of degree k goes, and so does each whose degree falls to k by that; whoever brings it down takes it along, in its own
//! queue, so that a level needs no more than two rounds of the team however long its chains are. A vertex keeps the
//! degree it had when it went: that is its core number.
//!
//! Vertices that are left are kept in lists that shrink with them, and a level that nobody goes at is skipped, so that
//! all levels together look at no more than `sum of core[v] <= 2 m` of them. O(n + m) work, memory 8 bytes a vertex and
//! the queues of a level beside the answer.
//!
//! [1] H. Kabir, K. Madduri, Parallel k-core decomposition on multicore platforms (PKC), IPDPSW 2017. There every level
//! looks at all vertices, or the graph is built anew from those that are left.

mod peel;

use crate::{
    Options, Recorder,
    parts::{BothWays, team},
};
use peel::Peeling;
use std::time::Instant;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    kcore::{Kcore, KcoreAnswer, too_many_arcs},
};
use warpgraph_graph::{Graph, Pages, with_views};

/// The core number of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when a vertex has 2^32 arcs or more.
pub fn kcore(graph: &Graph, _: &Kcore, options: &Options) -> Result<KcoreAnswer> {
    let prepared = Instant::now();
    let incoming = graph.incoming()?;
    let has_loops = graph.counts().self_loops > 0;
    let mut recorder = Recorder::start(options, prepared);
    options.control.check("peeling")?;
    let n = graph.vertices();
    let mut cores = Pages::scratch(n)?;
    with_views!(graph.out().csr, incoming.csr, |out, incoming| {
        let arcs = BothWays { out, incoming: graph.is_directed().then_some(incoming) };
        let mut left = Pages::scratch(n)?;
        team(|team| -> Result<()> {
            if let Some(degree) = Some(arcs.max_degree(team)).filter(|&d| d >= u32::MAX as usize) {
                return Err(too_many_arcs(degree as u64));
            }
            let mut peeling = Peeling::new(arcs, &mut cores, &mut left, has_loops, team);
            while let Some((level, gone)) = peeling.level(options)? {
                recorder.step(gone, Direction::Push, || format!("core number {level}"));
            }
            Ok(())
        })?;
    });
    let run = recorder.finish(Plan::bsp(None), Halted::Converged, 8 * n as u64);
    Ok(KcoreAnswer::new(graph, cores, run))
}
