//! Breadth-first search as the program `hop-tree`: a value has the hops in its upper half and the parent in its lower
//! half, so the least value is the nearest path with the smallest parent. Distances and parents are the same in every
//! run.

use crate::{
    DeviceGraph,
    program::{self, Ways},
};
use std::time::Instant;
use warpgraph_core::{
    Options, Result,
    bfs::{Bfs, BfsAnswer, UNREACHED},
    program::{Prepared, library::HopTree},
};
use warpgraph_graph::{NO_VERTEX, Pages, par};

/// Returns the hops from a source to every vertex, and a tree of shortest paths.
///
/// # Errors
/// When the source is not in the graph, when interrupted, when memory is short, or when the device fails.
pub(super) fn bfs(device_graph: &DeviceGraph, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    let graph = device_graph.graph();
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let program = HopTree { source: options.original(source), limit: config.max_depth.unwrap_or(u32::MAX) };
    let prepared = Prepared::new(&program, graph, options.map.as_ref())?;
    let (values, _, mut run) = program::run(device_graph, &prepared, options, Ways::Out)?;
    let start = Instant::now();
    let mut distances = Pages::<u32>::scratch(values.len())?;
    let mut parents = Pages::<u32>::scratch(values.len())?;
    let split = |value: u64| match value {
        u64::MAX => (UNREACHED, NO_VERTEX),
        _ => {
            let original = value as u32;
            ((value >> 32) as u32, options.map.as_ref().map_or(original, |map| map.inner(original)))
        }
    };
    par::parts_of_two(&mut distances, &mut parents, par::FINE, |first, distances, parents| {
        for ((distance, parent), &value) in distances.iter_mut().zip(parents).zip(&values[first..]) {
            (*distance, *parent) = split(value);
        }
    });
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(BfsAnswer::new(graph, source, config.max_depth, distances, parents, run))
}
