//! Measurements made up for tests.

use super::report::{
    COMMAND, Cell, Gaps, GraphCase, Measuring, Ordering, Report, Sample, Staircase, Times, Transfer,
};
use crate::{
    machine::Machine,
    result::{Failure, GraphReport, SCHEMA},
    statistics::Spread,
};

/// Of one order: gap within levels, bytes moved over ideal, seconds of a search.
pub(crate) fn cell(graph: &str, order: &str, (within, ratio, seconds): (f64, f64, f64)) -> Cell {
    let times = |seconds: f64| Times {
        runs: vec![seconds; 3],
        spread: Spread::of(&[seconds; 3]).unwrap(),
        verify: Some("passed".to_owned()),
    };
    Cell {
        graph: graph.to_owned(),
        hash: "0123456789abcdef".to_owned(),
        order: order.to_owned(),
        ordering: Some(Ordering { seconds: 1.5, renumber: 0.5, memory: Some(3 << 20) }),
        gaps: Some(Gaps {
            within: Some(within),
            between: Some(within / 2.0),
            neighbours: Some(within + 1.0),
            sectors_per_tile: Some(12.5),
            levels: Some(9.0),
        }),
        transfer: Some(transfer(ratio)),
        bfs: Some(times(seconds)),
        pagerank: Some(times(10.0 * seconds)),
        staircase: Some(Staircase { vertices: 10, levels: 2, rows: vec![vec![1, 0], vec![4, 5]] }),
        ..Cell::default()
    }
}

fn transfer(ratio: f64) -> Transfer {
    const MIB: u64 = 1 << 20;
    Transfer {
        memory: 4 * MIB,
        array_bytes: 8 * MIB,
        ideal_bytes: 100 * MIB,
        moved_bytes: (ratio * (100 * MIB) as f64) as u64,
        amplification: Some(ratio),
        faults: 20_000,
        batches: 300,
        prefetched_pages: 5_600,
        evicted_pages: 24_000,
        refetched_pages: 23_000,
        pages_by_fetches: vec![0, 512, 256, 128, 128, 512, 0, 0, 0, 512],
    }
}

/// A report of such cells.
pub(crate) fn report(cells: Vec<Cell>) -> Report {
    let mut names: Vec<&str> = cells.iter().map(|cell| cell.graph.as_str()).collect();
    names.dedup();
    Report {
        schema: SCHEMA,
        version: "1.2.3".to_owned(),
        command: COMMAND.to_owned(),
        machine: Machine::this(),
        measuring: Measuring {
            searches: 50,
            seed: 1,
            runs: 3,
            warmup: 1,
            threads: 2,
            edge_bytes: 8,
            memory_share: Some(0.5),
        },
        graphs: names.into_iter().map(graph).collect(),
        cells,
        sweep: Vec::new(),
        means: Vec::new(),
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
        arcs: 1 << 24,
        directed: true,
        weighted: false,
        weight_type: None,
        self_loops: 0,
        merged: 0,
        isolated: 7,
    };
    GraphCase { name: name.to_owned(), graph: Some(graph), load: Some(1.5), error: None }
}

/// Two graphs in three orders, one of which did not run on the second, and a sweep on the first.
pub(crate) fn as_in_the_paper() -> Report {
    let mut natural = cell("data/web.bv", "natural", (8.0, 2.25, 2.0));
    natural.without_prefetch = Some(transfer(1.5));
    let error = Failure { kind: "memory".to_owned(), message: "no room for 4 GiB".to_owned(), help: None };
    let refused = Cell {
        graph: "kron:20".to_owned(),
        order: "random".to_owned(),
        error: Some(error),
        ..Cell::default()
    };
    let cells = vec![
        natural,
        cell("data/web.bv", "random", (16.0, 4.5, 4.0)),
        cell("data/web.bv", "halo2", (2.0, 1.125, 0.5)),
        cell("kron:20", "natural", (12.0, 3.0, 1.0)),
        refused,
        cell("kron:20", "halo2", (6.0, 2.0, 1.0)),
    ];
    let mut report = report(cells);
    report.sweep = [2, 4, 8].map(|samples| sample("data/web.bv", samples)).to_vec();
    report
}

fn sample(graph: &str, samples: u32) -> Sample {
    Sample {
        graph: graph.to_owned(),
        samples,
        seconds: Some(0.25 * f64::from(samples)),
        within: Some(2.0 + 1.0 / f64::from(samples)),
        amplification: Some(1.5),
        error: None,
    }
}
