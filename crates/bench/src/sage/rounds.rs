//! Rounds of the order `sampled`, asked for until there are enough.

use std::time::{Duration, Instant};
use warpgraph::{Loaded, Result, Round};

/// Asked so often without another round: there will be none. A round takes about 30 samples of as many arcs as the graph has.
const PATIENCE: u64 = 1000;

/// Asks until so many rounds are made and it is known what the last of them has brought, the order has settled, nothing comes of it, or time
/// is over; gives all that were made. `ask` is told how often it was asked before. Nothing is sampled from then on until more rounds are asked for;
/// if time was over before it was known what the last one has brought, then from when it is.
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
    loaded.limit_rounds(rounds as usize);
    let (mut number, mut last) = (0, (0, 0));
    loop {
        let (made, is_settled) = made(loaded);
        if made.len() > last.0 {
            last = (made.len(), number);
        }
        let is_vain = number - last.1 >= PATIENCE || start.elapsed() >= limit;
        if is_vain {
            loaded.limit_rounds(0);
        }
        if is_settled || is_vain {
            return Ok(made);
        }
        ask(number)?;
        number += 1;
    }
}

/// The rounds that were made so far, and whether no more will be.
pub(super) fn made(loaded: &Loaded) -> (Vec<Round>, bool) {
    (loaded.rounds(), loaded.is_settled())
}
