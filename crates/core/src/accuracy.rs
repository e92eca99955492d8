//! [`Accuracy`]: how near an answer is to the exact one, and in which sense that is known; the meaning of `--max-error`.
//!
//! The word says what the user may rely on. *Proved*: a theorem bounds the error, always or with a stated probability.
//! *Measured*: other questions about the same graph were answered both ways, and their errors were within the bound.
//! *Exact*: the run computed the exact answer, because that is faster or because no other way is known.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The probability with which a sampled bound holds, unless the user gives another one.
pub const CONFIDENCE: f64 = 0.9;

/// How an algorithm keeps within the greatest error that the user allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Its engines answer within the error, and report how they know.
    Proved,
    /// Other questions about the same graph show which approximation stays within the error.
    Measured,
    /// Every answer is exact, for this reason.
    Exact(&'static str),
}

/// What the error of an answer is known to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// In which sense the error is known.
    pub word: Word,
    /// What the error is of, such as `L1 distance of ranks`.
    pub of: String,
    /// The greatest error that the user allows.
    pub asked: f64,
    /// The error that holds; 0 if the answer is exact.
    pub achieved: f64,
    /// The probability with which it holds; 1 if it always does.
    pub confidence: f64,
    /// The samples that the run drew; `None` if it drew none.
    pub samples: Option<u64>,
    /// The samples that a bound without looking at any of them would need; `None` if there is no such bound.
    pub fixed_samples: Option<u64>,
    /// The seconds that an exact answer would take, extrapolated from a part of it or measured; `None` if not known.
    pub exact_seconds: Option<f64>,
    /// Why the answer was computed in this way, as a phrase.
    pub reason: String,
}

/// In which sense an error is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// A theorem bounds it.
    Proved,
    /// It was within the bound for other questions about the same graph.
    Measured,
    /// The answer is exact.
    Exact,
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Measured => "measured",
            Self::Exact => "exact",
        })
    }
}

impl Accuracy {
    /// Returns the report on an exact answer, and why the run computed that.
    pub fn exact(of: &str, asked: f64, reason: impl Into<String>) -> Self {
        Self {
            word: Word::Exact,
            of: of.to_owned(),
            asked,
            achieved: 0.0,
            confidence: 1.0,
            samples: None,
            fixed_samples: None,
            exact_seconds: None,
            reason: reason.into(),
        }
    }

    /// Returns the report on an answer whose error is bounded with certainty.
    pub fn proved(of: &str, asked: f64, achieved: f64, reason: impl Into<String>) -> Self {
        Self { word: Word::Proved, achieved, ..Self::exact(of, asked, reason) }
    }
}

/// Refuses an error that is no positive number, and a confidence that is no probability below 1.
///
/// # Errors
/// [`Error::Config`].
pub fn check(algorithm: &'static str, max_error: Option<f64>, confidence: f64) -> Result<()> {
    if let Some(error) = max_error
        && !(error.is_finite() && error > 0.0)
    {
        let what = format!("the maximum error must be a positive number, got {error}");
        return Err(Error::config(algorithm, what, "leave --max-error out for an exact answer"));
    }
    if !(confidence > 0.0 && confidence < 1.0) {
        let what = format!("the confidence must be above 0 and below 1, got {confidence}");
        return Err(Error::config(algorithm, what, "0.9 is the default; 0.99 needs more samples"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_errors_and_probabilities_below_one_are_accepted() {
        assert!(check("bc", None, 0.9).is_ok() && check("bc", Some(0.01), 0.999).is_ok());
        for error in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let text = check("bc", Some(error), 0.9).unwrap_err().to_string();
            assert_eq!(text, format!("bc: the maximum error must be a positive number, got {error}"));
        }
        for confidence in [0.0, 1.0, f64::NAN] {
            assert!(check("bc", Some(0.1), confidence).is_err());
        }
    }
}
