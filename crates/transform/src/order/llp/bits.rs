//! A set of vertices that threads write together.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_graph::Vertex;

/// A bit a vertex.
pub(super) struct Bits {
    words: Vec<AtomicU64>,
}

impl Bits {
    /// All of `n` vertices, or none.
    pub(super) fn new(n: usize, all: bool) -> Self {
        let word = if all { u64::MAX } else { 0 };
        Self { words: (0..n.div_ceil(64)).map(|_| AtomicU64::new(word)).collect() }
    }

    pub(super) fn insert_all(&self) {
        self.words.iter().for_each(|word| word.store(u64::MAX, Relaxed));
    }

    /// Adds `v`; was it missing?
    #[inline(always)]
    pub(super) fn insert(&self, v: Vertex) -> bool {
        let (word, bit) = (&self.words[v as usize / 64], 1 << (v % 64));
        // Looked at first: most are there already, and nothing is written.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Takes `v` out; was it there?
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
