//! Serial reference implementations, against which the engines are tested: slow and obviously right.
//!
//! Each reference is the textbook form, written from the definition in the head of its algorithm's module and not from
//! an engine. It shares no code with the engines or the verifiers. Vertices are internal ids; results are plain vectors
//! with one entry per vertex or per edge. Nothing here is fast, parallel or interruptible.

mod adsorption;
mod bc;
mod bfs;
mod closeness;
mod kcore;
mod label_propagation;
mod mst;
mod pagerank;
mod scc;
mod sssp;
mod triangles;
mod wcc;

pub use adsorption::adsorption;
pub use bc::bc;
pub use bfs::bfs;
pub use closeness::{Nearness, closeness};
pub use kcore::kcore;
pub use label_propagation::label_propagation;
pub use mst::mst;
pub use pagerank::pagerank;
pub use scc::scc;
pub use sssp::{Lengths, NegativeCycle, sssp};
pub use triangles::triangles;
pub use wcc::wcc;

use warpgraph::graph::{Graph, Vertex};

/// Iterates over all arcs as (source, target, arc index).
fn arcs(graph: &Graph) -> impl Iterator<Item = (Vertex, Vertex, usize)> + '_ {
    let csr = &graph.out().csr;
    (0..csr.vertices() as Vertex).flat_map(move |u| csr.arcs_of(u).map(move |i| (u, csr.targets()[i], i)))
}
