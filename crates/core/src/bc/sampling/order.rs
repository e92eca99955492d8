//! Whether samples settle the order of the highest scores.

use super::Rule;
use crate::{
    chernoff::{greatest, is_below, is_within, least},
    top::top_by,
};
use warpgraph_graph::{Vertex, par};

/// How much of the order of the highest scores is known: one decision per place, between it and what comes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Known {
    /// Places whose interval does not overlap with any later one.
    pub separate: usize,
    /// Other places where both sides are within the error, which count as ties.
    pub ties: usize,
    /// Places where neither holds yet.
    pub open: usize,
}

impl Known {
    /// Returns whether no place is open.
    pub fn is_settled(&self) -> bool {
        self.open == 0
    }

    fn add(&mut self, is_separate: bool, is_tie: impl FnOnce() -> bool) {
        match () {
            () if is_separate => self.separate += 1,
            () if is_tie() => self.ties += 1,
            () => self.open += 1,
        }
    }
}

impl Rule {
    /// Returns how much of the order of the highest scores is known at a look; `None` if the question does not ask for it.
    pub fn order(&self, look: usize, counts: &[u64]) -> Option<Known> {
        let places = self.sampling.top?.min(counts.len());
        let best = top_by(counts.len(), places, |v| counts[v] as f64);
        let at = Intervals { rule: self, look, counts };
        let mut known = Known::default();
        for pair in best.windows(2) {
            let [a, b] = [pair[0] as usize, pair[1] as usize];
            known.add(at.least(a) >= at.greatest(b), || at.is_near(a) && at.is_near(b));
        }
        if let Some(&last) = best.last() {
            known.add(at.are_below(&best, at.least(last as usize)), || at.are_near(&best));
        }
        Some(known)
    }
}

/// The intervals of all vertices at a look.
struct Intervals<'a> {
    rule: &'a Rule,
    look: usize,
    counts: &'a [u64],
}

impl Intervals<'_> {
    fn share_and_rate(&self, v: usize) -> (f64, f64) {
        (self.rule.share(self.look, self.counts[v]), self.rule.rate(self.look, v))
    }

    fn least(&self, v: usize) -> f64 {
        let (share, rate) = self.share_and_rate(v);
        least(share, rate)
    }

    fn greatest(&self, v: usize) -> f64 {
        let (share, rate) = self.share_and_rate(v);
        greatest(share, rate)
    }

    fn is_near(&self, v: usize) -> bool {
        let (share, rate) = self.share_and_rate(v);
        self.rule.is_last(self.look) || is_within(share, self.rule.sampling.error, rate)
    }

    /// Returns whether all vertices but the `best` have at most this probability.
    fn are_below(&self, best: &[Vertex], bound: f64) -> bool {
        let is_below = |v: usize| {
            let (share, rate) = self.share_and_rate(v);
            is_below(share, bound, rate) || best.contains(&(v as Vertex))
        };
        par::all(self.counts.len(), par::FINE, |mut range| range.all(is_below))
    }

    /// Returns whether the last of the `best`, and all that reach into its interval, are within the error.
    fn are_near(&self, best: &[Vertex]) -> bool {
        let Some(&last) = best.last() else { return true };
        let bound = self.least(last as usize);
        let is_fine = |v: usize| {
            let (share, rate) = self.share_and_rate(v);
            is_below(share, bound, rate) || self.is_near(v) || best.contains(&(v as Vertex))
        };
        self.is_near(last as usize) && par::all(self.counts.len(), par::FINE, |mut range| range.all(is_fine))
    }
}
