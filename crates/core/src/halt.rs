//! [`Halt`]: stopping rules as values.

use serde::{Deserialize, Serialize};

/// When to stop: below a total change, after a number of rounds, or at the first of both.
///
/// ```
/// use warpgraph_core::{Halt, Halted};
/// let halt = Halt::l1(1e-6).or(Halt::rounds(100));
/// assert_eq!(halt.after(3, 1e-2), None);
/// assert_eq!(halt.after(7, 1e-7), Some(Halted::Tolerance));
/// assert_eq!(halt.after(100, 1e-2), Some(Halted::MaxIterations));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Halt {
    tolerance: Option<f64>,
    rounds: Option<u64>,
}

/// The rule that ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Halted {
    /// Nothing was left to do.
    Converged,
    /// The total change fell below the tolerance.
    Tolerance,
    /// The run reached its limit of rounds before it met the tolerance.
    MaxIterations,
    /// The values of two rounds alternate for ever, so that no limit of rounds is enough.
    Alternates,
}

impl Halt {
    /// Stops once the sum of absolute changes in a round is below `tolerance`.
    pub fn l1(tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), rounds: None }
    }

    /// Stops after `rounds`.
    pub fn rounds(rounds: u64) -> Self {
        Self { tolerance: None, rounds: Some(rounds) }
    }

    /// Combines two rules: the first to fire stops the run. Of two rules of one kind, it keeps the one that fires
    /// earlier.
    pub fn or(self, other: Self) -> Self {
        let pick = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            _ => a.or(b),
        };
        let rounds = match (self.rounds, other.rounds) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { tolerance: pick(self.tolerance, other.tolerance), rounds }
    }

    /// Returns the change below which to stop, if there is such a rule.
    pub fn tolerance(&self) -> Option<f64> {
        self.tolerance
    }

    /// Returns the number of rounds after which to stop, if there is such a rule.
    pub fn limit(&self) -> Option<u64> {
        self.rounds
    }

    /// Returns the rule that fires after `round` rounds, if any; the last round changed `change` in total.
    pub fn after(&self, round: u64, change: f64) -> Option<Halted> {
        if self.tolerance.is_some_and(|t| change < t) {
            Some(Halted::Tolerance)
        } else if self.rounds.is_some_and(|r| round >= r) {
            Some(Halted::MaxIterations)
        } else {
            None
        }
    }
}
