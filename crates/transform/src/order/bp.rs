//! Recursive bisection over adjacency, BP \[1\]: the out-neighbours of every vertex are to lie close together.
//!
//! Every vertex is a query, and its out-neighbours are the members. So the row of a vertex in the bipartite graph is its
//! incoming arcs, parallel ones once. This lowers the log gap (see [`Locality`](crate::Locality)) like no other order here,
//! and takes the longest. Vertices without incoming arcs go last by number.
//!
//! Work, memory and departures from the paper are those of [`bisection`](super::bisection), with an entry for each arc.
//!
//! \[1\] L. Dhulipala, I. Kabiljo, B. Karrer, G. Ottaviano, S. Pupyrev, A. Shalita. Compressing Graphs and Indexes with
//! Recursive Graph Bisection. KDD 2016.

use super::bisection::{self, Rows};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex, with_view};

/// All vertices in an order of small gaps between out-neighbours.
pub(super) fn order(graph: &Graph, control: &Control) -> Result<Pages<Vertex>> {
    bisection::order(rows(graph)?, graph.vertices(), control)
}

/// Incoming arcs, each once.
fn rows(graph: &Graph) -> Result<Rows> {
    let csr = &graph.incoming()?.csr;
    let (mut lengths, mut queries) = (Pages::scratch(csr.vertices())?, Pages::zeroed_lazily(csr.arcs())?);
    let mut end = 0;
    with_view!(csr, |view| for (v, length) in lengths.iter_mut().enumerate() {
        let start = end;
        for &source in view.neighbors(v as Vertex) {
            // Rows are sorted.
            if end == start || queries[end - 1] != source {
                queries[end] = source;
                end += 1;
            }
        }
        *length = (end - start) as u32;
    });
    queries.truncate(end);
    Ok(Rows { lengths, queries })
}
