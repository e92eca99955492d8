//! Strong components by Kosaraju's two searches.

use super::arcs;
use warpgraph_graph::{Graph, NO_VERTEX, Vertex};

/// The smallest vertex that each vertex can reach and be reached from.
///
/// The reference for: two vertices have one name if and only if a way of arcs leads from each to the other, and that name
/// is the smallest of them. The last vertex that a depth-first search of the arcs leaves lies in a component that none
/// leads to; searching from there along arcs turned round finds that component and nothing else.
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

/// Searches depth first from `root` what was not seen, and tells of every vertex when it is left.
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
