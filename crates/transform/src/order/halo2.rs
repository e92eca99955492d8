//! HALO-II \[1\]: by decreasing harmonic centrality, each vertex followed by its out-neighbours; components are
//! separated.
//!
//! Vertices are taken in the order of `halo1`. Each gets the next number unless it has one, and then its out-neighbours
//! without one do, one hop only, even if the vertex got its own number as a neighbour (Algorithm 3). So vertices that a
//! search meets together, because they hang on the same well-connected vertex, are close together even if their
//! centralities are alike.
//!
//! Work and memory as for `halo1`, plus one pass over the arcs.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020.

use super::{Means, follow, halo1};
use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex};

/// Returns all vertices by centrality, each followed by its neighbours.
pub(super) fn order(graph: &Graph, samples: u32, means: &Means<'_>) -> Result<Pages<Vertex>> {
    let central = halo1::order(graph, samples, means)?;
    follow::neighbours(graph, &central, means.control)
}
