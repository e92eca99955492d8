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
    let how = how(session, question, plan);
    Ok(session.work(|_| runner::measure(ready, &question.asked(), &how))?)
}

/// Lets the order `sampled` make the rounds that are asked for.
pub(super) fn learn<A: Dispatch + Args>(
    session: &Session,
    ready: &Loaded,
    question: &Question<A>,
    plan: Plan,
) -> Result<()> {
    let Some(rounds) = question.running.reorder_rounds else { return Ok(()) };
    let how = how(session, question, plan);
    Ok(session.work(|_| runner::learn(ready, &question.asked(), &how, rounds))?)
}

fn how<'a, A: Dispatch + Args>(session: &'a Session, question: &Question<A>, plan: Plan) -> How<'a> {
    let running = &question.running;
    How {
        plan,
        runs: running.runs,
        warmup: running.warmup,
        seed: running.seed,
        trace: running.trace,
        deterministic: running.deterministic,
        verify: running.verify,
        ..How::new(&session.control)
    }
}
