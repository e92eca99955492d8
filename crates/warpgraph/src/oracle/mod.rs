//! Slow, serial, obviously right: what the engines are tested against.
//!
//! Every reference is the textbook form, written from the definition in the head of its algorithm's module and not from
//! an engine; it shares no code with the engines or the verifiers. Vertices are inner ones, results are plain vectors
//! with one entry a vertex. Nothing here is fast, parallel, or interruptible.

mod bc;
mod bfs;
mod closeness;
mod pagerank;
mod sssp;
mod wcc;

pub use bc::bc;
pub use bfs::bfs;
pub use closeness::{Nearness, closeness};
pub use pagerank::pagerank;
pub use sssp::{Lengths, NegativeCycle, sssp};
pub use wcc::wcc;

use warpgraph_graph::{Graph, Vertex};

/// Every arc as (source, target, its number in the list of arcs).
fn arcs(graph: &Graph) -> impl Iterator<Item = (Vertex, Vertex, usize)> + '_ {
    let csr = &graph.out().csr;
    (0..csr.vertices() as Vertex).flat_map(move |u| csr.arcs_of(u).map(move |i| (u, csr.targets()[i], i)))
}
