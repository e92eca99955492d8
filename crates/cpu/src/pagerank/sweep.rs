//! One sweep over all vertices, and the steps between two sweeps.

use super::{Problem, Share};
use crate::parts::{Team, balanced};
use std::{marker::PhantomData, ops::Range};
use warpgraph_graph::{Arcs, Offset, Vertex, View, Weights, par};

/// Arcs and vertices that a thread takes at a time.
const WORK: usize = 1 << 15;
/// Vertices that a thread takes at a time where it processes no arcs.
const BATCH: usize = 1 << 15;

/// The totals of a sweep.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Swept {
    /// The total change.
    change: f64,
    /// The sum of all ranks.
    sum: f64,
    /// The part of the sum at sinks.
    sunk: f64,
}

impl Swept {
    /// Returns the total change or more: a bound on what an exact sweep would still change once the sum is scaled to 1.
    /// Each rank that a vertex was computed from changed once, before or since. So the remaining error at all vertices
    /// is at most `d` times the change, plus `(f - 1) / f` times the change if ranks moved `f` times as far as they
    /// should; scaling adds the error of the sum itself.
    pub(super) fn residual(&self, damping: f64, factor: f64) -> f64 {
        let left = (damping + (factor - 1.0) / factor) * self.change;
        let off = (1.0 - damping) + damping * (self.sum - self.sunk) - self.sum;
        self.change.max(left + off.abs()) / self.sum
    }

    fn add(&mut self, other: Self) {
        self.change += other.change;
        self.sum += other.sum;
        self.sunk += other.sunk;
    }
}

/// Everything that a sweep reads.
pub(super) struct Sweeper<'a, O, I, S> {
    out: View<'a, O>,
    incoming: View<'a, I>,
    /// Weights of incoming arcs and sums of outgoing weights, if arcs are followed by weight.
    weights: &'a Weights,
    strengths: Option<&'a [f64]>,
    damping: f64,
    teleport: Option<&'a [f64]>,
    /// Whether the graph is undirected, arcs are not weighted, and teleports go anywhere.
    plain: bool,
    ranges: Vec<Range<usize>>,
    share: PhantomData<S>,
}

impl<'a, O: Offset, I: Offset, S: Share> Sweeper<'a, O, I, S> {
    pub(super) fn new(
        out: View<'a, O>,
        incoming: View<'a, I>,
        weights: &'a Weights,
        problem: &Problem<'a>,
    ) -> Self {
        let (damping, teleport, strengths) = (problem.config.damping, problem.teleport, problem.strengths);
        let ranges = balanced(incoming, WORK);
        let plain = !problem.graph.is_directed() && strengths.is_none() && teleport.is_none();
        Self { out, incoming, weights, strengths, damping, teleport, plain, ranges, share: PhantomData }
    }

    /// Returns how many shares the rank of `v` is divided into; 0 for a sink.
    #[inline(always)]
    fn scale(&self, v: Vertex) -> f64 {
        match self.strengths {
            None => self.out.degree(v) as f64,
            Some(strengths) => strengths[v as usize],
        }
    }

    /// Divides ranks into shares. No vertex reads the share of a sink, so it holds the whole rank.
    pub(super) fn spread(&self, rank: impl Fn(usize) -> f64 + Sync + Send, shares: &mut [S]) {
        par::chunks_mut(shares, BATCH, |batch, shares| {
            for (i, share) in shares.iter_mut().enumerate() {
                let v = batch * BATCH + i;
                let scale = self.scale(v as Vertex);
                *share = S::from_f64(if scale > 0.0 { rank(v) / scale } else { rank(v) });
            }
        });
    }

    /// Turns shares into ranks.
    pub(super) fn collect(&self, shares: &[S::Twin], ranks: &mut [f64]) {
        par::chunks_mut(ranks, BATCH, |batch, ranks| {
            for (i, rank) in ranks.iter_mut().enumerate() {
                let v = batch * BATCH + i;
                let scale = self.scale(v as Vertex);
                *rank = S::load(&shares[v]).to_f64() * if scale > 0.0 { scale } else { 1.0 };
            }
        });
    }

    /// Computes every share of `new` from those of `old`, moving each rank `factor` times as far as the formula says.
    /// Both may be one array: threads take ranges in increasing order, so that new shares are used as soon as possible.
    /// With two arrays, the result does not depend on the threads, to the last bit.
    pub(super) fn sweep(&self, team: &Team, old: &[S::Twin], new: &[S::Twin], factor: f64) -> Swept {
        let mut swept = vec![Swept::default(); self.ranges.len()];
        team.each(&mut swept, |piece, swept| {
            let range = self.ranges[piece].clone();
            *swept = match self.plain {
                true => self.renew::<true>(old, new, range, factor),
                false => self.renew::<false>(old, new, range, factor),
            };
        });
        let mut total = Swept::default();
        swept.into_iter().for_each(|part| total.add(part));
        total
    }

    /// Updates a range. A vertex may gather the share of the vertex just before it, so the dependency from there to the
    /// new share is short: one multiplication and one addition; everything else is ready by then. `PLAIN` means
    /// undirected, unweighted, and teleports go anywhere.
    fn renew<const PLAIN: bool>(
        &self,
        shares: &[S::Twin],
        new: &[S::Twin],
        range: Range<usize>,
        factor: f64,
    ) -> Swept {
        let uniform = factor * (1.0 - self.damping) / self.out.vertices() as f64;
        let (keep, flow, uniform) =
            (S::from_f64(1.0 - factor), S::from_f64(factor * self.damping), S::from_f64(uniform));
        let mut swept = Swept::default();
        for v in range {
            let neighbors = self.incoming.neighbors(v as Vertex);
            let scale =
                if PLAIN { S::from_degree(neighbors.len()) } else { S::from_f64(self.scale(v as Vertex)) };
            let sinks = if PLAIN { neighbors.is_empty() } else { scale == S::zeroed() };
            let whole = if sinks { S::ONE } else { scale };
            let part = S::ONE / whole;
            let teleported = match self.teleport {
                Some(teleport) if !PLAIN => S::from_f64(factor * (1.0 - self.damping) * teleport[v]),
                _ => uniform,
            };
            let old = S::load(&shares[v]);
            let (kept, gain) = (keep * old + teleported * part, flow * part);
            let gathered = if PLAIN { S::sum(shares, neighbors) } else { self.gather(shares, v as Vertex) };
            // An over-relaxed rank stops at 0 instead of becoming negative. It is then off by less than (f - 1) / f of
            // its way, as any other.
            let share = kept + gain * gathered;
            let share = if share < S::zeroed() { S::zeroed() } else { share };
            S::store(&new[v], share);
            swept.change += ((share - old).abs() * whole).to_f64();
            swept.sum += (share * whole).to_f64();
            if sinks {
                swept.sunk += share.to_f64();
            }
        }
        swept
    }

    /// Returns the sum of the shares that arrive at `v`.
    #[inline(always)]
    fn gather(&self, shares: &[S::Twin], v: Vertex) -> S {
        let neighbors = self.incoming.neighbors(v);
        if self.strengths.is_none() {
            return S::sum(shares, neighbors);
        }
        let arcs = self.incoming.arcs_of(v);
        let share = |u: &Vertex| S::load(&shares[*u as usize]).to_f64();
        let weighted = neighbors.iter().zip(arcs).map(|(u, i)| share(u) * self.weights.get(i));
        S::from_f64(weighted.sum())
    }

    /// Scales the shares to the sum that they must have. Sweeps in place do not keep the sum of ranks, and that error
    /// fades last. But the sum is known, since what does not sink flows on: `sum = (1 - d) + d * (sum - sunk)`.
    pub(super) fn balance(&self, team: &Team, shares: &[S::Twin], swept: &Swept) {
        let factor = (1.0 - swept.sunk / (1.0 - self.damping)) / (swept.sum - swept.sunk);
        if !(0.5..2.0).contains(&factor) {
            return;
        }
        let factor = S::from_f64(factor);
        let parts: Vec<&[S::Twin]> = shares.chunks(BATCH).collect();
        team.round(parts.len(), &|_, part| {
            parts[part].iter().for_each(|cell| S::store(cell, S::load(cell) * factor));
        });
    }
}

/// Returns the sum of outgoing weights of every vertex.
pub(super) fn strengths(out: &Arcs) -> Vec<f64> {
    let strength = |v: Vertex| out.csr.arcs_of(v).map(|i| out.weights.get(i)).sum();
    par::map(out.csr.vertices(), |v| strength(v as Vertex))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Options,
        parts::{atomics, team},
    };
    use warpgraph_core::pagerank::PageRank;
    use warpgraph_graph::{Graph, with_view};

    /// The far end of a path falls from 1 to almost 0, and 1.2 times as far as the formula says would be below 0.
    #[test]
    fn no_rank_falls_below_zero_however_far_it_moves() {
        let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], false).unwrap();
        let (config, options) = (PageRank { damping: 0.1, ..PageRank::default() }, Options::default());
        let problem = Problem {
            graph: &graph,
            config: &config,
            teleport: Some(&[1.0, 0.0, 0.0]),
            strengths: None,
            options: &options,
        };
        let out = graph.out();
        with_view!(out.csr, |view| {
            let sweeper = Sweeper::<_, _, f64>::new(view, view, &out.weights, &problem);
            let mut shares = vec![0.0; 3];
            sweeper.spread(|v| if v == 2 { 1.0 } else { 0.0 }, &mut shares);
            let cells = atomics(&mut shares);
            let swept = team(|team| sweeper.sweep(team, cells, cells, 1.2));
            let mut ranks = [0.0; 3];
            sweeper.collect(cells, &mut ranks);
            assert!(ranks.iter().all(|&rank| rank >= 0.0), "{ranks:?}");
            assert_eq!(ranks[2], 0.0, "it would have been below: {ranks:?}");
            assert!(swept.change >= 1.0, "{swept:?}");
        });
    }
}
