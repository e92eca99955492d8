//! A graph without directions: what hangs at a vertex, in or out.

use super::Team;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use warpgraph_graph::{Offset, Vertex, View};

/// Vertices looked at as one piece.
const PIECE: usize = 1 << 14;

/// Rows of outgoing arcs, and of incoming ones where those are others.
#[derive(Clone, Copy)]
pub(crate) struct BothWays<'a, O, I> {
    /// Outgoing arcs; all arcs of an undirected graph.
    pub(crate) out: View<'a, O>,
    /// Incoming arcs; `None` if the graph is undirected.
    pub(crate) incoming: Option<View<'a, I>>,
}

impl<'a, O: Offset, I: Offset> BothWays<'a, O, I> {
    /// Number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        self.out.vertices()
    }

    /// Entries in all rows.
    pub(crate) fn arcs(&self) -> usize {
        self.out.arcs() + self.incoming.map_or(0, |incoming| incoming.arcs())
    }

    /// The arcs at a vertex; those of parallel edges and loops too.
    #[inline(always)]
    pub(crate) fn degree(&self, v: Vertex) -> usize {
        self.out.degree(v) + self.incoming.map_or(0, |incoming| incoming.degree(v))
    }

    /// Both rows of a vertex; the second is empty if the graph is undirected.
    #[inline(always)]
    pub(crate) fn rows(&self, v: Vertex) -> [&'a [Vertex]; 2] {
        [self.out.neighbors(v), self.incoming.map_or(&[], |incoming| incoming.neighbors(v))]
    }

    /// The largest degree.
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
