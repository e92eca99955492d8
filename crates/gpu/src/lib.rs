//! The GPU engine: a graph on a device, and algorithms on it.
//!
//! Every function takes a [`Resident`] graph, a configuration that was checked against it, and [`Options`]; it returns the
//! same answers as the processor's engine.

mod error;
mod resident;

pub use error::lift;
pub use resident::Resident;
pub use warpgraph_core::Options;
