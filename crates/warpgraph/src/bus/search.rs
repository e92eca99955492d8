//! The levels of a breadth-first search in one kernel, rebuilt from its answer.

use super::meter::Meter;
use std::ops::Range;
use warpgraph_core::{Direction, Heads, Result, Rows, Run};
use warpgraph_graph::{Control, Csr, NodeMap, Vertex};
use warpgraph_transform::{Frontiers, levels};

/// Shows the levels of a search to a meter: the frontier of level d is the vertices at distance d. `found` has the level of
/// every original vertex. A level that pulls reads, of every row of a vertex that is not found yet, the arcs up to the first
/// from a vertex that is. What it reads beside the heads of rows is not known.
///
/// # Errors
/// When interrupted, or when memory is short.
pub(super) fn show(
    meter: &mut Meter,
    found: &[u32],
    map: Option<&NodeMap>,
    run: &Run,
    control: &Control,
) -> Result<()> {
    let moved = map.map(|map| levels::in_order(found, map)).transpose()?;
    let found = moved.as_deref().unwrap_or(found);
    let frontiers = Frontiers::of(found, control)?;
    let has_heads = run
        .plan
        .residency
        .is_some_and(|residency| matches!(residency.heads(), Heads::Each(count) if count > 0));
    for (depth, level) in (0..).zip(frontiers.iter()) {
        let direction = run.trace.get(depth as usize).map_or(Direction::Push, |step| step.direction);
        let pulls = direction == Direction::Pull;
        meter.active(level)?;
        // The last level is not expanded if its vertices have no arcs, or if the question limits the depth.
        let is_expanded = u64::from(depth) < run.rounds;
        match (is_expanded, pulls) {
            (true, true) if !has_heads => pull(meter, found, depth)?,
            (true, false) => meter.read_rows(Rows::Out, level)?,
            _ => (),
        }
        meter.end(None, !(is_expanded && pulls && has_heads));
    }
    Ok(())
}

/// Reads what a level that pulls reads.
fn pull(meter: &mut Meter, found: &[u32], depth: u32) -> Result<()> {
    let graph = meter.graph().clone();
    let csr = &graph.incoming()?.csr;
    let open = (0..graph.vertices() as Vertex).filter(|&v| found[v as usize] > depth);
    meter.read(Rows::In, open.map(|v| pulled(csr, v, found, depth)))
}

/// Returns the arcs of a row up to the first from a vertex that is found at a depth, or all.
fn pulled(csr: &Csr, v: Vertex, found: &[u32], depth: u32) -> Range<usize> {
    let Range { start, end } = csr.arcs_of(v);
    let first = csr.targets()[start..end].iter().position(|&u| found[u as usize] <= depth);
    start..first.map_or(end, |first| start + first + 1)
}
