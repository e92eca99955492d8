//! Transforms: from a graph to one that says the same and lies better in memory.
//!
//! An order of the vertices ([`order`]) makes a [`NodeMap`], and the map makes the graph in that order
//! ([`Graph::renumbered`]); [`reorder`] does both. [`Locality`] measures what an order is worth. The map leads answers back,
//! so that a transform never shows in them.

mod locality;
pub mod order;

pub use locality::{Locality, SECTOR, TILE};
pub use warpgraph_graph::{NodeMap, Stored};

use warpgraph_core::Order;
use warpgraph_graph::{Control, Graph, Result};

/// A transformed graph, and how it came to be so.
#[derive(Debug, Clone)]
pub struct Transformed {
    /// The graph; its ids are its vertex numbers.
    pub graph: Graph,
    /// From the original vertices to its own.
    pub map: NodeMap,
}

/// The graph with its vertices in an order; `seed` matters where the order is drawn.
///
/// ```
/// use warpgraph_core::Order;
/// use warpgraph_graph::{Control, Graph};
///
/// # fn main() -> warpgraph_graph::Result<()> {
/// let star = Graph::from_edges(4, &[(2, 0), (2, 1), (2, 3)], false)?;
/// let reordered = warpgraph_transform::reorder(&star, Order::Degree, 1, &Control::new())?;
/// assert_eq!(reordered.map.originals()[..], [2, 0, 1, 3]);
/// assert_eq!(reordered.graph.out().csr.neighbors(0), [1, 2, 3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When memory is short, or what `control` asks for.
pub fn reorder(graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<Transformed> {
    let map = order::map(graph, order, seed, control)?;
    let graph = graph.renumbered(&map, control)?;
    Ok(Transformed { graph, map })
}

/// The same graph, but stored in an order: a `.wg` file of it holds the arcs in that order, and the map.
///
/// # Errors
/// As [`reorder`].
pub fn store(graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<Graph> {
    if order == Order::Natural {
        return graph.stored_as(None);
    }
    let reordered = reorder(graph, order, seed, control)?;
    let stored = Stored::new(order.label(seed), reordered.graph, reordered.map)?;
    graph.stored_as(Some(stored))
}
