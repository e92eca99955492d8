//! Verifies weakly connected components:
//!
//! 1. both ends of every arc are in one component;
//! 2. a component is named by its smallest vertex;
//! 3. no component contains unconnected vertices: a union-find over all arcs, independent of the engines, leaves as many
//!    sets as there are names.

use super::WccAnswer;
use crate::{Violation, verify::first};
use std::sync::atomic::{AtomicU32, Ordering};
use warpgraph_graph::{Graph, Vertex, par};

pub(super) fn verify(answer: &WccAnswer, graph: &Graph) -> Result<(), Violation> {
    let components = answer.components();
    if components.len() != graph.vertices() {
        let what = format!("{} for {} vertices", components.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    first(graph.vertices(), |v| check_vertex(components, graph, v))?;
    let named = components.iter().enumerate().filter(|(v, c)| *v == **c as usize).count();
    let sets = count_sets(graph, named);
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

/// Arcs of each vertex that are joined along first, one per pass.
const FIRST: usize = 8;
/// Vertices that a thread takes at a time.
const PART: usize = 1 << 12;

/// Returns the number of sets that joining along arcs leaves. Stops at `named` sets, below which arcs that stay within
/// components cannot come. The first arcs of all vertices join nearly everything, so few vertices need the others.
///
/// Threads join at the same time: a root is hooked below a smaller vertex by compare-and-exchange, so each hook ends one
/// set, and pointers only ever lead to smaller vertices.
fn count_sets(graph: &Graph, named: usize) -> usize {
    let n = graph.vertices();
    let parent: Vec<AtomicU32> = (0..n as Vertex).map(AtomicU32::new).collect();
    let mut sets = n;
    for pass in 0..=FIRST {
        if sets == named {
            return named;
        }
        let joined = |vertices: std::ops::Range<usize>| {
            let row = |u: usize| graph.out().csr.neighbors(u as Vertex);
            let arcs = vertices.flat_map(|u| {
                let rest = if pass < FIRST { pass..pass + 1 } else { FIRST..row(u).len() };
                row(u).get(rest).unwrap_or_default().iter().map(move |&v| (u as Vertex, v))
            });
            arcs.filter(|&(u, v)| join(&parent, u, v)).count() as u64
        };
        sets -= par::sum(n, PART, joined) as usize;
    }
    sets
}

/// Joins the sets of two vertices; false if they were in one.
fn join(parent: &[AtomicU32], u: Vertex, v: Vertex) -> bool {
    loop {
        let (a, b) = (find(parent, u), find(parent, v));
        if a == b {
            return false;
        }
        let (high, low) = (a.max(b), a.min(b));
        let hooked = parent[high as usize].compare_exchange(high, low, Ordering::Relaxed, Ordering::Relaxed);
        if hooked.is_ok() {
            return true;
        }
    }
}

/// Returns the root of a vertex, and halves the path to it.
fn find(parent: &[AtomicU32], mut v: Vertex) -> Vertex {
    loop {
        let above = parent[v as usize].load(Ordering::Relaxed);
        if above == v {
            return v;
        }
        let next = parent[above as usize].load(Ordering::Relaxed);
        parent[v as usize].store(next, Ordering::Relaxed);
        v = next;
    }
}
