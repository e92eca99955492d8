//! Triangles by intersecting the neighbour sets of the two ends of each edge.

use super::arcs;
use std::collections::BTreeSet;
use warpgraph::graph::{Graph, Vertex};

/// Returns the number of triangles and of neighbours of each vertex, ignoring directions, loops and parallel edges.
///
/// Reference for: each pair of neighbours of v that are neighbours of each other is one triangle at v.
pub fn triangles(graph: &Graph) -> (Vec<u64>, Vec<u32>) {
    let mut neighbors = vec![BTreeSet::<Vertex>::new(); graph.vertices()];
    for (u, v, _) in arcs(graph).filter(|(u, v, _)| u != v) {
        neighbors[u as usize].insert(v);
        neighbors[v as usize].insert(u);
    }
    // The sum counts each such pair twice, once from either member.
    let at =
        |near: &BTreeSet<Vertex>| near.iter().map(|&u| shared(near, &neighbors[u as usize])).sum::<u64>() / 2;
    (neighbors.iter().map(at).collect(), neighbors.iter().map(|near| near.len() as u32).collect())
}

/// Returns the size of the intersection.
fn shared(a: &BTreeSet<Vertex>, b: &BTreeSet<Vertex>) -> u64 {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|&v| many.contains(v)).count() as u64
}
