//! Strongly connected components by Kosaraju's algorithm.

use super::arcs;
use warpgraph::graph::{Graph, NO_VERTEX, Vertex};

/// Returns for each vertex the smallest vertex of its strongly connected component.
///
/// Reference for: two vertices have the same name if and only if paths lead from each to the other, and the name is the
/// smallest vertex of the component. The vertex that a depth-first search leaves last lies in a component without
/// incoming arcs from others; a search of the transpose from there finds that component and nothing else.
pub fn scc(graph: &Graph) -> Vec<Vertex> {
    let n = graph.vertices();
    let (mut forward, mut backward) = (vec![Vec::new(); n], vec![Vec::new(); n]);
    for (u, v, _) in arcs(graph) {
        forward[u as usize].push(v);
        backward[v as usize].push(u);
    }
    let mut left = Vec::new();
    let mut seen = vec![false; n];
    (0..n as Vertex).for_each(|v| leave(&forward, v, &mut seen, &mut |v| left.push(v)));
    let mut names = vec![NO_VERTEX; n];
    seen.fill(false);
    for &root in left.iter().rev() {
        let mut members = Vec::new();
        leave(&backward, root, &mut seen, &mut |v| members.push(v));
        let name = members.iter().copied().min().unwrap_or(root);
        members.iter().for_each(|&v| names[v as usize] = name);
    }
    names
}

/// Searches depth first from `root` over unseen vertices, and calls `tell` with each vertex in postorder.
fn leave(rows: &[Vec<Vertex>], root: Vertex, seen: &mut [bool], tell: &mut impl FnMut(Vertex)) {
    if std::mem::replace(&mut seen[root as usize], true) {
        return;
    }
    let mut way = vec![(root, 0)];
    while let Some((u, next)) = way.last_mut() {
        if let Some(&v) = rows[*u as usize].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[v as usize], true) {
                way.push((v, 0));
            }
        } else {
            tell(*u);
            way.pop();
        }
    }
}
