//! The arrays of a run: few, since allocating one takes as long as a small sweep.

use super::{
    PullArgs,
    sweeps::{CHUNK, MEDIUM, WORDS},
};
use crate::{edges::hot::PAGE, machine::Machine, memory::Extent};
use bytemuck::Zeroable;
use warpgraph_core::Result;
use warpgraph_device::{Address, Array};
use warpgraph_graph::Graph;

/// The arrays of a run.
pub(super) struct State {
    /// Two arrays of 32 bits per vertex, or one of 64.
    shares: Array<u64>,
    /// Ranks at the end; before that, 64-bit shares.
    pub(super) ranks: Array<f64>,
    pub(super) words: Array<u64>,
    /// The lists that [`Parts`] describes.
    lists: Array<u64>,
    parts: Parts,
}

/// The lengths of the lists of rows, in the order in which they lie.
#[derive(Clone, Copy)]
struct Parts {
    /// 64 bits per entry.
    chunks: u64,
    gathered: u64,
    /// 32 bits per entry.
    missing: u64,
    huge: u64,
    warp_rows: u64,
    rows: u64,
    /// Pages of arcs.
    pages: u64,
}

impl Parts {
    /// Returns the greatest possible lengths: a row of a class has more arcs than the class before takes.
    fn of(graph: &dyn Extent) -> Self {
        let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
        let (chunk, medium) = (u64::from(CHUNK), u64::from(MEDIUM));
        let huge = m / chunk;
        let pages = m.div_ceil(PAGE as u64).max(1);
        Self { chunks: 2 * huge, gathered: huge, missing: huge, huge, warp_rows: m / medium, rows: n, pages }
    }

    fn words(self) -> u64 {
        let halves = self.missing + self.huge + self.warp_rows + self.rows;
        // Sweeps by pages keep three words per page there instead.
        (self.chunks + self.gathered + halves.div_ceil(2)).max(3 * (self.pages + 1))
    }
}

impl State {
    pub(super) fn new(machine: &Machine<'_>, graph: &Graph) -> Result<Self> {
        let (n, parts) = (graph.vertices(), Parts::of(graph));
        Ok(Self {
            shares: machine.array(n, "shares")?,
            ranks: machine.array(n, "ranks")?,
            words: machine.zeros(WORDS, "sums")?,
            lists: machine.array(parts.words() as usize, "lists of rows")?,
            parts,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.shares.bytes() + self.ranks.bytes() + self.words.bytes() + self.lists.bytes()
    }

    /// Returns the address of 32-bit shares before or after a sweep.
    pub(super) fn coarse(&self, which: u64) -> Address<()> {
        Address::new(self.shares.address().raw() + 4 * which * self.shares.len() as u64)
    }

    /// Returns the address of 64-bit shares before or after a sweep. The first array lies where ranks will be.
    pub(super) fn fine(&self, which: u64) -> Address<()> {
        if which == 0 { self.ranks.address().cast() } else { self.shares.address().cast() }
    }

    /// Returns the addresses of all arrays.
    pub(super) fn args(&self) -> PullArgs {
        let Parts { chunks, gathered, missing, huge, warp_rows, .. } = self.parts;
        let chunks_at = self.lists.address().raw();
        let gathered_at = chunks_at + 8 * chunks;
        let missing_at = gathered_at + 8 * gathered;
        let huge_at = missing_at + 4 * missing;
        let warp_rows_at = huge_at + 4 * huge;
        PullArgs {
            ranks: self.ranks.address(),
            words: self.words.address(),
            chunks: Address::new(chunks_at),
            gathered: Address::new(gathered_at),
            missing: Address::new(missing_at),
            huge: Address::new(huge_at),
            warp_rows: Address::new(warp_rows_at),
            rows: Address::new(warp_rows_at + 4 * warp_rows),
            parts: Address::new(chunks_at),
            first_rows: Address::new(chunks_at + 16 * (self.parts.pages + 1)),
            ..PullArgs::zeroed()
        }
    }
}

/// Returns the most bytes of device memory that a run takes beside rows.
pub(crate) fn bytes(graph: &dyn Extent) -> u64 {
    // Shares, ranks and teleports.
    3 * 8 * graph.vertices() as u64 + 8 * (WORDS as u64 + Parts::of(graph).words())
}
