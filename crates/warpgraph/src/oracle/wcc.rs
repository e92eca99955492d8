//! Components by union-find.

use super::arcs;
use warpgraph_graph::{Graph, Vertex};

/// The smallest vertex that each vertex hangs together with when the direction of arcs is ignored.
///
/// The reference for: two vertices have one name if and only if a way of arcs of either direction joins them, and that
/// name is the smallest of them.
pub fn wcc(graph: &Graph) -> Vec<Vertex> {
    let mut boss: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
    for (u, v, _) in arcs(graph) {
        let (a, b) = (top(&mut boss, u), top(&mut boss, v));
        // The smaller one stays on top, so that a tree's top is its smallest vertex.
        boss[a.max(b) as usize] = a.min(b);
    }
    (0..graph.vertices() as Vertex).map(|v| top(&mut boss, v)).collect()
}

/// The top of v's tree; everything on the way is hung directly below it.
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
