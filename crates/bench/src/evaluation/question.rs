//! One run of a cell, whose algorithm is given by its name and a configuration as JSON.

use super::{
    Starts, Wanted,
    at_graph::AtGraph,
    cell::{Answered, TimedRun},
};
use crate::{result::Failure, units};
use serde_json::json;
use std::time::{Duration, Instant};
use warpgraph::{Loaded, Options, Plan, Residency, Result, Source, Transfer, VertexId};

impl AtGraph<'_, '_> {
    /// Runs once. Runs are numbered, since sources are drawn by number.
    pub(super) fn ask(
        &self,
        wanted: &Wanted,
        loaded: &Loaded,
        number: u64,
        verify: bool,
    ) -> Result<Answered, Failure> {
        self.once(wanted, loaded, number, (verify, false))
    }

    /// Runs once more and counts what crosses the bus; `None` if nothing does, or if that run fails.
    pub(super) fn counted(&self, wanted: &Wanted, loaded: &Loaded) -> Option<Transfer> {
        self.once(wanted, loaded, 0, (false, true)).ok()?.run.transfer
    }

    fn once(
        &self,
        wanted: &Wanted,
        loaded: &Loaded,
        number: u64,
        (verify, count_transfer): (bool, bool),
    ) -> Result<Answered, Failure> {
        let (bench, sources) = (self.bench, self.sources(wanted.starts, number)?);
        let limit = Duration::from_secs(bench.measuring.case_limit);
        let once = || {
            let plan: Plan = wanted.plan.parse()?;
            let options = Options {
                plan,
                // Of managed memory, every run is the first to touch its pages.
                cold: matches!(plan.residency, Some(Residency::Unified { .. })),
                control: bench.control.clone().with_time_limit(2 * limit),
                price_tiling: wanted.price_tiling,
                count_transfer,
                seed: bench.measuring.seed,
                run: number,
                ..Options::default()
            };
            let entry = warpgraph::find(&wanted.algorithm)?;
            let mut config = wanted.config.clone();
            if let Some(source) = sources.first() {
                // Some algorithms take a list of sources.
                config["source"] = match entry.usual().config()["source"].is_array() {
                    true => json!(sources),
                    false => json!(Source::Vertex(source.clone())),
                };
            }
            let question = entry.question(config)?;
            let (answer, _) = loaded.ask(&*question, &options)?;
            let run = answer.run().clone();
            Ok(loaded.engine().install(|| {
                let start = Instant::now();
                let violation = if verify { answer.verify(loaded.graph()).err() } else { None };
                let verify = verify.then(|| start.elapsed().as_secs_f64());
                let timed = TimedRun {
                    seconds: run.seconds,
                    before: run.prepare_seconds,
                    kernels: run.kernel_seconds,
                    tiling: run.tiling_seconds,
                    rounds: run.rounds,
                    arcs: answer.arcs_reached(),
                    reached: entry.finds_paths.then(|| answer.summary()["reached"].as_u64()).flatten(),
                    source: sources.first().cloned(),
                    verify,
                };
                Answered { config: question.config(), run, timed, violation }
            }))
        };
        let answered = once().map_err(|error| crate::case::explained(&error, Some(limit)))?;
        if let Some(seconds) = answered.timed.verify {
            self.say(format_args!("  verified in {}", units::seconds(seconds)));
        }
        Ok(answered)
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
