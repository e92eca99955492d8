//! Breadth-first distances by a queue.

use std::collections::VecDeque;
use warpgraph::graph::{Graph, Vertex};

/// Returns the fewest arcs from `source` to each vertex; `None` if no path leads there. With a limit, vertices further
/// away count as unreached.
///
/// Reference for: distances are the smallest, and unreached means that no path exists within the limit.
///
/// # Panics
/// If `source` is not a vertex.
pub fn bfs(graph: &Graph, source: Vertex, max_depth: Option<u32>) -> Vec<Option<u32>> {
    let mut distance = vec![None; graph.vertices()];
    distance[source as usize] = Some(0);
    let mut queue = VecDeque::from([(source, 0)]);
    while let Some((u, hops)) = queue.pop_front() {
        if max_depth.is_some_and(|limit| hops >= limit) {
            continue;
        }
        for &v in graph.out().csr.neighbors(u) {
            if distance[v as usize].is_none() {
                distance[v as usize] = Some(hops + 1);
                queue.push_back((v, hops + 1));
            }
        }
    }
    distance
}
