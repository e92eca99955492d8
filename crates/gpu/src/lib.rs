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

mod advance;
mod arguments;
mod batch;
mod counters;
mod device_graph;
mod error;
mod form;
mod frontier;
mod machine;
mod memory;
pub mod print;
mod program;
mod sampled;
mod scan;
mod sort;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod testing;
mod traverse;
pub mod variants;
mod walk;
mod waves;

pub use advance::{Cost, CostModel, Costs, Measurement, cost_model};
pub use device_graph::DeviceGraph;
pub use error::lift;
pub use form::{OnGpu, bytes_needed, run};
pub use memory::{program_bytes_needed, traverse_bytes};
pub use program::program;
pub use sampled::{Renumbered, Sampled, renumber, sampling_bytes};
pub use traverse::traverse;
pub use warpgraph_core::Options;

macro_rules! algorithms {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        $(
            mod $module;

            #[doc = concat!("Answers [`", stringify!($config), "`](warpgraph_core::", stringify!($module), ") on a device: see [`run`].")]
            ///
            /// # Errors
            /// Those of [`OnGpu::answer`].
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
