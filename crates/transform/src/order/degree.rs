//! By decreasing out-degree (the degree, if undirected), the smallest original vertex first on ties.
//!
//! Hubs get the first numbers, so that the values that are read most share few cache lines. Best on skewed graphs whose
//! ids carry no meaning; on a graph with good ids it destroys their locality.

use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex, par};

/// Returns all vertices by degree; O(n log n), 8 bytes per vertex besides the result if degrees fit 32 bits.
pub(super) fn order(graph: &Graph) -> Result<Pages<Vertex>> {
    let largest = graph.counts().max_degree;
    falling(graph.vertices(), largest, |v| graph.degree(v) as u64)
}

/// Returns all vertices by decreasing score. No score is above `largest`.
pub(super) fn falling(n: usize, largest: u64, score: impl Fn(Vertex) -> u64 + Sync) -> Result<Pages<Vertex>> {
    if u32::try_from(largest).is_ok() {
        return Ok(by_key(n, |v| u32::MAX - score(v) as u32)?);
    }
    by_wide_key(n, |v| u64::MAX - score(v))
}

/// All vertices by rising key, the smallest first on ties; 8 bytes per vertex beside the result.
pub(super) fn by_key(n: usize, key: impl Fn(Vertex) -> u32 + Sync) -> warpgraph_graph::Result<Pages<Vertex>> {
    // One integer, key above vertex: compared at once.
    let mut keys: Pages<u64> = Pages::scratch(n)?;
    par::parts_mut(&mut keys, par::FINE, |first, part| {
        for (v, slot) in (first as Vertex..).zip(part) {
            *slot = u64::from(key(v)) << 32 | u64::from(v);
        }
    });
    par::sort_numbers(&mut keys);
    let mut order: Pages<Vertex> = Pages::scratch(n)?;
    par::parts_mut(&mut order, par::FINE, |first, part| {
        part.iter_mut().zip(&keys[first..]).for_each(|(slot, &key)| *slot = key as Vertex);
    });
    Ok(order)
}

/// [`by_key`] for keys of 64 bits; 16 bytes per vertex beside the result.
pub(super) fn by_wide_key(n: usize, key: impl Fn(Vertex) -> u64 + Sync) -> Result<Pages<Vertex>> {
    let mut keys: Pages<[u64; 2]> = Pages::scratch(n)?;
    par::parts_mut(&mut keys, par::FINE, |first, part| {
        for (v, slot) in (first as Vertex..).zip(part) {
            *slot = [key(v), u64::from(v)];
        }
    });
    par::sort_pairs(&mut keys);
    let mut order: Pages<Vertex> = Pages::scratch(n)?;
    par::parts_mut(&mut order, par::FINE, |first, part| {
        part.iter_mut().zip(&keys[first..]).for_each(|(slot, key)| *slot = key[1] as Vertex);
    });
    Ok(order)
}
