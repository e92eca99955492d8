//! Errors that held-out sources have measured: the report says how they are known, and later runs use what was found.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph::{
    Answer, Bound, Control, Device, Engine, Graph, Inaccuracy, Loaded, Mst, Order, Scc, Source, Sssp, Word,
    graph::generate::Spec, program::library::ShortestPaths,
};

fn load(spec: &str) -> Loaded {
    let graph = spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    Engine::on(Device::Cpu, Some(2)).unwrap().load(&graph, Order::Natural).unwrap()
}

fn within(error: f64) -> Sssp {
    Sssp { source: Source::Random, max_error: Some(error), ..Sssp::default() }
}

/// Returns the mean error of an answer, or infinity if another set of vertices is reached.
fn off(answer: &dyn Answer, exact: &dyn Answer) -> f64 {
    let off = Inaccuracy::of(&answer.judged().unwrap(), &exact.judged().unwrap()).unwrap();
    if off.unmatched == 0 { off.mean } else { f64::INFINITY }
}

/// Whether an approximation is chosen depends on times. The unit tests of the module choose without times, and count how often
/// the error holds.
#[test]
fn answers_within_an_error_say_how_it_is_known_and_are_right_for_the_graph_that_answered() {
    let graphs = ["kron:9,w=1..64", "powerlaw:1000,w=1..100", "grid:30x30,w=1..9"];
    for (spec, seed) in graphs.iter().zip(3..) {
        for error in [0.02, 0.2] {
            // A handle of its own: a new choice.
            let loaded = load(spec);
            for run in 0..4 {
                let answer = loaded.sssp(within(error)).seed(seed, run).run().unwrap();
                let exact =
                    loaded.sssp(Sssp { max_error: None, ..within(error) }).seed(seed, run).run().unwrap();
                let accuracy = answer.run().accuracy.as_ref().unwrap();
                assert!(matches!(accuracy.word, Word::Measured | Word::Exact), "{spec}: {accuracy:?}");
                assert_eq!(accuracy.asked, error);
                assert!(accuracy.achieved <= error && accuracy.confidence >= 0.95, "{spec}: {accuracy:?}");
                assert_eq!(accuracy.word == Word::Measured, answer.run().exactness.is_some(), "{spec}");
                assert!(accuracy.word == Word::Measured || off(&answer, &exact) == 0.0, "{spec}");
                answer.verify(&loaded.answered_by(answer.run())).unwrap();
            }
        }
    }
}

#[test]
fn what_was_found_is_kept_for_later_runs() {
    let loaded = load("kron:8,w=1..64");
    let first = loaded.sssp(within(0.5)).seed(1, 0).run().unwrap();
    let again = loaded.sssp(within(0.5)).seed(1, 1).run().unwrap();
    assert_eq!(first.run().accuracy, again.run().accuracy);
    assert!(first.run().prepare_seconds > again.run().prepare_seconds);
    assert_ne!(first.run().accuracy, None);
}

#[test]
fn programs_with_another_source_measure_the_error_of_a_program() {
    let loaded = load("kron:9,w=1..64");
    let program =
        |error| loaded.program(ShortestPaths::<f64>::from(5)).max_error(error, ShortestPaths::from).run();
    let (answer, exact) =
        (program(0.4).unwrap(), loaded.program(ShortestPaths::<f64>::from(5)).run().unwrap());
    let accuracy = answer.run().accuracy.as_ref().unwrap();
    assert!(accuracy.word == Word::Exact || off(&answer, &exact).is_finite(), "{accuracy:?}");
    let error = program(-1.0).unwrap_err().to_string();
    assert!(error.contains("the maximum error must be a positive number"), "{error}");
}

#[test]
fn algorithms_without_a_bound_answer_exactly_and_say_why() {
    let graph = Graph::from_edges(4, &[(0, 1), (1, 2), (2, 0)], false).unwrap();
    let loaded = Engine::on(Device::Cpu, Some(1)).unwrap().load(&graph, Order::Natural).unwrap();
    let mst = loaded.mst(Mst { max_error: Some(0.1) }).run().unwrap();
    let scc = loaded.scc(Scc { max_error: Some(0.1) }).run().unwrap();
    for (run, bound) in
        [(mst.run(), <Mst as warpgraph::Algorithm>::BOUND), (scc.run(), <Scc as warpgraph::Algorithm>::BOUND)]
    {
        let accuracy = run.accuracy.as_ref().unwrap();
        assert_eq!((accuracy.word, accuracy.achieved), (Word::Exact, 0.0));
        let Bound::Exact(why) = bound else { panic!("{bound:?}") };
        assert_eq!(accuracy.reason, why);
    }
}
