//! The runs a question asks for.

use super::Question;
use crate::{failure::Result, session::Session};
use clap::Args;
use warpgraph::{Dispatch, Loaded, Plan};
use warpgraph_bench::runner::{self, How};

pub(super) use warpgraph_bench::runner::Measured;

/// Runs as often as asked.
pub(super) fn measure<A: Dispatch + Args>(
    session: &Session,
    ready: &Loaded,
    question: &Question<A>,
    plan: Plan,
) -> Result<Measured<A::Answer>> {
    let running = &question.running;
    let how = How {
        plan,
        runs: running.runs,
        warmup: running.warmup,
        seed: running.seed,
        trace: running.trace,
        deterministic: running.deterministic,
        verify: running.verify,
        limit: None,
        control: &session.control,
    };
    Ok(session.work(|_| runner::measure(ready, &question.asked(), &how))?)
}
