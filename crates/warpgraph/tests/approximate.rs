//! Graphs changed by an approximation: exact ends are exact, answers are those of the changed graph, and what cannot be
//! combined is refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph::{
    Answer, Approximation, Control, Device, Engine, Graph, Loaded, Options, Order, PageRank, Plan, Sssp,
    algorithms, graph::generate::Spec, program::library::ShortestPaths,
};

const EXACT: [&str; 4] = [
    "coalesce(threshold=1)",
    "latency(threshold=1)",
    "divergence(share=0)",
    "coalesce(threshold=1)+latency(threshold=1)",
];
const CHANGED: [&str; 5] = [
    "coalesce(threshold=0.1)",
    "latency(threshold=0.2)",
    "divergence(share=0.8)",
    "latency(threshold=0.2)+coalesce(threshold=0.1)",
    "latency(threshold=0.2)+divergence(share=0.8)",
];

fn graph(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

fn graphs() -> [Graph; 2] {
    [graph("kron:8,w=1..100"), graph("powerlaw:600,w=1..100")]
}

fn engine() -> Engine {
    Engine::on(Device::Cpu, Some(2)).unwrap()
}

fn load(graph: &Graph, approximation: &str) -> Loaded {
    let approximation: Approximation = approximation.parse().unwrap();
    engine().load_approximate(graph, Order::Natural, approximation, 7, &Control::new()).unwrap()
}

fn csv(answer: &dyn Answer) -> Vec<u8> {
    let mut text = Vec::new();
    answer.table().write(warpgraph::TableFormat::Csv, &mut text).unwrap();
    text
}

#[test]
fn at_the_exact_end_every_answer_is_the_exact_one() {
    for graph in graphs() {
        let exact = engine().load(&graph, Order::Natural).unwrap();
        for entry in algorithms().iter().filter(|entry| entry.rules.approximates) {
            // Sums in a fixed order are compared by their digits; the order of vertices differs otherwise.
            let question = entry.usual();
            let (expected, _) = exact.ask(&*question, &Options::default()).unwrap();
            for approximation in EXACT {
                let loaded = load(&graph, approximation);
                let (answer, _) = loaded.ask(&*question, &Options::default()).unwrap();
                let at = format!("{} with {approximation}", entry.name);
                let exactness = answer.run().exactness.as_ref().unwrap();
                assert!(exactness.is_exact() && exactness.replicas == 0 && answer.run().is_exact(), "{at}");
                answer.verify(&graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
                let off = warpgraph::Inaccuracy::of(&answer.judged().unwrap(), &expected.judged().unwrap())
                    .unwrap();
                assert!(off.worst < 1e-4 && off.unmatched == 0, "{at}: {off:?}");
                if ["sssp", "mst", "scc"].contains(&entry.name) {
                    assert_eq!(csv(&*answer), csv(&*expected), "{at}");
                }
            }
        }
    }
}

#[test]
fn answers_are_those_of_the_changed_graph() {
    for graph in graphs() {
        for approximation in CHANGED {
            let loaded = load(&graph, approximation);
            let exactness = loaded.exactness().unwrap();
            assert!(exactness.added + exactness.dropped > 0, "{approximation} changed nothing");
            assert!(loaded.extra_bytes().unwrap() > 0);
            let changed = engine().load(&rebuilt(loaded.answered()), Order::Natural).unwrap();
            for entry in algorithms().iter().filter(|entry| entry.rules.approximates) {
                // The source of the usual questions has the most arcs in one graph, and not in the other.
                let config = if entry.name == "sssp" {
                    serde_json::json!({ "source": 1 })
                } else {
                    entry.usual().config()
                };
                let question = entry.question(config).unwrap();
                let options = Options { seed: 5, ..Options::default() };
                let (answer, _) = loaded.ask(&*question, &options).unwrap();
                let at = format!("{} with {approximation}", entry.name);
                assert_eq!(answer.run().exactness.as_ref(), Some(exactness), "{at}");
                assert!(!answer.run().is_exact(), "{at}");
                answer.verify(loaded.answered()).unwrap_or_else(|violation| panic!("{at}: {violation}"));
                if entry.name == "bc" {
                    continue;
                }
                let (expected, _) = changed.ask(&*question, &options).unwrap();
                let off = warpgraph::Inaccuracy::of(&answer.judged().unwrap(), &expected.judged().unwrap())
                    .unwrap();
                assert!(off.worst < 1e-3 && off.unmatched == 0, "{at}: {off:?}");
            }
        }
    }
}

/// Returns the same graph, made of a list of its edges.
fn rebuilt(graph: &Graph) -> Graph {
    Graph::new(graph.out().clone(), graph.is_directed(), graph.ids().clone(), graph.origin().clone()).unwrap()
}

#[test]
fn programs_run_on_copies_and_give_the_answer_of_the_merged_graph() {
    for graph in graphs() {
        for approximation in CHANGED {
            let loaded = load(&graph, approximation);
            let answer = loaded.program(ShortestPaths::<f64>::from(3)).run().unwrap();
            answer
                .verify(loaded.answered())
                .unwrap_or_else(|violation| panic!("{approximation}: {violation}"));
            let native = loaded.sssp(Sssp::from(3)).run().unwrap();
            for v in 0..graph.vertices() as u32 {
                let distance = answer.value(v).filter(|x| x.is_finite());
                assert_eq!(distance.map(f64::round), native.distance(v), "{approximation}: vertex {v}");
            }
        }
    }
}

#[test]
fn paths_of_an_approximate_answer_are_paths_of_the_changed_graph() {
    let loaded = load(&graphs()[0], "latency(threshold=0.2)+coalesce(threshold=0.1)");
    let answer = loaded.sssp(Sssp::from(3)).run().unwrap();
    let reached = (0..loaded.graph().vertices() as u32).filter(|&v| answer.distance(v).is_some());
    for v in reached {
        let path = answer.path_to(v).unwrap();
        let arcs = loaded.answered().out();
        let steps = path.windows(2).map(|pair| {
            let [from, to] = [&pair[0], &pair[1]].map(|id| loaded.graph().ids().find(id).unwrap());
            let along = arcs.csr.arcs_of(from).filter(|&arc| arcs.csr.targets()[arc] == to);
            along.map(|arc| arcs.weights.get(arc)).fold(f64::INFINITY, f64::min)
        });
        assert_eq!(Some(steps.sum::<f64>()), answer.distance(v));
    }
}

#[test]
fn an_order_goes_before_latency() {
    let graph = graph("kron:8,w=1..100");
    let approximation: Approximation = "latency(threshold=0.2)".parse().unwrap();
    let natural = load(&graph, "latency(threshold=0.2)");
    let ordered =
        engine().load_approximate(&graph, Order::Degree, approximation, 7, &Control::new()).unwrap();
    ordered.pagerank(PageRank::default()).run().unwrap().verify(ordered.answered()).unwrap();
    assert!(ordered.is_renumbered() && ordered.order() == Order::Degree);
    assert_eq!(ordered.exactness().unwrap().chunks > 0, natural.exactness().unwrap().chunks > 0);
}

#[test]
fn what_cannot_be_combined_is_refused_with_the_reason() {
    let graph = graph("kron:6");
    let control = Control::new();
    let coalesce: Approximation = "coalesce".parse().unwrap();
    let refused = engine().load_approximate(&graph, Order::Degree, coalesce, 1, &control).unwrap_err();
    assert!(refused.to_string().contains("it numbers the vertices itself"), "{refused}");
    let loaded = load(&graph, "coalesce");
    let twice = loaded.approximated("latency".parse().unwrap(), 1, &control).unwrap_err();
    assert!(twice.to_string().contains("changed already"), "{twice}");
    let edited = loaded.edited(&graph).unwrap_err();
    assert!(edited.to_string().contains("cannot be edited"), "{edited}");
    for entry in algorithms().iter().filter(|entry| !entry.rules.approximates) {
        let error = loaded.ask(&*entry.usual(), &Options::default()).unwrap_err().to_string();
        assert!(error.contains("no measure of its error is defined"), "{}: {error}", entry.name);
    }
    let bounded = Sssp { max_error: Some(0.1), ..Sssp::default() };
    let error = loaded.sssp(bounded).run().unwrap_err().to_string();
    assert!(error.contains("--max-error with --approx"), "{error}");
    let paths = loaded.sssp(Sssp::default()).plan(Plan::PATHS).run().unwrap_err().to_string();
    assert!(paths.contains("paths are made of the edges of the original graph"), "{paths}");
}
