//! The rule, fed with samples that count for vertices of known probabilities.

use super::*;
use crate::{Algorithm, Draws, top::top_by};

/// Draws samples, each of which counts for vertex v with probability `shares[v]`.
fn counts(shares: &[f64], seed: u64, phase: u64, samples: u64) -> Vec<u64> {
    let mut counts = vec![0; shares.len()];
    for sample in 0..samples {
        let mut draws = Draws::of(seed, phase, sample);
        for (count, share) in counts.iter_mut().zip(shares) {
            *count += u64::from(draws.unit() < *share);
        }
    }
    counts
}

/// A run that has ended.
struct Ended {
    rule: Rule,
    look: usize,
    counts: Vec<u64>,
}

impl Ended {
    fn samples(&self) -> u64 {
        self.rule.looks()[self.look]
    }

    fn score(&self, v: usize) -> f64 {
        let n = self.counts.len() as f64;
        self.counts[v] as f64 * self.rule.scale(self.samples()) / ((n - 1.0) * (n - 2.0))
    }
}

fn run(config: &Bc, shares: &[f64], seed: u64) -> Ended {
    let sampling = Sampling::new(config, shares.len(), 8).expect("a sampled question");
    let first = sampling.first_phase();
    let rule = sampling.calibrate(&counts(shares, seed, 0, first), first);
    let mut all = vec![0; shares.len()];
    let mut drawn = 0;
    for look in 0..rule.looks().len() {
        let new = counts(shares, seed, 1 + look as u64, rule.looks()[look] - drawn);
        all.iter_mut().zip(new).for_each(|(all, new)| *all += new);
        drawn = rule.looks()[look];
        if rule.is_done(look, &all) {
            return Ended { rule, look, counts: all };
        }
    }
    unreachable!("the last look ends it")
}

/// Few vertices with high scores, and many with almost none.
fn skewed(n: usize) -> Vec<f64> {
    (0..n).map(|v| 0.02 / (v + 1) as f64).collect()
}

#[test]
fn the_achieved_error_holds_in_more_runs_than_promised() {
    let shares = skewed(60);
    let n = shares.len() as f64;
    let config = Bc::default().max_error(0.05).confidence(0.8);
    let is_off = |seed: u64| {
        let ended = run(&config, &shares, seed);
        let achieved = ended.rule.achieved(ended.look, &ended.counts);
        assert!(achieved <= 0.05 + 1e-12, "{achieved}");
        let right = |v: usize| shares[v] * n / (n - 2.0);
        (0..shares.len()).any(|v| (ended.score(v) - right(v)).abs() > achieved)
    };
    let off = (0..200).filter(|&seed| is_off(seed)).count();
    assert!(off <= 40, "{off} of 200 runs are off by more than they say");
}

#[test]
fn skewed_scores_need_fewer_samples_than_the_fixed_number_and_others_never_more() {
    let config = Bc::default().max_error(0.01);
    let ended = run(&config, &skewed(50), 1);
    assert!(2 * ended.samples() < ended.rule.fixed_samples(), "{}", ended.samples());
    let half = run(&config, &[0.5, 0.0, 0.0, 0.0], 1);
    assert_eq!(half.samples(), half.rule.fixed_samples());
    assert!(half.rule.achieved(half.look, &half.counts) <= 0.01 + 1e-12);
}

#[test]
fn the_order_of_the_highest_scores_is_settled_before_the_error_is_met() {
    let shares = [0.02, 0.4, 0.01, 0.2, 0.01, 0.0, 0.0, 0.0];
    let config = Bc::default().max_error(0.001).top(2);
    let ended = run(&config, &shares, 3);
    assert_eq!(ended.rule.order(ended.look, &ended.counts), Some(Known { separate: 2, ties: 0, open: 0 }));
    assert_eq!(top_by(8, 2, |v| ended.counts[v] as f64), [1, 3]);
    let report = ended.rule.accuracy(ended.look, &ended.counts, None);
    assert!(report.achieved > 0.001 && ended.samples() * 10 < ended.rule.fixed_samples());
    assert_eq!(report.reason, "the order of the 2 highest scores is settled");
}

#[test]
fn equal_scores_end_as_ties_within_the_error() {
    let config = Bc::default().max_error(0.02).top(3);
    let ended = run(&config, &[0.2, 0.3, 0.2, 0.0, 0.0, 0.0], 3);
    let known = ended.rule.order(ended.look, &ended.counts).expect("an order");
    assert_eq!(known, Known { separate: 2, ties: 1, open: 0 });
    let reason = ended.rule.accuracy(ended.look, &ended.counts, None).reason;
    assert_eq!(reason, "2 of 3 places are settled, 1 are ties: too near to the next one to tell apart");
}

#[test]
fn all_failures_together_are_at_most_what_the_user_allows() {
    let sampling = Sampling::new(&Bc::default().max_error(0.01), 1000, 10).expect("a sampled question");
    let seen: Vec<u64> = (0..1000).map(|v| if v < 5 { 20 * v } else { 0 }).collect();
    let rule = sampling.calibrate(&seen, 500);
    let of_look = |look: usize| -> f64 {
        let m = rule.looks()[look] as f64;
        (0..1000).map(|v| 2.0 * (-rule.rate(look, v) * m).exp()).sum()
    };
    let sum: f64 = (0..rule.looks().len()).map(of_look).sum();
    assert!((0.01..=0.05).contains(&sum), "half of 0.1 is the most, got {sum}");
}

#[test]
fn small_graphs_and_tiny_errors_are_not_sampled() {
    let of = |config: Bc, n: usize| Sampling::new(&config, n, 5);
    assert!(of(Bc::default(), 100).is_none(), "the question allows no error");
    assert!(of(Bc::default().max_error(0.1), 2).is_none());
    for error in [1e-9, 1e-300, f64::MIN_POSITIVE] {
        assert!(of(Bc::default().max_error(error), 100).is_none(), "{error}");
    }
    for error in [1e-5, 0.5, 1.0, 3.0, 1e300] {
        let sampling = of(Bc::default().max_error(error), 100).expect("a sampled question");
        let rule = sampling.calibrate(&[0; 100], 100);
        assert!(rule.looks().is_sorted() && rule.looks()[0] > 0, "{error}");
        assert!(rule.achieved(0, &[0; 100]).is_finite());
    }
}

#[test]
fn what_samples_cannot_answer_is_refused() {
    let refused = |config: Bc| config.check_config().unwrap_err().to_string();
    assert!(refused(Bc::default().max_error(0.0)).contains("must be a positive number"));
    assert!(refused(Bc::default().max_error(0.1).confidence(1.0)).contains("below 1"));
    assert!(refused(Bc::default().top(0)).contains("top must be at least 1"));
    for config in [Bc::default().max_error(0.1), Bc::default().top(3)] {
        assert!(refused(config.clone().sources(3)).contains("between all vertices"));
        assert!(refused(config.clone().source(3)).contains("between all vertices"));
        assert!(refused(config.clone().weighted()).contains("by hops"));
        assert!(refused(config.clone().endpoints()).contains("inner vertices only"));
        assert!(config.normalized().check_config().is_ok());
    }
}
