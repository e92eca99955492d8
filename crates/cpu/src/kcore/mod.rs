//! Core numbers by peeling, level by level [1].
//!
//! `degree[v]` counts the arcs of v to remaining vertices, and never falls below the level. At level k every vertex of
//! degree k is removed, and so is each vertex whose degree thereby falls to k. The thread that lowers a degree to k
//! removes that vertex too, in its own queue, so that a level needs only two rounds of the team, however long its
//! chains are. A vertex keeps the degree that it had when it was removed: that is its core number.
//!
//! The lists of remaining vertices shrink, and levels at which no vertex is removed are skipped, so that all levels
//! together examine at most `sum of core[v] <= 2 m` vertices. O(n + m) work; 8 bytes per vertex and the queues of a
//! level besides the answer.
//!
//! [1] H. Kabir, K. Madduri, Parallel k-core decomposition on multicore platforms (PKC), IPDPSW 2017. There every level
//! examines all vertices, or the graph is rebuilt from the remaining ones.

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

/// Computes the core number of every vertex.
///
/// # Errors
/// If interrupted, if memory is short, or if a vertex has 2^32 arcs or more.
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
