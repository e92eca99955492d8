//! Stores the targets of a CSR in about half of their memory, with access to every arc by its number.
//!
//! [`BLOCK`] consecutive arcs form a block, whatever rows they belong to. A block is Elias-Fano code \[1\] of its targets,
//! or fixed-width numbers where that is smaller; [`Entry`] has the details. Both are relative to the block's base. A table
//! has one 64-bit entry per block: where the words of the block are, the base, and how to read the words. So a reader
//! loads the entry, and then everything else at once: two words of the upper bits and one or two of the lower bits.
//!
//! Measured with the table: 2.00 bytes per arc for `kron:20`, 2.18 for `kron:22`, 2.50 for `uniform:20`, 1.75 for
//! `grid:1024x1024`, 1.46 for the web graph cnr-2000 and 0.91 for its transpose. A base in front of the words takes
//! 0.125 bytes more and one more load; blocks of 64 arcs save up to 8%, but the upper bits take two 64-bit words.
//!
//! Work O(arcs) on all threads, in two passes: one finds the sizes of blocks, the other writes their words.
//!
//! \[1\] P. Elias, Efficient storage and retrieval by content and address of static files, Journal of the ACM 1974.
//! R. Fano, On the number of bits required to implement an associative memory, MIT Project MAC memorandum 61, 1971.
//! Departure: a fall from one target to the next, where a row begins, adds a power of two to all that follow.

mod block;
#[cfg(test)]
mod tests;

pub use block::{BASE_BITS, Entry, POSITION_BITS};

use crate::{
    csr::Vertex,
    error::{Error, Result},
    memory::{Buffer, Pages, Section, human_bytes},
    par,
};
use std::ops::Range;

/// Arcs per block.
pub const BLOCK: usize = 32;
/// Blocks per task of a thread.
const GROUP: usize = 1 << 10;

/// Targets in coded form; see the [module](self).
///
/// ```
/// use warpgraph_graph::{Control, coded::Coded, generate::Spec};
/// let graph = "kron:10".parse::<Spec>()?.generate(&Control::new())?;
/// let targets = graph.out().csr.targets();
/// let coded = Coded::of(targets)?;
/// assert_eq!(coded.get(1000), targets[1000]);
/// assert!(coded.bytes() < targets.bytes() / 2);
/// # Ok::<(), warpgraph_graph::Error>(())
/// ```
#[derive(Debug)]
pub struct Coded {
    entries: Pages<u64>,
    words: Pages<u32>,
    arcs: usize,
    shift: u32,
}

impl Coded {
    /// Encodes the targets of all arcs. Rows need not be sorted, but each fall from one target to the next takes space.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if memory is short, or if the words are more than [`POSITION_BITS`] can count.
    pub fn of(targets: &[Vertex]) -> Result<Self> {
        let shift = shift_of(targets);
        let mut entries = Pages::<u64>::scratch(targets.len().div_ceil(BLOCK))?;
        par::chunks_mut(&mut entries, GROUP, |group, entries| {
            for (entry, block) in entries.iter_mut().zip(blocks(targets, group)) {
                *entry = Entry::of(block, shift).bits();
            }
        });
        let starts = starts(&entries, targets.len())?;
        let mut words = Pages::<u32>::scratch(starts[starts.len() - 1])?;
        let mut sections = words.sections(&starts);
        // The last section is the word behind all blocks.
        if let Some(mut last) = sections.pop() {
            last.fill(0);
        }
        let tasks = sections.into_iter().zip(entries.chunks_mut(GROUP)).collect();
        par::consume_each(tasks, |group, (mut words, entries): (Section<'_, u32>, &mut [u64])| {
            let mut done = 0;
            for (entry, block) in entries.iter_mut().zip(blocks(targets, group)) {
                let shape = Entry::from_bits(*entry);
                let len = shape.words(block.len());
                shape.encode(block, shift, &mut words[done..done + len]);
                *entry = shape.at((starts[group] + done) as u64).bits();
                done += len;
            }
        });
        Ok(Self { entries, words, arcs: targets.len(), shift })
    }

    /// Returns the entries of all blocks, as [`Entry::bits`].
    pub fn entries(&self) -> &[u64] {
        &self.entries
    }

    /// Returns the words of all blocks, and one word more, which a reader may load but does not use.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns the words, one more than the blocks take, without the entries.
    pub fn into_words(self) -> Buffer<u32> {
        self.words.into()
    }

    /// Returns the number of arcs.
    pub fn arcs(&self) -> usize {
        self.arcs
    }

    /// Returns by how many bits the base of an entry is shifted to the right.
    pub fn shift(&self) -> u32 {
        self.shift
    }

    /// Returns the size of entries and words in bytes.
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.entries()) + size_of_val(self.words())) as u64
    }

    /// Returns the positions of a block's words. Panics if there is no such block.
    pub fn words_of(&self, block: usize) -> Range<usize> {
        let entry = Entry::from_bits(self.entries[block]);
        let start = entry.position() as usize;
        start..start + entry.words(self.block_len(block))
    }

    /// Returns the target of an arc. Panics if there is no such arc.
    pub fn get(&self, arc: usize) -> Vertex {
        assert!(arc < self.arcs, "arc {arc} of {}", self.arcs);
        let block = arc / BLOCK;
        let words = &self.words[self.words_of(block)];
        Entry::from_bits(self.entries[block]).get(words, self.shift, arc % BLOCK)
    }

    /// Writes the targets of the arcs from number `first` on. Panics if there are fewer than `targets` has room for.
    pub fn decode_into(&self, first: usize, targets: &mut [Vertex]) {
        assert!(first + targets.len() <= self.arcs, "arcs from {first} of {}", self.arcs);
        let mut at = first;
        let mut left = targets;
        let mut decoded = [0; BLOCK];
        while !left.is_empty() {
            let (block, skipped) = (at / BLOCK, at % BLOCK);
            let whole = &mut decoded[..self.block_len(block)];
            let words = &self.words[self.words_of(block)];
            Entry::from_bits(self.entries[block]).decode(words, self.shift, whole);
            let len = left.len().min(whole.len() - skipped);
            let (now, later) = left.split_at_mut(len);
            now.copy_from_slice(&whole[skipped..skipped + len]);
            (at, left) = (at + len, later);
        }
    }

    /// Returns the number of arcs of a block.
    fn block_len(&self, block: usize) -> usize {
        BLOCK.min(self.arcs - block * BLOCK)
    }
}

/// Returns what [`Coded::bytes`] would be for these targets, without encoding them.
pub fn coded_bytes(targets: &[Vertex]) -> u64 {
    let shift = shift_of(targets);
    let count = targets.len().div_ceil(BLOCK);
    let words = par::sum(count, GROUP, |range| {
        let arcs = range.start * BLOCK..targets.len().min(range.end * BLOCK);
        targets[arcs].chunks(BLOCK).map(|block| Entry::of(block, shift).words(block.len()) as u64).sum()
    });
    8 * count as u64 + 4 * (words + 1)
}

/// Returns the least shift by which all bases fit into an entry.
fn shift_of(targets: &[Vertex]) -> u32 {
    let greatest = |range: Range<usize>| targets[range].iter().copied().max().unwrap_or(0);
    let greatest = par::reduce(targets.len(), par::FINE, greatest, Vertex::max).unwrap_or(0);
    (Vertex::BITS - greatest.leading_zeros()).saturating_sub(BASE_BITS)
}

/// Returns the blocks of a group.
fn blocks(targets: &[Vertex], group: usize) -> impl Iterator<Item = &[Vertex]> {
    targets[group * GROUP * BLOCK..].chunks(BLOCK).take(GROUP)
}

/// Returns where the words of each group begin, where those of the last group end, and the number of all words.
fn starts(entries: &[u64], arcs: usize) -> Result<Vec<usize>> {
    let sizes = par::map(entries.len().div_ceil(GROUP), |group| {
        let first = group * GROUP;
        let size =
            |(i, &entry): (usize, &u64)| Entry::from_bits(entry).words(BLOCK.min(arcs - (first + i) * BLOCK));
        entries[first..entries.len().min(first + GROUP)].iter().enumerate().map(size).sum::<usize>()
    });
    let mut starts = vec![0];
    let mut total = 0;
    for size in sizes {
        total += size;
        starts.push(total);
    }
    starts.push(total + 1);
    if total as u64 >= 1 << POSITION_BITS {
        return Err(Error::TooLarge {
            what: format!("coding {arcs} arcs"),
            needed: human_bytes(4 * total as u64),
            limit: human_bytes(4 << POSITION_BITS),
            help: "use the targets as they are".to_owned(),
        });
    }
    Ok(starts)
}
