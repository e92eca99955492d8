//! The minimum spanning forest by Kruskal's algorithm.

use super::arcs;
use std::cmp::Ordering;
use warpgraph::graph::{Graph, Vertex};

/// Returns the edges of the minimum spanning forest as (smaller end, larger end, weight), sorted by their ends.
///
/// Reference for: edges are taken in ascending order of (weight, smaller end, larger end), and skipped if their ends
/// are already connected.
pub fn mst(graph: &Graph) -> Vec<(Vertex, Vertex, f64)> {
    let edge = |(u, v, i): (Vertex, Vertex, usize)| (u.min(v), u.max(v), graph.out().weights.get(i));
    let mut edges: Vec<_> = arcs(graph).map(edge).collect();
    edges.sort_by(|a, b| a.2.partial_cmp(&b.2).unwrap_or(Ordering::Equal).then((a.0, a.1).cmp(&(b.0, b.1))));
    let mut tree: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
    let mut members: Vec<Vec<Vertex>> = tree.iter().map(|&v| vec![v]).collect();
    edges.retain(|&(u, v, _)| {
        let (a, b) = (tree[u as usize], tree[v as usize]);
        if a == b {
            return false;
        }
        let is_small = members[a as usize].len() < members[b as usize].len();
        let (small, large) = if is_small { (a, b) } else { (b, a) };
        let moved = std::mem::take(&mut members[small as usize]);
        moved.iter().for_each(|&v| tree[v as usize] = large);
        members[large as usize].extend(moved);
        true
    });
    edges.sort_by_key(|e| (e.0, e.1));
    edges
}
