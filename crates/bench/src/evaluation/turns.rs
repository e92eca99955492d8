//! Times several cells in turn: a run of each, then the next of each. What changes on a machine meanwhile, such as its clock,
//! is the same for all of them.
//!
//! A cell that fails, or whose own runs have taken as long as a cell may, takes part no longer; the others go on.

use super::{Measuring, Verify};
use crate::result::Failure;
use std::time::{Duration, Instant};
use warpgraph::{Control, Result};

/// Makes all runs of all cells: the first run, which is verified, and warm-up, cell after cell; then timed runs in turn. A
/// cell is a function that runs once, told the number of the run and whether to verify; it is taken when its first run
/// is due. Returns what the first run and the timed runs of each cell gave.
///
/// # Errors
/// Only when the whole measurement must stop.
pub(super) fn in_turn<T, A: FnMut(u64, bool) -> Result<T, Failure>>(
    cells: impl IntoIterator<Item = A>,
    measuring: &Measuring,
    control: &Control,
) -> Result<Vec<Result<Vec<T>, Failure>>> {
    let all = cells.into_iter().map(|ask| Runs::begin(ask, measuring, control));
    let mut all = all.collect::<Result<Vec<_>>>()?;
    for number in 0..measuring.runs.max(1) {
        // The first timed run is made however late it is.
        let mut in_time = all.iter_mut().filter(|runs| number == 0 || !runs.is_late());
        in_time.try_for_each(|runs| runs.run(number, measuring.verify == Verify::All, true))?;
    }
    Ok(all.into_iter().map(|runs| runs.ran).collect())
}

/// The runs of one cell, one at a time.
struct Runs<'a, T, A> {
    ask: A,
    control: &'a Control,
    ran: Result<Vec<T>, Failure>,
    limit: Duration,
    /// What its own runs took, the first one aside.
    taken: Duration,
}

impl<'a, T, A: FnMut(u64, bool) -> Result<T, Failure>> Runs<'a, T, A> {
    fn begin(ask: A, measuring: &Measuring, control: &'a Control) -> Result<Self> {
        let (limit, taken) = (Duration::from_secs(measuring.case_limit), Duration::ZERO);
        let mut runs = Self { ask, control, ran: Ok(Vec::new()), limit, taken };
        runs.run(0, true, true)?;
        runs.taken = Duration::ZERO;
        for nth in 0..measuring.warmup {
            // Numbered from the far end, so that the timed runs draw the same sources whatever the warm-up.
            runs.run(u64::MAX - nth, false, false)?;
            if runs.is_late() {
                break;
            }
        }
        Ok(runs)
    }

    fn run(&mut self, number: u64, verify: bool, keep: bool) -> Result<()> {
        let Ok(ran) = &mut self.ran else { return Ok(()) };
        let start = Instant::now();
        match (self.ask)(number, verify) {
            Ok(once) => ran.extend(keep.then_some(once)),
            Err(failure) => {
                self.control.check("measuring")?;
                self.ran = Err(failure);
            }
        }
        self.taken += start.elapsed();
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.taken >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{cell::RefCell, thread::sleep};

    const WARMUP: u64 = u64::MAX;
    type Ran = Vec<Result<Vec<bool>, Failure>>;

    /// Three cells of three runs, which give whether they were verified. `before` is done before each run, and may end it.
    /// Also returns which cell ran for which number.
    fn three(control: &Control, before: impl Fn(usize, u64) -> bool) -> (Result<Ran>, Vec<(usize, u64)>) {
        let measuring = Measuring { runs: 3, warmup: 1, case_limit: 1, ..Measuring::default() };
        let asked = RefCell::new(Vec::new());
        let cells = (0..3).map(|cell| {
            let (asked, before) = (&asked, &before);
            move |number, verify| {
                asked.borrow_mut().push((cell, number));
                before(cell, number).then_some(verify).ok_or_else(|| Failure::new("refused", "no"))
            }
        });
        (in_turn(cells, &measuring, control), asked.into_inner())
    }

    /// How many runs of each cell were timed.
    fn timed(ran: &Ran) -> Vec<Option<usize>> {
        ran.iter().map(|ran| Some(ran.as_ref().ok()?.len() - 1)).collect()
    }

    #[test]
    fn every_cell_is_verified_and_warm_before_runs_are_timed_in_turn() {
        let (ran, asked) = three(&Control::new(), |_, _| true);
        let begun = (0..3).flat_map(|cell| [(cell, 0), (cell, WARMUP)]);
        let turns = (0..3).flat_map(|number| [0, 1, 2].map(|cell| (cell, number)));
        assert_eq!(asked, begun.chain(turns).collect::<Vec<_>>());
        assert!(ran.unwrap().iter().all(|ran| ran.as_ref().unwrap() == &[true, false, false, false]));
    }

    #[test]
    fn a_cell_that_fails_ends_nothing_but_itself() {
        let (ran, asked) = three(&Control::new(), |cell, number| ![(0, 0), (1, 1)].contains(&(cell, number)));
        let ran = ran.unwrap();
        assert_eq!(timed(&ran), [None, None, Some(3)]);
        assert_eq!(ran[1].as_ref().err().unwrap().message, "no");
        let of = |cell: usize| asked.iter().filter(|asked| asked.0 == cell).count();
        assert_eq!([0, 1, 2].map(of), [1, 4, 5], "what failed is not asked again");
    }

    #[test]
    fn an_interrupt_ends_all_at_once() {
        let control = Control::new();
        let (ran, asked) = three(&control, |cell, number| {
            if (cell, number) == (1, 1) {
                control.cancel();
            }
            !control.should_stop()
        });
        assert_eq!((ran.is_err(), asked.last()), (true, Some(&(1, 1))));
    }

    #[test]
    fn time_is_over_for_a_cell_by_its_own_runs_alone() {
        let slow = |cells: [usize; 2], numbers: [u64; 2]| {
            let (ran, _) = three(&Control::new(), |cell, number| {
                if cells.contains(&cell) && numbers.contains(&number) {
                    sleep(Duration::from_secs(1));
                }
                true
            });
            timed(&ran.unwrap())
        };
        assert_eq!(slow([0, 1], [1, 1]), [Some(2), Some(2), Some(3)]);
        assert_eq!(slow([1, 1], [WARMUP, 1]), [Some(3), Some(1), Some(3)], "one run is timed at least");
    }
}
