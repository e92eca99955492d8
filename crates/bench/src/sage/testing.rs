//! Measurements made up for tests.

use super::{
    Cell, First, Kept, Making, Measuring, Part, Peer, Question, Report, RoundSeen, TilesSeen, Tiling,
};
use crate::{
    balance::OnDevice,
    halo::GraphCase,
    machine::Machine,
    result::{Failure, GraphReport, SCHEMA},
    statistics::Spread,
};
use serde_json::Value;

/// A plan of an algorithm on a graph of 4 billion arcs.
pub(crate) fn cell(
    graph: &str,
    algorithm: Question,
    order: &str,
    plan: &str,
    seconds: f64,
    parts: &[(Part, usize)],
) -> Cell {
    Cell {
        graph: graph.to_owned(),
        hash: "0123456789abcdef".to_owned(),
        parts: parts.iter().copied().collect(),
        algorithm,
        config: Value::Null,
        order: order.parse().unwrap(),
        rounds_made: None,
        plan_asked: plan.to_owned(),
        plan: Some(plan.to_owned()),
        per: algorithm.per().to_owned(),
        runs: vec![seconds; 3],
        kernels: vec![seconds / 2.0; 3],
        seconds: Spread::of(&[seconds; 3]),
        arcs: Some(4e9),
        speed: Some(4.0 / seconds),
        supersteps: Some(7),
        outliers: 0,
        prepare: 0.0,
        verify: Some("passed".to_owned()),
        error: None,
    }
}

/// A report of such cells.
pub(crate) fn report(cells: Vec<Cell>) -> Report {
    let mut names: Vec<&str> = cells.iter().map(|cell| cell.graph.as_str()).collect();
    names.dedup();
    Report {
        schema: SCHEMA,
        version: "1.2.3".to_owned(),
        command: super::COMMAND.to_owned(),
        machine: Machine::this(),
        device: OnDevice {
            label: "cuda:0".to_owned(),
            name: "NVIDIA X1".to_owned(),
            capability: (9, 0),
            multiprocessors: 132,
            memory: 1 << 37,
            driver: "580".to_owned(),
            compiler: "NVRTC 13".to_owned(),
        },
        measuring: Measuring {
            runs: 3,
            warmup: 1,
            seed: 1,
            rounds: 10,
            case_limit: 30,
            order_limit: 600,
            gpu_memory: None,
        },
        graphs: names.into_iter().map(graph).collect(),
        orders: Vec::new(),
        cells,
        tilings: Vec::new(),
        tiles: Vec::new(),
        firsts: Vec::new(),
        peers: Vec::new(),
        auto: None,
        warnings: Vec::new(),
    }
    .concluded()
}

fn graph(name: &str) -> GraphCase {
    let graph = GraphReport {
        name: name.to_owned(),
        hash: "0123456789abcdef".to_owned(),
        vertices: 1 << 20,
        edges: 1 << 24,
        arcs: 1 << 25,
        directed: false,
        weighted: true,
        weight_type: None,
        self_loops: 0,
        merged: 0,
        isolated: 7,
    };
    GraphCase { name: name.to_owned(), graph: Some(graph), load: Some(1.5), error: None }
}

/// bfs in all parts on a graph, and another graph that it was refused on.
pub(crate) fn as_in_the_paper() -> Report {
    use Part::{Auto, Fig6, Fig7, Fig10};
    let of = |order: &str, plan: &str, seconds: f64, parts: &[(Part, usize)]| {
        cell("community:22", Question::Bfs, order, plan, seconds, parts)
    };
    let mut learnt = of("sampled(rounds=10)", "bsp+push+resident", 0.5, &[(Fig10, 3), (Fig6, 2)]);
    learnt.rounds_made = Some((10, 10));
    let mut refused = cell("grid:9x9", Question::Bfs, "natural", "bsp+push+node", 1.0, &[(Fig10, 0)]);
    (refused.seconds, refused.speed, refused.verify) = (None, None, None);
    let error = Failure { kind: "device-memory".to_owned(), message: "no room".to_owned(), help: None };
    refused.error = Some(error.clone());
    let mut report = report(vec![
        of("natural", "bsp+push+node", 8.0, &[(Fig10, 0), (Fig7, 0), (Auto, 0)]),
        of("natural", "bsp+push+tiled", 2.0, &[(Fig10, 1), (Fig7, 1), (Auto, 1)]),
        of("natural", "bsp+push+resident", 1.0, &[(Fig10, 2), (Fig6, 0), (Fig7, 2), (Auto, 2)]),
        of("natural", "bsp+push", 1.25, &[(Fig7, 3), (Auto, 3)]),
        of("sampled(rounds=1)", "bsp+push+resident", 0.8, &[(Fig6, 1)]),
        learnt,
        of("gorder", "bsp+push+node", 4.0, &[(Fig7, 4)]),
        of("planted", "bsp+push+resident", 0.4, &[(Fig6, 3)]),
        refused,
    ]);
    let graph = || "community:22".to_owned();
    report.orders = vec![
        Making {
            graph: graph(),
            order: "gorder".to_owned(),
            seconds: Some(12.0),
            renumber: Some(0.5),
            memory: Some(3 << 20),
            ..Making::default()
        },
        Making { graph: graph(), order: "llp".to_owned(), error: Some(error), ..Making::default() },
        Making {
            graph: graph(),
            order: "sampled".to_owned(),
            seconds: Some(0.5),
            renumber: Some(0.25),
            rounds: vec![round(1), round(2)],
            ..Making::default()
        },
    ];
    report.tilings = vec![Tiling {
        graph: graph(),
        algorithm: Question::Bfs,
        plan: "bsp+push+tiled".to_owned(),
        kernel: Some(1.0),
        tiling: Some(0.25),
        error: None,
    }];
    let tiles = |made, reused| TilesSeen { made, reused, held: 100, held_bytes: 1 << 20, reuse_rate: 0.75 };
    report.tiles = vec![Kept {
        graph: graph(),
        algorithm: Question::Bfs,
        plan: "bsp+push+resident".to_owned(),
        runs: 5,
        first: Some(tiles(100, 0)),
        last: Some(tiles(25, 75)),
        error: None,
    }];
    report.firsts = vec![First {
        graph: graph(),
        plan: "bsp+push+resident".to_owned(),
        first: Some(1.25),
        transfer: 2.0,
        compile: 0.0,
        prepare: 0.5,
        later: Spread::of(&[1.0]),
        error: None,
    }];
    report.peers =
        vec![Peer { name: "Gunrock".to_owned(), graph: graph(), algorithm: Question::Bfs, seconds: 2.0 }];
    report.concluded()
}

fn round(round: u32) -> RoundSeen {
    RoundSeen {
        round,
        samples: 20,
        moved: 1000,
        sectors_before: 6.0,
        sectors_after: Some(4.5),
        sampling_seconds: 0.25,
        renumbering_seconds: 0.125,
        speed_before: Some(4e9),
        speed_after: None,
    }
}
