//! `latency`: joins the neighbours of clustered vertices, and groups them in chunks that runs iterate in shared memory.
//!
//! 1. Vertices whose clustering coefficient is at least `threshold` become centres, in falling order of the coefficient, then of
//!    the degree, then by rising number. A chunk is a centre and those of its neighbours that no other chunk has; a vertex of
//!    another chunk is no centre, and a chunk has at least three members ([`clusters`]).
//! 2. Every two neighbours in a chunk that no arc joins get an edge, with the mean weight of the arcs inside the chunk
//!    ([`join`]).
//!
//! A centre has fewer than [`MEMBERS`] neighbours, so that its whole neighbourhood fits. Larger neighbourhoods are left out: part
//! of one would be an arbitrary choice, about which the coefficient says nothing, and the edges to add grow with the square
//! of the members. So a chunk adds at most 465 edges; if no other chunk has taken a neighbour, at most
//! (1 - threshold) / threshold times as many as the neighbours had among them.
//!
//! A directed graph is clustered as the undirected graph below it. An edge a -> b is added only along a path a -> centre -> b, so
//! no vertex reaches more than before, and only if no arc joins a and b in either direction. At coefficient 1 all
//! neighbours are joined, and nothing is added.
//!
//! Work: counting triangles, and O(arcs). Memory: 24 bytes per vertex. The transpose of a directed graph is built and kept, as
//! counting triangles does.

mod clusters;
mod join;

use super::{DURING, changes::Edit};
use crate::Means;
use warpgraph_core::{Chunks, Knob, Result};
use warpgraph_graph::{Graph, Vertex};

/// The most vertices of a chunk: as many as a warp has threads, and as an adjacency list in one word has bits.
pub(super) const MEMBERS: usize = 32;

/// Returns the edges to add and the chunks.
///
/// # Errors
/// If memory is short, or if the control stops the work.
pub(super) fn latency(graph: &Graph, threshold: Knob, means: &Means<'_>) -> Result<(Vec<Edit>, Chunks)> {
    let chunks = clusters::clusters(graph, threshold, means.control)?;
    means.control.check(DURING)?;
    let joined = join::join(graph, &chunks, means.control)?;
    Ok((joined, chunks))
}

/// The neighbours of vertices, whatever the direction of the arcs between.
struct Around<'a> {
    out: &'a warpgraph_graph::Csr,
    incoming: Option<&'a warpgraph_graph::Csr>,
}

impl<'a> Around<'a> {
    fn of(graph: &'a Graph) -> Result<Self> {
        let incoming = if graph.is_directed() { Some(&graph.incoming()?.csr) } else { None };
        Ok(Self { out: &graph.out().csr, incoming })
    }

    /// Writes the neighbours of `v`, each once and without `v`, in increasing order.
    fn write(&self, v: Vertex, to: &mut Vec<Vertex>) {
        to.clear();
        to.extend_from_slice(self.out.neighbors(v));
        if let Some(incoming) = self.incoming {
            to.extend_from_slice(incoming.neighbors(v));
            to.sort_unstable();
        }
        to.dedup();
        to.retain(|&u| u != v);
    }
}
