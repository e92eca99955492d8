//! By decreasing in-degree (the degree, if undirected), the smallest original vertex first on ties.
//!
//! The first term of harmonic centrality is the number of vertices at distance 1 \[1, section 7.5\], so this is `halo1`
//! limited to one hop. The vertices that many arcs lead to are close together.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020.

use super::degree::falling;
use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex};

/// Returns all vertices by in-degree; O(n log n), 8 bytes per vertex besides the result, and the transpose of a
/// directed graph.
pub(super) fn order(graph: &Graph) -> Result<Pages<Vertex>> {
    let incoming = &graph.incoming()?.csr;
    let degree = |v: Vertex| incoming.degree(v) as u64;
    let largest = (0..graph.vertices() as Vertex).map(degree).max().unwrap_or(0);
    falling(graph.vertices(), largest, degree)
}
