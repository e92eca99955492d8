//! Orders of the vertices, one file each: a function from a graph to its vertices in their new order.
//!
//! Every order is a bijection, and the same on any machine and any number of threads. Ties go to the smallest original
//! vertex.

mod degree;
mod natural;
mod random;

use warpgraph_core::Order;
use warpgraph_graph::{Control, Graph, NodeMap, Pages, Result, Vertex};

/// The map from the original order to another; `seed` matters for [`Order::Random`] only.
///
/// # Errors
/// When memory is short, or what `control` asks for.
pub fn map(graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<NodeMap> {
    control.check("ordering the vertices")?;
    let vertices: Pages<Vertex> = match order {
        Order::Natural => natural::order(graph)?,
        Order::Random => random::order(graph, seed)?,
        Order::Degree => degree::order(graph)?,
    };
    control.check("ordering the vertices")?;
    NodeMap::of_order(vertices)
}
