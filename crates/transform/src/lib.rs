//! Transforms of a graph: the same graph with a better layout in memory.
//!
//! An order of the vertices ([`order`]) gives a [`NodeMap`], and the map gives the graph in that order
//! ([`Graph::renumbered`]); [`reorder`] does both. [`Locality`] measures what an order is worth, [`LevelLocality`] what
//! it is worth to searches, and [`unified`] how much data searches move to a device with little memory. The map
//! translates answers back to the original vertices, so an order never shows in an answer.
//!
//! [`approximate()`] changes the edges too, as little as its knobs say, so that a GPU answers faster and nearly right.
//!
//! [`paths()`] decomposes the edges of a graph into paths, for runs of the model `paths`.

mod approx;
pub mod levels;
mod locality;
pub mod order;
mod paths;
mod traverse;
pub mod unified;

pub use approx::{Changes, Edges, Replica, Replicas, approximate};
pub use levels::{Frontiers, LevelLocality, Traversal};
pub use locality::{Locality, SECTOR, TILE};
pub use order::Means;
pub use paths::paths;
pub use traverse::{AT_ONCE, OnCpu, Traverse};
pub use warpgraph_graph::{NodeMap, Stored};

use std::{sync::Arc, time::Instant};
use warpgraph_core::{Chunks, Exactness, Order, Result};
use warpgraph_graph::Graph;

/// A transformed graph, with its map and the time to find the order.
#[derive(Debug, Clone)]
pub struct Transformed {
    /// The graph. Its ids are its vertex numbers.
    pub graph: Graph,
    /// The map from the original vertices to those of `graph`.
    pub map: NodeMap,
    /// Seconds to find the order, without renumbering the graph; for an approximation, all seconds that it took.
    pub order_seconds: f64,
    /// How many edges were changed, if an [approximation](approximate()) made the graph.
    pub exactness: Option<Exactness>,
    /// Vertices that runs iterate together, in the numbers of `graph`, if the approximation makes such groups.
    pub chunks: Option<Arc<Chunks>>,
    /// The changes themselves, in original numbers.
    pub changes: Option<Changes>,
}

impl Transformed {
    /// Returns a graph in another order, with no edge changed.
    fn plain(graph: Graph, map: NodeMap, order_seconds: f64) -> Self {
        Self { graph, map, order_seconds, exactness: None, chunks: None, changes: None }
    }
}

/// Returns the graph with its vertices in an order.
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
/// If memory is short, if the control stops the work, or if a device fails.
pub fn reorder(graph: &Graph, order: Order, means: &Means<'_>) -> Result<Transformed> {
    let start = Instant::now();
    let map = order::map(graph, order, means)?;
    let order_seconds = start.elapsed().as_secs_f64();
    let graph = graph.renumbered(&map, means.control)?;
    Ok(Transformed::plain(graph, map, order_seconds))
}

/// Returns the same graph, stored in an order: its `.wg` file holds the arcs in that order, and the map.
///
/// # Errors
/// As [`reorder`].
pub fn store(graph: &Graph, order: Order, means: &Means<'_>) -> Result<Graph> {
    if order == Order::Natural {
        return Ok(graph.stored_as(None)?);
    }
    stored(graph, reorder(graph, order, means)?, order, means.seed)
}

/// Like [`store`], for a graph that is already in the order.
///
/// # Errors
/// If memory is short, or if `reordered` is another graph.
pub fn stored(graph: &Graph, reordered: Transformed, order: Order, seed: u64) -> Result<Graph> {
    let stored = Stored::new(order.label(seed), reordered.graph, reordered.map)?;
    Ok(graph.stored_as(Some(stored))?)
}
