//! At random: vertices sorted by a hash of the seed and their number, by their number where hashes are equal.
//!
//! No state is drawn from, so the order is the same on every machine and any number of threads. It has no locality to
//! speak of: an order is worth what it gains over this one.

use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex, hash};

/// All vertices by their hashes; O(n log n), 16 bytes a vertex beside the result.
pub(super) fn order(graph: &Graph, seed: u64) -> Result<Pages<Vertex>> {
    // Mixed twice: equal seeds far apart in their numbers of vertices must not look alike.
    let key = |v: Vertex| hash::mix(hash::mix(seed, 0x6f72_6465_7273), v.into());
    super::degree::by_wide_key(graph.vertices(), key)
}
