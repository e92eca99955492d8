//! At random: vertices sorted by a hash of the seed and their number, and by number where hashes are equal.
//!
//! The order is the same on every machine and any number of threads, since it uses no generator with state. It has
//! practically no locality, so the value of an order is what it gains over this one.

use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex, hash};

/// Returns all vertices by their hashes; O(n log n), 16 bytes per vertex besides the result.
pub(super) fn order(graph: &Graph, seed: u64) -> Result<Pages<Vertex>> {
    // Mixed with a constant first, so that these draws are unrelated to others with the same seed.
    let key = |v: Vertex| hash::mix(hash::mix(seed, 0x6f72_6465_7273), v.into());
    super::degree::by_wide_key(graph.vertices(), key)
}
