//! Connected components: by Afforest where the plan is open, and as a program by any plan that says how.

mod afforest;
mod program;

pub(crate) use afforest::{CHUNK, CHUNKS, GIANT, NEXT_CHUNKS, SAMPLES, SHORT, SLOTS, WccArgs, bytes};

use crate::DeviceGraph;
use warpgraph_core::{
    Options, Result,
    wcc::{Wcc, WccAnswer},
};

/// The component of every vertex, named by its smallest vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub fn wcc(device_graph: &DeviceGraph, _: &Wcc, options: &Options) -> Result<WccAnswer> {
    if options.is_open() { afforest::wcc(device_graph, options) } else { program::wcc(device_graph, options) }
}
