//! Triangles by looking at every edge from both of its ends.

use super::arcs;
use std::collections::BTreeSet;
use warpgraph_graph::{Graph, Vertex};

/// The triangles and the neighbours of every vertex, directions, loops and parallel edges ignored.
///
/// The reference for: a pair of v's neighbours that are neighbours of each other is one triangle at v.
pub fn triangles(graph: &Graph) -> (Vec<u64>, Vec<u32>) {
    let mut neighbors = vec![BTreeSet::<Vertex>::new(); graph.vertices()];
    for (u, v, _) in arcs(graph).filter(|(u, v, _)| u != v) {
        neighbors[u as usize].insert(v);
        neighbors[v as usize].insert(u);
    }
    // Every pair of a vertex's neighbours is met from both of its ends.
    let at =
        |near: &BTreeSet<Vertex>| near.iter().map(|&u| shared(near, &neighbors[u as usize])).sum::<u64>() / 2;
    (neighbors.iter().map(at).collect(), neighbors.iter().map(|near| near.len() as u32).collect())
}

/// How many are in both sets.
fn shared(a: &BTreeSet<Vertex>, b: &BTreeSet<Vertex>) -> u64 {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|&v| many.contains(v)).count() as u64
}
