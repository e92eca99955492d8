//! Triangles by their middle vertex, 64 at a time.
//!
//! A group is the 64 vertices v of one word. Their lists are expanded into 64 bitmaps that stay in a near cache. Every
//! u whose list has that word is processed once: for each v in it, the words up to there, which hold all w before v,
//! are intersected with v's bitmap. So a list is read once per word, not once per neighbour, and only its first part is
//! read.

use super::{
    blocks::{Blocks, meet, ones},
    count::Counting,
    rows::Head,
    tally::Tally,
};
use crate::parts::{atomics, prefetch};
use std::{ops::Range, sync::atomic::Ordering::Relaxed};
use warpgraph_core::Result;
use warpgraph_graph::{Pages, Vertex};

/// Words that have a group. The bitmaps of the last one take 64 * 2048 words, one megabyte.
pub(super) const GROUPS: usize = 1 << 11;
/// Entries of a group per piece of work.
const PIECE: usize = 1 << 12;
/// How many entries ahead lists are prefetched.
const AHEAD: usize = 6;
/// The most pieces in which lists are sorted. Each has one counter per group.
const SORTED: usize = 64;

/// For every group, the lists that have its word.
pub(super) struct Groups {
    /// The entries of group g are `starts[g] .. starts[g + 1]`.
    starts: Vec<usize>,
    /// The first part of a list, up to the group's word.
    firsts: Pages<u64>,
    /// The vertex of the list; empty if the tally does not note vertices.
    owners: Pages<Vertex>,
}

impl Groups {
    pub(super) fn new<T: Tally>(blocks: &Blocks, _: &T, counting: &Counting<'_>) -> Result<Self> {
        let n = blocks.heads.len();
        let size = n.div_ceil(SORTED).max(1 << 10);
        let vertices = |piece: usize| piece * size..n.min((piece + 1) * size);
        let mut next = vec![[0usize; GROUPS]; n.div_ceil(size)];
        counting.team.each(&mut next, |piece, counts| {
            for u in vertices(piece) {
                near(blocks, u).for_each(|(group, _)| counts[group] += 1);
            }
        });
        let starts = starts(&mut next);
        counting.control.check("grouping lists")?;
        let mut firsts = Pages::<u64>::scratch(starts[GROUPS])?;
        let mut owners = Pages::<Vertex>::scratch(if T::NOTES { starts[GROUPS] } else { 0 })?;
        let (shared, shared_owners) = (atomics(&mut firsts), atomics(&mut owners));
        counting.team.each(&mut next, |piece, next| {
            for u in vertices(piece) {
                for (group, first) in near(blocks, u) {
                    shared[next[group]].store(first.0, Relaxed);
                    if T::NOTES {
                        shared_owners[next[group]].store(u as Vertex, Relaxed);
                    }
                    next[group] += 1;
                }
            }
        });
        Ok(Self { starts, firsts, owners })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.firsts) + size_of_val(&*self.owners)
    }

    /// Returns the pieces of work: a group, and some of its entries.
    fn pieces(&self) -> Vec<(usize, Range<usize>)> {
        let cut = |group: usize| {
            let (start, end) = (self.starts[group], self.starts[group + 1]);
            (start..end).step_by(PIECE).map(move |at| (group, at..end.min(at + PIECE)))
        };
        (0..GROUPS).flat_map(cut).collect()
    }
}

/// Returns the groups of u's list, each with the first part of the list up to it. A list of one vertex has no pairs.
fn near(blocks: &Blocks, u: usize) -> impl Iterator<Item = (usize, Head)> + '_ {
    let row = blocks.row(u);
    let alone = row.len() == 1 && blocks.bits[row.start].is_power_of_two();
    let words: &[u32] = if alone { &[] } else { &blocks.words[row.clone()] };
    let grouped = words.iter().take_while(|&&word| (word as usize) < GROUPS);
    grouped.enumerate().map(move |(i, &word)| (word as usize, Head::new(row.start, i + 1)))
}

/// Turns the counts of each piece into the first position of each, group by group. Returns the first position of each
/// group.
fn starts(counts: &mut [[usize; GROUPS]]) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0; GROUPS + 1];
    for group in 0..GROUPS {
        starts[group] = at;
        for piece in counts.iter_mut() {
            at += std::mem::replace(&mut piece[group], at);
        }
    }
    starts[GROUPS] = at;
    starts
}

/// The 64 bitmaps of a member, empty between two pieces, and its sum.
struct Tables {
    words: Pages<u64>,
    found: u64,
}

/// Counts the triangles whose middle vertex is in a group.
pub(super) fn count<T: Tally>(
    blocks: &Blocks,
    groups: &Groups,
    tally: &T,
    counting: &Counting<'_>,
) -> Result<u64> {
    let pieces = groups.pieces();
    let scratch = counting.scratch(|| Ok(Tables { words: Pages::zeroed(64 * stride(GROUPS))?, found: 0 }))?;
    counting.pieces("counting triangles", pieces.len(), &scratch, |tables, piece| {
        let (group, entries) = pieces[piece].clone();
        tables.lay_out(blocks, group, |bits| bits);
        let job = Job { blocks, groups, group, entries, tables: &tables.words, tally };
        tables.found += job.run();
        tables.lay_out(blocks, group, |_| 0);
    })?;
    Ok(scratch.into_all().map(|tables| tables.found).sum())
}

/// Returns the words from one bitmap of a group to the next: an odd number, so that equal words of different bitmaps do
/// not share cache sets.
#[inline(always)]
fn stride(group: usize) -> usize {
    (group + 1) | 1
}

impl Tables {
    /// Writes `value(bits)` to all words of the group's lists.
    fn lay_out(&mut self, blocks: &Blocks, group: usize, value: impl Fn(u64) -> u64) {
        for v in 64 * group..blocks.heads.len().min(64 * group + 64) {
            let table = &mut self.words[v % 64 * stride(group)..][..stride(group)];
            for i in blocks.row(v) {
                table[blocks.words[i] as usize] = value(blocks.bits[i]);
            }
        }
    }
}

/// A piece of work, with its bitmaps expanded.
struct Job<'a, T> {
    blocks: &'a Blocks,
    groups: &'a Groups,
    group: usize,
    entries: Range<usize>,
    tables: &'a [u64],
    tally: &'a T,
}

impl<T: Tally> Job<'_, T> {
    /// Counts with the processor's instruction for counting bits, if it has one.
    fn run(&self) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt") && std::arch::is_x86_feature_detected!("bmi1") {
            // SAFETY: the processor has both features, as just detected.
            return unsafe { self.count_with_instructions() };
        }
        self.count()
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1")]
    fn count_with_instructions(&self) -> u64 {
        self.count()
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        let Blocks { words, bits, .. } = self.blocks;
        let (firsts, stride) = (&self.groups.firsts, stride(self.group));
        let mut found = 0;
        for at in self.entries.clone() {
            if let Some(&next) = firsts.get(at + AHEAD) {
                let row = Head(next).range();
                prefetch(words, row.start);
                prefetch(bits, row.start);
                prefetch(bits, row.end - 1);
            }
            let row = Head(firsts[at]).range();
            let mut here = 0;
            for v in ones(self.group as u32, bits[row.end - 1]) {
                let table = &self.tables[v as usize % 64 * stride..][..stride];
                let both = meet(words, bits, row.clone(), table, self.tally);
                self.tally.add(v, both);
                here += both;
            }
            if T::NOTES {
                self.tally.add(self.groups.owners[at], here);
            }
            found += here;
        }
        found
    }
}
