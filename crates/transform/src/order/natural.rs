//! By increasing original id: nothing changes. The baseline of every comparison.

use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex};

/// Returns all vertices unchanged; O(n).
pub(super) fn order(graph: &Graph) -> Result<Pages<Vertex>> {
    let mut order: Pages<Vertex> = Pages::scratch(graph.vertices())?;
    order.iter_mut().zip(0..).for_each(|(slot, v)| *slot = v);
    Ok(order)
}
