//! A set of vertices, one bit each.

use warpgraph_graph::{Pages, Result, Vertex, par};

/// The set.
pub(super) struct Set(Pages<u64>);

impl Set {
    /// Returns those of `n` vertices for which `is_in` returns true.
    pub(super) fn of(n: usize, is_in: impl Fn(Vertex) -> bool + Sync) -> Result<Self> {
        let mut words = Pages::zeroed(n.div_ceil(64))?;
        par::parts_mut(&mut words, 64, |first, part| {
            for (i, word) in part.iter_mut().enumerate() {
                let start = (first + i) * 64;
                let bit = |v: usize| u64::from(is_in(v as Vertex)) << (v % 64);
                *word = (start..n.min(start + 64)).map(bit).sum();
            }
        });
        Ok(Self(words))
    }

    /// Returns whether `v` is in the set.
    #[inline(always)]
    pub(super) fn has(&self, v: Vertex) -> bool {
        self.0[v as usize / 64] >> (v % 64) & 1 == 1
    }

    /// Returns the number of vertices in the set.
    pub(super) fn len(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}
