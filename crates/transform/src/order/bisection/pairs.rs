//! Sweeps of a small block, by one thread: pair after pair, each judged by the current gains.
//!
//! Both halves are sorted by decreasing gain at the start of the sweep and scanned together while the sum of these
//! gains is positive. For each pair the gains are computed again, the second one after the first vertex has moved. If
//! their sum is still positive, both vertices change halves; otherwise neither does, and the one with the smaller gain
//! is skipped. So no exchange raises the cost, and vertices with equal gains (two halves of the same clique) do not all
//! change halves at once, which would gain nothing.

use super::{
    SWEEPS, Work,
    block::Block,
    cost::{Costs, Sizes, sum},
    select::key,
    tables::Parts,
};
use warpgraph_core::Result;

/// The least sum of gains, in bits, for which a pair is exchanged: larger than rounding errors.
const LEAST: f32 = 1.0 / 32.0;
/// A block is done when at most one in this many vertices changes halves.
const FEW: usize = 128;

/// Sweeps until almost nothing moves. Afterwards `sides` holds the half of each vertex, and the tables hold the number
/// of members of each query in the first half.
pub(super) fn sweep(block: &mut Block<'_>, tables: Parts<'_>, work: &Work<'_>) -> Result<()> {
    let n = block.vertices.len();
    let middle = n / 2;
    block.sides[..middle].fill(0);
    block.sides[middle..].fill(1);
    let mut state = State::new(block, tables, work);
    for _ in 0..SWEEPS {
        work.check()?;
        let moved = state.exchange();
        if moved * FEW <= n {
            break;
        }
    }
    Ok(())
}

struct State<'b> {
    costs: &'b Costs,
    sizes: Sizes,
    /// The start of each row, and the end of the last.
    starts: Vec<usize>,
    rows: &'b [u32],
    degrees: &'b [u32],
    sides: &'b mut [u8],
    /// Members of each query in the first half.
    firsts: &'b mut [u32],
    /// By how much the cost of each query drops when a member leaves the first half, and the second.
    leaving: [&'b mut [f32]; 2],
}

impl<'b> State<'b> {
    fn new(block: &'b mut Block<'_>, tables: Parts<'b>, work: &'b Work<'_>) -> Self {
        let n = block.vertices.len();
        let mut starts = Vec::with_capacity(n + 1);
        let mut end = 0;
        starts.push(0);
        starts.extend(block.lengths.iter().map(|&length| {
            end += length as usize;
            end
        }));
        let (rows, degrees) = (&block.rows[..end], &block.degrees[..]);
        let Parts { firsts, leaving, .. } = tables;
        rows[..starts[n / 2]].iter().for_each(|&q| firsts[q as usize] += 1);
        let sizes = Sizes::of([n / 2, n - n / 2]);
        let mut state =
            Self { costs: &work.costs, sizes, starts, rows, degrees, sides: block.sides, firsts, leaving };
        (0..degrees.len()).for_each(|q| state.weigh(q));
        state
    }

    fn row(&self, v: usize) -> &'b [u32] {
        &self.rows[self.starts[v]..self.starts[v + 1]]
    }

    fn gain(&self, v: usize, side: u8) -> f32 {
        sum(self.row(v), self.leaving[side as usize])
    }

    /// Updates the queries of a vertex that leaves half `side` for the other.
    fn take(&mut self, v: usize, side: u8) {
        for &q in self.row(v) {
            let q = q as usize;
            self.firsts[q] = if side == 0 { self.firsts[q] - 1 } else { self.firsts[q] + 1 };
            self.weigh(q);
        }
    }

    /// Computes by how much the cost of a query drops when a member leaves either half.
    fn weigh(&mut self, q: usize) {
        let first = self.firsts[q];
        [self.leaving[0][q], self.leaving[1][q]] =
            self.costs.leaving([first, self.degrees[q] - first], self.sizes);
    }

    /// Returns the vertices of both halves by decreasing gain, as pairs of gain and vertex, without those that have no
    /// partner.
    fn candidates(&self) -> [Vec<(f32, usize)>; 2] {
        let sides = &*self.sides;
        let gains: Vec<f32> = sides.iter().enumerate().map(|(v, &side)| self.gain(v, side)).collect();
        let of = |half: u8| gains.iter().zip(sides).enumerate().filter(move |(_, (_, side))| **side == half);
        let most = |half: u8| of(half).map(|(_, (&gain, _))| gain).fold(f32::NEG_INFINITY, f32::max);
        [0, 1].map(|half| {
            let partner = most(1 - half);
            let likely = of(half).filter(|(_, (gain, _))| **gain + partner > LEAST);
            let mut keys: Vec<u64> =
                likely.map(|(v, (&gain, _))| (u64::from(!key(gain)) << 32) | v as u64).collect();
            keys.sort_unstable();
            keys.into_iter().map(|key| (gains[key as u32 as usize], key as u32 as usize)).collect()
        })
    }

    /// Runs one sweep and returns the number of vertices that changed halves.
    fn exchange(&mut self) -> usize {
        let [firsts, seconds] = self.candidates();
        let (mut i, mut j, mut moved) = (0, 0, 0);
        while let (Some(&(gain, a)), Some(&(other, b))) = (firsts.get(i), seconds.get(j)) {
            if gain + other <= LEAST {
                break;
            }
            let (gain, other) = (self.gain(a, 0), self.gain(b, 1));
            if self.exchange_pair((gain, a), (other, b)) {
                (self.sides[a], self.sides[b]) = (1, 0);
                (i, j, moved) = (i + 1, j + 1, moved + 2);
            } else if gain < other {
                i += 1;
            } else {
                j += 1;
            }
        }
        moved
    }

    /// Exchanges `a` of the first half and `b` of the second, if that lowers the cost. Returns whether it did.
    fn exchange_pair(&mut self, (gain, a): (f32, usize), (other, b): (f32, usize)) -> bool {
        if gain + other <= LEAST {
            return false;
        }
        self.take(a, 0);
        let lowers = gain + self.gain(b, 1) > LEAST;
        self.take(if lowers { b } else { a }, 1);
        lowers
    }
}
