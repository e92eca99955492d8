//! The command line of `run` as `cluster` takes it: the same words, less those that only make sense in one process.

use super::{Job, Run};
use crate::{
    failure::{Failure, Result},
    reading::Reading,
    session::Working,
};
use std::path::Path;
use warpgraph::{Device, Question};

/// What `cluster` uses of a command line of `run`.
pub(crate) struct InParts<'a> {
    pub(crate) question: &'a dyn Question,
    pub(crate) graph: &'a str,
    pub(crate) reading: &'a Reading,
    pub(crate) working: &'a Working,
    pub(crate) seed: u64,
    pub(crate) runs: u64,
    pub(crate) warmup: u64,
    pub(crate) out: Option<&'a Path>,
    pub(crate) force: bool,
}

impl Run {
    /// Returns what a run in parts uses; refuses flags that it has no answer to.
    pub(crate) fn in_parts(&self) -> Result<InParts<'_>> {
        let Job { question, target, graph, asked } = &self.job;
        let running = &asked.running;
        question.check_config()?;
        let device = running.device.device()?;
        let flags = [
            (target.is_some(), "--target"),
            (!matches!(device, Device::Auto | Device::Cpu), "--device other than cpu"),
            (running.plan != "auto", "--plan"),
            (running.order.is_some(), "--order"),
            (running.approximate.is_asked(), "--approx and --compare"),
            (running.reorder_rounds.is_some(), "--reorder-rounds"),
            (running.deterministic, "--deterministic"),
            (running.trace, "--trace"),
            (running.verify, "--verify"),
            (running.output.is_stdout(), "--out -"),
            (graph == "-", "a graph on standard input"),
        ];
        if let Some((_, flag)) = flags.into_iter().find(|(given, _)| *given) {
            let what = format!("a run in several processes does not take {flag}");
            return Err(Failure::new("refused", what, "leave it out, or use `warpgraph run` in one process"));
        }
        Ok(InParts {
            question: &**question,
            graph,
            reading: &asked.reading,
            working: &asked.working,
            seed: running.seed,
            runs: running.runs,
            warmup: running.warmup,
            out: running.output.path(),
            force: running.output.force,
        })
    }

    /// Returns the flags that every command has which works on a graph.
    pub(crate) fn working(&self) -> &Working {
        &self.job.asked.working
    }
}
