//! One run of a cell, whose algorithm is given by its name and a configuration as JSON.

use super::{
    Counts, Question, Starts, Wanted,
    at_graph::AtGraph,
    cell::{Answered, TimedRun},
    counted::Counted,
};
use crate::{result::Failure, units};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use warpgraph::{AnyAnswer, Loaded, Options, Plan, Residency, Result, Run, Source, Transfer, VertexId};

/// What a run is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// Its time.
    Time,
    /// Its time, and a check of its answer.
    Verify,
    /// What crosses the bus.
    Transfer,
    /// What it does.
    Work,
}

impl AtGraph<'_, '_> {
    /// Runs once. Runs are numbered, since sources are drawn by number.
    pub(super) fn ask(
        &self,
        wanted: &Wanted,
        loaded: &Loaded,
        number: u64,
        verify: bool,
    ) -> Result<Answered, Failure> {
        self.once(wanted, loaded, number, if verify { Aim::Verify } else { Aim::Time })
    }

    /// Runs once more and counts what crosses the bus; `None` if nothing does, or if that run fails.
    pub(super) fn counted_transfer(&self, wanted: &Wanted, loaded: &Loaded) -> Option<Transfer> {
        self.once(wanted, loaded, 0, Aim::Transfer).ok()?.run.transfer
    }

    /// Runs once more and counts what it does; `None` if this plan cannot count. If that run fails, it says why.
    pub(super) fn counted_work(&self, wanted: &Wanted, loaded: &Loaded) -> Option<Counted> {
        match self.once(wanted, loaded, 0, Aim::Work) {
            Ok(answered) => Counted::of(&answered.run),
            Err(failure) => {
                self.say(format_args!("  its work was not counted: {}", failure.message));
                None
            }
        }
    }

    /// Asks the evaluation to count what a cell does; `None` if the engine is to run it.
    pub(super) fn counted_apart(&self, wanted: &Wanted, loaded: &Loaded) -> Option<Result<Run, Failure>> {
        let config = match self.sources(wanted.starts, 0) {
            Ok(sources) => configured(wanted, &sources),
            Err(failure) => return Some(Err(failure)),
        };
        let limit = Duration::from_secs(self.bench.measuring.case_limit);
        let question = Question {
            algorithm: &wanted.algorithm,
            plan: &wanted.plan,
            config: &config,
            graph: loaded.graph(),
            on_gpu: loaded.engine().gpu().is_some(),
            control: &self.bench.control.clone().with_time_limit(2 * limit),
        };
        let counted = loaded.engine().install(|| self.bench.evaluation.count(&question)).transpose()?;
        Some(counted.map_err(|error| crate::case::explained(&error, Some(limit))))
    }

    fn once(&self, wanted: &Wanted, loaded: &Loaded, number: u64, aim: Aim) -> Result<Answered, Failure> {
        let (bench, sources) = (self.bench, self.sources(wanted.starts, number)?);
        let limit = Duration::from_secs(bench.measuring.case_limit);
        let once = || {
            let (answer, config) = self.answer(wanted, loaded, number, aim, &sources)?;
            let run = answer.run().clone();
            Ok(loaded.engine().install(|| {
                let (start, verify) = (Instant::now(), aim == Aim::Verify);
                let violation = if verify { answer.verify(loaded.answered()).err() } else { None };
                let verify = verify.then(|| start.elapsed().as_secs_f64());
                let timed = TimedRun { source: sources.first().cloned(), verify, ..timed(wanted, &answer) };
                Answered { config, run, timed, violation }
            }))
        };
        let answered = once().map_err(|error| crate::case::explained(&error, Some(limit)))?;
        if let Some(seconds) = answered.timed.verify {
            self.say(format_args!("  verified in {}", units::seconds(seconds)));
        }
        Ok(answered)
    }

    /// Returns the answer of a run, and the whole configuration.
    fn answer(
        &self,
        wanted: &Wanted,
        loaded: &Loaded,
        number: u64,
        aim: Aim,
        sources: &[VertexId],
    ) -> Result<(AnyAnswer, Value)> {
        let (plan, measuring): (Plan, _) = (wanted.plan.parse()?, &self.bench.measuring);
        let limit = Duration::from_secs(measuring.case_limit);
        let options = Options {
            plan,
            // Of managed memory, every run is the first to touch its pages.
            cold: matches!(plan.residency, Some(Residency::Unified { .. })),
            control: self.bench.control.clone().with_time_limit(2 * limit),
            price_tiling: wanted.price_tiling,
            count_transfer: aim == Aim::Transfer,
            count_work: aim == Aim::Work,
            trace: aim == Aim::Work && wanted.counts == Counts::Rounds,
            seed: measuring.seed,
            run: number,
            ..Options::default()
        };
        let question = warpgraph::find(&wanted.algorithm)?.question(configured(wanted, sources))?;
        let (answer, _) = loaded.ask(&*question, &options)?;
        Ok((answer, question.config()))
    }

    /// Returns the answer from the sources of the first timed run.
    pub(super) fn first_answer(&self, wanted: &Wanted, loaded: &Loaded) -> Result<AnyAnswer, Failure> {
        let sources = self.sources(wanted.starts, 0)?;
        let answer = self.answer(wanted, loaded, 0, Aim::Time, &sources);
        answer.map(|(answer, _)| answer).map_err(|error| Failure::from(&error))
    }

    fn sources(&self, starts: Starts, number: u64) -> Result<Vec<VertexId>, Failure> {
        let seed = self.bench.measuring.seed;
        match (&self.sources, starts) {
            (_, Starts::Configured) | (None, _) => Ok(Vec::new()),
            (Some(Err(failure)), _) => Err(failure.clone()),
            (Some(Ok(sources)), Starts::Largest) => Ok(vec![sources.draw(seed, number)]),
            (Some(Ok(sources)), Starts::LargestOnce) => Ok(vec![sources.draw(seed, 0)]),
            (Some(Ok(sources)), Starts::LargestTogether(count)) => Ok(sources.draw_all(seed, number, count)),
        }
    }
}

/// Returns the configuration of a run from these sources.
fn configured(wanted: &Wanted, sources: &[VertexId]) -> Value {
    let mut config = wanted.config.clone();
    if let Some(source) = sources.first() {
        let usual = warpgraph::find(&wanted.algorithm).map(|entry| entry.usual().config());
        // Some algorithms take a list of sources.
        config["source"] = match usual.is_ok_and(|usual| usual["source"].is_array()) {
            true => json!(sources),
            false => json!(Source::Vertex(source.clone())),
        };
    }
    config
}

/// Returns what an answer tells of its run.
fn timed(wanted: &Wanted, answer: &AnyAnswer) -> TimedRun {
    let (run, finds_paths) =
        (answer.run(), warpgraph::find(&wanted.algorithm).is_ok_and(|entry| entry.finds_paths));
    // A summary may take long.
    let summary =
        if finds_paths || wanted.counts != Counts::Nothing { answer.summary() } else { Value::Null };
    TimedRun {
        seconds: run.seconds,
        before: run.prepare_seconds,
        kernels: run.kernel_seconds,
        tiling: run.tiling_seconds,
        rounds: run.rounds,
        arcs: answer.arcs_reached(),
        reached: finds_paths.then(|| summary["reached"].as_u64()).flatten(),
        residual: summary["residual"].as_f64(),
        ..TimedRun::default()
    }
}
