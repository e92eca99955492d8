//! A set of small numbers, one bit each.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_graph::{atomics::atomics, par};

/// One bit per number below a length; bits at and above the length are 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    pub(crate) fn empty(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// Takes words; `None` if there are too few or too many, or if a bit beyond the length is set.
    pub(crate) fn of_words(words: Vec<u64>, len: usize) -> Option<Self> {
        let rest = len % 64;
        let is_clean = rest == 0 || words.last().is_none_or(|last| last >> rest == 0);
        (words.len() == len.div_ceil(64) && is_clean).then_some(Self { words, len })
    }

    #[inline(always)]
    pub(crate) fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 != 0
    }

    /// Adds a number. Returns true if it was not in the set.
    #[inline(always)]
    pub(crate) fn insert(&mut self, i: usize) -> bool {
        debug_assert!(i < self.len);
        let (word, bit) = (&mut self.words[i / 64], 1 << (i % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
    }

    /// Returns how many numbers are in the set before each word.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut before = 0;
        let count = |word: &u64| {
            before += word.count_ones();
            before - word.count_ones()
        };
        self.words.iter().map(count).collect()
    }

    /// Returns how many numbers of the set are smaller; `ranks` are those of the set.
    #[inline(always)]
    pub(crate) fn rank(&self, ranks: &[u32], i: usize) -> u32 {
        let below = self.words[i / 64] & ((1 << (i % 64)) - 1);
        ranks[i / 64] + below.count_ones()
    }

    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Iterates over the numbers in the set, rising.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

impl Bits {
    /// Adds all numbers of some lists, on all threads.
    pub(crate) fn insert_all<'a>(&mut self, lists: impl Iterator<Item = &'a [u32]>) {
        let (cells, alone) = (self.cells(), rayon::current_num_threads() == 1);
        for list in lists {
            par::ranges(list.len(), par::FINE, |range| {
                list[range].iter().for_each(|&i| _ = claim(cells, i as usize, alone));
            });
        }
    }

    /// Returns the words as atomics, for several threads.
    pub(crate) fn cells(&mut self) -> &[AtomicU64] {
        atomics(&mut self.words)
    }
}

/// Adds a number to a set that other threads add to as well, unless `alone`. Returns true for the one caller that added it.
#[inline(always)]
pub(crate) fn claim(words: &[AtomicU64], i: usize, alone: bool) -> bool {
    let (word, bit) = (&words[i / 64], 1u64 << (i % 64));
    let old = word.load(Relaxed);
    if old & bit != 0 {
        return false;
    }
    if alone {
        word.store(old | bit, Relaxed);
        return true;
    }
    word.fetch_or(bit, Relaxed) & bit == 0
}
