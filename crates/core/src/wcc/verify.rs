//! Verifies weakly connected components:
//!
//! 1. both ends of every arc are in one component;
//! 2. a component is named by its smallest vertex;
//! 3. no component contains unconnected vertices: a union-find over all arcs, serial and independent of the engines,
//!    leaves as many sets as there are names.

use super::WccAnswer;
use crate::{Violation, verify::first};
use warpgraph_graph::{Graph, Vertex};

pub(super) fn verify(answer: &WccAnswer, graph: &Graph) -> Result<(), Violation> {
    let components = answer.components();
    if components.len() != graph.vertices() {
        let what = format!("{} for {} vertices", components.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    first(graph.vertices(), |v| check_vertex(components, graph, v))?;
    let named = components.iter().enumerate().filter(|(v, c)| *v == **c as usize).count();
    let sets = count_sets(graph);
    if named == sets {
        return Ok(());
    }
    Err(Violation::new(
        "a component hangs together",
        format!("{named} components, a union-find finds {sets}"),
    ))
}

fn check_vertex(components: &[Vertex], graph: &Graph, v: Vertex) -> Option<Violation> {
    let name = components[v as usize];
    if name > v || components[name as usize] != name {
        let what = format!("vertex {} is in component number {name}", graph.ids().id(v));
        return Some(Violation::new("a component is named by its smallest vertex", what));
    }
    let elsewhere = |&&u: &&Vertex| components[u as usize] != name;
    graph.out().csr.neighbors(v).iter().find(elsewhere).map(|&u| {
        let (a, b) = (graph.ids().id(v), graph.ids().id(u));
        Violation::new("both ends of an arc are in one component", format!("{a} -> {b} joins two"))
    })
}

fn count_sets(graph: &Graph) -> usize {
    let mut parent: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
    let mut sets = graph.vertices();
    for u in 0..graph.vertices() as Vertex {
        for &v in graph.out().csr.neighbors(u) {
            let (a, b) = (find(&mut parent, u), find(&mut parent, v));
            if a != b {
                parent[a.max(b) as usize] = a.min(b);
                sets -= 1;
            }
        }
    }
    sets
}

fn find(parent: &mut [Vertex], mut v: Vertex) -> Vertex {
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}
