//! Triangles on graphs with similar degrees: lists of the neighbours with smaller numbers.
//!
//! The neighbours v before u are marked in a bitmap, and every entry of the lists of those v is looked up there. Nearly
//! all lookups find nothing, so they first use a small bitmap of hashes that stays in the L1 cache. Lists are scattered
//! in memory, so they are prefetched a few v ahead.

use super::{
    count::Counting,
    rows::{Head, Heads},
    slabs::{self, Slab, Slabs},
    tally::Tally,
};
use crate::{
    Recorder,
    parts::{Bitmap, BothWays, atomics, prefetch},
};
use std::sync::atomic::Ordering::Relaxed;
use warpgraph_core::{Direction, Result};
use warpgraph_graph::{Offset, Pages, Vertex};

/// Vertices per piece of work.
const PIECE: usize = 1 << 9;
/// Bits of the small bitmap.
const SMALL: usize = 1 << 15;
/// How many lists ahead are prefetched.
const AHEAD: usize = 8;

/// Counts on any graph. The largest degree bounds the work per edge.
pub(super) fn count<O: Offset, I: Offset>(
    simple: &BothWays<'_, O, I>,
    tally: &impl Tally,
    counting: &Counting<'_>,
    recorder: &mut Recorder,
) -> Result<u64> {
    let n = simple.vertices();
    let lists = Lists::new(simple, counting)?;
    recorder.hold(size_of_val(&*lists.heads) + size_of_val(&*lists.entries));
    recorder.step(n, Direction::Push, || "listed neighbours of smaller number".to_owned());
    let scratch = counting.scratch(|| Marks::new(n))?;
    counting.pieces("counting triangles", n.div_ceil(PIECE), &scratch, |marks, piece| {
        for u in piece * PIECE..n.min((piece + 1) * PIECE) {
            marks.found += lists.count_at(u as Vertex, marks, tally);
        }
    })?;
    recorder.step(n, Direction::Push, || "intersected lists".to_owned());
    Ok(scratch.into_all().map(|marks| marks.found).sum())
}

/// The neighbours before each vertex.
struct Lists {
    heads: Pages<u64>,
    entries: Pages<Vertex>,
}

impl Lists {
    fn new<O: Offset, I: Offset>(simple: &BothWays<'_, O, I>, counting: &Counting<'_>) -> Result<Self> {
        let n = simple.vertices();
        let mut heads = Pages::<u64>::scratch(n)?;
        let mut entries =
            Pages::<Vertex>::scratch(slabs::capacity(simple.max_edges(), counting.team.members()))?;
        let (shared_heads, shared) = (atomics(&mut heads), atomics(&mut entries));
        let slabs = Slabs::default();
        let scratch = counting.scratch(|| Ok((Slab::default(), Vec::new())))?;
        counting.pieces("listing neighbours", n.div_ceil(PIECE), &scratch, |(slab, row), piece| {
            #[allow(clippy::needless_range_loop, reason = "several arrays are written by vertex")]
            for u in piece * PIECE..n.min((piece + 1) * PIECE) {
                row.clear();
                simple.below(u as Vertex, u as Vertex, |v| row.push(v));
                let start = slabs.place(slab, row.len());
                let cells = &shared[start..start + row.len()];
                cells.iter().zip(row.iter()).for_each(|(cell, &v)| cell.store(v, Relaxed));
                shared_heads[u].store(Head::new(start, row.len()).0, Relaxed);
            }
        })?;
        Ok(Self { heads, entries })
    }

    /// Counts the triangles whose largest vertex is `u`.
    #[inline]
    fn count_at(&self, u: Vertex, marks: &mut Marks, tally: &impl Tally) -> u64 {
        let heads = Heads(&self.heads);
        let before = &self.entries[heads.of(u).range()];
        if before.len() < 2 {
            return 0;
        }
        before.iter().for_each(|&v| marks.set(v));
        let mut found = 0;
        for (i, &v) in before.iter().enumerate() {
            if let Some(&next) = before.get(i + AHEAD) {
                prefetch(&self.entries, heads.of(next).range().start);
            }
            let here = marks.among(&self.entries[heads.of(v).range()], tally);
            if here > 0 {
                tally.add(v, here);
            }
            found += here;
        }
        if found > 0 {
            tally.add(u, found);
        }
        before.iter().for_each(|&v| marks.unset(v));
        found
    }
}

/// The marks of a member.
struct Marks {
    /// The marked vertices.
    all: Bitmap,
    /// The same by hash: a vertex whose bit is 0 is not marked.
    small: Box<[u64; SMALL / 64]>,
    /// Triangles found so far.
    found: u64,
}

impl Marks {
    fn new(vertices: usize) -> Result<Self> {
        Ok(Self { all: Bitmap::empty(vertices)?, small: Box::new([0; SMALL / 64]), found: 0 })
    }

    #[inline(always)]
    fn set(&mut self, v: Vertex) {
        self.all.insert(v);
        self.small[v as usize % SMALL / 64] |= 1 << (v % 64);
    }

    /// Removes a mark, and with it all others of its hash: all marks are removed together.
    #[inline(always)]
    fn unset(&mut self, v: Vertex) {
        self.all.remove(v);
        self.small[v as usize % SMALL / 64] = 0;
    }

    /// Returns how many of these are marked, and adds each to the tally.
    #[inline(always)]
    fn among(&self, list: &[Vertex], tally: &impl Tally) -> u64 {
        let mut found = 0;
        for &w in list {
            let maybe = self.small[w as usize % SMALL / 64] >> (w % 64) & 1 != 0;
            if maybe && self.all.contains(w) {
                tally.add(w, 1);
                found += 1;
            }
        }
        found
    }
}
