//! How many searches estimate closeness within an error: the rule of `--max-error`, without any engine.
//!
//! Searches from k vertices, drawn without repetition, find the distances from these to every vertex v. Over the drawn
//! vertices u other than v, the mean of
//!
//! - 1 / d(u, v), or 0 if u does not reach v, estimates `harmonic[v]` / (n - 1);
//! - 1, or 0 if u does not reach v, estimates the share of vertices that reach v;
//! - d(u, v) over the diameter, or 0, estimates the mean distance relative to the diameter.
//!
//! All three are from 0 to 1, so each is within E with Hoeffding's probability \[1\], which also holds for draws without
//! repetition. The failure that the user allows is shared evenly by all vertices and the three means: with k - 1 draws,
//!
//! ```text
//! k - 1 = ln(6 n / failure) / (2 E^2)
//! ```
//! Closeness follows from the estimates: (share that reaches v)^2 over the mean distance, which is 0 for those that do not
//! reach v. It has no bound of its own, since it is a quotient. If every drawn vertex reaches v, the share is exactly 1.
//!
//! \[1\] W. Hoeffding, Probability inequalities for sums of bounded random variables, JASA 58, 1963, sections 2 and 6.
//! D. Eppstein, J. Wang, Fast approximation of centrality, J. Graph Algorithms and Applications 8, 2004.

use super::Closeness;
use crate::{Accuracy, Word, chernoff, draw};
use warpgraph_graph::{Vertex, hash};

/// What errors are of.
pub const OF: &str = "harmonic / (n - 1), share of vertices that reach v, and mean distance / diameter";
/// Why an answer is exact although the question allows an error.
pub const NO_FEWER: &str = "that takes no more searches than the samples would";
/// Quantities estimated per vertex.
const MEANS: f64 = 3.0;

/// How many vertices to search from.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    error: f64,
    failure: f64,
    confidence: f64,
    vertices: u64,
    searches: u64,
}

impl Sampling {
    /// Returns the sampling that a question asks for; `None` if it asks for an exact answer, or if that needs no more
    /// searches.
    pub fn new(config: &Closeness, vertices: usize) -> Option<Self> {
        let (error, confidence, vertices) = (config.max_error?, config.confidence, vertices as u64);
        let failure = 1.0 - confidence;
        let each = failure / (MEANS * vertices.max(1) as f64);
        let searches = chernoff::hoeffding(error, each).saturating_add(1);
        (searches < vertices).then_some(Self { error, failure, confidence, vertices, searches })
    }

    /// Returns the number of vertices to search from.
    pub fn searches(&self) -> u64 {
        self.searches
    }

    /// Returns the vertices to search from, in ascending order: those that a seed and the number of a run draw on every device.
    pub fn drawn(&self, seed: u64, run: u64) -> Vec<Vertex> {
        let mut drawn = draw(self.vertices as usize, self.searches, hash::mix(seed, run));
        drawn.sort_unstable();
        drawn
    }

    /// Returns the report on a run; `exact_seconds` is what an exact answer would take.
    pub fn accuracy(&self, exact_seconds: Option<f64>) -> Accuracy {
        let surprise = (2.0 * MEANS * self.vertices as f64 / self.failure).ln();
        Accuracy {
            word: Word::Proved,
            of: OF.to_owned(),
            asked: self.error,
            achieved: (surprise / (2.0 * (self.searches - 1) as f64)).sqrt(),
            confidence: self.confidence,
            samples: Some(self.searches),
            fixed_samples: Some(self.searches),
            exact_seconds,
            reason: "searches from drawn vertices estimate the means".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;

    #[test]
    fn the_number_of_searches_is_hoeffdings_and_less_than_all() {
        let config = Closeness::default().max_error(0.1);
        let sampling = Sampling::new(&config, 1_000_000).expect("a sampled question");
        assert_eq!(sampling.searches(), 897);
        let achieved = sampling.accuracy(None).achieved;
        assert!(achieved <= 0.1 && achieved > 0.0999, "{achieved}");
        assert!(
            Sampling::new(&config, 500).is_none() && Sampling::new(&Closeness::default(), 5000).is_none()
        );
        assert!(Sampling::new(&Closeness::default().max_error(1e-200), 1 << 40).is_none());
    }

    #[test]
    fn an_error_for_some_vertices_only_is_refused() {
        let config = Closeness::default().max_error(0.1);
        for some in [config.clone().sources(3), config.clone().source(3)] {
            assert!(some.check_config().unwrap_err().to_string().contains("for all vertices"));
        }
        assert!(config.check_config().is_ok() && config.max_error(-1.0).check_config().is_err());
    }
}
