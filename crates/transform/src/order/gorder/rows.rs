//! The out-neighbours, as ranks, of every vertex that is not a hub. Placed ones are dropped one after the other.

use super::{DURING, changes::Change};
use warpgraph_graph::{Control, Csr, Pages, Result, Vertex};

/// Bits of a span that hold the length of its row: a row of a vertex that is not a hub has at most sqrt(2^32) - 1
/// entries.
const LENGTH: u32 = 16;

/// Vertices processed between two checks of the control.
const PATIENCE: Vertex = 1 << 16;

/// Rows that become shorter.
pub(super) struct Rows {
    /// The start of each row, above its length; hubs have length 0.
    spans: Pages<u64>,
    ranks: Pages<Vertex>,
}

impl Rows {
    /// Copies all rows of at most sqrt(n) arcs, without parallel arcs.
    pub(super) fn new(out: &Csr, ranks: &[Vertex], control: &Control) -> Result<Self> {
        let n = ranks.len();
        let is_hub = |v: Vertex| out.degree(v) > n.isqrt();
        let lengths = (0..n as Vertex).filter(|&v| !is_hub(v)).map(|v| out.degree(v));
        let mut rows = Self { spans: Pages::zeroed(n)?, ranks: Pages::scratch(lengths.sum())? };
        let mut end = 0;
        for v in 0..n as Vertex {
            if v.is_multiple_of(PATIENCE) {
                control.check(DURING)?;
            }
            let (start, row) = (end, if is_hub(v) { &[] } else { out.neighbors(v) });
            for same in row.chunk_by(|a, b| a == b) {
                rows.ranks[end] = ranks[same[0] as usize];
                end += 1;
            }
            rows.spans[v as usize] = (start as u64) << LENGTH | (end - start) as u64;
        }
        Ok(rows)
    }

    /// Returns the number of arcs in all rows, including parallel ones.
    pub(super) fn arcs(&self) -> u64 {
        self.ranks.len() as u64
    }

    #[inline(always)]
    fn span(&self, v: Vertex) -> (usize, usize) {
        let span = self.spans[v as usize];
        ((span >> LENGTH) as usize, (span & ((1 << LENGTH) - 1)) as usize)
    }

    /// Returns the ranks in the row of `v`.
    #[inline(always)]
    pub(super) fn of(&mut self, v: Vertex) -> &mut [Vertex] {
        let (start, length) = self.span(v);
        &mut self.ranks[start..start + length]
    }

    /// Keeps the first `left` entries of the row of `v`.
    #[inline(always)]
    pub(super) fn shorten(&mut self, v: Vertex, left: usize) {
        let (start, _) = self.span(v);
        self.spans[v as usize] = (start as u64) << LENGTH | left as u64;
    }

    /// Reads the starts of a few rows, so that the processor requests all of them from memory at once.
    #[inline(always)]
    pub(super) fn touch(&self, group: &[(Change, Vertex)]) {
        let first = |&(_, v): &(Change, Vertex)| self.ranks.get(self.span(v).0).copied().unwrap_or(0);
        std::hint::black_box(group.iter().map(first).fold(0, |a, b| a ^ b));
    }
}
