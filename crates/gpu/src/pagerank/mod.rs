//! PageRank: sweeps that pull, by kernels of their own where the plan is open and arcs have no weights; otherwise as a program.

mod program;
mod pull;

pub(crate) use program::Walk;
pub(crate) use pull::{Form, PullArgs, bytes, module};

use crate::DeviceGraph;
use warpgraph_core::{
    Options, Result,
    pagerank::{PageRank, PageRankAnswer},
};

/// The rank of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, when a personalised vertex is not in the graph, or when the device fails.
pub fn pagerank(device_graph: &DeviceGraph, config: &PageRank, options: &Options) -> Result<PageRankAnswer> {
    match options.is_open() && !config.weighted {
        true => pull::pagerank(device_graph, config, options),
        false => program::pagerank(device_graph, config, options),
    }
}
