//! Triangles where some degrees are far above the mean: lists as words of bits, in an order of falling degree.
//!
//! Neighbours before a vertex in that order have more arcs, so their lists are short, and their numbers are small: on a
//! graph of scale 20 by Graph500's generator six of them share a word of 64. A list is an array of (number of the word,
//! bits), its words in any order. The list of u is laid out in a bitmap; for every v before u, the words of v's list are
//! met with the bitmap's, and the bits that are in both are counted.

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

/// Vertices that are one piece of work; those in the middle have much.
const PIECE: usize = 1 << 6;
/// How many lists ahead are asked for.
const AHEAD: usize = 4;

/// Counts on any graph.
pub(super) fn count<O: Offset, I: Offset>(
    simple: &BothWays<'_, O, I>,
    tally: &impl Tally,
    counting: &Counting<'_>,
    recorder: &mut Recorder,
) -> Result<u64> {
    let n = simple.vertices();
    let order = super::order::Order::new(simple, counting)?;
    let blocks = Blocks::new(simple, &order, counting)?;
    recorder.step(n, Direction::Push, || "listed neighbours of larger degree".to_owned());
    let scratch = counting.scratch(|| Marks::new(n))?;
    counting.pieces("counting triangles", n.div_ceil(PIECE), &scratch, |marks, piece| {
        for u in piece * PIECE..n.min((piece + 1) * PIECE) {
            marks.found += blocks.count_at(u as Vertex, marks, tally);
        }
    })?;
    tally.restore(&order.ranks);
    recorder.step(n, Direction::Push, || "intersected lists".to_owned());
    Ok(scratch.into_all().map(|marks| marks.found).sum())
}

/// The neighbours before each vertex, by rank.
struct Blocks {
    heads: Pages<u64>,
    /// Which words of the bitmap.
    words: Pages<u32>,
    /// What is in them.
    bits: Pages<u64>,
}

/// A member's bitmap, empty between two vertices.
struct Marks {
    set: Bitmap,
    /// The vertices in it.
    before: Vec<Vertex>,
    /// Triangles found so far.
    found: u64,
}

impl Marks {
    fn new(vertices: usize) -> Result<Self> {
        Ok(Self { set: Bitmap::empty(vertices)?, before: Vec::new(), found: 0 })
    }
}

impl Blocks {
    fn new<O: Offset, I: Offset>(
        simple: &BothWays<'_, O, I>,
        order: &super::order::Order,
        counting: &Counting<'_>,
    ) -> Result<Self> {
        let n = simple.vertices();
        let capacity = slabs::capacity(simple.max_edges(), counting.team.members());
        let (mut heads, mut words, mut bits) =
            (Pages::<u64>::scratch(n)?, Pages::<u32>::scratch(capacity)?, Pages::<u64>::scratch(capacity)?);
        let (shared_heads, shared_words, shared_bits) =
            (atomics(&mut heads), atomics(&mut words), atomics(&mut bits));
        let slabs = Slabs::default();
        let scratch = counting.scratch(|| Ok((Slab::default(), Bitmap::empty(n)?, Vec::<u32>::new())))?;
        counting.pieces("listing neighbours", n.div_ceil(PIECE), &scratch, |(slab, set, row), piece| {
            let set = set.words_mut();
            for rank in piece * PIECE..n.min((piece + 1) * PIECE) {
                row.clear();
                let rows = simple.rows(order.vertices[rank]);
                for &v in rows.into_iter().flatten() {
                    let before = order.ranks[v as usize] as usize;
                    if before < rank {
                        if set[before / 64] == 0 {
                            row.push((before / 64) as u32);
                        }
                        set[before / 64] |= 1 << (before % 64);
                    }
                }
                let start = slabs.place(slab, row.len());
                for (i, &word) in row.iter().enumerate() {
                    shared_words[start + i].store(word, Relaxed);
                    shared_bits[start + i].store(std::mem::take(&mut set[word as usize]), Relaxed);
                }
                shared_heads[rank].store(Head::new(start, row.len()).0, Relaxed);
            }
        })?;
        Ok(Self { heads, words, bits })
    }

    /// The triangles whose last vertex is `u`.
    #[inline]
    fn count_at(&self, u: Vertex, marks: &mut Marks, tally: &impl Tally) -> u64 {
        let heads = Heads(&self.heads);
        let row = heads.of(u).range();
        self.lay_out(row.clone(), marks);
        let mut found = 0;
        if marks.before.len() >= 2 {
            for (i, &v) in marks.before.iter().enumerate() {
                if let Some(&next) = marks.before.get(i + AHEAD) {
                    let start = heads.of(next).range().start;
                    prefetch(&self.words, start);
                    prefetch(&self.bits, start);
                }
                let here = self.meet(heads.of(v), &marks.set, tally);
                tally.add(v, here);
                found += here;
            }
            tally.add(u, found);
        }
        self.words[row].iter().for_each(|&word| marks.set.words_mut()[word as usize] = 0);
        found
    }

    /// Puts a list into the bitmap, and its vertices one by one beside it.
    fn lay_out(&self, row: std::ops::Range<usize>, marks: &mut Marks) {
        marks.before.clear();
        for (&word, &bits) in self.words[row.clone()].iter().zip(&self.bits[row]) {
            marks.set.words_mut()[word as usize] = bits;
            let mut left = bits;
            while left != 0 {
                marks.before.push(word * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    /// How many of a list are in the set; each is added to the tally.
    #[inline(always)]
    fn meet<T: Tally>(&self, head: Head, set: &Bitmap, tally: &T) -> u64 {
        let row = head.range();
        let set = set.words();
        let mut found = 0;
        for (&word, &bits) in self.words[row.clone()].iter().zip(&self.bits[row]) {
            let mut both = bits & set[word as usize];
            found += u64::from(both.count_ones());
            while T::NOTES && both != 0 {
                tally.add(word * 64 + both.trailing_zeros(), 1);
                both &= both - 1;
            }
        }
        found
    }
}
