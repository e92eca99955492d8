//! The GPU engine: graphs on a device, and the algorithms that run on them.
//!
//! Every algorithm takes a [`DeviceGraph`], a configuration that was checked against its graph, and [`Options`]. It
//! returns the same answer as the CPU engine.
//!
//! A superstep expands a frontier, filters the vertices that it meets, and contracts the rest into the next frontier.
//! Programs and filters are functors for `advance` (one arc at a time) or `gather` (all arcs of a row at once).
//! `kernels/advance` implements both once per balance, so a balance knows no algorithm and a functor knows no balance.
//! Triangles and spanning forests have no frontiers, so they have kernels of their own. Components and PageRank also
//! have kernels of their own, which run if the plan is open. [`mod@print`] turns a traced program into the text of its
//! functor. [`variants`] puts texts together into modules and lists all modules that are built in.

mod advance;
pub mod ahead;
mod arguments;
mod batch;
mod by_degree;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod coded;
mod copies;
mod counters;
mod device_graph;
mod edges;
mod error;
mod form;
mod frontier;
mod machine;
mod memory;
mod opened;
mod paths;
pub mod print;
mod program;
mod renumber;
mod residency;
mod sampled;
mod scan;
mod several;
mod sort;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod testing;
mod traverse;
pub mod variants;
mod walk;
mod waves;

pub use advance::{Cost, CostModel, Costs, Measurement, cost_model};
pub use ahead::Outline;
pub use by_degree::{DegreeOrdered, degree_ordered};
pub use device_graph::DeviceGraph;
pub use error::lift;
pub use form::{OnGpu, bytes_ahead, bytes_needed, reflects, run};
pub use memory::{Extent, Footprint, program_bytes_needed, recorded_bytes_needed, traverse_bytes};
pub use opened::open;
pub use program::{program, recorded};
pub use sampled::{Renumbered, Sampled, renumber, sampling_bytes};
pub use several::Several;
pub use traverse::traverse;
pub use warpgraph_core::Options;

macro_rules! algorithms {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        $(
            mod $module;

            #[doc = concat!("Answers [`", stringify!($config), "`](warpgraph_core::", stringify!($module), ") on a device: see [`run`].")]
            ///
            /// # Errors
            /// The errors of [`OnGpu::answer`].
            pub fn $module(
                device_graph: &DeviceGraph,
                config: &warpgraph_core::$module::$config,
                options: &Options,
            ) -> warpgraph_core::Result<warpgraph_core::$module::$answer> {
                run(device_graph, config, options)
            }
        )*
    };
}
warpgraph_core::for_each_algorithm!(algorithms);
