//! Connected components as the program `components`: the smallest vertex of each component spreads along arcs of both
//! directions.

use crate::{
    DeviceGraph,
    program::{self, Ways},
};
use warpgraph_core::{
    Options, Result,
    program::{Prepared, library::Components},
    wcc::WccAnswer,
};

/// Returns the component of every vertex, named by its smallest vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub(super) fn wcc(device_graph: &DeviceGraph, options: &Options) -> Result<WccAnswer> {
    let prepared = Prepared::new(&Components {}, device_graph.graph(), None)?;
    let (components, _, run) = program::run(device_graph, &prepared, options, Ways::Both)?;
    Ok(WccAnswer::new(device_graph.graph(), components, run))
}
