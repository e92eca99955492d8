//! When to stop sampling pairs of neighbours: the rule of `--max-error`, without any engine.
//!
//! A sample is a uniformly random *wedge*: a vertex and two of its neighbours, so that all pairs of neighbours of all
//! vertices are equally likely \[1\]. It is *closed* if the two are joined. The share of closed wedges is the transitivity, and
//! a third of it times the number of wedges is the number of triangles.
//!
//! Hoeffding's number of samples is enough for any graph. A run also looks at the count before, at numbers of samples chosen
//! ahead, and ends when Chernoff's interval is short enough: few triangles need far fewer samples. The fixed number and all
//! looks together have one half each of the failure that the user allows.
//!
//! \[1\] C. Seshadhri, A. Pinar, T. Kolda, Wedge sampling for computing clustering coefficients and triangle counts on large
//! graphs, Statistical Analysis and Data Mining 7, 2014.

use super::Triangles;
use crate::{Accuracy, Word, chernoff, looks};

/// What errors of a sampled count are of.
pub const OF: &str = "transitivity: triangles over a third of the pairs of neighbours";
/// No machine draws more samples than this in reasonable time.
const MOST: u64 = 1 << 42;
/// The first look is at this part of the fixed number at the earliest: more looks would each get less of the failure.
const FIRST: f64 = 12.0;
/// The ratio of neighbouring looks.
const GROWTH: f64 = 1.5;

/// When to stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    error: f64,
    failure: f64,
    confidence: f64,
    looks: Vec<u64>,
}

impl Sampling {
    /// Returns the sampling that a question asks for; `None` if it asks for an exact answer, or if the error is so small that
    /// no machine draws the samples.
    pub fn new(config: &Triangles) -> Option<Self> {
        let (error, confidence) = (config.max_error?, config.confidence);
        let failure = 1.0 - confidence;
        let fixed = chernoff::hoeffding(error, failure / 2.0);
        let first = ((4.0 / failure).ln() / error.min(1.0)).max(fixed as f64 / FIRST);
        let looks = looks::between(first.max(1.0), fixed, GROWTH);
        (fixed <= MOST).then_some(Self { error, failure, confidence, looks })
    }

    /// Returns the numbers of samples at which to look, ascending. The run ends at the last one in any case.
    pub fn looks(&self) -> &[u64] {
        &self.looks
    }

    /// Returns whether the run may stop at a look, when `closed` of the samples were.
    pub fn is_done(&self, look: usize, closed: u64) -> bool {
        self.is_last(look) || chernoff::is_within(self.share(look, closed), self.error, self.rate(look))
    }

    /// Returns the share of closed wedges, and the least and the greatest one that the samples allow.
    pub fn interval(&self, look: usize, closed: u64) -> [f64; 3] {
        let (share, rate) = (self.share(look, closed), self.rate(look));
        let (mut low, mut high) = (chernoff::least(share, rate), chernoff::greatest(share, rate));
        if self.is_last(look) {
            (low, high) = (low.max(share - self.error), high.min(share + self.error));
        }
        [share, low, high]
    }

    /// Returns the report on a run that stopped at a look.
    pub fn accuracy(&self, look: usize, closed: u64) -> Accuracy {
        let [share, low, high] = self.interval(look, closed);
        Accuracy {
            word: Word::Proved,
            of: OF.to_owned(),
            asked: self.error,
            achieved: (share - low).max(high - share),
            confidence: self.confidence,
            samples: Some(self.looks[look]),
            fixed_samples: self.looks.last().copied(),
            exact_seconds: None,
            reason: "pairs of neighbours were sampled".to_owned(),
        }
    }

    fn is_last(&self, look: usize) -> bool {
        look + 1 >= self.looks.len()
    }

    fn share(&self, look: usize, closed: u64) -> f64 {
        closed as f64 / self.looks[look] as f64
    }

    fn rate(&self, look: usize) -> f64 {
        ((4.0 / self.failure).ln() + looks::surprise(look)) / self.looks[look] as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, Draws};

    fn config(error: f64) -> Triangles {
        Triangles { max_error: Some(error), confidence: 0.8, ..Triangles::default() }
    }

    /// Samples until the rule is met, and returns the look and the closed wedges.
    fn run(sampling: &Sampling, share: f64, seed: u64) -> (usize, u64) {
        let (mut closed, mut drawn) = (0, 0);
        for (look, &samples) in sampling.looks().iter().enumerate() {
            closed += (drawn..samples).filter(|&i| Draws::of(seed, 0, i).unit() < share).count() as u64;
            drawn = samples;
            if sampling.is_done(look, closed) {
                return (look, closed);
            }
        }
        unreachable!("the last look ends it")
    }

    #[test]
    fn the_interval_holds_in_more_runs_than_promised() {
        let sampling = Sampling::new(&config(0.03)).expect("a sampled question");
        for share in [0.0, 0.01, 0.3, 0.5, 0.99] {
            let is_off = |seed: u64| {
                let (look, closed) = run(&sampling, share, seed);
                let [_, low, high] = sampling.interval(look, closed);
                assert!(sampling.accuracy(look, closed).achieved <= 0.03 + 1e-12);
                !(low..=high).contains(&share)
            };
            let off = (0..200).filter(|&seed| is_off(seed)).count();
            assert!(off <= 40, "{share}: {off} of 200 intervals do not hold it");
        }
    }

    #[test]
    fn few_closed_wedges_need_fewer_samples_than_the_fixed_number() {
        let sampling = Sampling::new(&config(0.01)).expect("a sampled question");
        let (look, closed) = run(&sampling, 0.01, 1);
        let report = sampling.accuracy(look, closed);
        assert!(3 * report.samples.unwrap() < report.fixed_samples.unwrap(), "{report:?}");
    }

    #[test]
    fn counts_per_vertex_and_tiny_errors_are_not_sampled() {
        assert!(Sampling::new(&Triangles::default()).is_none() && Sampling::new(&config(1e-12)).is_none());
        let refused = Triangles { local: true, ..config(0.1) }.check_config().unwrap_err().to_string();
        assert!(refused.contains("samples estimate the total"), "{refused}");
        assert!(config(f64::NAN).check_config().is_err() && config(2.0).check_config().is_ok());
    }
}
