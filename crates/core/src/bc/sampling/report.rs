//! What a sampled run says about its error.

use super::{Known, Rule};
use crate::{Accuracy, Word};

/// What errors of betweenness are of.
pub const OF: &str = "normalised score of each vertex";

impl Rule {
    /// Returns the report on a run that stopped at a look; `exact_seconds` is what an exact answer would take.
    pub fn accuracy(&self, look: usize, counts: &[u64], exact_seconds: Option<f64>) -> Accuracy {
        let sampling = &self.sampling;
        Accuracy {
            word: Word::Proved,
            of: OF.to_owned(),
            asked: sampling.asked,
            achieved: self.achieved(look, counts),
            confidence: sampling.confidence,
            samples: Some(self.first + self.looks[look]),
            fixed_samples: Some(sampling.fixed),
            exact_seconds,
            reason: self.reason(look, counts),
        }
    }

    fn reason(&self, look: usize, counts: &[u64]) -> String {
        let known = self.order(look, counts);
        match known {
            Some(known) => order(known),
            None if self.is_last(look) => "as many samples as any graph of this diameter needs".to_owned(),
            None => "the intervals of all vertices are short enough".to_owned(),
        }
    }
}

/// Returns how much of the order of the highest scores is settled.
fn order(known: Known) -> String {
    let Known { separate, ties, open } = known;
    let places = separate + ties + open;
    match (ties, open) {
        (0, 0) => format!("the order of the {places} highest scores is settled"),
        (ties, open) => {
            let left = ties + open;
            format!(
                "{separate} of {places} places are settled, {left} are ties: too near to the next one to tell apart"
            )
        }
    }
}
