//! Rounds of the order `sampled`, asked for until there are enough.

use std::time::{Duration, Instant};
use warpgraph::{Loaded, Result, Round};

/// Asks until so many rounds are made, the order has settled, or time is over; gives all that were made. `ask` is told how often
/// it was asked before.
///
/// # Errors
/// Those of `ask`.
pub(super) fn learn(
    loaded: &Loaded,
    rounds: u32,
    limit: Duration,
    mut ask: impl FnMut(u64) -> Result<()>,
) -> Result<Vec<Round>> {
    let start = Instant::now();
    for number in 0.. {
        let (made, is_settled) = made(loaded);
        if made.len() >= rounds as usize || is_settled || start.elapsed() >= limit {
            return Ok(made);
        }
        ask(number)?;
    }
    Ok(Vec::new())
}

/// The rounds that were made so far, and whether no more will be.
pub(super) fn made(loaded: &Loaded) -> (Vec<Round>, bool) {
    (loaded.rounds(), loaded.is_settled())
}
