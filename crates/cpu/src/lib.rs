//! The CPU engine: each algorithm in its fastest known form, on the current rayon pool.
//!
//! Every function takes a graph, a configuration that was checked against it, and [`Options`]. It returns the answer,
//! or an error if it is interrupted, if memory is short, or if there is a negative cycle.

mod batch;
mod blocks;
#[cfg(test)]
mod copied;
mod parts;
mod program;
mod traverse;

pub use program::{AlongPaths, program, recorded};
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
