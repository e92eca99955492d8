//! Breadth-first search as the program `hop-tree`: a value has the hops in its upper half and the parent in its lower
//! half, so the least value is the nearest path with the smallest parent. Distances and parents are the same in every
//! run.

use super::{Bfs, BfsAnswer, UNREACHED};
use crate::{
    Options, Result,
    program::{Prepared, Runs, Ways, library::HopTree},
};
use std::time::Instant;
use warpgraph_graph::{NO_VERTEX, Pages, par};

/// Returns the hops from a source to every vertex, and a tree of shortest paths.
///
/// # Errors
/// When the source is not in the graph, when interrupted, when memory is short, or when the device fails.
pub fn by_program(engine: &impl Runs, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    let graph = engine.graph();
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let program = HopTree { source: options.original(source), limit: config.max_depth.unwrap_or(u32::MAX) };
    let prepared = Prepared::new(&program, graph, options.map.as_ref())?;
    let mut ran = engine.run(&prepared, options, Ways::Out)?;
    let (values, start) = (ran.values, Instant::now());
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
    ran.run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(BfsAnswer::new(graph, source, config.max_depth, distances, parents, ran.run))
}
