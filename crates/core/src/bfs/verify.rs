//! Verifies a breadth-first search tree by Graph500's rules on distances and parents:
//!
//! 1. the source has distance 0 and is its own parent, and no other vertex has either;
//! 2. a vertex has a parent if and only if it has a distance;
//! 3. the arc from the parent exists, and the parent is one hop nearer;
//! 4. no arc leads from a reached vertex to an unreached one (unless the depth limit stopped there);
//! 5. no arc leads more than one hop further out;
//! 6. no distance exceeds the depth limit.
//!
//! Rule 3 makes every distance the length of a real path; rules 4 and 5 make it the smallest.

use super::{BfsAnswer, UNREACHED};
use crate::{Violation, verify::first};
use warpgraph_graph::{Graph, NO_VERTEX, Vertex};

pub(super) fn verify(answer: &BfsAnswer, graph: &Graph) -> Result<(), Violation> {
    let n = graph.vertices();
    if answer.distances.len() != n || answer.parents.len() != n {
        return Err(Violation::new(
            "one value per vertex",
            format!("{} for {n} vertices", answer.distances.len()),
        ));
    }
    first(n, |v| check_vertex(answer, graph, v))
}

fn check_vertex(answer: &BfsAnswer, graph: &Graph, v: Vertex) -> Option<Violation> {
    let id = || graph.ids().id(v);
    let (distance, parent) = (answer.distances[v as usize], answer.parents[v as usize]);
    if (v == answer.source) != (distance == 0) || (v == answer.source) != (parent == v) {
        let what = format!("vertex {} has distance {distance} and parent {parent}", id());
        return Some(Violation::new("only the source has distance 0 and is its own parent", what));
    }
    if (distance == UNREACHED) != (parent == NO_VERTEX) {
        let what = format!("vertex {} has distance {distance} and parent {parent}", id());
        return Some(Violation::new("a parent if and only if a distance", what));
    }
    if distance == UNREACHED {
        return None;
    }
    if let Some(limit) = answer.max_depth.filter(|&limit| distance > limit) {
        let what = format!("vertex {} has distance {distance}, the limit is {limit}", id());
        return Some(Violation::new("no distance is beyond the depth limit", what));
    }
    if v != answer.source {
        let is_arc = (parent as usize) < graph.vertices()
            && graph.out().csr.neighbors(parent).binary_search(&v).is_ok();
        if !is_arc || answer.distances[parent as usize] != distance - 1 {
            let what = format!("vertex {} at distance {distance} has parent number {parent}", id());
            return Some(Violation::new("the parent is a neighbour one hop nearer", what));
        }
    }
    if answer.max_depth.is_some_and(|limit| distance >= limit) {
        return None;
    }
    let too_far = |&&u: &&Vertex| answer.distances[u as usize] > distance + 1;
    graph.out().csr.neighbors(v).iter().find(too_far).map(|&u| {
        let far = answer.distances[u as usize];
        let what =
            format!("vertex {} at distance {distance} has neighbour {} at {far}", id(), graph.ids().id(u));
        Violation::new("no arc leads more than one hop further out", what)
    })
}
