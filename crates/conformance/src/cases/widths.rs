//! Widths: graphs of more than 2^32 arcs do not fit a test, but their 64-bit offsets do. Every algorithm gives the same answer on a
//! small graph whose offsets are wide.

use super::{Case, SUBJECTS, bytes_of, named};
use crate::{
    Backend, covering,
    fixtures::{Fixture, widened},
};
use warpgraph::{Control, Graph, Options, Plan, Question, Rules, graph::generate::Spec};

pub(super) const CASES: &[Case] = named!(Case, answers_do_not_depend_on_the_width_of_offsets);

const SPECS: [&str; 4] = [
    "kron:10,w=1..9",
    "kron:11,directed,w=1..9",
    "powerlaw:3000,alpha=1.9,w=1..9",
    "grid:40x40,drop=0.1,w=1..9",
];

/// Smaller ones, for engines that are asked less.
const SMALL_SPECS: [&str; 2] = ["kron:7,w=1..9", "kron:8,directed,w=1..9"];

/// By the engine's own plan and some that are named, the same on a graph and its wide form.
fn answers_do_not_depend_on_the_width_of_offsets(backend: &Backend) {
    let specs = if backend.is_dealt() { &SMALL_SPECS[..] } else { &SPECS };
    for spec in specs {
        let narrow = spec.parse::<Spec>().and_then(|spec| spec.generate(&Control::new())).expect("a graph");
        let wide = widened(&narrow);
        for question in SUBJECTS.iter().flat_map(|subject| (subject.questions)(&narrow)) {
            for plan in plans(backend, spec, &narrow, &question.entry().rules) {
                let [a, b] = [&narrow, &wide].map(|graph| bytes(backend, graph, &*question, plan));
                assert!(a == b, "{}, {spec}, {} by {plan}", backend.name(), question.entry().name);
            }
        }
    }
}

/// The engine's own plan, and those that are dealt to the graph.
fn plans(backend: &Backend, spec: &str, graph: &Graph, rules: &Rules) -> Vec<Plan> {
    let taken: Vec<Plan> = Plan::ALL.into_iter().filter(|&plan| backend.takes(rules, plan).is_ok()).collect();
    let mut plans = covering::dealt(rules.name, &Fixture::new(spec, graph.clone()), &taken);
    plans.retain(|&plan| plan != Plan::AUTO);
    plans.push(Plan::AUTO);
    plans
}

/// The answer as a file and its figures by the engine's own plan, which can give the same bits run after run. By other plans the
/// verifier must pass the answer, and nothing is compared: ties and sums may come out in another order.
fn bytes(backend: &Backend, graph: &Graph, question: &dyn Question, plan: Plan) -> Vec<u8> {
    let deterministic = plan == Plan::AUTO;
    let options = Options { deterministic, ..Backend::options(plan) };
    let at = format!("{}, {} by {plan}", backend.name(), question.entry().name);
    let answer = backend.ask_any(graph, question, &options).unwrap_or_else(|e| panic!("{at}: {e}"));
    answer.verify(graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
    if !deterministic {
        return Vec::new();
    }
    bytes_of(&*answer)
}
