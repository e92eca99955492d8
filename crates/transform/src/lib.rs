//! Transforms: from a graph to one that says the same and lies better in memory.
//!
//! An order of the vertices ([`order`]) makes a [`NodeMap`], and the map makes the graph in that order
//! ([`Graph::renumbered`]); [`reorder`] does both. [`Locality`] measures what an order is worth, [`LevelLocality`] what it is
//! worth to searches, and [`unified`] what they move to a device of little memory. The map leads answers back, so that a
//! transform never shows in them.

pub mod levels;
mod locality;
pub mod order;
mod traverse;
pub mod unified;

pub use levels::{Frontiers, LevelLocality, Traversal};
pub use locality::{Locality, SECTOR, TILE};
pub use order::Means;
pub use traverse::{AT_ONCE, OnCpu, Traverse};
pub use warpgraph_graph::{NodeMap, Stored};

use std::time::Instant;
use warpgraph_core::{Order, Result};
use warpgraph_graph::Graph;

/// A transformed graph, and how it came to be so.
#[derive(Debug, Clone)]
pub struct Transformed {
    /// The graph; its ids are its vertex numbers.
    pub graph: Graph,
    /// From the original vertices to its own.
    pub map: NodeMap,
    /// Seconds it took to find the order; renumbering the graph came after.
    pub order_seconds: f64,
}

/// The graph with its vertices in an order.
///
/// ```
/// use warpgraph_core::Order;
/// use warpgraph_graph::{Control, Graph};
/// use warpgraph_transform::{Means, reorder};
///
/// # fn main() -> warpgraph_core::Result<()> {
/// let star = Graph::from_edges(4, &[(2, 0), (2, 1), (2, 3)], false)?;
/// let reordered = reorder(&star, Order::Degree, &Means::on_cpu(1, &Control::new()))?;
/// assert_eq!(reordered.map.originals()[..], [2, 0, 1, 3]);
/// assert_eq!(reordered.graph.out().csr.neighbors(0), [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When memory is short, what the control asks for, or when a device fails.
pub fn reorder(graph: &Graph, order: Order, means: &Means<'_>) -> Result<Transformed> {
    let start = Instant::now();
    let map = order::map(graph, order, means)?;
    let order_seconds = start.elapsed().as_secs_f64();
    let graph = graph.renumbered(&map, means.control)?;
    Ok(Transformed { graph, map, order_seconds })
}

/// The same graph, but stored in an order: a `.wg` file of it holds the arcs in that order, and the map.
///
/// # Errors
/// As [`reorder`].
pub fn store(graph: &Graph, order: Order, means: &Means<'_>) -> Result<Graph> {
    if order == Order::Natural {
        return Ok(graph.stored_as(None)?);
    }
    stored(graph, reorder(graph, order, means)?, order, means.seed)
}

/// [`store`], of a graph that was brought into the order already.
///
/// # Errors
/// When memory is short, or when it is another graph.
pub fn stored(graph: &Graph, reordered: Transformed, order: Order, seed: u64) -> Result<Graph> {
    let stored = Stored::new(order.label(seed), reordered.graph, reordered.map)?;
    Ok(graph.stored_as(Some(stored))?)
}
