//! A set of vertices, one bit each.

use warpgraph_core::Result;
use warpgraph_graph::{Pages, Vertex};

/// The set.
pub(crate) struct Marks(Pages<u64>);

impl Marks {
    /// Creates the empty set for `n` vertices.
    pub(crate) fn none(n: usize) -> Result<Self> {
        Ok(Self(Pages::zeroed(n.div_ceil(64))?))
    }

    /// Returns whether `v` is in the set.
    #[inline(always)]
    pub(crate) fn has(&self, v: Vertex) -> bool {
        self.0[v as usize / 64] >> (v % 64) & 1 == 1
    }

    /// Adds `v` and returns whether it was missing.
    #[inline(always)]
    pub(crate) fn insert(&mut self, v: Vertex) -> bool {
        let (word, bit) = (&mut self.0[v as usize / 64], 1u64 << (v % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}
