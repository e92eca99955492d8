//! What must hold, one module an algorithm or a theme, one function a test.

pub mod adsorption;
pub mod bc;
pub mod bfs;
pub mod closeness;
pub mod config;
pub mod control;
pub mod determinism;
pub mod kcore;
pub mod label_propagation;
pub mod mst;
pub mod orders;
pub mod pagerank;
mod paths;
pub mod plans;
pub mod programs;
pub mod scc;
pub mod sssp;
pub mod triangles;
pub mod wcc;

use crate::{Backend, fixtures::Fixture};
use std::fmt::Display;
use warpgraph::{Answer, Dispatch, Plan, Run};

/// Asks and expects an answer that passes its own verifier and reports its run truly.
///
/// # Panics
/// When it does not.
fn answer<A: Dispatch>(backend: &impl Backend, fixture: &Fixture, config: &A, plan: Plan) -> A::Answer {
    let at = place::<A>(backend, fixture, plan);
    let answer = backend.ask(&fixture.graph, config, plan).unwrap_or_else(|e| panic!("{at}: {e}"));
    answer.verify(&fixture.graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
    check_run(backend, answer.run(), plan, &at);
    answer
}

/// The words that start a message: backend, fixture, algorithm and plan.
fn place<A: Dispatch>(backend: &impl Backend, fixture: &Fixture, plan: Plan) -> String {
    format!("{}, {}, {} by {plan}", backend.name(), fixture.name, A::NAME)
}

fn check_run(backend: &impl Backend, run: &Run, asked: Plan, at: &str) {
    assert_eq!(run.device, backend.engine().device(), "{at}");
    assert_eq!(run.threads, backend.engine().threads(), "{at}");
    assert!(run.seconds >= 0.0 && run.prepare_seconds >= 0.0 && run.fetch_seconds >= 0.0, "{at}: {run:?}");
    assert_eq!(run.order, backend.order(), "{at}");
    assert!(run.trace.is_empty(), "{at}: no trace was asked for");
    if asked.direction().is_some() {
        assert_eq!(run.plan.direction(), asked.direction(), "{at}: another plan ran than the one asked for");
    }
    if asked.balance().is_some() {
        assert_eq!(run.plan.balance(), asked.balance(), "{at}: another plan ran than the one asked for");
    }
}

/// Compares value by value, so that a failure shows one vertex and not two long lists.
fn assert_same<T: PartialEq + std::fmt::Debug>(got: &[T], expected: &[T], at: &impl Display) {
    assert_eq!(got.len(), expected.len(), "{at}: one value a row");
    if let Some(v) = (0..got.len()).find(|&v| got[v] != expected[v]) {
        panic!("{at}: row number {v} has {:?}, the oracle says {:?}", got[v], expected[v]);
    }
}
