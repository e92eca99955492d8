//! Approximations of random graphs, checked arc by arc against lists.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod coalesced;
mod diverged;
mod joined;
mod undone;

use super::*;
use proptest::{collection::vec, prelude::*};
use std::collections::BTreeMap;
use warpgraph_core::Knob;
use warpgraph_graph::{
    Arcs, Control, Ids, Origin, Vertex,
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    generate::Spec,
};

/// Arcs with the bits of their weights as f64, and how often they occur.
type Bag = BTreeMap<(Vertex, Vertex, u64), i64>;

fn weights(kind: usize, drawn: &[u32]) -> EdgeWeights {
    let drawn = || drawn.iter().map(|x| x % 100);
    match kind {
        0 => EdgeWeights::None,
        1 => EdgeWeights::U32(drawn().collect()),
        2 => EdgeWeights::I32(drawn().map(|x| x as i32 - 50).collect()),
        3 => EdgeWeights::F32(drawn().map(|x| x as f32 / 7.0).collect()),
        _ => EdgeWeights::F64(drawn().map(|x| f64::from(x) / 3.0).collect()),
    }
}

fn graph(n: usize, pairs: Vec<[Vertex; 2]>, weights: EdgeWeights, directed: bool) -> Graph {
    let list = EdgeList { vertices: n, chunks: vec![EdgeChunk { pairs, weights }] };
    let how = build::Options { directed, loops: Loops::Keep, parallel: Parallel::Keep };
    let arcs = build::build(list, &how, &Control::new()).unwrap().arcs;
    Graph::new(arcs, directed, Ids::zero_based(n), Origin::default()).unwrap()
}

/// Draws graphs with loops, parallel edges, hubs, isolated vertices, and weights of all types or none; also the empty graph.
fn graphs() -> impl Strategy<Value = Graph> {
    let edge = |n: Vertex| (0..n, prop_oneof![3 => 0..n, 1 => 0..n.min(4)], any::<u32>());
    let some = (1..90u32).prop_flat_map(move |n| (Just(n), vec(edge(n), 0..300)));
    let parts = prop_oneof![1 => Just((0, Vec::new())), 30 => some];
    (parts, 0..5usize, any::<bool>()).prop_map(|((n, edges), kind, directed)| {
        let drawn: Vec<u32> = edges.iter().map(|edge| edge.2).collect();
        let pairs = edges.iter().map(|edge| [edge.0, edge.1]).collect();
        graph(n as usize, pairs, weights(kind, &drawn), directed)
    })
}

fn knobs() -> impl Strategy<Value = Knob> {
    prop_oneof![Just(Knob::ZERO), Just(Knob::ONE), (0..=100u32).prop_map(|x| Knob::of(f64::from(x) / 100.0))]
}

/// Draws every combination of techniques that the words allow.
fn approximations() -> impl Strategy<Value = Approximation> {
    (proptest::option::of(knobs()), 0..3usize, knobs()).prop_map(|(latency, other, knob)| Approximation {
        latency,
        coalesce: (other == 1).then_some(knob),
        divergence: (other == 2).then_some(knob),
    })
}

fn coalesce(threshold: Knob) -> Approximation {
    Approximation { coalesce: Some(threshold), ..Approximation::NONE }
}

fn latency(threshold: Knob) -> Approximation {
    Approximation { latency: Some(threshold), ..Approximation::NONE }
}

fn divergence(share: Knob) -> Approximation {
    Approximation { divergence: Some(share), ..Approximation::NONE }
}

fn changed(graph: &Graph, approximation: Approximation) -> Transformed {
    approximate(graph, approximation, &Means::on_cpu(7, &Control::new())).unwrap()
}

fn changes(changed: &Transformed) -> &Changes {
    changed.changes.as_ref().unwrap()
}

fn generated(text: &str) -> Graph {
    text.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

/// Returns the arcs of a vertex with their weights.
fn row(graph: &Graph, v: Vertex) -> Vec<(Vertex, f64)> {
    let Arcs { csr, weights } = graph.out();
    csr.arcs_of(v).zip(csr.neighbors(v)).map(|(arc, &u)| (u, weights.get(arc))).collect()
}

/// Returns all arcs, with the names of their ends.
fn bag(graph: &Graph, name: impl Fn(Vertex) -> Vertex) -> Bag {
    let mut bag = Bag::new();
    for v in 0..graph.vertices() as Vertex {
        for (u, weight) in row(graph, v) {
            *bag.entry((name(v), name(u), weight.to_bits())).or_default() += 1;
        }
    }
    bag
}

/// Adds the arcs of edges to a bag `times` over.
fn count(bag: &mut Bag, edges: &Edges, directed: bool, times: i64) {
    for (u, v, weight) in edges.iter() {
        *bag.entry((u, v, weight.to_bits())).or_default() += times;
        if !directed && u != v {
            *bag.entry((v, u, weight.to_bits())).or_default() += times;
        }
    }
    bag.retain(|_, count| *count != 0);
}

fn has_arc(graph: &Graph, u: Vertex, v: Vertex) -> bool {
    graph.out().csr.neighbors(u).contains(&v)
}
