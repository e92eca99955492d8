//! Orders of the vertices, one file each: a function from a graph to its vertices in their new order.
//!
//! Every order is a bijection, and is the same on any number of threads and any device. Ties go to the smallest
//! original vertex, unless the file of the order says otherwise. Random choices depend only on the seed.

mod bfs_bp;
mod bisection;
mod bp;
mod components;
mod degree;
mod degree_neighbours;
mod follow;
mod gorder;
mod halo1;
mod halo2;
mod in_degree;
mod llp;
mod marks;
mod natural;
mod random;
mod rcm;
mod samples;
#[cfg(test)]
mod testing;

pub(crate) use {halo1::harmonic, marks::Marks};

use crate::{OnCpu, Traverse};
use warpgraph_core::{Error, Order, Result};
use warpgraph_graph::{Control, Graph, NodeMap, Pages, Vertex};

/// Completes "interrupted while ..." in messages.
pub(crate) const DURING: &str = "ordering the vertices";

/// What orders need besides a graph.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Seed of random choices.
    pub seed: u64,
    /// Runs the searches.
    pub traverse: &'a dyn Traverse,
    /// Cancel flag, deadline, progress.
    pub control: &'a Control,
}

impl<'a> Means<'a> {
    /// Returns means that run everything on the processor.
    pub fn on_cpu(seed: u64, control: &'a Control) -> Self {
        Self { seed, traverse: &OnCpu, control }
    }
}

impl std::fmt::Debug for Means<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Means")
            .field("seed", &self.seed)
            .field("control", &self.control)
            .finish_non_exhaustive()
    }
}

/// Returns the map from the original order to another.
///
/// # Errors
/// If memory is short, if the control stops the work, or if a device fails.
pub fn map(graph: &Graph, order: Order, means: &Means<'_>) -> Result<NodeMap> {
    let control = means.control;
    control.check(DURING)?;
    let vertices: Pages<Vertex> = match order {
        Order::Natural => natural::order(graph)?,
        Order::Random => random::order(graph, means.seed)?,
        Order::Degree => degree::order(graph)?,
        Order::InDegree => in_degree::order(graph)?,
        Order::DegreeNeighbours => degree_neighbours::order(graph, control)?,
        Order::Rcm => rcm::order(graph, control)?,
        Order::Halo1 { samples } => halo1::order(graph, samples, means)?,
        Order::Halo2 { samples } => halo2::order(graph, samples, means)?,
        Order::Bp => bp::order(graph, control)?,
        Order::BfsBp { samples } => {
            let sources = samples::draw_sources(graph, samples, means.seed);
            bfs_bp::order(graph, &sources, means.traverse, control)?
        }
        Order::Gorder { window } => gorder::order(graph, window, control)?,
        Order::Llp => llp::order(graph, means.seed, control)?,
        Order::Sampled => {
            return Err(Error::Refused {
                what: "no graph can be brought into the order `sampled`: runs on a GPU find it as they go"
                    .to_owned(),
                help: "use `warpgraph run ... --order sampled --plan tiled`, or another order".to_owned(),
            });
        }
    };
    control.check(DURING)?;
    Ok(NodeMap::of_order(vertices)?)
}
