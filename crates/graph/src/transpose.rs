//! The transpose: every arc u -> v as v -> u, by a parallel counting sort over the targets.

use crate::{
    build::{self, EdgeChunk, EdgeList, EdgeWeights},
    csr::Vertex,
    error::Result,
    graph::Arcs,
};

/// Turns every arc round; lists stay sorted.
pub(crate) fn transpose(arcs: &Arcs) -> Result<Arcs> {
    let csr = &arcs.csr;
    let mut pairs = Vec::with_capacity(csr.arcs());
    for u in 0..csr.vertices() as Vertex {
        pairs.extend(csr.neighbors(u).iter().map(|&v| [v, u]));
    }
    let weights = EdgeWeights::from(&arcs.weights);
    let list = EdgeList { vertices: csr.vertices(), chunks: vec![EdgeChunk { pairs, weights }] };
    let options =
        build::Options { directed: true, loops: build::Loops::Keep, parallel: build::Parallel::Keep };
    Ok(build::build(list, &options, &crate::Control::new())?.arcs)
}
