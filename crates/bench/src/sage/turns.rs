//! The runs of several cells, in turn: a run of each, then the next of each. What changes on a machine meanwhile, such as its clock, is
//! the same to all of them.
//!
//! A cell that fails, or whose own runs have taken as long as a cell may, takes part no longer; the others go on.

use super::{cells::Ran, measure::How, question::Asked};
use crate::result::Failure;
use std::time::{Duration, Instant};
use warpgraph::Result;

/// All runs of all cells: verified runs and warm-up, cell after cell, then timed runs in turn. A cell is what asks once, told the number of
/// the run and whether to verify; it is taken when its verified run is due.
///
/// # Errors
/// Only when the whole measurement must stop.
pub(super) fn in_turn<A: FnMut(u64, bool) -> Result<Asked, Failure>>(
    cells: impl IntoIterator<Item = A>,
    how: &How<'_>,
) -> Result<Vec<Result<Ran, Failure>>> {
    let all = cells.into_iter().map(|ask| Runs::begin(ask, how));
    let mut all = all.collect::<Result<Vec<Runs<'_, A>>>>()?;
    for number in 0..how.runs.max(1) {
        all.iter_mut().try_for_each(|runs| runs.next(number))?;
    }
    Ok(all.into_iter().map(|runs| runs.ran).collect())
}

/// The runs of one cell, one at a time.
struct Runs<'a, A> {
    ask: A,
    how: &'a How<'a>,
    ran: Result<Ran, Failure>,
    /// What its own runs took, the verified one aside.
    taken: Duration,
}

impl<'a, A: FnMut(u64, bool) -> Result<Asked, Failure>> Runs<'a, A> {
    fn begin(ask: A, how: &'a How<'a>) -> Result<Self> {
        let mut runs = Self { ask, how, ran: Ok(Ran::default()), taken: Duration::ZERO };
        runs.run(0, true, Ran::note_first)?;
        runs.taken = Duration::ZERO;
        for nth in 0..how.warmup {
            runs.run(u64::MAX - nth, false, |_, _| ())?;
            if runs.is_late() {
                break;
            }
        }
        Ok(runs)
    }

    /// The next timed run; the first one is made however late it is.
    fn next(&mut self, number: u64) -> Result<()> {
        match number > 0 && self.is_late() {
            true => Ok(()),
            false => self.run(number, false, |ran, asked| ran.note(&asked)),
        }
    }

    fn run(&mut self, number: u64, verify: bool, note: impl FnOnce(&mut Ran, Asked)) -> Result<()> {
        let Ok(ran) = &mut self.ran else { return Ok(()) };
        let start = Instant::now();
        match (self.ask)(number, verify) {
            Ok(asked) => note(ran, asked),
            Err(failure) => {
                self.how.control.check("measuring")?;
                self.ran = Err(failure);
            }
        }
        self.taken += start.elapsed();
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.taken >= self.how.case_limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::{
        Question,
        cells::{Starts, Subject},
    };
    use std::{cell::RefCell, thread::sleep};
    use warpgraph::{Control, Device, Engine, Plan, graph::generate::Spec};

    const LIMIT: Duration = Duration::from_millis(200);
    const WARMUP: u64 = u64::MAX;

    struct Three {
        ran: Result<Vec<Result<Ran, Failure>>>,
        /// Which cell was asked for which run.
        asked: Vec<(usize, u64)>,
    }

    /// Three cells of three runs. `before` is done before each.
    fn three(control: &Control, before: impl Fn(usize, u64) -> Result<(), Failure>) -> Three {
        let (case_limit, order_limit) = (LIMIT, LIMIT);
        let how = How { runs: 3, warmup: 1, seed: 1, case_limit, order_limit, control, say: &|_| () };
        let graph = "kron:5".parse::<Spec>().unwrap().generate(control).unwrap();
        let loaded = &Engine::on(Device::Cpu, Some(1)).unwrap().load_as_stored(&graph).unwrap();
        let starts = &Starts::find(&graph, loaded, &how).unwrap();
        let (question, plan) = (Question::Wcc, Plan::AUTO);
        let subject = Subject { loaded, starts, question, plan, prices: false, is_one_source: false };
        let asked = RefCell::new(Vec::new());
        let cells = (0..3).map(|cell| {
            let (asked, before, how) = (&asked, &before, &how);
            move |number, verify| {
                asked.borrow_mut().push((cell, number));
                before(cell, number)?;
                subject.ask(number, verify, how)
            }
        });
        let ran = in_turn(cells, &how);
        Three { ran, asked: asked.into_inner() }
    }

    fn timed(ran: &[Result<Ran, Failure>]) -> Vec<Option<usize>> {
        ran.iter().map(|ran| Some(ran.as_ref().ok()?.timed.len())).collect()
    }

    fn failure() -> Failure {
        Failure { kind: "refused".to_owned(), message: "no".to_owned(), help: None }
    }

    #[test]
    fn every_cell_is_verified_and_warm_before_runs_are_timed_in_turn() {
        let Three { ran, asked } = three(&Control::new(), |_, _| Ok(()));
        let begun = (0..3).flat_map(|cell| [(cell, 0), (cell, WARMUP)]);
        let turns = (0..3).flat_map(|number| [0, 1, 2].map(|cell| (cell, number)));
        assert_eq!(asked, begun.chain(turns).collect::<Vec<_>>());
        let ran = ran.unwrap();
        assert_eq!(timed(&ran), [Some(3); 3]);
        assert!(ran.iter().all(|ran| ran.as_ref().unwrap().verdict == Some("passed")));
    }

    #[test]
    fn a_cell_that_fails_ends_nothing_but_itself() {
        let Three { ran, asked } = three(&Control::new(), |cell, number| match (cell, number) {
            (0, 0) | (1, 1) => Err(failure()),
            _ => Ok(()),
        });
        let ran = ran.unwrap();
        assert_eq!(timed(&ran), [None, None, Some(3)]);
        assert_eq!(ran[1].as_ref().err().unwrap().message, "no");
        let of = |cell: usize| asked.iter().filter(|asked| asked.0 == cell).count();
        assert_eq!([0, 1, 2].map(of), [1, 4, 5], "what failed is not asked again");
    }

    #[test]
    fn an_interrupt_ends_all_at_once() {
        let control = Control::new();
        let Three { ran, asked } = three(&control, |cell, number| match (cell, number) {
            (1, 1) => {
                control.cancel();
                Err(failure())
            }
            _ => Ok(()),
        });
        assert_eq!((ran.is_err(), asked.last()), (true, Some(&(1, 1))));
    }

    #[test]
    fn time_is_over_for_a_cell_by_its_own_runs_alone() {
        let slow = |cells: [usize; 2], numbers: [u64; 2]| {
            let Three { ran, .. } = three(&Control::new(), |cell, number| {
                if cells.contains(&cell) && numbers.contains(&number) {
                    sleep(LIMIT);
                }
                Ok(())
            });
            timed(&ran.unwrap())
        };
        assert_eq!(slow([0, 1], [1, 1]), [Some(2), Some(2), Some(3)]);
        assert_eq!(slow([1, 1], [WARMUP, 1]), [Some(3), Some(1), Some(3)], "one run is timed at least");
    }
}
