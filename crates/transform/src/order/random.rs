//! At random: vertices sorted by a hash of the seed and their number, and by number where hashes are equal.
//!
//! The order is the same on every machine and any number of threads, since it uses no generator with state. It has
//! practically no locality, so the value of an order is what it gains over this one.

use rayon::prelude::*;
use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex, hash};

/// Returns all vertices by their hashes; O(n log n), 16 bytes per vertex besides the result.
pub(super) fn order(graph: &Graph, seed: u64) -> Result<Pages<Vertex>> {
    let mut drawn: Pages<[u64; 2]> = Pages::scratch(graph.vertices())?;
    // Mixed with a constant first, so that these draws are unrelated to others with the same seed.
    let key = |v: usize| [hash::mix(hash::mix(seed, 0x6f72_6465_7273), v as u64), v as u64];
    drawn.par_iter_mut().enumerate().with_min_len(1 << 12).for_each(|(v, slot)| *slot = key(v));
    drawn.par_sort_unstable();
    let mut order: Pages<Vertex> = Pages::scratch(graph.vertices())?;
    let pairs = order.par_iter_mut().zip(drawn.par_iter());
    pairs.with_min_len(1 << 12).for_each(|(slot, [_, v])| *slot = *v as Vertex);
    Ok(order)
}
