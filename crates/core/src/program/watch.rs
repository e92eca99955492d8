//! [`Watch`]: detects a sum that does not converge.

use crate::{Error, Halt, Result};

/// Rounds without progress after which a sum without a limit is refused.
const PATIENCE: u64 = 200;

/// Watches the total change per round.
#[derive(Debug)]
pub struct Watch {
    name: &'static str,
    halt: Halt,
    best: f64,
    best_round: u64,
}

impl Watch {
    /// Starts to watch a program with this name and halt rule.
    pub fn new(name: &'static str, halt: Halt) -> Self {
        Self { name, halt, best: f64::INFINITY, best_round: 0 }
    }

    /// Returns true if this is the smallest change so far.
    ///
    /// # Errors
    /// When values have become NaN, or when a run without a limit of rounds makes no progress.
    pub fn see(&mut self, round: u64, change: f64) -> Result<bool> {
        let refuse = |what: String| {
            let help = "a sum converges where a vertex tells less than it holds; damp the messages, or limit the rounds";
            Err(Error::config(self.name, what, help))
        };
        if change.is_nan() {
            return refuse(format!("values are no numbers any more after {round} rounds"));
        }
        if change < self.best {
            (self.best, self.best_round) = (change, round);
        }
        if self.halt.limit().is_none() && round > self.best_round + PATIENCE {
            return refuse(format!(
                "it comes no nearer to its end; after {round} rounds one still changes {change:e}"
            ));
        }
        Ok(self.best_round == round)
    }
}
