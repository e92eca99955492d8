//! `divergence`: moves the degrees inside a warp towards their mean.
//!
//! Vertices are renumbered by falling out-degree, so that each 32 in a row, a warp, have similar degrees. The *goal* of a vertex
//! is its degree, moved by `share` of the difference towards the mean of its warp and rounded towards where it was.
//!
//! - A vertex below its goal gets arcs to vertices two arcs away, found by random walks of two steps. The new weight is the sum
//!   of the two, so that no distance becomes shorter. A vertex stays below its goal if the walks find too few.
//! - A vertex above its goal drops out-arcs at random.
//!
//! Random choices depend on the seed alone. No new arc is a self-loop, or joins what is joined.
//!
//! A directed graph is edited row by row ([`directed`]). An edge of an undirected graph belongs to two rows, so an edit for one
//! end moves the degree of the other ([`undirected`]):
//!
//! - An edge is dropped for an end above its goal. The other end is above its goal too, or keeps at least half of its
//!   edges and one edge.
//! - An edge is added only between two ends that are both below their goals. These include vertices that have lost edges.
//!
//! So the sum of the distances of all degrees from their goals never grows.
//!
//! Work O(arcs), and a bounded number of walks per new arc. Memory: 8 bytes per vertex, two more copies of the graph, and 16
//! bytes per edit.

mod directed;
mod goals;
mod undirected;
mod walks;

use super::{
    changes::{Edges, Step},
    edit::edited,
};
use crate::{Means, order};
use goals::Goals;
use warpgraph_core::{Knob, Order, Result};
use warpgraph_graph::{Graph, NodeMap};

/// Vertices of a warp.
const WARP: usize = 32;
/// Separates these draws from others with the same seed.
const DROPS: u64 = 0x6472_6f70;
const WALKS: u64 = 0x7761_6c6b;

/// Returns the graph in the new numbers, the map to them, and the changes in the numbers of `graph`.
///
/// # Errors
/// If memory is short, or if the control stops the work.
pub(super) fn divergence(graph: &Graph, share: Knob, means: &Means<'_>) -> Result<(Graph, NodeMap, Step)> {
    let control = means.control;
    let map = order::map(graph, Order::Degree, means)?;
    let goals = Goals::of(graph, &map, share)?;
    let step = match graph.is_directed() {
        true => directed::edits(graph, &map, &goals, means)?,
        false => undirected::edits(graph, &map, goals, means)?,
    };
    let kind = graph.weight_type();
    let (added, dropped) = (Edges::of(&step.added, kind), Edges::of(&step.dropped, kind));
    let changed = edited(graph, &added, &dropped, control)?;
    Ok((changed.renumbered(&map, control)?, map, step))
}
