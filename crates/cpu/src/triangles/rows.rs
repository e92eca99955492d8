//! Rows one behind the other in any order, found by their heads.

use warpgraph_graph::Vertex;

/// Bits of a head that hold the length of a row.
const LEN_BITS: u32 = 26;

/// Where a row starts and how long it is, in one word: one load finds a row.
///
/// 38 bits count 2^38 entries, a terabyte of them; a row of 2^26 would need as many neighbours before each of its
/// vertices in a list, and more vertices than there are numbers in a row of blocks.
#[derive(Clone, Copy)]
pub(super) struct Head(pub(super) u64);

impl Head {
    /// # Panics
    /// When it does not fit.
    pub(super) fn new(start: usize, len: usize) -> Self {
        assert!(start >> (64 - LEN_BITS) == 0 && len >> LEN_BITS == 0, "a row of {len} at {start}");
        Self((start as u64) << LEN_BITS | len as u64)
    }

    /// The places of its entries.
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
