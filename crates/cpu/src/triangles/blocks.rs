//! Triangles on graphs with some degrees far above the mean: lists as words of bits, in an order of decreasing degree.
//!
//! Neighbours before a vertex in that order have more arcs, so lists are short and their numbers are small: on a
//! Graph500 graph of scale 20, a word of 64 holds 1.5 of them on average, and six where most of the work is. A list is
//! an array of (number of the word, bits) by increasing number. Triangles u > v > w are counted in two ways:
//!
//! - v in one of the first [`GROUPS`] words: by [`groups`], which expands the lists of 64 v at once;
//! - other v, which have few arcs: the list of u is expanded into a bitmap, and the words of v's list are intersected
//!   with it.

use super::{
    count::Counting,
    groups::{self, GROUPS, Groups},
    order::Order,
    rows::Head,
    slabs::{self, Slab, Slabs},
    tally::Tally,
};
use crate::{
    Recorder,
    parts::{Bitmap, BothWays, atomics},
};
use std::{ops::Range, sync::atomic::Ordering::Relaxed};
use warpgraph_core::{Direction, Result};
use warpgraph_graph::{Offset, Pages, Vertex};

/// Vertices per piece of work.
const PIECE: usize = 1 << 8;

/// Counts on any graph.
pub(super) fn count<O: Offset, I: Offset>(
    simple: &BothWays<'_, O, I>,
    tally: &impl Tally,
    counting: &Counting<'_>,
    recorder: &mut Recorder,
) -> Result<u64> {
    let n = simple.vertices();
    let order = Order::new(simple, counting)?;
    let blocks = Blocks::new(simple, &order, counting)?;
    recorder.step(n, Direction::Push, || "listed neighbours of larger degree".to_owned());
    let groups = Groups::new(&blocks, tally, counting)?;
    recorder.hold(blocks.bytes() + groups.bytes());
    recorder.step(n, Direction::Push, || "grouped lists by their words".to_owned());
    let found = groups::count(&blocks, &groups, tally, counting)? + blocks.count_rest(tally, counting)?;
    tally.restore(&order.ranks);
    recorder.step(n, Direction::Push, || "intersected lists".to_owned());
    Ok(found)
}

/// The neighbours before each vertex, by rank.
pub(super) struct Blocks {
    pub(super) heads: Pages<u64>,
    /// Numbers of the words of a bitmap.
    pub(super) words: Pages<u32>,
    /// The bits of these words.
    pub(super) bits: Pages<u64>,
}

/// The bitmap of a member, empty between two vertices, and its sum.
struct Marks {
    set: Bitmap,
    found: u64,
}

impl Blocks {
    fn bytes(&self) -> usize {
        size_of_val(&*self.heads) + size_of_val(&*self.words) + size_of_val(&*self.bits)
    }

    fn new<O: Offset, I: Offset>(
        simple: &BothWays<'_, O, I>,
        order: &Order,
        counting: &Counting<'_>,
    ) -> Result<Self> {
        let n = simple.vertices();
        let capacity = slabs::capacity(simple.max_edges(), counting.team.members());
        let mut heads = Pages::<u64>::scratch(n)?;
        let mut words = Pages::<u32>::scratch(capacity)?;
        let mut bits = Pages::<u64>::scratch(capacity)?;
        let (shared_heads, shared_words, shared_bits) =
            (atomics(&mut heads), atomics(&mut words), atomics(&mut bits));
        let slabs = Slabs::default();
        let scratch = counting.scratch(|| Ok((Slab::default(), Bitmap::empty(n)?, Vec::<u32>::new())))?;
        counting.pieces("listing neighbours", n.div_ceil(PIECE), &scratch, |(slab, set, row), piece| {
            let set = set.words_mut();
            #[allow(clippy::needless_range_loop, reason = "several arrays are written by rank")]
            for rank in piece * PIECE..n.min((piece + 1) * PIECE) {
                row.clear();
                for &v in simple.rows(order.vertices[rank]).into_iter().flatten() {
                    let before = order.ranks[v as usize] as usize;
                    if before < rank {
                        if set[before / 64] == 0 {
                            row.push((before / 64) as u32);
                        }
                        set[before / 64] |= 1 << (before % 64);
                    }
                }
                row.sort_unstable();
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

    /// Returns the range of u's list.
    #[inline(always)]
    pub(super) fn row(&self, u: usize) -> Range<usize> {
        Head(self.heads[u]).range()
    }

    /// Counts the triangles whose middle vertex is beyond the groups.
    fn count_rest(&self, tally: &impl Tally, counting: &Counting<'_>) -> Result<u64> {
        let n = self.heads.len();
        let first = n.min(64 * GROUPS);
        let scratch = counting.scratch(|| Ok(Marks { set: Bitmap::empty(n)?, found: 0 }))?;
        counting.pieces("counting triangles", (n - first).div_ceil(PIECE), &scratch, |marks, piece| {
            let start = first + piece * PIECE;
            for u in start..n.min(start + PIECE) {
                marks.found += self.count_at(u, marks.set.words_mut(), tally);
            }
        })?;
        Ok(scratch.into_all().map(|marks| marks.found).sum())
    }

    /// [`Blocks::count_rest`] for the triangles whose last vertex is `u`.
    fn count_at(&self, u: usize, set: &mut [u64], tally: &impl Tally) -> u64 {
        let row = self.row(u);
        if self.words[row.clone()].last().is_none_or(|&word| (word as usize) < GROUPS) {
            return 0;
        }
        row.clone().for_each(|i| set[self.words[i] as usize] = self.bits[i]);
        let mut found = 0;
        for i in row.clone().rev().take_while(|&i| self.words[i] as usize >= GROUPS) {
            for v in ones(self.words[i], self.bits[i]) {
                let here = meet(&self.words, &self.bits, self.row(v as usize), set, tally);
                tally.add(v, here);
                found += here;
            }
        }
        tally.add(u as Vertex, found);
        row.for_each(|i| set[self.words[i] as usize] = 0);
        found
    }
}

/// Iterates over the vertices of a word.
#[inline(always)]
pub(super) fn ones(word: u32, mut bits: u64) -> impl Iterator<Item = Vertex> {
    std::iter::from_fn(move || {
        let vertex = (bits != 0).then(|| word * 64 + bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        vertex
    })
}

/// Returns how many entries of the list at `row` are in the set, and adds each to the tally.
#[inline(always)]
pub(super) fn meet<T: Tally>(words: &[u32], bits: &[u64], row: Range<usize>, set: &[u64], tally: &T) -> u64 {
    let mut found = 0;
    for (&word, &bits) in words[row.clone()].iter().zip(&bits[row]) {
        let both = bits & set[word as usize];
        found += u64::from(both.count_ones());
        if T::NOTES {
            ones(word, both).for_each(|w| tally.add(w, 1));
        }
    }
    found
}
