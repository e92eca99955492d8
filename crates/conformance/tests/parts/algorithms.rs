//! The four algorithms: answers pass their verifiers, and equal those of one machine.

use crate::{
    common::{Whole, ask, cuts, dealt, engine, fixtures, on_each, question, sources},
    late::Late,
};
use serde_json::json;
use warpgraph::{
    Answer, Bfs, BfsAnswer, Error, Graph, Order, PageRank, PageRankAnswer, Sssp, SsspAnswer, WccAnswer,
    graph::Control, sssp::Distances,
};
use warpgraph_conformance::{fixtures, oracle};
use warpgraph_parts::{RUNS, run};

pub(crate) fn searches_equal_those_of_one_machine() {
    let engine = engine();
    for fixture in fixtures() {
        let graph = &fixture.graph;
        let loaded = engine.load(graph, Order::Natural).unwrap();
        for source in sources(graph) {
            let config = Bfs::from(graph.ids().id(source));
            let one = loaded.bfs(config.clone()).run().unwrap();
            for parted in cuts(fixture) {
                let at = format!("{} from {source}", parted.name);
                let found = ask(&parted.parts, &question("bfs", json!(config))).unwrap();
                assert_eq!(found.u32s("distance"), one.distances(), "{at}");
                assert_eq!(found.summary(), &one.summary(), "{at}");
                verify_bfs(graph, source, &found, &one, &at);
            }
        }
    }
}

fn verify_bfs(graph: &Graph, source: u32, found: &Whole, one: &BfsAnswer, at: &str) {
    let (distances, parents) = (found.u32s("distance").into(), found.vertices("parent").into());
    let answer = BfsAnswer::new(graph, source, None, distances, parents, one.run().clone());
    answer.verify(graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
}

pub(crate) fn shortest_paths_equal_those_of_one_machine() {
    let engine = engine();
    for fixture in fixtures() {
        let graph = &fixture.graph;
        let loaded = engine.load(graph, Order::Natural).unwrap();
        for source in sources(graph) {
            let config = Sssp::from(graph.ids().id(source));
            let one = loaded.sssp(config.clone()).run();
            for parted in cuts(fixture) {
                let at = format!("{} from {source}", parted.name);
                let found = ask(&parted.parts, &question("sssp", json!(config)));
                match &one {
                    Ok(one) => {
                        check_paths(graph, source, &found.unwrap_or_else(|e| panic!("{at}: {e}")), one, &at);
                    }
                    Err(Error::NegativeCycle { .. }) => {
                        assert_eq!(found.unwrap_err().kind(), "negative-cycle", "{at}");
                    }
                    Err(Error::Overflow { .. }) => {
                        let error = found.unwrap_err().to_string();
                        assert!(error.contains("beyond the range"), "{at}: {error}");
                    }
                    Err(error) => panic!("{at}: {error}"),
                }
            }
        }
    }
}

fn check_paths(graph: &Graph, source: u32, found: &Whole, one: &SsspAnswer, at: &str) {
    let distances = match one.distances() {
        Distances::U32(d) => {
            (found.u32s("distance") == d[..]).then(|| Distances::U32(found.u32s("distance").into()))
        }
        Distances::U64(d) => {
            (found.u64s("distance") == d[..]).then(|| Distances::U64(found.u64s("distance").into()))
        }
        Distances::I64(d) => {
            (found.i64s("distance") == d[..]).then(|| Distances::I64(found.i64s("distance").into()))
        }
        Distances::F32(d) => {
            (found.f32s("distance") == d[..]).then(|| Distances::F32(found.f32s("distance").into()))
        }
        Distances::F64(d) => {
            (found.f64s("distance") == d[..]).then(|| Distances::F64(found.f64s("distance").into()))
        }
    };
    let distances = distances.unwrap_or_else(|| panic!("{at}: other distances: {found:?}"));
    SsspAnswer::new(graph, source, distances, one.run().clone()).verify(graph).unwrap();
    let parents = found.vertices("parent");
    for (v, (&parent, &wanted)) in parents.iter().zip(one.parents()).enumerate() {
        assert_eq!(parent == u32::MAX, wanted == u32::MAX, "{at}: the parent of {v}");
    }
    // The tree leads to the source: no walk up is longer than there are vertices.
    for v in (0..parents.len()).filter(|&v| parents[v] != u32::MAX) {
        let mut above = v as u32;
        for _ in 0..parents.len() {
            above = parents[above as usize];
        }
        assert_eq!(above, source, "{at}: the way up from {v}");
    }
    for key in ["source", "reached", "farthest"] {
        assert_eq!(found.summary()[key], one.summary()[key], "{at}: {key}");
    }
    let sum = |summary: &serde_json::Value| summary["sum"].as_f64();
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    assert!(sum(found.summary()).zip(sum(&one.summary())).is_none_or(|(a, b)| near(a, b)), "{at}");
}

pub(crate) fn components_equal_the_oracle() {
    let engine = engine();
    for fixture in fixtures::all() {
        let graph = &fixture.graph;
        let one = engine.load(graph, Order::Natural).unwrap().wcc(Default::default()).run().unwrap();
        for parted in cuts(fixture) {
            let found = ask(&parted.parts, &question("wcc", json!({}))).unwrap();
            let components = found.vertices("component");
            assert_eq!(components, oracle::wcc(graph), "{}", parted.name);
            assert_eq!(found.summary(), &one.summary(), "{}", parted.name);
            WccAnswer::new(graph, components.into(), one.run().clone()).verify(graph).unwrap();
        }
    }
}

pub(crate) fn ranks_are_near_those_of_one_machine() {
    let engine = engine();
    for fixture in fixtures() {
        let graph = &fixture.graph;
        let n = graph.vertices();
        let mut configs = vec![PageRank { max_iterations: 500, ..PageRank::default().tolerance(1e-9) }];
        if n > 0 {
            configs.push(configs[0].clone().personalize(graph.ids().id(n as u32 / 2), 2.0));
        }
        let is_weighted = graph.weight_range().is_some_and(|(least, most)| least >= 0.0 && most < 1e30);
        if is_weighted {
            configs.push(PageRank { weighted: true, ..configs[0].clone() });
        }
        for config in configs {
            let one = engine.load(graph, Order::Natural).unwrap().pagerank(config.clone()).run().unwrap();
            for parted in dealt(fixture) {
                let at = format!("{} {config:?}", parted.name);
                let found = ask(&parted.parts, &question("pagerank", json!(config))).unwrap();
                let ranks = found.f64s("rank");
                // Each is within its residual / (1 - 0.85) of the fixed point.
                let off: f64 = ranks.iter().zip(one.ranks()).map(|(a, b)| (a - b).abs()).sum();
                assert!(off <= 2e-9 / 0.15, "{at}: {off:e}");
                let residual = found.summary()["residual"].as_f64().unwrap();
                let answer = PageRankAnswer::new(graph, &config, ranks.into(), residual, one.run().clone());
                answer.verify(graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
                let top = |summary: &serde_json::Value| summary["top"].as_array().unwrap().len();
                assert_eq!(top(found.summary()), top(&one.summary()), "{at}");
            }
        }
    }
}

/// Sources by rule, depth limits, and few sweeps.
pub(crate) fn options_are_followed() {
    let engine = engine();
    let fixture = fixtures::named("random 4097, directed");
    let graph = &fixture.graph;
    let loaded = engine.load(graph, Order::Natural).unwrap();
    for parted in cuts(fixture) {
        for (algorithm, config) in [
            ("bfs", json!({"source": "max-degree"})),
            ("bfs", json!({"source": "random"})),
            ("bfs", json!({"source": 5, "max_depth": 2})),
            ("sssp", json!({"source": "random", "delta": 0.5})),
        ] {
            let one = warpgraph::find(algorithm).unwrap().question(config.clone()).unwrap();
            let (one, _) = loaded.ask(&*one, &warpgraph::Options::default()).unwrap();
            let found = ask(&parted.parts, &question(algorithm, config.clone())).unwrap();
            assert_eq!(found.summary(), &one.summary(), "{} {config}", parted.name);
        }
        let found = ask(&parted.parts, &question("pagerank", json!({"max_iterations": 3}))).unwrap();
        assert_eq!(found.summary()["iterations"], 3);
        assert_eq!(found.answers[0].report.halt, warpgraph::Halted::MaxIterations);
    }
}

pub(crate) fn late_members_change_nothing() {
    let fixture = fixtures::named("weighted random 2000, undirected");
    for parted in cuts(fixture) {
        for (algorithm, column) in [("bfs", "distance"), ("sssp", "distance"), ("wcc", "component")] {
            let asked = question(algorithm, json!(null));
            let plain = ask(&parted.parts, &asked).unwrap();
            let late = on_each(&parted.parts, |part, member| {
                run(&asked, part, &mut Late::new(member), &Control::new())
            });
            for (plain, late) in plain.answers.iter().zip(late) {
                assert_eq!(plain.column(column), late.unwrap().column(column), "{} {algorithm}", parted.name);
            }
        }
    }
}

pub(crate) fn what_does_not_run_in_parts_is_refused() {
    let parted = &cuts(fixtures::named("cycle, undirected"))[1];
    for entry in warpgraph::algorithms() {
        let runs = RUNS.iter().any(|run| run.name == entry.name);
        match ask(&parted.parts, &question(entry.name, json!(null))) {
            Ok(_) => assert!(runs, "{}", entry.name),
            Err(error) => {
                assert!(!runs, "{}: {error}", entry.name);
                assert_eq!(error.to_string(), format!("{} does not run in parts", entry.name));
                assert!(error.help().unwrap().contains("bfs, sssp, pagerank, wcc run in parts"));
            }
        }
    }
    for (algorithm, config) in [
        ("bfs", json!({"source": 4711})),
        ("bfs", json!({"sauce": 1})),
        ("sssp", json!({"delta": -1.0})),
        ("sssp", json!({"max_error": 0.1})),
        ("pagerank", json!({"damping": 7.0})),
        ("pagerank", json!({"personalize": [{"vertex": 99, "share": 1.0}]})),
        ("pagerank", json!({"weighted": true})),
    ] {
        assert!(ask(&parted.parts, &question(algorithm, config.clone())).is_err(), "{algorithm} {config}");
    }
}
