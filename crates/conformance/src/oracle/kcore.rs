//! Core numbers by repeated deletion of vertices.

use super::arcs;
use warpgraph::graph::Graph;

/// Returns for each vertex the largest k such that it remains when vertices of degree below k are deleted until none is
/// left.
///
/// Reference for: a degree counts arcs in and out to other remaining vertices, parallel arcs separately; an undirected
/// edge counts once.
pub fn kcore(graph: &Graph) -> Vec<u32> {
    let edges: Vec<(usize, usize)> = arcs(graph)
        .filter(|&(u, v, _)| u < v || (u > v && graph.is_directed()))
        .map(|(u, v, _)| (u as usize, v as usize))
        .collect();
    let mut core = vec![0; graph.vertices()];
    let mut left = vec![true; graph.vertices()];
    let mut k = 0;
    while left.contains(&true) {
        k += 1;
        while delete_below(k, &edges, &mut left) {}
        for v in 0..left.len() {
            if left[v] {
                core[v] = k;
            }
        }
    }
    core
}

/// Deletes all vertices of degree below k. Returns true if there were any.
fn delete_below(k: u32, edges: &[(usize, usize)], left: &mut [bool]) -> bool {
    let mut degree = vec![0; left.len()];
    for &(u, v) in edges.iter().filter(|&&(u, v)| left[u] && left[v]) {
        degree[u] += 1;
        degree[v] += 1;
    }
    let before = left.iter().filter(|&&l| l).count();
    for v in 0..left.len() {
        left[v] &= degree[v] >= k;
    }
    left.iter().filter(|&&l| l).count() < before
}
