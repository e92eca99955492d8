//! Weakly connected components by union-find.

use super::arcs;
use warpgraph::graph::{Graph, Vertex};

/// Returns for each vertex the smallest vertex of its weakly connected component.
///
/// Reference for: two vertices have the same name if and only if a path joins them when directions are ignored, and the
/// name is the smallest vertex of the component.
pub fn wcc(graph: &Graph) -> Vec<Vertex> {
    let mut boss: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
    for (u, v, _) in arcs(graph) {
        let (a, b) = (top(&mut boss, u), top(&mut boss, v));
        // The smaller root stays the root, so the root of a tree is its smallest vertex.
        boss[a.max(b) as usize] = a.min(b);
    }
    (0..graph.vertices() as Vertex).map(|v| top(&mut boss, v)).collect()
}

/// Returns the root of v's tree, and makes every vertex on the path a child of the root.
fn top(boss: &mut [Vertex], v: Vertex) -> Vertex {
    let mut end = v;
    while boss[end as usize] != end {
        end = boss[end as usize];
    }
    let mut at = v;
    while at != end {
        at = std::mem::replace(&mut boss[at as usize], end);
    }
    end
}
