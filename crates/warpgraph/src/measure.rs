//! Warm-up runs, timed runs, and the verification of every answer.

use crate::{AnyAnswer, Choice, Loaded, Options, Question, Result, Run, Violation};
use std::time::{Duration, Instant};
use warpgraph_core::Answer;
use warpgraph_graph::{Control, timeline::Phase};

/// How often to run, and what to do with the answers. What a single run is told is in [`Options`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeats {
    /// Timed runs, at least 1.
    pub runs: u64,
    /// Untimed runs before them.
    pub warmup: u64,
    /// Check every answer.
    pub verify: bool,
    /// Start no further run after this long; a run under way may take as long again.
    pub limit: Option<Duration>,
}

impl Repeats {
    /// One timed run, not verified.
    pub const ONCE: Self = Self { runs: 1, warmup: 0, verify: false, limit: None };
}

/// The most runs per round: a question that reaches hardly any arcs teaches too little in any time.
const RUNS_PER_ROUND: u64 = 1024;
/// The number of the first run that [`learn`] makes: the timed runs draw the same sources with and without it.
const LEARNING: u64 = 1 << 62;

/// What the runs gave.
pub struct Measured {
    /// The last run's answer.
    pub answer: AnyAnswer,
    /// The figures of all runs.
    pub figures: Figures,
}

/// What is kept of every run.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Seconds of each run.
    pub runs: Vec<f64>,
    /// Of those, seconds of the kernels that expand frontiers; 0 on the processor.
    pub kernels: Vec<f64>,
    /// Arcs of the vertices each run reached.
    pub arcs: Vec<u64>,
    /// Supersteps of each run.
    pub rounds: Vec<u64>,
    /// Vertices that each run reached; empty for what is no search from one vertex.
    pub reached: Vec<u64>,
    /// Seconds of preparation, over all runs.
    pub prepare: f64,
    /// Seconds of copying the graph to a GPU, over all runs, if they were on one.
    pub transfer: Option<f64>,
    /// Seconds of compiling kernels, or reading them from the cache, over all runs, if they were on a GPU.
    pub compile: Option<f64>,
    /// Seconds of bringing answers back from a GPU and into the order of the ids, over the timed runs, if they were
    /// elsewhere.
    pub fetch: Option<f64>,
    /// Seconds of verification, over all runs, if it was asked for.
    pub verify: Option<f64>,
    /// The first property that did not hold.
    pub violation: Option<Violation>,
    /// Where the last run went and why, if that was left to the engine.
    pub choice: Option<Choice>,
}

/// Runs as often as asked, or as the limit allows. Each run draws another random source.
///
/// # Errors
/// A run's.
pub fn measure(
    ready: &Loaded,
    question: &dyn Question,
    options: &Options,
    repeats: &Repeats,
) -> Result<Measured> {
    let start = Instant::now();
    let mut options = options.clone();
    if let Some(limit) = repeats.limit {
        options.control = options.control.with_time_limit(2 * limit);
    }
    let ask = |number: u64| ready.ask(question, &Options { run: number, ..options.clone() });
    let is_late = || repeats.limit.is_some_and(|limit| start.elapsed() >= limit);
    let mut figures = Figures::default();
    for i in 0..repeats.warmup {
        // Numbered from the far end, so that the timed runs draw the same sources with and without a warm-up.
        figures.note_kept(ask(u64::MAX - i)?.0.run());
        if is_late() {
            break;
        }
    }
    let mut number = 0;
    loop {
        let (answer, choice) = ask(number)?;
        figures.choice = choice;
        ready.engine().install(|| {
            let _span = options.control.span(Phase::Reporting);
            figures.note(&*answer, ready, repeats.verify.then_some(&options.control));
            if question.entry().finds_paths {
                figures.reached.extend(answer.summary()["reached"].as_u64());
            }
        });
        number += 1;
        if number >= repeats.runs || is_late() {
            return Ok(Measured { answer, figures });
        }
    }
}

/// Asks until a graph in the order `sampled` has made so many rounds and the effect of the last one is known, or until it makes
/// no more; it is settled then. Nothing is timed.
///
/// # Errors
/// A run's.
pub fn learn(ready: &Loaded, question: &dyn Question, options: &Options, rounds: u32) -> Result<()> {
    ready.limit_rounds(rounds as usize);
    // The progress bar shows rounds, not each run.
    let control = options.control.clone().with_progress(|_| {});
    for number in 0..u64::from(rounds.saturating_add(1)) * RUNS_PER_ROUND {
        if ready.is_settled() {
            return Ok(());
        }
        options.control.report("reordering", ready.rounds().len() as u64, Some(rounds.into()));
        let (control, trace) = (control.clone(), false);
        ready.ask(question, &Options { control, trace, run: LEARNING + number, ..options.clone() })?;
    }
    ready.limit_rounds(0);
    Ok(())
}

impl Figures {
    /// Notes the figures of a run. Verifies the answer if `verify` is given, which records that on its timeline.
    fn note(&mut self, answer: &dyn Answer, ready: &Loaded, verify: Option<&Control>) {
        let run = answer.run();
        self.runs.push(run.seconds);
        self.kernels.push(run.kernel_seconds);
        self.arcs.push(answer.arcs_reached());
        self.rounds.push(run.rounds);
        self.note_kept(run);
        if ready.is_renumbered() || run.device.is_gpu() {
            *self.fetch.get_or_insert(0.0) += run.fetch_seconds;
        }
        if let Some(control) = verify {
            let (start, _span) = (Instant::now(), control.span(Phase::Verifying));
            let violation = answer.verify(&ready.answered_by(answer.run())).err();
            *self.verify.get_or_insert(0.0) += start.elapsed().as_secs_f64();
            self.violation = self.violation.take().or(violation);
        }
    }

    /// What is done once and kept for later runs.
    fn note_kept(&mut self, run: &Run) {
        self.prepare += run.prepare_seconds;
        if run.device.is_gpu() {
            *self.transfer.get_or_insert(0.0) += run.transfer_seconds;
            *self.compile.get_or_insert(0.0) += run.compile_seconds;
        }
    }

    /// The median time of a run.
    pub fn median(&self) -> f64 {
        median(&self.runs)
    }

    /// The arcs that a median run reached.
    pub fn median_arcs(&self) -> f64 {
        middle(&self.arcs)
    }

    /// The supersteps of a median run.
    pub fn median_rounds(&self) -> u64 {
        middle(&self.rounds) as u64
    }

    /// The vertices that a median run reached, if it told.
    pub fn median_reached(&self) -> Option<u64> {
        (!self.reached.is_empty()).then(|| middle(&self.reached) as u64)
    }

    /// Millions of arcs a second, at the median.
    pub fn mteps(&self) -> f64 {
        self.median_arcs() / self.median() / 1e6
    }

    /// `passed`, `failed`, or `None` if it was not asked for.
    pub fn verdict(&self) -> Option<&'static str> {
        self.verify.map(|_| if self.violation.is_some() { "failed" } else { "passed" })
    }
}

fn middle(counts: &[u64]) -> f64 {
    median(&counts.iter().map(|&count| count as f64).collect::<Vec<_>>())
}

/// Returns the middle value, or the mean of the two middle ones; NaN if there are none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n => f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::{Engine, Order, Wcc, graph::generate::Spec};

    fn ready() -> Loaded {
        let graph = "kron:8".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
        Engine::auto().unwrap().load(&graph, Order::Natural).unwrap()
    }

    #[test]
    fn the_rate_counts_the_arcs_of_a_median_run() {
        let figures = Figures { runs: vec![2.0, 1.0, 4.0], arcs: vec![6_000_000; 3], ..Figures::default() };
        assert_eq!(figures.mteps(), 3.0);
    }

    #[test]
    fn as_many_runs_are_timed_and_verified_as_asked() {
        let repeats = Repeats { runs: 3, warmup: 2, verify: true, limit: None };
        let figures = measure(&ready(), &Wcc::default(), &Options::default(), &repeats).unwrap().figures;
        assert_eq!((figures.runs.len(), figures.verdict()), (3, Some("passed")));
    }

    #[test]
    fn nothing_is_copied_to_a_gpu_or_compiled_for_a_run_on_the_processor() {
        let figures =
            measure(&ready(), &Wcc::default(), &Options::default(), &Repeats::ONCE).unwrap().figures;
        assert_eq!((figures.transfer, figures.compile, figures.fetch), (None, None, None));
        assert!(matches!(figures.choice, Some(Choice::Small { .. })), "{:?}", figures.choice);
    }

    #[test]
    fn a_limit_ends_the_runs_after_the_one_under_way() {
        // A busy machine may take long to start the threads of the first run.
        let (options, limit) = (Options::default(), Some(Duration::from_secs(1)));
        let repeats = Repeats { runs: u64::MAX, limit, ..Repeats::ONCE };
        let figures = measure(&ready(), &Wcc::default(), &options, &repeats).unwrap().figures;
        assert!(!figures.runs.is_empty());
        let none = Repeats { limit: Some(Duration::ZERO), ..repeats };
        assert!(measure(&ready(), &Wcc::default(), &options, &none).is_err(), "not even one run in no time");
    }
}
