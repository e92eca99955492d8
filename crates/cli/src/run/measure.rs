//! Warm-up runs, timed runs, and the verification of every answer.

use super::Question;
use crate::{failure::Result, session::Session};
use clap::Args;
use std::time::Instant;
use warpgraph::{Answer, Dispatch, Loaded, Plan, Violation};

/// What the runs gave.
pub(super) struct Measured<T> {
    /// The last run's answer.
    pub(super) answer: T,
    /// The figures of all runs.
    pub(super) figures: Figures,
}

/// What is kept of every run.
#[derive(Default)]
pub(super) struct Figures {
    /// Seconds of each run.
    pub(super) runs: Vec<f64>,
    /// Arcs of the vertices each run reached.
    pub(super) arcs: Vec<u64>,
    /// Seconds of preparation, over all runs.
    pub(super) prepare: f64,
    /// Seconds of bringing answers back into the order of the ids, over all runs, if they were in another.
    pub(super) fetch: Option<f64>,
    /// Seconds of verification, over all runs, if it was asked for.
    pub(super) verify: Option<f64>,
    /// The first property that did not hold.
    pub(super) violation: Option<Violation>,
}

/// Runs as often as asked.
pub(super) fn measure<A: Dispatch + Args>(
    session: &Session,
    ready: &Loaded,
    question: &Question<A>,
    plan: Plan,
) -> Result<Measured<A::Answer>> {
    let running = &question.running;
    let ask = |number: u64| {
        let job = ready.job(question.asked()).plan(plan).trace(running.trace);
        let job = job.deterministic(running.deterministic);
        session.work(|control| job.control(control).seed(running.seed, number).run())
    };
    let mut figures = Figures::default();
    for i in 0..running.warmup {
        // Numbered from the far end, so that the timed runs draw the same sources with and without a warm-up.
        figures.prepare += ask(u64::MAX - i)?.run().prepare_seconds;
    }
    let mut number = 0;
    loop {
        let answer = ask(number)?;
        session.work(|_| figures.note(&answer, ready, running.verify));
        number += 1;
        if number == running.runs {
            return Ok(Measured { answer, figures });
        }
    }
}

impl Figures {
    fn note(&mut self, answer: &impl Answer, ready: &Loaded, verify: bool) {
        self.runs.push(answer.run().seconds);
        self.arcs.push(answer.arcs_reached());
        self.prepare += answer.run().prepare_seconds;
        if ready.is_renumbered() {
            *self.fetch.get_or_insert(0.0) += answer.run().fetch_seconds;
        }
        if verify {
            let start = Instant::now();
            let violation = answer.verify(ready.graph()).err();
            *self.verify.get_or_insert(0.0) += start.elapsed().as_secs_f64();
            self.violation = self.violation.take().or(violation);
        }
    }

    /// The median time of a run.
    pub(super) fn median(&self) -> f64 {
        median(self.runs.clone())
    }

    /// Millions of arcs a second, at the median.
    pub(super) fn mteps(&self) -> f64 {
        median(self.arcs.iter().map(|&a| a as f64).collect()) / self.median() / 1e6
    }
}

/// The middle value, or the mean of the two middle ones; there is at least one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    (values[(n - 1) / 2] + values[n / 2]) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn the_rate_counts_the_arcs_of_a_median_run() {
        let figures = Figures { runs: vec![2.0, 1.0, 4.0], arcs: vec![6_000_000; 3], ..Figures::default() };
        assert_eq!(figures.mteps(), 3.0);
    }
}
