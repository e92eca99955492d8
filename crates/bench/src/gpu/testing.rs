//! Reports as they might be, for tests.

use super::{
    COMMAND, Cell, GraphCase, Measuring, Question, Report, Summary, TimedRun, Verify, concluded, peers,
};
use crate::{
    balance::OnDevice, gpu_limits::tests::limits, machine::Machine, result::SCHEMA, statistics::Spread,
};
use warpgraph::Order;

/// A cell that took so long.
pub(super) fn cell(graph: &str, algorithm: Question, order: Order, seconds: f64) -> Cell {
    let run = TimedRun {
        seconds,
        before: 1e-4,
        kernels: seconds / 2.0,
        rounds: 1,
        arcs: 1000,
        source: None,
        verify: Some(0.1),
    };
    let spread = Spread::of(&[seconds]);
    Cell {
        graph: graph.to_owned(),
        algorithm,
        order,
        config: serde_json::Value::Null,
        plan: Some("auto".to_owned()),
        runs: vec![run],
        per: algorithm.per(),
        seconds: spread,
        total: spread,
        before: Some(1e-4),
        outliers: 0,
        transfer: 0.0,
        compile: 0.0,
        state: 1 << 20,
        limit: None,
        share: None,
        peers: None,
        counts: false,
        verify: Some("passed".to_owned()),
        error: None,
    }
}

/// A report of these cells; graphs have peers if the peers know them.
pub(super) fn report(cells: Vec<Cell>) -> Report {
    let mut graphs: Vec<GraphCase> = Vec::new();
    for cell in &cells {
        if !graphs.iter().any(|graph| graph.name == cell.graph) {
            graphs.push(GraphCase {
                name: cell.graph.clone(),
                source: cell.graph.clone(),
                graph: None,
                load: Some(1.0),
                reorder: Some(0.2),
                giant: None,
                has_peers: peers::total(&cell.graph).is_some(),
                error: None,
            });
        }
    }
    concluded(Report {
        schema: SCHEMA,
        version: "0.1.0".to_owned(),
        command: COMMAND.to_owned(),
        machine: Machine::this(),
        device: OnDevice {
            label: "cuda:0".to_owned(),
            name: "NVIDIA H200".to_owned(),
            capability: (9, 0),
            multiprocessors: 132,
            memory: 140 << 30,
            driver: "580.1".to_owned(),
            compiler: "NVRTC 13.0".to_owned(),
        },
        measuring: Measuring {
            runs: 8,
            warmup: 2,
            seed: 1,
            verify: Verify::All,
            case_limit: 60,
            scale_down: 0,
            gpu_memory: None,
        },
        limits: limits(),
        peers: peers::ALL,
        graphs,
        cells,
        summary: Summary::default(),
        warnings: Vec::new(),
    })
}
