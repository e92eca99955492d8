//! When to stop sampling shortest paths: the rules of `--max-error` and `--top`, without any engine.
//!
//! A sample is a uniformly random ordered pair of different vertices (s, t), and a uniformly random shortest path from s
//! to t. It counts for the inner vertices of the path, for none if there is no path. So it counts for v with probability
//!
//! ```text
//! b[v] = sum over s != v != t of sigma(s, t | v) / sigma(s, t) / n (n - 1)
//! ```
//! and the share of samples that count for v estimates `b[v]`. The normalised score is `b[v]` n / (n - 2).
//!
//! As in KADABRA \[1\], a run has two phases:
//!
//! 1. [`Sampling::first_phase`] samples show which vertices have high scores. The failure that the user allows is shared
//!    among vertices accordingly ([`Sampling::calibrate`]): a vertex of low score needs few samples to be certain.
//! 2. New samples are drawn, and the run looks at the counts when there are [`Rule::looks`] of them. It ends when every
//!    vertex has an interval short enough ([`Rule::is_done`]), at the latest after [`Rule::fixed_samples`], a number that
//!    is enough for any graph of that diameter.
//!
//! **Proof.** With f = 1 - confidence. After the fixed number of samples, some share is off by more than the error with
//! probability f / 2 at most (see `fixed`). Failures of vertices and looks were fixed before the second phase, whose samples
//! do not depend on the first. Each interval is Chernoff's, and the failures of all vertices, both directions and all looks
//! sum to f / 2. So with probability 1 - f every interval of every look holds, and the run may stop at any of them.
//!
//! **Departures from the paper.** KADABRA may look after any sample, and pays with intervals that grow with the square
//! root of the fixed number. Looks at a few numbers chosen ahead let intervals be Chernoff's, which are shorter while a run
//! is far from the fixed number. Failures are shared so that all vertices are expected to be done at the same time.
//!
//! **The highest scores.** With `--top K`, a run also ends when the order of the K highest scores is settled: the
//! intervals of every two neighbours in the order do not overlap, and no other vertex reaches into the last one. Equal
//! scores never separate. So two neighbours whose intervals are both within the error count as a tie.
//!
//! \[1\] M. Borassi, E. Natale, KADABRA is an adaptive algorithm for betweenness via random approximation, ESA 2016, and
//! ACM JEA 24, 2019.

mod fixed;
mod order;
mod report;
#[cfg(test)]
mod tests;

pub use order::Known;
pub use report::OF;

use super::Bc;
use crate::{
    chernoff::{divergence, error, is_within},
    looks,
};
use std::collections::BTreeMap;
use warpgraph_graph::par;

/// Scores nearer than this count as a tie under `--top` if the user gives no error.
pub const TIE: f64 = 1e-3;
/// The first phase takes this part of the fixed number of samples, and at least [`LEAST`].
const FIRST: u64 = 100;
const LEAST: u64 = 100;
/// The ratio of neighbouring looks.
const GROWTH: f64 = 1.2;
/// No machine draws more samples than this in reasonable time, and far beyond it rounding would weaken the bounds.
const MOST: u64 = 1 << 42;

/// A question that is answered by sampling, before the first phase.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    vertices: u64,
    /// The error allowed in normalised scores.
    asked: f64,
    /// The error allowed in shares of pairs, and the probability of a greater one.
    error: f64,
    failure: f64,
    confidence: f64,
    top: Option<usize>,
    fixed: u64,
}

/// When the second phase ends.
#[derive(Debug, Clone)]
pub struct Rule {
    sampling: Sampling,
    /// The samples of the first phase.
    first: u64,
    /// ln(1 / failure) of each vertex and direction, before it is shared among looks; rounded up.
    surprises: Vec<f32>,
    looks: Vec<u64>,
}

impl Sampling {
    /// Returns the sampling that a question asks for, on a graph whose shortest paths have at most `diameter` hops; `None`
    /// if it asks for an exact answer, if the graph has fewer than 3 vertices and so no inner ones, or if the error is so
    /// small that no machine draws the samples. Then the answer must be exact.
    pub fn new(config: &Bc, vertices: usize, diameter: u64) -> Option<Self> {
        let (asked, vertices) = (config.allowed()?, vertices as u64);
        if vertices < 3 {
            return None;
        }
        let error = asked * (vertices - 2) as f64 / vertices as f64;
        let (confidence, failure) = (config.confidence, 1.0 - config.confidence);
        let inner = diameter.saturating_sub(1).clamp(1, vertices - 2) as f64;
        let fixed = fixed::samples(error, failure / 2.0, inner);
        let top = config.top.map(|top| top as usize);
        (fixed <= MOST).then_some(Self { vertices, asked, error, failure, confidence, top, fixed })
    }

    /// Returns the number of samples that are enough for any graph of this diameter.
    pub fn fixed_samples(&self) -> u64 {
        self.fixed
    }

    /// Returns the number of samples of the first phase, whose counts the second one does not use.
    pub fn first_phase(&self) -> u64 {
        (self.fixed / FIRST).max(LEAST)
    }

    /// Returns when the second phase ends; `counts` has for each vertex the number of the first phase's `samples` that
    /// count for it.
    pub fn calibrate(self, counts: &[u64], samples: u64) -> Rule {
        let speeds = Speeds::of(counts, samples, self.error);
        let budget = self.failure / 4.0;
        let even = budget / (2.0 * self.vertices as f64);
        let after = speeds.samples_for(budget / 2.0);
        let surprise = |speed: f64| -(even + (-after * speed).exp()).min(0.5).ln();
        let surprises = par::map(counts.len(), |v| (surprise(speeds.of_count(counts[v])) as f32).next_up());
        let expected = match self.top {
            Some(_) => samples as f64,
            None => {
                speeds.iter().map(|speed| (surprise(speed) + looks::surprise(0)) / speed).fold(0.0, f64::max)
            }
        };
        let looks = looks::between(expected.ceil().max(LEAST as f64), self.fixed, GROWTH);
        Rule { sampling: self, first: samples, surprises, looks }
    }
}

/// For every count of the first phase, how fast the failure of such vertices falls per sample, and how many there are.
struct Speeds(BTreeMap<u64, (f64, u64)>);

impl Speeds {
    fn of(counts: &[u64], samples: u64, error: f64) -> Self {
        let tally = |range: std::ops::Range<usize>| {
            let mut tally = BTreeMap::new();
            range.for_each(|v| *tally.entry(counts[v]).or_insert(0u64) += 1);
            tally
        };
        let join = |mut a: BTreeMap<u64, u64>, b: BTreeMap<u64, u64>| {
            b.into_iter().for_each(|(count, many)| *a.entry(count).or_insert(0) += many);
            a
        };
        let tally = par::reduce(counts.len(), par::FINE, tally, join).unwrap_or_default();
        let speed = |count: u64| speed(count as f64 / samples as f64, error);
        Self(tally.into_iter().map(|(count, many)| (count, (speed(count), many))).collect())
    }

    fn of_count(&self, count: u64) -> f64 {
        self.0.get(&count).map_or(0.0, |&(speed, _)| speed)
    }

    fn iter(&self) -> impl Iterator<Item = f64> {
        self.0.values().map(|&(speed, _)| speed)
    }

    /// Returns after how many samples the failures of all vertices sum to `budget`.
    fn samples_for(&self, budget: f64) -> f64 {
        let failure =
            |m: f64| self.0.values().map(|&(speed, many)| many as f64 * (-m * speed).exp()).sum::<f64>();
        let (mut low, mut high) = (0.0, 1.0);
        while failure(high) > budget {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if failure(middle) > budget { low = middle } else { high = middle }
        }
        high
    }
}

/// Returns the exponent per sample at which an interval around a share gets as short as the error.
fn speed(share: f64, error: f64) -> f64 {
    let towards =
        |share: f64| if share + error < 1.0 { divergence(share, share + error) } else { f64::INFINITY };
    towards(share).min(towards(1.0 - share))
}

impl Rule {
    /// Returns the numbers of samples at which to look, ascending. The last one is the fixed number, after which the run is
    /// done in any case.
    pub fn looks(&self) -> &[u64] {
        &self.looks
    }

    /// Returns the number of samples that are enough for any graph of this diameter.
    pub fn fixed_samples(&self) -> u64 {
        self.sampling.fixed
    }

    /// Returns the factor that turns a count into a sum of dependencies from all sources, after this many samples.
    pub fn scale(&self, samples: u64) -> f64 {
        let n = self.sampling.vertices as f64;
        n * (n - 1.0) / samples as f64
    }

    /// Returns whether a run may stop at a look, given the counts of the second phase.
    pub fn is_done(&self, look: usize, counts: &[u64]) -> bool {
        self.is_last(look)
            || self.is_near(look, counts)
            || self.order(look, counts).is_some_and(|known| known.is_settled())
    }

    /// Returns an error of normalised scores that holds for all vertices at a look.
    pub fn achieved(&self, look: usize, counts: &[u64]) -> f64 {
        let bound =
            |range: std::ops::Range<usize>| range.fold(0.0, |most, v| self.extend(most, look, v, counts[v]));
        let most = par::reduce(counts.len(), par::FINE, bound, f64::max).unwrap_or(0.0);
        // After the fixed number of samples, that bound holds as well.
        let shares = if self.is_last(look) { most.min(self.sampling.error) } else { most };
        let n = self.sampling.vertices as f64;
        shares * n / (n - 2.0)
    }

    /// Returns whether a look is at the fixed number of samples.
    fn is_last(&self, look: usize) -> bool {
        look + 1 >= self.looks.len()
    }

    /// Returns whether every share is within the error.
    fn is_near(&self, look: usize, counts: &[u64]) -> bool {
        let is_near =
            |v: usize| is_within(self.share(look, counts[v]), self.sampling.error, self.rate(look, v));
        par::all(counts.len(), par::FINE, |mut range| range.all(is_near))
    }

    /// Returns the greater one of `most` and the error of a vertex.
    fn extend(&self, most: f64, look: usize, v: usize, count: u64) -> f64 {
        let (share, rate) = (self.share(look, count), self.rate(look, v));
        if is_within(share, most, rate) { most } else { error(share, rate).max(most) }
    }

    fn share(&self, look: usize, count: u64) -> f64 {
        count as f64 / self.looks[look] as f64
    }

    /// Returns the rate of Chernoff's bound for a vertex at a look.
    fn rate(&self, look: usize, v: usize) -> f64 {
        let surprise = f64::from(self.surprises[v]) + looks::surprise(look);
        surprise / self.looks[look] as f64
    }
}
