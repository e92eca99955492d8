//! The native engine, held to every case; and the verifiers, held to wrong answers.
//!
//! On two threads, every fixture meets every plan. On one and on four, the plans and orders are dealt out over the fixtures
//! ([`covering`](warpgraph_conformance::covering)); `answers_do_not_depend_on_the_number_of_threads` compares whole answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::process::ExitCode;
use warpgraph::{Control, Device, Options, PageRank, Plan, graph::generate::Spec};
use warpgraph_conformance::{
    Backend, PLANS,
    cases::{self, SUBJECTS},
    covering,
    fixtures::{self, Fixture},
};
use warpgraph_testing::{Suite, tests};

fn main() -> ExitCode {
    Suite::default()
        .tests(warpgraph_conformance::tests("one_thread", |_| Backend::cpu(1).dealt()))
        .tests(warpgraph_conformance::tests("two_threads", |_| Backend::cpu(2)))
        .tests(warpgraph_conformance::tests("four_threads", |_| Backend::cpu(4).dealt()))
        .tests(warpgraph_conformance::verifier_tests())
        .tests(tests![
            every_algorithm_has_cases_questions_and_wrong_answers,
            every_plan_is_dealt_to_every_algorithm,
            answers_do_not_depend_on_the_number_of_threads,
            ranks_differ_between_numbers_of_threads_by_rounding_only,
            large_graphs_equal_the_oracle,
        ])
        .run()
}

fn every_algorithm_has_cases_questions_and_wrong_answers() {
    let graph = &fixtures::named("weighted grid, undirected").graph;
    assert_eq!(SUBJECTS.len(), warpgraph::algorithms().len());
    for (subject, entry) in SUBJECTS.iter().zip(warpgraph::algorithms()) {
        let asked = (subject.questions)(graph);
        assert!(
            asked.iter().any(|question| question.entry().name == entry.name),
            "{}: no question",
            entry.name
        );
        assert!(!subject.cases.is_empty() && !subject.wrong.is_empty(), "{}: no case", entry.name);
    }
}

/// The covering array leaves no plan out of an algorithm, on the simulator as on the processor.
fn every_plan_is_dealt_to_every_algorithm() {
    for device in [Device::Cpu, Device::Simt] {
        for rules in warpgraph::algorithms().iter().map(|entry| entry.rules) {
            let takes = |&plan: &Plan| rules.check(device, &Options { plan, ..Options::default() }).is_ok();
            let plans: Vec<Plan> = PLANS.iter().copied().filter(takes).collect();
            let asked = fixtures::all().iter().filter(|fixture| !fixture.is_large());
            let dealt: Vec<Plan> =
                asked.flat_map(|fixture| covering::dealt(rules.name, fixture, &plans)).collect();
            for plan in plans {
                let times = dealt.iter().filter(|&&other| other == plan).count();
                assert!(times >= 3, "{} on {device}: {plan} is dealt {times} times", rules.name);
            }
        }
    }
}

fn answers_do_not_depend_on_the_number_of_threads() {
    let names = [
        "random 4097, directed",
        "weighted random 2000, undirected",
        "f64 random 2000, directed",
        "weighted grid, undirected",
        "cycle of 4096, undirected",
    ];
    for fixture in names.map(fixtures::named) {
        for question in SUBJECTS.iter().flat_map(|subject| (subject.questions)(&fixture.graph)) {
            let options = Options {
                deterministic: ["pagerank", "adsorption"].contains(&question.entry().name),
                ..Backend::options(Plan::AUTO)
            };
            let ask = |threads| {
                let answer = Backend::cpu(threads).ask_any(&fixture.graph, &*question, &options).unwrap();
                cases::bytes_of(&*answer)
            };
            let one = ask(1);
            for threads in [2, 3, 4] {
                assert!(
                    ask(threads) == one,
                    "{}, {} on {threads} threads",
                    fixture.name,
                    question.entry().name
                );
            }
        }
    }
}

fn ranks_differ_between_numbers_of_threads_by_rounding_only() {
    let graph = &fixtures::named("random 4097, directed").graph;
    let config = PageRank::default().tolerance(1e-9);
    let ranks = |threads| Backend::cpu(threads).ask(graph, &config, Plan::AUTO).expect("an answer");
    let one = ranks(1);
    for threads in [2, 4] {
        let other = ranks(threads);
        let off: f64 = one.ranks().iter().zip(other.ranks()).map(|(a, b)| (a - b).abs()).sum();
        // Each is within 1e-9 / (1 - 0.85) of the fixed point.
        assert!(off <= 2e-9 / 0.15, "{threads} threads: {off:e}");
    }
}

/// Graphs too large for the list of fixtures and large enough for all that is only done on large ones: searches that pull,
/// edges collected up to a limit, giants that are left out.
fn large_graphs_equal_the_oracle() {
    let specs = [
        "kron:13,directed,w=1..255",
        "kron:13,w=1..3",
        "uniform:14,degree=3,directed,w=1..1000",
        "uniform:14,degree=20,w=1..100000",
        "uniform:13,degree=40",
        "powerlaw:20000,alpha=2.1,directed",
        "grid:150x150,drop=0.1,w=1..1000",
        "community:13,size=50,mix=0.2",
    ];
    for spec in specs {
        let graph = Spec::parse(spec).unwrap().generate(&Control::new()).unwrap();
        let fixture = Fixture::new(spec, graph);
        let asked = SUBJECTS.iter().filter(|s| ["scc", "mst", "label_propagation"].contains(&s.name));
        for subject in asked {
            [1, 3].into_iter().for_each(|threads| (subject.holds)(&Backend::cpu(threads), &fixture));
        }
    }
}
