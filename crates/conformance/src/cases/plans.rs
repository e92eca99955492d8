//! Plans: each pair of algorithm and plan runs or gives its exact refusal.

use super::{Case, SUBJECTS, named};
use crate::{Backend, PLANS, fixtures};
use warpgraph::{Options, Plan, Question};

pub(super) const CASES: &[Case] =
    named!(Case, each_pair_runs_or_gives_its_exact_refusal, a_trace_has_one_step_a_round);

/// The whole product of algorithms and plans. The words of refusals are tested where they are written; here it is seen that engines
/// run everything else to an answer that its verifier passes, and that nothing refused is run.
fn each_pair_runs_or_gives_its_exact_refusal(backend: &Backend) {
    let graph = &fixtures::named("grid, undirected").graph;
    for question in SUBJECTS.iter().flat_map(|subject| (subject.questions)(graph)) {
        PLANS.iter().for_each(|&plan| runs_or_is_refused(backend, &*question, plan));
    }
}

fn runs_or_is_refused(backend: &Backend, question: &dyn Question, plan: Plan) {
    let graph = &fixtures::named("grid, undirected").graph;
    let words = |result: warpgraph::Result<()>| result.map_or_else(|e| e.to_string(), |()| String::new());
    let at = format!("{}, {} by {plan}", backend.name(), question.entry().name);
    let answer = backend.ask_any(graph, question, &Backend::options(plan));
    if let Ok(answer) = &answer {
        answer.verify(graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
    }
    assert_eq!(words(answer.map(drop)), words(backend.takes(&question.entry().rules, plan)), "{at}");
}

/// A trace, where one is asked for, tells of every round in order.
fn a_trace_has_one_step_a_round(backend: &Backend) {
    let graph = &fixtures::named("weighted grid, undirected").graph;
    for question in SUBJECTS.iter().flat_map(|subject| (subject.questions)(graph)) {
        let options = Options { trace: true, ..Backend::options(Plan::AUTO) };
        let answer = backend.ask_any(graph, &*question, &options).expect("an answer");
        let rounds: Vec<u64> = answer.run().trace.iter().map(|step| step.round).collect();
        assert_eq!(rounds, (0..answer.run().rounds).collect::<Vec<_>>(), "{}", question.entry().name);
        assert!(answer.run().trace.iter().all(|step| step.seconds >= 0.0), "{}", question.entry().name);
    }
}
