//! Neighbours in both directions: the symmetrised graph, without building it.

use warpgraph_graph::{Csr, Graph, Result, Vertex};

/// Outgoing arcs, and incoming ones if the graph is directed.
pub(super) struct Around<'a> {
    out: &'a Csr,
    other: Option<&'a Csr>,
}

impl<'a> Around<'a> {
    pub(super) fn new(graph: &'a Graph) -> Result<Self> {
        let other = if graph.is_directed() { Some(&graph.incoming()?.csr) } else { None };
        Ok(Self { out: &graph.out().csr, other })
    }

    pub(super) fn vertices(&self) -> usize {
        self.out.vertices()
    }

    /// Returns the neighbours of `v`, in two rows, one of which may be empty.
    #[inline(always)]
    pub(super) fn rows(&self, v: Vertex) -> [&'a [Vertex]; 2] {
        [self.out.neighbors(v), self.other.map_or(&[][..], |other| other.neighbors(v))]
    }

    /// Returns whether `v` has a neighbour other than itself.
    pub(super) fn is_joined(&self, v: Vertex) -> bool {
        self.rows(v).into_iter().flatten().any(|&u| u != v)
    }
}
