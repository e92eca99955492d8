//! By decreasing in-degree, each vertex followed by its out-neighbours without a number yet; components are separated.
//!
//! This is `halo2` with only the first term of the centrality \[1, section 7.5\]. Good on undirected graphs; on
//! directed graphs one hop says little about what a search will reach.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020.

use super::{components, follow, in_degree};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex};

/// Returns all vertices; O(m + n log n), 16 bytes per vertex besides the result, and the transpose of a directed graph.
pub(super) fn order(graph: &Graph, control: &Control) -> Result<Pages<Vertex>> {
    let order = in_degree::order(graph)?;
    control.check(super::DURING)?;
    follow::neighbours(graph, &components::apart(graph, order, control)?, control)
}
