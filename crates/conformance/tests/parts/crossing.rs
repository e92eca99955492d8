//! Graphs whose arcs all cross between parts: the two sides of a bipartite graph, cut between them.

use crate::{agree::One, common::Parted};
use std::sync::Arc;
use warpgraph::{
    Graph,
    graph::{Vertex, hash},
};
use warpgraph_parts::{Cut, Part};

const SIDE: Vertex = 300;

/// Returns a graph with edges between vertices below [`SIDE`] and others only.
fn bipartite(directed: bool) -> Graph {
    let edge = |k: u64| {
        let [u, v] = [0, 1].map(|end| hash::mix(end, k) as Vertex % SIDE);
        // Some from each side, so that both have outgoing arcs if the graph is directed.
        let weight = (k % 20 + 1) as f64;
        if k.is_multiple_of(3) { (v + SIDE, u, weight) } else { (u, v + SIDE, weight) }
    };
    let edges: Vec<(Vertex, Vertex, f64)> = (0..1500).map(edge).collect();
    Graph::from_weighted_edges(2 * SIDE as usize, &edges, directed).unwrap()
}

pub(crate) fn arcs_that_all_cross_change_no_answer() {
    for directed in [false, true] {
        let graph = bipartite(directed);
        let one = One::of(&graph);
        let whole = 2 * SIDE;
        for starts in [vec![0, SIDE, whole], vec![0, SIDE, SIDE, whole], vec![0, 100, SIDE, SIDE + 50, whole]]
        {
            let cut = Cut::new(starts.clone()).unwrap();
            let part = |number| Arc::new(Part::of(&graph, &cut, number).unwrap().compacted().unwrap());
            let parts: Vec<Arc<Part>> = (0..cut.parts()).map(part).collect();
            let crossing: u64 = parts.iter().map(|part| part.crossing()).sum();
            assert_eq!(crossing, graph.arcs() as u64, "every arc crosses");
            let name = format!("bipartite, directed: {directed}, from {starts:?}");
            one.agrees(&Parted { name, parts });
        }
    }
}
