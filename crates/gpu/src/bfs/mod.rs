//! Breadth-first search.
//!
//! A plan that leaves everything open gets [`walk`]: direction-optimising, by one kernel. A plan that names anything, a wish for the same
//! parents run after run, and graphs of nearly 2^32 arcs and more get the [`program`].

mod program;
mod walk;

pub(crate) use walk::{BfsArgs, Rows, scratch_words};

use crate::{DeviceGraph, walk::can_walk};
use warpgraph_core::{
    Options, Result,
    bfs::{Bfs, BfsAnswer},
};

/// Hops from a source to every vertex, and a tree of shortest ways.
///
/// # Errors
/// When interrupted, when memory is short, when the source is not in the graph, or when the device fails.
pub fn bfs(device_graph: &DeviceGraph, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    if options.is_open() && !options.deterministic && can_walk(device_graph) {
        walk::bfs(device_graph, config, options)
    } else {
        program::bfs(device_graph, config, options)
    }
}
