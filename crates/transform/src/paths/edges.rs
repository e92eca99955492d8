//! The edges of a part that no path has yet.
//!
//! Every row has a cursor: all arcs before it are taken. [`EveryArc`] needs nothing else, because an arc is only taken from
//! the row that holds it. [`EveryEdge`] also knows the other arc of every edge, because an edge is taken from either end; if
//! the greater end is in another part, a chain of arcs leads to its edges in this part. Arcs are counted from the first one
//! of the part.

use std::ops::Range;
use warpgraph_graph::{Error, Offset, Pages, Result, Vertex, View};

/// The edges that are left.
pub(super) trait Edges {
    /// Takes an edge of `v` that is left. Returns its other end and its arc, the one in the row of the smaller end if the
    /// edge is undirected and lies on one path.
    fn take(&mut self, v: Vertex) -> Option<(Vertex, usize)>;

    /// Returns true if an edge of `v` is left.
    fn has_more(&mut self, v: Vertex) -> bool;
}

/// The rows of a part.
struct Rows {
    /// The first vertex, and its first arc in the graph.
    first: Vertex,
    base: usize,
    /// The arcs of every row that are left: the next one, and the end.
    left: Pages<[u32; 2]>,
}

impl Rows {
    fn of<O: Offset>(view: View<'_, O>, part: &Range<Vertex>) -> Result<Self> {
        let start = |v: Vertex| view.offsets()[v as usize].index();
        let base = start(part.start);
        refuse_too_many(start(part.end) - base)?;
        let mut left = Pages::scratch(part.len())?;
        for (row, v) in left.iter_mut().zip(part.clone()) {
            *row = [start(v) - base, start(v + 1) - base].map(|arc| arc as u32);
        }
        Ok(Self { first: part.start, base, left })
    }

    /// Returns the row of `v`; `None` if it is in another part.
    #[inline(always)]
    fn of_vertex(&mut self, v: Vertex) -> Option<&mut [u32; 2]> {
        self.left.get_mut(v.wrapping_sub(self.first) as usize)
    }
}

/// Every arc that starts in the part.
pub(super) struct EveryArc<'a> {
    rows: Rows,
    targets: &'a [Vertex],
}

impl<'a> EveryArc<'a> {
    pub(super) fn of<O: Offset>(view: View<'a, O>, part: &Range<Vertex>) -> Result<Self> {
        let rows = Rows::of(view, part)?;
        let end = view.offsets()[part.end as usize].index();
        let targets = &view.targets()[rows.base..end];
        Ok(Self { rows, targets })
    }
}

impl Edges for EveryArc<'_> {
    #[inline(always)]
    fn take(&mut self, v: Vertex) -> Option<(Vertex, usize)> {
        let [next, end] = self.rows.of_vertex(v)?;
        if next == end {
            return None;
        }
        let arc = *next as usize;
        *next += 1;
        Some((self.targets[arc], self.rows.base + arc))
    }

    #[inline(always)]
    fn has_more(&mut self, v: Vertex) -> bool {
        self.rows.of_vertex(v).is_some_and(|[next, end]| next < end)
    }
}

/// Every undirected edge that belongs to the part: its smaller end is in it.
pub(super) struct EveryEdge {
    rows: Rows,
    /// The target of every arc, and the arc back: of parallel edges, the k-th arc of one row leads back along the k-th of
    /// the other. It is the arc itself if it is a loop or leads to another part, and [`TAKEN`] if its edge is on a path or
    /// belongs to another part.
    arcs: Pages<[u32; 2]>,
    outside: Outside,
}

/// Stands for the arc back of an edge that is not left.
const TAKEN: u32 = u32::MAX;

/// The edges of the part whose greater end is in another part, by that end.
struct Outside {
    /// The first vertex behind the part.
    first: Vertex,
    /// The arc of the part to each vertex behind it that comes next; [`TAKEN`] if there is none.
    next: Pages<u32>,
    /// Where every arc starts, and the arc to the same vertex that comes after it.
    chain: Pages<[u32; 2]>,
}

impl Outside {
    /// Of a graph of `vertices`, and a part with so many arcs; without any edge.
    fn new(part: &Range<Vertex>, vertices: usize, arcs: usize) -> Result<Self> {
        let mut next = Pages::scratch(vertices - part.end as usize)?;
        next.fill(TAKEN);
        // No arc leads out of the only part.
        let arcs = if next.is_empty() { 0 } else { arcs };
        Ok(Self { first: part.end, next, chain: Pages::scratch(arcs)? })
    }

    /// Adds the arc from `u` to a vertex behind the part, in front of those that were added before.
    fn add(&mut self, u: Vertex, v: Vertex, arc: u32) {
        let next = &mut self.next[(v - self.first) as usize];
        self.chain[arc as usize] = [u, std::mem::replace(next, arc)];
    }
}

impl EveryEdge {
    pub(super) fn of<O: Offset>(view: View<'_, O>, part: &Range<Vertex>) -> Result<Self> {
        let mut rows = Rows::of(view, part)?;
        let end = view.offsets()[part.end as usize].index();
        let mut arcs = Pages::scratch(end - rows.base)?;
        // The next arc of every vertex that leads to a vertex of the part. Rows are sorted, so the arcs to a vertex are met
        // in the order in which its own row has the arcs back.
        let mut back = Pages::<u32>::scratch(part.len())?;
        for (v, (back, row)) in part.clone().zip(back.iter_mut().zip(rows.left.iter())) {
            *back = row[0] + view.neighbors(v).partition_point(|&u| u < part.start) as u32;
        }
        let mut own = 0;
        for u in part.clone() {
            for &v in view.neighbors(u) {
                let mirror = match back.get_mut(v.wrapping_sub(part.start) as usize) {
                    Some(back) => {
                        *back += 1;
                        *back - 1
                    }
                    None if u < v => own,
                    None => TAKEN,
                };
                arcs[own as usize] = [v, mirror];
                own += 1;
            }
        }
        debug_assert!(rows.left.last_mut().is_none_or(|row| row[1] == own));
        let mut outside = Outside::new(part, view.vertices(), arcs.len())?;
        for u in part.clone().rev() {
            for &v in view.neighbors(u).iter().rev() {
                own -= 1;
                if v >= part.end {
                    outside.add(u, v, own);
                }
            }
        }
        Ok(Self { rows, arcs, outside })
    }

    /// Moves the cursor of `v` to an arc that is left, and returns the arc. `None` if there is none.
    #[inline(always)]
    fn advance(&mut self, v: Vertex) -> Option<u32> {
        let Some([next, end]) = self.rows.of_vertex(v) else { return self.advance_outside(v) };
        while *next < *end && self.arcs[*next as usize][1] == TAKEN {
            *next += 1;
        }
        (*next < *end).then_some(*next)
    }

    /// Does the same for a vertex that is not in the part: the arc leads to it.
    fn advance_outside(&mut self, v: Vertex) -> Option<u32> {
        let next = self.outside.next.get_mut(v.wrapping_sub(self.outside.first) as usize)?;
        while *next != TAKEN && self.arcs[*next as usize][1] == TAKEN {
            *next = self.outside.chain[*next as usize][1];
        }
        (*next != TAKEN).then_some(*next)
    }
}

impl Edges for EveryEdge {
    #[inline(always)]
    fn take(&mut self, u: Vertex) -> Option<(Vertex, usize)> {
        let arc = self.advance(u)?;
        let [mut v, mirror] = self.arcs[arc as usize];
        if v == u && mirror == arc && u >= self.outside.first {
            v = self.outside.chain[arc as usize][0];
        }
        self.arcs[arc as usize][1] = TAKEN;
        self.arcs[mirror as usize][1] = TAKEN;
        // Rows come in the order of vertices, so the smaller arc is in the row of the smaller end.
        Some((v, self.rows.base + arc.min(mirror) as usize))
    }

    #[inline(always)]
    fn has_more(&mut self, v: Vertex) -> bool {
        self.advance(v).is_some()
    }
}

fn refuse_too_many(arcs: usize) -> Result<()> {
    if (arcs as u64) < u64::from(TAKEN) {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "a part of the paths of this graph".to_owned(),
        needed: format!("{arcs} arcs"),
        limit: "2^32-2 arcs".to_owned(),
        help: "run by supersteps (the model bsp) instead, which has no such limit".to_owned(),
    })
}
