//! By decreasing out-degree (the degree, if undirected), the smallest original vertex first on ties.
//!
//! Hubs get the first numbers, so that the values that are read most share few cache lines. Best on skewed graphs whose
//! ids carry no meaning; on a graph with good ids it destroys their locality.

use rayon::prelude::*;
use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex};

/// Returns all vertices by degree; O(n log n), 8 bytes per vertex besides the result if degrees fit 32 bits.
pub(super) fn order(graph: &Graph) -> Result<Pages<Vertex>> {
    let largest = graph.counts().max_degree;
    falling(graph.vertices(), largest, |v| graph.degree(v) as u64)
}

/// Returns all vertices by decreasing score. No score is above `largest`.
pub(super) fn falling(n: usize, largest: u64, score: impl Fn(Vertex) -> u64 + Sync) -> Result<Pages<Vertex>> {
    if u32::try_from(largest).is_ok() {
        // One integer with the score above the vertex, so that one comparison is enough.
        let key = |v: usize| (u64::from(u32::MAX - score(v as Vertex) as u32) << 32) | v as u64;
        return sorted(n, key, |key| key as Vertex);
    }
    let key = |v: usize| [u64::MAX - score(v as Vertex), v as u64];
    sorted(n, key, |[_, v]: [u64; 2]| v as Vertex)
}

/// Sorts the keys and returns the vertices that they hold.
fn sorted<K: Ord + Send + Sync + Copy + bytemuck::Pod>(
    n: usize,
    key: impl Fn(usize) -> K + Sync,
    vertex: impl Fn(K) -> Vertex + Sync,
) -> Result<Pages<Vertex>> {
    let mut keys: Pages<K> = Pages::scratch(n)?;
    keys.par_iter_mut().enumerate().with_min_len(1 << 12).for_each(|(v, slot)| *slot = key(v));
    keys.par_sort_unstable();
    let mut order: Pages<Vertex> = Pages::scratch(n)?;
    let pairs = order.par_iter_mut().zip(keys.par_iter());
    pairs.with_min_len(1 << 12).for_each(|(slot, &key)| *slot = vertex(key));
    Ok(order)
}
