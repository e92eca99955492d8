//! The GPU engine: a graph on a device, and algorithms on it.
//!
//! Every function takes a [`DeviceGraph`] graph, a configuration that was checked against it, and [`Options`]; it returns the
//! same answers as the processor's engine.
//!
//! A superstep expands a frontier, filters what was met and contracts what is left into the next one. Programs and filters are
//! functors given to `advance` (each arc on its own) or `gather` (all arcs of a row at once), which exist once a balance
//! in `kernels/advance`: balances know no algorithm, functors no balance. Triangles and spanning forests have no frontiers, but
//! kernels of their own, as have components and ranks where the plan is open. [`mod@print`] turns a traced program into the text
//! of its functor; [`variants`] puts texts together into modules and lists all that are built in.

mod adsorption;
mod advance;
mod arguments;
mod batch;
mod bc;
mod bfs;
mod closeness;
mod counters;
mod device_graph;
mod error;
mod frontier;
mod kcore;
mod label_propagation;
mod machine;
mod memory;
mod mst;
mod pagerank;
pub mod print;
mod program;
mod sampled;
mod scan;
mod scc;
mod sort;
mod sssp;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod testing;
mod traverse;
mod triangles;
pub mod variants;
mod walk;
mod waves;
mod wcc;

pub use adsorption::adsorption;
pub use advance::{Cost, CostModel, Costs, Measurement, cost_model};
pub use bc::bc;
pub use bfs::bfs;
pub use closeness::closeness;
pub use device_graph::DeviceGraph;
pub use error::lift;
pub use kcore::kcore;
pub use label_propagation::label_propagation;
pub use memory::{bytes_needed, program_bytes_needed};
pub use mst::mst;
pub use pagerank::pagerank;
pub use program::program;
pub use sampled::{Renumbered, Sampled, renumber, sampling_bytes};
pub use scc::scc;
pub use sssp::sssp;
pub use traverse::traverse;
pub use triangles::triangles;
pub use warpgraph_core::Options;
pub use wcc::wcc;
