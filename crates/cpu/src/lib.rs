//! The native CPU engine: each algorithm in its fastest known form, on the rayon pool it is called in.
//!
//! Every function takes a graph, a configuration that was checked against it, and [`Options`]; it returns the answer, or
//! the error of an interrupt, a full memory or a negative cycle.

mod batch;
mod parts;
mod program;
mod traverse;

pub use program::program;
pub use traverse::traverse;

pub(crate) use warpgraph_core::Recorder;

pub use warpgraph_core::Options;

macro_rules! algorithms {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        $(
            mod $module;
            pub use $module::$module;
        )*
    };
}
warpgraph_core::for_each_algorithm!(algorithms);
