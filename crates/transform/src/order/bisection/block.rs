//! A block: the vertices to bisect, with their rows.

use super::PIECE;
use rayon::prelude::*;
use std::ops::Range;
use warpgraph_graph::{Pages, Vertex};

/// Vertices by number, and their data.
pub(super) struct Block<'a> {
    pub(super) vertices: &'a mut [Vertex],
    /// Lengths of their rows.
    pub(super) lengths: &'a mut [u32],
    /// Their rows, one after the other from the start; the slice may be longer.
    pub(super) rows: &'a mut [u32],
    /// As much space again, for the rows of the halves.
    pub(super) room: &'a mut [u32],
    /// One word per vertex.
    pub(super) scratch: &'a mut [u32],
    /// The half of each vertex.
    pub(super) sides: &'a mut [u8],
    /// Number of members of each query in the block: more than one, and fewer than there are vertices.
    pub(super) degrees: Pages<u32>,
}

impl<'a> Block<'a> {
    /// Cuts the block in two, before vertex `middle`. The rows of the halves are in `room`, those of the second from
    /// `arcs` on.
    pub(super) fn halves(self, middle: usize, arcs: usize, degrees: [Pages<u32>; 2]) -> (Self, Self) {
        let (vertices, other_vertices) = self.vertices.split_at_mut(middle);
        let (lengths, other_lengths) = self.lengths.split_at_mut(middle);
        let (rows, other_rows) = self.room.split_at_mut(arcs);
        let (room, other_room) = self.rows.split_at_mut(arcs);
        let (scratch, other_scratch) = self.scratch.split_at_mut(middle);
        let (sides, other_sides) = self.sides.split_at_mut(middle);
        let [degrees, other_degrees] = degrees;
        let first = Self { vertices, lengths, rows, room, scratch, sides, degrees };
        let second = Self {
            vertices: other_vertices,
            lengths: other_lengths,
            rows: other_rows,
            room: other_room,
            scratch: other_scratch,
            sides: other_sides,
            degrees: other_degrees,
        };
        (first, second)
    }
}

/// A run of vertices and the range of their rows.
#[derive(Debug, Clone)]
pub(super) struct Cut {
    pub(super) vertices: Range<usize>,
    pub(super) arcs: Range<usize>,
}

/// Cuts rows into runs of about [`PIECE`] vertices and entries.
pub(super) fn cuts(lengths: &[u32]) -> Vec<Cut> {
    let (mut cuts, mut start, mut first, mut end) = (Vec::new(), 0, 0, 0);
    for (v, &length) in lengths.iter().enumerate() {
        end += length as usize;
        if v + 1 - start + end - first >= PIECE || v + 1 == lengths.len() {
            cuts.push(Cut { vertices: start..v + 1, arcs: first..end });
            (start, first) = (v + 1, end);
        }
    }
    cuts
}

/// Splits an array with one entry per vertex into one section per cut.
pub(super) fn sections<'b, T>(mut array: &'b mut [T], cuts: &[Cut]) -> Vec<&'b mut [T]> {
    let section = |cut: &Cut| {
        let (now, later) = std::mem::take(&mut array).split_at_mut(cut.vertices.len());
        array = later;
        now
    };
    cuts.iter().map(section).collect()
}

impl Cut {
    /// Calls `visit` with every vertex of the run and its row.
    #[inline]
    pub(super) fn for_each<'r>(
        &self,
        lengths: &[u32],
        rows: &'r [u32],
        mut visit: impl FnMut(usize, &'r [u32]),
    ) {
        let mut rest = &rows[self.arcs.clone()];
        for (v, &length) in self.vertices.clone().zip(&lengths[self.vertices.clone()]) {
            let (row, later) = rest.split_at(length as usize);
            visit(v, row);
            rest = later;
        }
    }
}

/// Calls `work` with every element, on all threads if there is more than one.
pub(super) fn each<T: Send>(all: Vec<T>, work: impl Fn(T) + Sync + Send) {
    if all.len() == 1 {
        all.into_iter().for_each(work);
    } else {
        all.into_par_iter().with_max_len(1).for_each(work);
    }
}
