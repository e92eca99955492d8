//! A graph without directions: the arcs at a vertex, in and out.

use super::Team;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use warpgraph_graph::{Offset, Vertex, View};

/// Vertices per piece.
const PIECE: usize = 1 << 14;

/// Rows of outgoing arcs, and of incoming ones if the graph is directed.
#[derive(Clone, Copy)]
pub(crate) struct BothWays<'a, O, I> {
    /// Outgoing arcs; all arcs of an undirected graph.
    pub(crate) out: View<'a, O>,
    /// Incoming arcs; `None` if the graph is undirected.
    pub(crate) incoming: Option<View<'a, I>>,
}

impl<'a, O: Offset, I: Offset> BothWays<'a, O, I> {
    /// Returns the number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        self.out.vertices()
    }

    /// Returns the number of entries in all rows.
    pub(crate) fn arcs(&self) -> usize {
        self.out.arcs() + self.incoming.map_or(0, |incoming| incoming.arcs())
    }

    /// Returns the number of arcs at a vertex, including parallel ones and loops.
    #[inline(always)]
    pub(crate) fn degree(&self, v: Vertex) -> usize {
        self.out.degree(v) + self.incoming.map_or(0, |incoming| incoming.degree(v))
    }

    /// Returns both rows of a vertex; the second is empty if the graph is undirected.
    #[inline(always)]
    pub(crate) fn rows(&self, v: Vertex) -> [&'a [Vertex]; 2] {
        [self.out.neighbors(v), self.incoming.map_or(&[], |incoming| incoming.neighbors(v))]
    }

    /// Returns the largest degree.
    pub(crate) fn max_degree(&self, team: &Team) -> usize {
        let (n, largest) = (self.vertices(), AtomicUsize::new(0));
        team.round(n.div_ceil(PIECE), &|_, piece| {
            let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
            let most = vertices.map(|v| self.degree(v as Vertex)).max().unwrap_or(0);
            largest.fetch_max(most, Relaxed);
        });
        largest.into_inner()
    }
}
