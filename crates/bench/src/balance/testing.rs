//! Measurements made up for tests.

use super::{
    degrees::{Bin, Degrees},
    report::{COMMAND, Cell, GraphCase, Measuring, Memory, OnDevice, Report, Seconds},
    strategy,
};
use crate::{
    gpu::limit_model::{Bound, Limit},
    machine::Machine,
    result::{Failure, SCHEMA},
    statistics::Spread,
};

/// A cell in the making.
pub(crate) struct Made(Cell);

impl Made {
    /// Of a strategy, by its label; verified, without figures.
    pub(crate) fn on(graph: &str, algorithm: &str, label: &str) -> Self {
        Self(Cell {
            graph: graph.to_owned(),
            algorithm: algorithm.to_owned(),
            device: "cuda:0".to_owned(),
            plan_asked: format!("bsp+push+{label}"),
            plan: Some(format!("bsp+push+{label}")),
            rounds: Some(if graph.starts_with("road") { 2000 } else { 9 }),
            verify: Some("passed".to_owned()),
            ..Cell::default()
        })
    }

    /// With runs of this median; a fifth of them overhead in sssp, most of them in bfs.
    pub(crate) fn seconds(mut self, median: f64) -> Self {
        let runs = vec![median, 1.1 * median, 0.9 * median];
        let kernel = median * if self.0.algorithm == "bfs" { 0.3 } else { 0.8 };
        self.0.seconds = Spread::of(&runs).map(|spread| Seconds {
            prepare: 0.0,
            transfer: 0.25,
            compile: 0.125,
            kernels: vec![kernel; 3],
            runs,
            spread,
            kernel,
            overhead: median - kernel,
            verify: 0.5,
        });
        self.0.mteps = Some(8.0 / median);
        self.extra(0)
    }

    /// Beside a least time that a superstep's barriers take.
    pub(crate) fn limit(mut self, seconds: f64) -> Self {
        self.0.limit = Some(Limit { bound: Bound::Barrier, seconds, terms: Vec::new() });
        self.0.share = self.0.seconds.as_ref().map(|time| seconds / time.spread.median);
        self
    }

    /// With so much of it once.
    pub(crate) fn prepare(mut self, prepare: f64) -> Self {
        if let Some(seconds) = &mut self.0.seconds {
            seconds.prepare = prepare;
        }
        self
    }

    /// With so many bytes beside a graph and a state of a thousand in all.
    pub(crate) fn extra(mut self, extra: u64) -> Self {
        self.0.memory = Some(Memory { graph: 900, state: 100, extra });
        self
    }

    /// With an error instead of figures.
    pub(crate) fn refused(mut self, kind: &str) -> Self {
        let message = "cuda:0 has no room for worklists of 4 GiB".to_owned();
        self.0.error = Some(Failure { kind: kind.to_owned(), message, help: None });
        (self.0.seconds, self.0.memory, self.0.verify, self.0.rounds) = (None, None, None, None);
        self
    }
}

/// A report of such cells; graphs are of the kind that their names begin with: `rmat`, `road`, `large`, or anything even.
pub(crate) fn report(cells: Vec<Made>) -> Report {
    let cells: Vec<Cell> = cells.into_iter().map(|made| made.0).collect();
    let mut names: Vec<&str> = cells.iter().map(|cell| cell.graph.as_str()).collect();
    names.dedup();
    let graphs = names.into_iter().map(graph).collect();
    Report {
        schema: SCHEMA,
        version: "1.2.3".to_owned(),
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
        measuring: Measuring { runs: 3, warmup: 1, case_limit: 30, gpu_memory: None },
        limits: None,
        graphs,
        cells,
        ranks: Vec::new(),
        chunking: Vec::new(),
        statements: Vec::new(),
        warnings: Vec::new(),
    }
    .concluded()
}

fn graph(name: &str) -> GraphCase {
    let (max, mean, arcs, threshold) = match name {
        name if name.starts_with("rmat") => (1_181, 8.0, 8_260_000, 118),
        name if name.starts_with("road") => (8, 3.0, 2_710_000, 3),
        name if name.starts_with("large") => (924_000, 20.0, 335_000_000, 92_400),
        _ => (15, 4.0, 4_190_000, 4),
    };
    let vertices = (arcs as f64 / mean) as u64;
    let counted = |degree: u64| Bin { from: degree, to: degree, count: 1 + vertices / degree.pow(2) };
    let range = |most: u64| (0..).map(|step| 1 << step).take_while(|d| *d <= most).map(counted).collect();
    let degrees = Degrees {
        vertices,
        arcs,
        max,
        mean,
        deviation: mean / 2.0,
        threshold,
        split: vertices / 50,
        entries: vertices + vertices / 25,
        max_after: threshold,
        before: range(max),
        after: range(threshold),
    };
    GraphCase {
        name: name.to_owned(),
        graph: None,
        load: Some(1.5),
        kind: None,
        degrees: Some(degrees),
        error: None,
    }
}

/// Figures of which the paper could have been written: a graph of each kind, both algorithms, every plan.
pub(crate) fn as_in_the_paper() -> Report {
    // Of node, edge, workload, split and hierarchical; None: no memory.
    type Times = [Option<f64>; 5];
    let sssp = |graph: &str| -> Times {
        match graph {
            "road" => [10.0, 3.0, 7.0, 4.0, 5.5].map(Some),
            "large" => [Some(10.0), None, None, None, Some(4.0)],
            _ => [10.0, 3.0, 4.0, 7.5, 6.0].map(Some),
        }
    };
    let bfs = |graph: &str| -> Times {
        match graph {
            "road" => [1.0, 0.92, 1.3, 1.05, 1.1].map(Some),
            "large" => [Some(1.0), None, None, None, Some(0.4)],
            _ => [1.0, 0.4, 1.1, 1.5, 1.3].map(Some),
        }
    };
    let mut cells = Vec::new();
    for graph in ["rmat", "er", "road", "large"] {
        for (algorithm, times) in [("sssp", sssp(graph)), ("bfs", bfs(graph))] {
            for plan in strategy::PLANS {
                let label = strategy::label(plan);
                let (nth, factor, extra, prepare) = match label {
                    "node" => (0, 1.0, 0, 0.0),
                    "edge(chunking=off)" => (1, 1.82, 1000, 0.1),
                    "edge(condensing=off)" => (1, 1.1, 1200, 0.1),
                    "edge" => (1, 1.0, 1000, 0.1),
                    "workload" => (2, 1.0, 60, 0.0),
                    "split" => (3, 1.0, 90, 0.2),
                    _ => (4, 1.0, 80, 0.0),
                };
                let made = Made::on(graph, algorithm, label);
                cells.push(match times[nth] {
                    Some(time) => made.seconds(factor * time).prepare(prepare).extra(extra),
                    None => made.refused("device-memory"),
                });
            }
        }
    }
    report(cells)
}
