//! HALO-II \[1\]: by decreasing harmonic centrality, each vertex followed by its out-neighbours; components apart.
//!
//! Vertices are taken as in `halo1`; each gets the next number unless it has one, and then its out-neighbours that have none,
//! one hop only, also when it had its own number as a neighbour (Algorithm 3). Vertices that a search will meet together,
//! because they hang on the same well-connected vertex, lie together even where their centralities are alike.
//!
//! Work and memory as `halo1`, and one pass over the arcs.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7), 2020.

use super::{Means, follow, halo1};
use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex};

/// All vertices by centrality, neighbours following.
pub(super) fn order(graph: &Graph, samples: u32, means: &Means<'_>) -> Result<Pages<Vertex>> {
    let central = halo1::order(graph, samples, means)?;
    follow::neighbours(graph, &central, means.control)
}
