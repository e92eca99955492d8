//! The CPU engine: each algorithm in its fastest known form, on the current rayon pool.
//!
//! Every function takes a graph, a configuration that was checked against it, and [`Options`]. It returns the answer,
//! or an error if it is interrupted, if memory is short, or if there is a negative cycle.

mod adsorption;
mod batch;
mod bc;
mod bfs;
mod closeness;
mod kcore;
mod label_propagation;
mod mst;
mod pagerank;
mod parts;
mod program;
mod scc;
mod sssp;
mod traverse;
mod triangles;
mod wcc;

pub use adsorption::adsorption;
pub use bc::bc;
pub use bfs::bfs;
pub use closeness::closeness;
pub use kcore::kcore;
pub use label_propagation::label_propagation;
pub use mst::mst;
pub use pagerank::pagerank;
pub use program::program;
pub use scc::scc;
pub use sssp::sssp;
pub use traverse::traverse;
pub use triangles::triangles;
pub use wcc::wcc;

pub(crate) use warpgraph_core::Recorder;

pub use warpgraph_core::Options;
