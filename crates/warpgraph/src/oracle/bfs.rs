//! Hops by a queue.

use std::collections::VecDeque;
use warpgraph_graph::{Graph, Vertex};

/// The fewest arcs from `source` to every vertex, `None` where no way leads; with a limit, vertices further out count as
/// unreached.
///
/// The reference for: distances are least, and unreached means no way within the limit.
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
