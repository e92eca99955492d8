//! Graphs for tests of orders.

use warpgraph_graph::{
    Arcs, Control, Csr, Graph, Ids, Offsets, Origin, Vertex,
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
};

/// Builds a graph that keeps loops and parallel arcs.
pub(super) fn graph(n: usize, pairs: Vec<[Vertex; 2]>, directed: bool) -> Graph {
    let list = EdgeList { vertices: n, chunks: vec![EdgeChunk { pairs, weights: EdgeWeights::None }] };
    let how = build::Options { directed, loops: Loops::Keep, parallel: Parallel::Keep };
    let arcs = build::build(list, &how, &Control::new()).unwrap().arcs;
    Graph::new(arcs, directed, Ids::zero_based(n), Origin::default()).unwrap()
}

/// Returns the same graph with 64-bit offsets.
pub(super) fn wide(graph: &Graph) -> Graph {
    let Arcs { csr, weights } = graph.out().clone();
    let offsets: Vec<u64> = (0..=graph.vertices()).map(|v| csr.offsets().get(v) as u64).collect();
    let csr = Csr::new(Offsets::Wide(offsets.into()), csr.targets().clone(), "wide").unwrap();
    Graph::new(Arcs { csr, weights }, graph.is_directed(), graph.ids().clone(), Origin::default()).unwrap()
}
