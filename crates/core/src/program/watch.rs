//! [`Watch`]: does a sum come nearer to its end?

use crate::{Error, Halt, Result};

/// Rounds that a sum without a limit of its own may go on for without coming nearer to its end.
const PATIENCE: u64 = 200;

/// Watches the changes of a run.
#[derive(Debug)]
pub struct Watch {
    name: &'static str,
    halt: Halt,
    best: f64,
    best_round: u64,
}

impl Watch {
    /// Over a program of this name and rule.
    pub fn new(name: &'static str, halt: Halt) -> Self {
        Self { name, halt, best: f64::INFINITY, best_round: 0 }
    }

    /// Is this the least change so far?
    ///
    /// # Errors
    /// When values are no numbers any more, or a run that nothing else ends makes no progress.
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
