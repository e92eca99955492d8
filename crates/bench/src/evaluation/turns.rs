//! Times several cells in turn: a run of each, then the next of each. What changes on a machine meanwhile, such as its clock,
//! is the same for all of them.
//!
//! A cell that fails, or whose own runs have taken as long as a cell may, takes part no longer; the others go on.

use super::{
    Clock, Measuring, Per, Verify,
    question::Answered,
    report::{Cell, FirstRun, Memory, TimedRun, WRONG},
};
use crate::{
    result::Failure,
    statistics::{self, Spread},
};
use std::time::{Duration, Instant};
use warpgraph::{Control, Result, Run, VertexId, Violation};

/// One run, and where it started if the evaluation chose that.
pub(super) type Once = (Answered, Option<VertexId>);

/// What the runs of a cell gave.
#[derive(Debug, Clone, Default)]
pub(super) struct Ran {
    pub(super) first: Option<Answered>,
    pub(super) last: Option<Run>,
    pub(super) timed: Vec<TimedRun>,
    pub(super) violation: Option<Violation>,
}

/// Makes all runs of all cells: the first run, which is verified, and warm-up, cell after cell; then timed runs in turn. A
/// cell is a function that runs once, told the number of the run and whether to verify; it is taken when its first run
/// is due.
///
/// # Errors
/// Only when the whole measurement must stop.
pub(super) fn in_turn<A: FnMut(u64, bool) -> Result<Once, Failure>>(
    cells: impl IntoIterator<Item = A>,
    measuring: &Measuring,
    control: &Control,
) -> Result<Vec<Result<Ran, Failure>>> {
    let all = cells.into_iter().map(|ask| Runs::begin(ask, measuring, control));
    let mut all = all.collect::<Result<Vec<Runs<'_, A>>>>()?;
    for number in 0..measuring.runs.max(1) {
        all.iter_mut().try_for_each(|runs| runs.next(number))?;
    }
    Ok(all.into_iter().map(|runs| runs.ran).collect())
}

/// The runs of one cell, one at a time.
struct Runs<'a, A> {
    ask: A,
    measuring: &'a Measuring,
    control: &'a Control,
    ran: Result<Ran, Failure>,
    /// What its own runs took, the first one aside.
    taken: Duration,
}

impl<'a, A: FnMut(u64, bool) -> Result<Once, Failure>> Runs<'a, A> {
    fn begin(ask: A, measuring: &'a Measuring, control: &'a Control) -> Result<Self> {
        let mut runs = Self { ask, measuring, control, ran: Ok(Ran::default()), taken: Duration::ZERO };
        runs.run(0, true, |ran, (first, _)| {
            ran.violation = first.verify.clone().and_then(|(_, violation)| violation);
            ran.first = Some(first);
        })?;
        runs.taken = Duration::ZERO;
        for nth in 0..measuring.warmup {
            // Numbered from the far end, so that the timed runs draw the same sources whatever the warm-up.
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
            false => self.run(number, self.measuring.verify == Verify::All, Ran::note),
        }
    }

    fn run(&mut self, number: u64, verify: bool, note: impl FnOnce(&mut Ran, Once)) -> Result<()> {
        let Ok(ran) = &mut self.ran else { return Ok(()) };
        let start = Instant::now();
        match (self.ask)(number, verify) {
            Ok(once) => note(ran, once),
            Err(failure) => {
                self.control.check("measuring")?;
                self.ran = Err(failure);
            }
        }
        self.taken += start.elapsed();
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.taken >= self.measuring.case_limit()
    }
}

impl Ran {
    /// Keeps a timed run.
    fn note(&mut self, (answered, source): Once) {
        let (run, verify) = (answered.run, answered.verify.as_ref().map(|(seconds, _)| *seconds));
        self.violation = self.violation.take().or(answered.verify.and_then(|(_, violation)| violation));
        self.timed.push(TimedRun {
            seconds: run.seconds,
            before: run.prepare_seconds,
            kernels: run.kernel_seconds,
            tiling: run.tiling_seconds,
            rounds: run.rounds,
            arcs: answered.arcs,
            reached: answered.reached,
            source,
            verify,
        });
        self.last = Some(run);
    }

    /// Returns the median of something of every timed run.
    pub(super) fn median(&self, of: impl Fn(&TimedRun) -> f64) -> f64 {
        statistics::median(&self.timed.iter().map(of).collect::<Vec<f64>>())
    }
}

impl Cell {
    /// Fills in what its runs gave.
    pub(super) fn fill(&mut self, ran: Ran, clock: Clock, graph_bytes: u64) {
        let time = |run: &TimedRun| match clock {
            Clock::Run => run.seconds,
            Clock::Call => run.before + run.seconds,
        };
        let parts = |run: &TimedRun| if self.per == Per::Sweep { run.rounds.max(1) as f64 } else { 1.0 };
        let seconds: Vec<f64> = ran.timed.iter().map(|run| time(run) / parts(run)).collect();
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        self.seconds = Spread::of(&seconds);
        self.outliers = statistics::outliers(&seconds);
        self.kernel = finite(ran.median(|run| run.kernels));
        self.arcs = finite(ran.median(|run| run.arcs as f64 / parts(run)));
        self.speed = finite(ran.median(|run| run.arcs as f64 / time(run).max(1e-9) / 1e9));
        self.rounds = finite(ran.median(|run| run.rounds as f64)).map(|rounds| rounds as u64);
        self.verify = Some(if ran.violation.is_some() { "failed" } else { "passed" }.to_owned());
        self.error = ran.violation.map(|violation| Failure {
            kind: WRONG.to_owned(),
            message: violation.to_string(),
            help: None,
        });
        if let Some(first) = ran.first {
            let (run, verify) = (&first.run, first.verify.map_or(0.0, |(seconds, _)| seconds));
            self.first = Some(FirstRun {
                seconds: run.seconds,
                prepare: run.prepare_seconds,
                transfer: run.transfer_seconds,
                compile: run.compile_seconds,
                verify,
                tiles: run.tiles.map(Into::into),
            });
            self.config = first.config;
        }
        if let Some(run) = ran.last {
            self.device = run.device.to_string();
            self.plan = Some(run.plan.to_string());
            self.tiles = run.tiles.map(Into::into);
            self.memory = Some(Memory { graph: graph_bytes, state: run.state_bytes, extra: run.extra_bytes });
        }
        self.runs = ran.timed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::question;
    use serde_json::json;
    use std::{cell::RefCell, thread::sleep};
    use warpgraph::{Device, Engine, Options, graph::generate::Spec};

    const WARMUP: u64 = u64::MAX;

    struct Three {
        ran: Result<Vec<Result<Ran, Failure>>>,
        /// Which cell ran for which number.
        asked: Vec<(usize, u64)>,
    }

    /// Three cells of three runs. `before` is done before each.
    fn three(control: &Control, before: impl Fn(usize, u64) -> Result<(), Failure>) -> Three {
        let measuring =
            Measuring { runs: 3, warmup: 1, seed: 1, case_limit: 1, order_limit: 1, verify: Verify::Once };
        let graph = "kron:5".parse::<Spec>().unwrap().generate(control).unwrap();
        let loaded = &Engine::on(Device::Cpu, Some(1)).unwrap().load_as_stored(&graph).unwrap();
        let asked = RefCell::new(Vec::new());
        let cells = (0..3).map(|cell| {
            let (asked, before) = (&asked, &before);
            move |number, verify| {
                asked.borrow_mut().push((cell, number));
                before(cell, number)?;
                let asked = question::ask("wcc", json!({}), loaded, &Options::default(), verify);
                Ok((asked.unwrap(), None))
            }
        });
        let ran = in_turn(cells, &measuring, control);
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
        let is_right = |ran: &Ran| ran.violation.is_none() && ran.first.as_ref().unwrap().verify.is_some();
        assert!(ran.iter().all(|ran| is_right(ran.as_ref().unwrap())));
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
                    sleep(Duration::from_secs(1));
                }
                Ok(())
            });
            timed(&ran.unwrap())
        };
        assert_eq!(slow([0, 1], [1, 1]), [Some(2), Some(2), Some(3)]);
        assert_eq!(slow([1, 1], [WARMUP, 1]), [Some(3), Some(1), Some(3)], "one run is timed at least");
    }
}
