//! Rows stored in any order and found by their heads.

use warpgraph_graph::Vertex;

/// Bits of a head that hold the length of a row.
const LEN_BITS: u32 = 26;

/// The start and the length of a row in one word, so that one load finds a row.
///
/// 38 bits address 2^38 entries, a terabyte. A row of 2^26 entries cannot occur: `lists` is used only if the largest
/// degree is at most 16 times the mean, so the graph would have 2^48 arcs; and `blocks` has at most 2^32 / 64 = 2^26
/// words.
#[derive(Clone, Copy)]
pub(super) struct Head(pub(super) u64);

impl Head {
    /// # Panics
    /// If the row does not fit.
    pub(super) fn new(start: usize, len: usize) -> Self {
        assert!(start >> (64 - LEN_BITS) == 0 && len >> LEN_BITS == 0, "a row of {len} at {start}");
        Self((start as u64) << LEN_BITS | len as u64)
    }

    /// Returns the range of its entries.
    #[inline(always)]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        let start = (self.0 >> LEN_BITS) as usize;
        start..start + (self.0 & ((1 << LEN_BITS) - 1)) as usize
    }
}

/// The heads of all vertices.
#[derive(Clone, Copy)]
pub(super) struct Heads<'a>(pub(super) &'a [u64]);

impl Heads<'_> {
    #[inline(always)]
    pub(super) fn of(self, v: Vertex) -> Head {
        Head(self.0[v as usize])
    }
}
