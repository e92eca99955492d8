//! Deals paths to the lanes of chunks.
//!
//! Lane t of all chunks of a section is one tape of rows, from the first chunk down to the last. Tapes end at each chunk's
//! last row only in that a path which goes on there has the vertex at the cut in both chunks. Paths come in the order in
//! which they were found, hub paths in one section and cold paths in another, and each goes to the end of the tape that is
//! shortest so far, the first of equal ones. Two rules change that:
//!
//! - A path with more edges than 1/16 of a tape's share of the rows, and with more than a chunk has rows, is cut into pieces
//!   of equal length, which count as paths. So no tape is much longer than the others; a mesh has paths of millions of edges.
//! - Short paths one after another that begin at the same vertex go to the same tape, up to one chunk's rows. The paper puts
//!   the mirrors of a vertex of high degree in one thread's lane, which saves synchronisation.
//!
//! No path begins in the last row of a chunk, so a vertex in a slot always has an edge.

use super::{growing::Growing, refuse_too_many, strands::Strand};
use warpgraph_core::Result;
use warpgraph_graph::{
    Offset, Vertex,
    paths::{LANES, ROWS, SLOTS},
};

/// A path may be as long as this share of a tape.
const SHARE: u64 = 16;
/// Pieces that one task writes.
const TASK: usize = 1 << 12;

/// A path, or a part of a long one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// The vertex where it begins.
    pub(super) from: Vertex,
    /// Its first edge in the strand.
    pub(super) first: usize,
    /// The number of its edges, at least 1.
    pub(super) edges: usize,
}

/// The pieces of a strand, one after another.
#[derive(Debug)]
pub(super) struct Pieces<'a, O: Offset> {
    pub(super) strand: &'a Strand<O>,
    /// The most edges of a piece.
    limit: usize,
    /// The path, and how many of its edges are in pieces already.
    path: usize,
    done: usize,
    /// Edges of all paths before, and those of this one that are done.
    edge: usize,
}

impl<O: Offset> Clone for Pieces<'_, O> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<O: Offset> Iterator for Pieces<'_, O> {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let &[start, all] = self.strand.paths.get(self.path)?;
        let left = all as usize - self.done;
        let edges = match left <= self.limit {
            true => left,
            // The pieces that are left are of equal length.
            false => left.div_ceil(left.div_ceil(self.limit)),
        };
        let from = if self.done == 0 { start } else { self.strand.ends[self.edge - 1] };
        let piece = Piece { from, first: self.edge, edges };
        self.edge += edges;
        self.done += edges;
        if edges == left {
            (self.path, self.done) = (self.path + 1, 0);
        }
        Some(piece)
    }
}

/// Pieces that one task writes, and the number of the first one's place.
#[derive(Debug)]
pub(super) struct Task<'a, O: Offset> {
    pub(super) pieces: Pieces<'a, O>,
    pub(super) first: usize,
    pub(super) len: usize,
}

/// All hub paths, or all cold paths, with their places.
#[derive(Debug)]
pub(super) struct Section<'a, O: Offset> {
    pub(super) tasks: Vec<Task<'a, O>>,
    /// The first slot of every piece, counted from the first chunk of the section.
    pub(super) places: Growing<u32>,
    chunks: usize,
    paths: u64,
    edges: u64,
}

impl<'a, O: Offset> Section<'a, O> {
    /// Deals the paths of all strands to chunks of their own.
    pub(super) fn deal(strands: impl Iterator<Item = &'a Strand<O>> + Clone) -> Result<Self> {
        let count = |of: fn(&Strand<O>) -> usize| strands.clone().map(|strand| of(strand) as u64).sum();
        let (paths, edges): (u64, u64) = (count(|s| s.paths.len()), count(|s| s.ends.len()));
        let share = (paths + edges) / LANES as u64;
        let limit = (share / SHARE).max(ROWS as u64 - 1) as usize;
        let mut section = Self { tasks: Vec::new(), places: Growing::new(), chunks: 0, paths, edges };
        let mut tapes = Tapes { ends: [0; LANES] };
        for strand in strands {
            section.deal_strand(Pieces { strand, limit, path: 0, done: 0, edge: 0 }, &mut tapes)?;
        }
        section.chunks = tapes.longest().div_ceil(ROWS as u64) as usize;
        Ok(section)
    }

    fn deal_strand(&mut self, mut pieces: Pieces<'a, O>, tapes: &mut Tapes) -> Result<()> {
        let mut group = Group { from: Vertex::MAX, lane: 0, rows: ROWS };
        loop {
            let (start, first) = (pieces.clone(), self.places.len());
            for piece in pieces.by_ref().take(TASK) {
                let lane = group.lane_of(&piece, tapes);
                self.places.push(tapes.place(lane, piece.edges)?)?;
            }
            let len = self.places.len() - first;
            if len == 0 {
                return Ok(());
            }
            self.tasks.push(Task { pieces: start, first, len });
        }
    }

    /// Returns the number of chunks.
    pub(super) fn chunks(&self) -> usize {
        self.chunks
    }

    /// Returns the number of paths, before long ones are cut.
    pub(super) fn paths(&self) -> u64 {
        self.paths
    }

    /// Returns the number of edges.
    pub(super) fn edges(&self) -> u64 {
        self.edges
    }
}

/// Short pieces from the same vertex, which go to the same lane.
struct Group {
    from: Vertex,
    lane: usize,
    /// The rows that they take.
    rows: usize,
}

impl Group {
    /// Returns the lane of the next piece.
    #[inline(always)]
    fn lane_of(&mut self, piece: &Piece, tapes: &Tapes) -> usize {
        let rows = piece.edges + 1;
        if piece.from == self.from && self.rows + rows <= ROWS {
            self.rows += rows;
        } else {
            *self = Self { from: piece.from, lane: tapes.shortest(), rows };
        }
        self.lane
    }
}

/// The first free row of each lane, counted from the first chunk of the section.
struct Tapes {
    ends: [u64; LANES],
}

impl Tapes {
    /// Returns the shortest tape, the first of equal ones.
    #[inline(always)]
    fn shortest(&self) -> usize {
        // Lane in the low bits, so that one minimum decides.
        let keys = self.ends.iter().zip(0..).map(|(&end, lane)| end << 5 | lane);
        keys.min().map_or(0, |key| (key & 31) as usize)
    }

    fn longest(&self) -> u64 {
        self.ends.iter().copied().max().unwrap_or(0)
    }

    /// Appends a piece to a tape and returns its first slot.
    #[inline(always)]
    fn place(&mut self, lane: usize, edges: usize) -> Result<u32> {
        let (last, end) = (ROWS as u64 - 1, &mut self.ends[lane]);
        if *end % ROWS as u64 == last {
            *end += 1;
        }
        let (start, first) = (*end, last - *end % ROWS as u64);
        let rest = (edges as u64).saturating_sub(first);
        // A chunk holds one edge less than rows, so a vertex is there again for every chunk that the piece goes on in.
        *end += 1 + edges as u64 + rest.div_ceil(last);
        let slots = end.div_ceil(ROWS as u64) * SLOTS as u64;
        refuse_too_many(slots)?;
        Ok((start * LANES as u64 + lane as u64) as u32)
    }
}
