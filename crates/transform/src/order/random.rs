//! At random: vertices sorted by a hash of the seed and their number, by their number where hashes are equal.
//!
//! No state is drawn from, so the order is the same on every machine and any number of threads. It has no locality to
//! speak of: an order is worth what it gains over this one.

use rayon::prelude::*;
use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex, hash};

/// All vertices by their hashes; O(n log n), 16 bytes a vertex beside the result.
pub(super) fn order(graph: &Graph, seed: u64) -> Result<Pages<Vertex>> {
    let mut drawn: Pages<[u64; 2]> = Pages::scratch(graph.vertices())?;
    // Mixed twice: equal seeds far apart in their numbers of vertices must not look alike.
    let key = |v: usize| [hash::mix(hash::mix(seed, 0x6f72_6465_7273), v as u64), v as u64];
    drawn.par_iter_mut().enumerate().with_min_len(1 << 12).for_each(|(v, slot)| *slot = key(v));
    drawn.par_sort_unstable();
    let mut order: Pages<Vertex> = Pages::scratch(graph.vertices())?;
    let pairs = order.par_iter_mut().zip(drawn.par_iter());
    pairs.with_min_len(1 << 12).for_each(|(slot, [_, v])| *slot = *v as Vertex);
    Ok(order)
}
