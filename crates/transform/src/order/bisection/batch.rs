//! Sweeps of a large block, by all threads. A sweep exchanges many pairs at once, and fewer where that would raise the
//! cost.
//!
//! A sweep computes the gains of all vertices and the number of pairs whose gains have a positive sum, and exchanges
//! these pairs. If the cost does not drop, because too many vertices moved, the half with the smaller gains moves back,
//! and so on. If the cost never drops, nothing moves and the block is done.
//!
//! Members of queries are counted once and then updated as vertices move: in one table per thread where queries have
//! many members, by one thread where they have few.

use super::{
    SWEEPS, Work,
    block::{Block, Cut, cuts, each, sections},
    cost::{Sizes, sum},
    select::{Bound, Gains, half_before},
    tables::Parts,
};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};
use warpgraph_core::Result;

/// Queries per partial sum of the cost, independent of the number of threads.
const RUN: usize = 1 << 12;
/// The share of the cost that a sweep must save for another one to follow.
const LEAST: f64 = 5e-4;
/// A block is done only if the pairs exchanged are fewer than one per this many vertices.
const FEW: usize = 16;
/// How many times the number of pairs is halved before the sweep gives up.
const TRIES: usize = 4;
/// Marks a vertex that changed halves in this sweep.
const MOVED: u8 = 2;

/// Sweeps until a sweep saves almost nothing. Afterwards `sides` holds the half of each vertex, and the tables hold the
/// number of members of each query in the first half.
pub(super) fn sweep(block: &mut Block<'_>, tables: Parts<'_>, work: &Work<'_>) -> Result<()> {
    let n = block.vertices.len();
    let middle = n / 2;
    block.sides[..middle].fill(0);
    block.sides[middle..].fill(1);
    let mut state = State::new(block, tables, work);
    state.count(|_, _, side| i32::from(*side == 0))?;
    let mut cost = state.weigh()?;
    for _ in 0..SWEEPS {
        let (lower, pairs) = state.exchange(cost)?;
        let saved = cost - lower;
        cost = lower;
        // Halves that are alike separate slowly at first: many vertices move and little is saved.
        if saved < LEAST * cost && pairs * FEW < n {
            break;
        }
    }
    state.sides.par_iter_mut().with_min_len(RUN).for_each(|side| *side &= 1);
    Ok(())
}

struct State<'b> {
    work: &'b Work<'b>,
    sizes: Sizes,
    cuts: Vec<Cut>,
    lengths: &'b [u32],
    rows: &'b [u32],
    degrees: &'b [u32],
    sides: &'b mut [u8],
    /// The gain of every vertex, for the halves at the start of the sweep.
    gains: &'b mut [f32],
    /// Members of each query in the first half.
    firsts: &'b mut [u32],
    /// By how much the cost of each query drops when a member leaves the first half, and the second.
    leaving: [&'b mut [f32]; 2],
    /// One table of members per thread; empty if one thread counts for all.
    counts: &'b mut [u32],
}

impl<'b> State<'b> {
    fn new(block: &'b mut Block<'_>, tables: Parts<'b>, work: &'b Work<'_>) -> Self {
        let n = block.vertices.len();
        Self {
            work,
            sizes: Sizes::of([n / 2, n - n / 2]),
            cuts: cuts(block.lengths),
            lengths: block.lengths,
            rows: block.rows,
            degrees: &block.degrees,
            sides: block.sides,
            gains: bytemuck::cast_slice_mut(block.scratch),
            firsts: tables.firsts,
            leaving: tables.leaving,
            counts: tables.more,
        }
    }

    /// Runs one sweep. Returns the cost after it, never more than before, and the number of pairs exchanged.
    fn exchange(&mut self, cost: f64) -> Result<(f64, usize)> {
        self.find_gains();
        self.work.check()?;
        let mut pairs = self.by_gain().pairs();
        for _ in 0..TRIES {
            if pairs == 0 {
                break;
            }
            let bounds = self.by_gain().bounds(pairs);
            self.settle(bounds)?;
            let after = self.weigh()?;
            if after < cost {
                return Ok((after, pairs));
            }
            pairs /= 2;
        }
        self.settle([Bound::NONE; 2])?;
        Ok((cost, 0))
    }

    fn by_gain(&self) -> Gains<'_> {
        Gains { gains: self.gains, sides: self.sides }
    }

    /// Computes the gain of every vertex and clears the marks of moved vertices.
    fn find_gains(&mut self) {
        let (lengths, rows, leaving, control) = (self.lengths, self.rows, &self.leaving, self.work.control);
        let sections = sections(self.gains, &self.cuts).into_iter().zip(sections(self.sides, &self.cuts));
        each(self.cuts.iter().zip(sections).collect(), |(cut, (gains, sides))| {
            if control.should_stop() {
                return;
            }
            let mut vertices = gains.iter_mut().zip(sides);
            cut.for_each(lengths, rows, |_, row| {
                if let Some((gain, side)) = vertices.next() {
                    *side &= 1;
                    *gain = sum(row, leaving[*side as usize]);
                }
            });
        });
    }

    /// Moves exactly the vertices within the bounds: those moved earlier that are not within them move back.
    fn settle(&mut self, bounds: [Bound; 2]) -> Result<()> {
        self.count(|v, gain, side| {
            let moves = bounds[half_before(*side)].contains(gain, v);
            if moves == (*side & MOVED != 0) {
                return 0;
            }
            *side ^= MOVED | 1;
            if *side & 1 == 0 { 1 } else { -1 }
        })
    }

    /// Updates the numbers of members. `change` gets every vertex with its gain and side, and returns +1 if the vertex
    /// joins the first half, -1 if it leaves it, else 0.
    fn count(&mut self, change: impl Fn(usize, f32, &mut u8) -> i32 + Sync) -> Result<()> {
        let (lengths, rows, gains, control) = (self.lengths, self.rows, &*self.gains, self.work.control);
        let jobs = Mutex::new(self.cuts.iter().zip(sections(self.sides, &self.cuts)));
        let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let count_some = |table: &mut [u32]| {
            while let Some((cut, sides)) = next().filter(|_| !control.should_stop()) {
                let mut sides = sides.iter_mut();
                cut.for_each(lengths, rows, |v, row| {
                    let joins = sides.next().map_or(0, |side| change(v, gains[v], side));
                    if joins != 0 {
                        row.iter()
                            .for_each(|&q| table[q as usize] = table[q as usize].wrapping_add_signed(joins));
                    }
                });
            }
        };
        let (counts, queries) = (&mut *self.counts, self.degrees.len());
        if counts.is_empty() {
            count_some(self.firsts);
        } else {
            counts.par_chunks_mut(queries).with_max_len(1).for_each(|table| {
                table.fill(0);
                count_some(table);
            });
            add_up(self.firsts, counts);
        }
        self.work.check()
    }

    /// Computes the cost of the halves, and for every query by how much the cost drops when a member leaves.
    fn weigh(&mut self) -> Result<f64> {
        let (costs, sizes) = (&self.work.costs, self.sizes);
        let [one, other] = &mut self.leaving;
        let leaving = one.par_chunks_mut(RUN).zip(other.par_chunks_mut(RUN));
        let degrees = self.firsts.par_chunks(RUN).zip(self.degrees.par_chunks(RUN));
        let runs: Vec<f64> = leaving
            .zip(degrees)
            .map(|((one, other), (firsts, degrees))| {
                let mut cost = 0.0;
                let leaving = one.iter_mut().zip(other);
                for ((one, other), (&first, &all)) in leaving.zip(firsts.iter().zip(degrees)) {
                    let halves = [first, all - first];
                    [*one, *other] = costs.leaving(halves, sizes);
                    cost += costs.of(halves, sizes);
                }
                cost
            })
            .collect();
        self.work.check()?;
        Ok(runs.iter().sum())
    }
}

/// Adds consecutive tables to `sums`.
fn add_up(sums: &mut [u32], tables: &[u32]) {
    let queries = sums.len();
    sums.par_iter_mut().enumerate().with_min_len(RUN).for_each(|(q, sum)| {
        let counts = tables.iter().skip(q).step_by(queries);
        *sum = counts.fold(*sum, |sum, &count| sum.wrapping_add(count));
    });
}

/// Returns the number of tables for counting members: one per thread, together at most an eighth of the rows; or 0.
pub(super) fn tables(entries: usize, queries: usize) -> usize {
    let tables = (entries / (8 * queries.max(1))).min(rayon::current_num_threads());
    if tables > 1 { tables } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::bisection::tests::{Arrays, planted};
    use warpgraph_graph::Control;

    #[test]
    fn moved_vertices_move_back_in_steps_or_at_once() {
        let (lists, control) = (planted(5), Control::new());
        let work = Work::new(lists.len(), &control);
        let (mut arrays, degrees) = Arrays::new(&lists);
        let mut block = arrays.block(degrees);
        for (v, side) in block.sides.iter_mut().enumerate() {
            *side = u8::from(v >= lists.len() / 2);
        }
        for more in [0, 3] {
            let mut tables = work.shelf.take(block.degrees.len(), more).unwrap();
            let mut state = State::new(&mut block, tables.parts(more), &work);
            state.count(|_, _, side| i32::from(*side == 0)).unwrap();
            let before = (state.sides.to_vec(), state.firsts.to_vec());
            let cost = state.weigh().unwrap();
            state.find_gains();
            for pairs in [17, 9, 3] {
                let bounds = state.by_gain().bounds(pairs);
                state.settle(bounds).unwrap();
                assert_eq!(state.sides.iter().filter(|&&side| side & MOVED != 0).count(), 2 * pairs);
                assert_ne!(state.firsts[..], before.1[..]);
            }
            state.settle([Bound::NONE; 2]).unwrap();
            assert_eq!((&state.sides[..], &state.firsts[..]), (&before.0[..], &before.1[..]));
            assert_eq!(state.weigh().unwrap(), cost);
            // No cost is below this one, so every try is undone.
            assert_eq!(state.exchange(f64::NEG_INFINITY).unwrap(), (f64::NEG_INFINITY, 0));
            assert_eq!((&state.sides[..], &state.firsts[..]), (&before.0[..], &before.1[..]));
        }
    }
}
