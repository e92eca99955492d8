//! Cuts the edges of a graph into pieces, formats pieces on all threads, and writes them in order.
//!
//! Writers of edges list every arc of a directed graph, and every edge of an undirected graph once: from the smaller
//! vertex to the larger one. A piece has at most about twice [`PIECE`] arcs, so that memory stays bounded also for a
//! vertex with very many arcs.

use super::Output;
use crate::{csr::Vertex, error::Result, graph::Graph, par};
use std::ops::Range;

/// Number of arcs and vertices, added together, per piece.
const PIECE: usize = 1 << 16;

/// Consecutive vertices and some of their arcs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    vertices: Range<Vertex>,
    arcs: Range<usize>,
}

impl Piece {
    /// Calls `take` with each vertex of the piece and those of its arcs that are written, all of them in this piece.
    pub(super) fn rows(&self, graph: &Graph, mut take: impl FnMut(Vertex, Range<usize>)) {
        let csr = &graph.out().csr;
        for u in self.vertices.clone() {
            let arcs = csr.arcs_of(u);
            let smaller = match graph.is_directed() {
                true => 0,
                false => csr.neighbors(u).partition_point(|&v| v < u),
            };
            let arcs = (arcs.start + smaller).max(self.arcs.start)..arcs.end.min(self.arcs.end);
            if !arcs.is_empty() {
                take(u, arcs);
            }
        }
    }
}

/// Returns pieces that cover all arcs once, in order.
pub(super) fn pieces(graph: &Graph) -> Vec<Piece> {
    let offsets = graph.out().csr.offsets();
    let n = graph.vertices();
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in 1..=n {
        let load = end - start + offsets.get(end) - offsets.get(start);
        if load < PIECE && end < n {
            continue;
        }
        let (mut first, mut arcs) = (start as Vertex, offsets.get(start)..offsets.get(end));
        // Only the last vertex can have more arcs than a piece, so each further piece holds arcs of that vertex alone.
        while arcs.len() > 2 * PIECE {
            let cut = arcs.start + PIECE;
            pieces.push(Piece { vertices: first..end as Vertex, arcs: arcs.start..cut });
            (first, arcs.start) = (end as Vertex - 1, cut);
        }
        pieces.push(Piece { vertices: first..end as Vertex, arcs });
        start = end;
    }
    pieces
}

/// Formats all pieces in parallel, some per thread at a time, and writes them in order.
pub(super) fn write(
    graph: &Graph,
    format: &(dyn Fn(&Piece) -> Vec<u8> + Sync),
    out: &mut Output<'_>,
) -> Result<()> {
    let pieces = pieces(graph);
    for wave in pieces.chunks(4 * rayon::current_num_threads()) {
        for bytes in par::map(wave.len(), |i| format(&wave[i])) {
            out.put(&bytes)?;
        }
        let done = wave.last().map_or(0, |piece| piece.vertices.end.into());
        out.control.report("writing", done, Some(graph.vertices() as u64));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn star(leaves: u32) -> Graph {
        let edges: Vec<_> = (1..=leaves).map(|leaf| (0, leaf)).collect();
        Graph::from_edges(leaves as usize + 1, &edges, true).unwrap()
    }

    #[test]
    fn the_arcs_of_one_vertex_are_spread_over_bounded_pieces() {
        let graph = star(10 * PIECE as u32);
        let pieces = pieces(&graph);
        assert!(pieces.len() > 4 && pieces.iter().all(|piece| piece.arcs.len() <= 2 * PIECE));
        let mut written = Vec::new();
        for piece in &pieces {
            piece.rows(&graph, |u, arcs| written.extend(arcs.map(|arc| (u, arc))));
        }
        assert!(written.iter().copied().eq((0..graph.arcs()).map(|arc| (0, arc))));
    }
}
