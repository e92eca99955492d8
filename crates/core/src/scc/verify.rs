//! Verifies strongly connected components:
//!
//! 1. a component is named by its smallest vertex;
//! 2. the name reaches every vertex of its component by arcs inside it;
//! 3. every vertex of a component reaches the name by arcs inside it, so with rule 2 no component is too large;
//! 4. components can be removed one by one, each when no arc from a remaining component leads to it (Kahn's algorithm),
//!    so no cycle joins two components and none is too small.
//!
//! Each rule takes O(n + m). Rule 3 needs the transpose.

use super::SccAnswer;
use crate::{Violation, verify::first};
use warpgraph_graph::{Csr, Graph, Vertex, par};

const NAMED: &str = "a component is named by its smallest vertex";
const REACHED: &str = "its name reaches all of a component inside it";
const REACHING: &str = "all of a component reach its name inside it";
const ACYCLIC: &str = "no cycle joins two components";

pub(super) fn verify(answer: &SccAnswer, graph: &Graph) -> Result<(), Violation> {
    let components = answer.components();
    if components.len() != graph.vertices() {
        let what = format!("{} for {} vertices", components.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    first(graph.vertices(), |v| {
        let name = components[v as usize];
        let is_right = name <= v && components[name as usize] == name;
        (!is_right).then(|| {
            let what = format!("vertex {} is in component number {name}", graph.ids().id(v));
            Violation::new(NAMED, what)
        })
    })?;
    let incoming =
        graph.incoming().map_err(|e| Violation::new("the arcs can be turned round", e.to_string()))?;
    let (forward, backward) =
        par::join(|| left_out(components, &graph.out().csr), || left_out(components, &incoming.csr));
    for (rule, left) in [(REACHED, forward), (REACHING, backward)] {
        if let Some(v) = left {
            let (vertex, name) = (graph.ids().id(v), graph.ids().id(components[v as usize]));
            return Err(Violation::new(rule, format!("vertex {vertex} is not joined to {name}")));
        }
    }
    match on_a_cycle(components, &graph.out().csr) {
        None => Ok(()),
        Some(name) => {
            let what = format!("the component of {} lies on or behind one", graph.ids().id(name));
            Err(Violation::new(ACYCLIC, what))
        }
    }
}

/// Returns the smallest vertex that a search from all names, inside components only, does not find.
fn left_out(components: &[Vertex], csr: &Csr) -> Option<Vertex> {
    let mut found: Vec<bool> = components.iter().enumerate().map(|(v, &c)| v == c as usize).collect();
    let mut queue: Vec<Vertex> = (0..components.len() as Vertex).filter(|&v| found[v as usize]).collect();
    while let Some(u) = queue.pop() {
        for &v in csr.neighbors(u) {
            if components[v as usize] == components[u as usize] && !found[v as usize] {
                found[v as usize] = true;
                queue.push(v);
            }
        }
    }
    found.iter().position(|found| !found).map(|v| v as Vertex)
}

/// Returns the name of a component that cannot be removed.
fn on_a_cycle(components: &[Vertex], csr: &Csr) -> Option<Vertex> {
    let n = components.len();
    let crossing = |u: Vertex| {
        let own = components[u as usize];
        csr.neighbors(u).iter().map(|&v| components[v as usize]).filter(move |&name| name != own)
    };
    // Counts the arcs into each component, and lists its vertices: `heads` has the first by name, `next` the next by
    // vertex.
    let (mut incoming, mut next) = (vec![0u64; n], vec![None; n]);
    let mut heads: Vec<Option<Vertex>> = vec![None; n];
    for u in 0..n as Vertex {
        crossing(u).for_each(|name| incoming[name as usize] += 1);
        next[u as usize] = heads[components[u as usize] as usize].replace(u);
    }
    let is_free = |incoming: &[u64], name: Vertex| incoming[name as usize] == 0;
    let mut free: Vec<Vertex> =
        (0..n as Vertex).filter(|&v| components[v as usize] == v && is_free(&incoming, v)).collect();
    while let Some(name) = free.pop() {
        let mut member = heads[name as usize].take();
        while let Some(u) = member {
            for other in crossing(u) {
                incoming[other as usize] -= 1;
                if is_free(&incoming, other) {
                    free.push(other);
                }
            }
            member = next[u as usize];
        }
    }
    heads.iter().position(Option::is_some).map(|v| v as Vertex)
}
