//! One sweep over all vertices, and what is done between two of them.

use super::{Problem, Share};
use crate::parts::balanced;
use rayon::prelude::*;
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
};
use warpgraph_graph::{Offset, Vertex, View, Weights, with_weights};

/// Arcs and vertices a thread takes at a time.
const WORK: usize = 1 << 15;

/// What a sweep did.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swept {
    /// The total change.
    pub(super) change: f64,
    /// The sum of all ranks.
    pub(super) sum: f64,
    /// The part of it at sinks.
    sunk: f64,
    /// Did all shares fit their width?
    pub(super) fits: bool,
}

const NOTHING: Swept = Swept { change: 0.0, sum: 0.0, sunk: 0.0, fits: true };

impl Swept {
    fn plus(self, other: Self) -> Self {
        Self {
            change: self.change + other.change,
            sum: self.sum + other.sum,
            sunk: self.sunk + other.sunk,
            fits: self.fits && other.fits,
        }
    }
}

/// Everything a sweep reads.
pub(super) struct Sweeper<'a, O, I> {
    out: View<'a, O>,
    incoming: View<'a, I>,
    /// Weights of incoming arcs and sums of outgoing weights, if arcs are followed by weight.
    weights: &'a Weights,
    strengths: Option<&'a [f64]>,
    damping: f64,
    teleport: Option<&'a [f64]>,
    ranges: Vec<Range<usize>>,
}

impl<'a, O: Offset, I: Offset> Sweeper<'a, O, I> {
    pub(super) fn new(
        out: View<'a, O>,
        incoming: View<'a, I>,
        weights: &'a Weights,
        strengths: Option<&'a [f64]>,
        problem: &Problem<'a>,
    ) -> Self {
        let (damping, teleport) = (problem.config.damping, problem.teleport);
        Self { out, incoming, weights, strengths, damping, teleport, ranges: balanced(incoming, WORK) }
    }

    /// How many shares `v`'s rank is cut into. Nobody reads a sink's share, so it need not be right.
    #[inline(always)]
    fn scale(&self, v: Vertex) -> f64 {
        match self.strengths {
            None => self.out.degree(v) as f64,
            Some(strengths) => strengths[v as usize],
        }
    }

    /// Multiplies ranks that flow by `factor` and cuts them into shares; gives the unit the shares are in.
    pub(super) fn spread<S: Share>(&self, ranks: &[AtomicU64], shares: &[S::Twin], factor: f64) -> f64 {
        let share = |v: usize| {
            let scale = self.scale(v as Vertex);
            if scale > 0.0 { factor * load(&ranks[v]) / scale } else { 0.0 }
        };
        let all = || (0..ranks.len()).into_par_iter().with_min_len(1 << 13);
        let unit = S::unit(all().map(share).reduce(|| 0.0, f64::max).max(f64::MIN_POSITIVE));
        all().for_each(|v| {
            S::store(&shares[v], share(v) / unit);
            if factor != 1.0 && self.scale(v as Vertex) > 0.0 {
                store(&ranks[v], factor * load(&ranks[v]));
            }
        });
        unit
    }

    /// Renews every rank and its share, moving each rank `factor` times as far as the formula says. Ranges are taken in
    /// increasing order, whoever takes them, so that what was renewed is used as soon as possible.
    pub(super) fn sweep<S: Share>(
        &self,
        ranks: &[AtomicU64],
        shares: &[S::Twin],
        unit: f64,
        factor: f64,
    ) -> Swept {
        let next = AtomicUsize::new(0);
        let take = || self.ranges.get(next.fetch_add(1, Relaxed));
        let renew = |range: &Range<usize>| self.renew::<S>(ranks, shares, range.clone(), unit, factor);
        let parts = rayon::broadcast(|_| std::iter::from_fn(take).map(renew).fold(NOTHING, Swept::plus));
        parts.into_iter().fold(NOTHING, Swept::plus)
    }

    #[inline(never)]
    fn renew<S: Share>(
        &self,
        ranks: &[AtomicU64],
        shares: &[S::Twin],
        range: Range<usize>,
        unit: f64,
        factor: f64,
    ) -> Swept {
        let uniform = 1.0 / self.out.vertices() as f64;
        let (damping, per_unit) = (self.damping * unit, 1.0 / unit);
        let mut swept = NOTHING;
        for v in range {
            let teleport = self.teleport.map_or(uniform, |t| t[v]);
            let goal = (1.0 - self.damping) * teleport + damping * self.gather::<S>(shares, v as Vertex);
            let old = load(&ranks[v]);
            let rank = old + factor * (goal - old);
            store(&ranks[v], rank);
            swept.change += (rank - old).abs();
            swept.sum += rank;
            let scale = self.scale(v as Vertex);
            if scale > 0.0 {
                swept.fits &= S::store(&shares[v], rank * per_unit / scale);
            } else {
                swept.sunk += rank;
            }
        }
        swept
    }

    /// The sum of what arrives at `v`, in units.
    #[inline(always)]
    fn gather<S: Share>(&self, shares: &[S::Twin], v: Vertex) -> f64 {
        let neighbors = self.incoming.neighbors(v);
        if self.strengths.is_none() {
            return S::sum(shares, neighbors);
        }
        let arcs = self.incoming.arcs_of(v);
        let share = |u: &Vertex| S::load(&shares[*u as usize]);
        with_weights!(
            self.weights,
            |w| neighbors.iter().zip(&w[arcs]).map(|(u, &w)| share(u) * w as f64).sum(),
            none: neighbors.iter().map(share).sum()
        )
    }

    /// Sweeps in place do not keep the sum of ranks, and that error is the last to fade. But the sum that they must have
    /// is known, for what does not sink flows on: `sum = (1 - d) + d * (sum - sunk)`. This is the factor for the ranks
    /// that flow which makes it so.
    pub(super) fn balance(&self, swept: &Swept) -> f64 {
        let factor = (1.0 - swept.sunk / (1.0 - self.damping)) / (swept.sum - swept.sunk);
        if (0.5..2.0).contains(&factor) { factor } else { 1.0 }
    }
}

#[inline(always)]
fn load(rank: &AtomicU64) -> f64 {
    f64::from_bits(rank.load(Relaxed))
}

#[inline(always)]
fn store(rank: &AtomicU64, value: f64) {
    rank.store(value.to_bits(), Relaxed);
}

/// Scales ranks to sum 1.
pub(super) fn normalise(ranks: &mut [f64]) {
    let sum: f64 = ranks.par_chunks(1 << 14).map(|part| part.iter().sum::<f64>()).sum();
    ranks.par_iter_mut().for_each(|rank| *rank /= sum);
}

/// The sum of outgoing weights of every vertex.
pub(super) fn strengths<O: Offset>(out: View<'_, O>, weights: &Weights) -> Vec<f64> {
    let strength = |v: Vertex| out.arcs_of(v).map(|i| weights.get(i)).sum();
    (0..out.vertices() as Vertex).into_par_iter().map(strength).collect()
}

/// Do ranks divided by these sums stay well inside the range of f32?
pub(super) fn are_moderate(strengths: &[f64]) -> bool {
    strengths.par_iter().all(|&s| s == 0.0 || (1e-15..1e15).contains(&s))
}
