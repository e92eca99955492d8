//! A set of vertices that several threads can change at the same time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_graph::Vertex;

/// One bit per vertex.
pub(super) struct Bits {
    words: Vec<AtomicU64>,
}

impl Bits {
    /// Creates the set of all `n` vertices, or of none.
    pub(super) fn new(n: usize, all: bool) -> Self {
        let word = if all { u64::MAX } else { 0 };
        Self { words: (0..n.div_ceil(64)).map(|_| AtomicU64::new(word)).collect() }
    }

    pub(super) fn insert_all(&self) {
        self.words.iter().for_each(|word| word.store(u64::MAX, Relaxed));
    }

    /// Adds `v` and returns whether it was missing.
    #[inline(always)]
    pub(super) fn insert(&self, v: Vertex) -> bool {
        let (word, bit) = (&self.words[v as usize / 64], 1 << (v % 64));
        // Reads first: most vertices are in the set already, and then nothing is written.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Removes `v` and returns whether it was in the set.
    #[inline(always)]
    pub(super) fn remove(&self, v: Vertex) -> bool {
        let (word, bit) = (&self.words[v as usize / 64], 1 << (v % 64));
        word.load(Relaxed) & bit != 0 && word.fetch_and(!bit, Relaxed) & bit != 0
    }

    #[inline(always)]
    pub(super) fn contains(&self, v: Vertex) -> bool {
        self.words[v as usize / 64].load(Relaxed) >> (v % 64) & 1 == 1
    }
}
