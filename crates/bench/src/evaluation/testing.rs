//! Reports made up for tests.

use super::{
    Cell, Evaluation, GraphCase, Measuring, Per, Report,
    cell::{FirstRun, Memory, TimedRun},
    report::{OnDevice, SCHEMA},
    write::markdown,
};
use crate::{
    gpu_model::{Bound, Limit},
    machine::Machine,
    result::{Failure, GraphReport},
    statistics::Spread,
};
use std::collections::BTreeMap;

/// A cell in the making.
pub(crate) struct Made(pub(crate) Cell);

impl Made {
    /// Returns a cell by a plan, in the natural order, verified, without figures.
    pub(crate) fn on(graph: &str, algorithm: &str, plan: &str) -> Self {
        Self(Cell {
            graph: graph.to_owned(),
            hash: "0123456789abcdef".to_owned(),
            algorithm: algorithm.to_owned(),
            device: "cuda:0".to_owned(),
            plan_asked: plan.to_owned(),
            plan: Some(plan.to_owned()),
            rounds: Some(7),
            kernel: Some(1.0),
            verify: Some("passed".to_owned()),
            ..Cell::default()
        })
    }

    fn with(mut self, change: impl FnOnce(&mut Cell)) -> Self {
        change(&mut self.0);
        self
    }

    pub(crate) fn order(self, order: &str) -> Self {
        self.with(|cell| cell.order = order.parse().unwrap())
    }

    pub(crate) fn parts(self, parts: &[(&str, usize)]) -> Self {
        self.with(|cell| cell.parts = parts.iter().map(|&(part, place)| (part.to_owned(), place)).collect())
    }

    pub(crate) fn rounds(self, rounds: u64) -> Self {
        self.with(|cell| cell.rounds = Some(rounds))
    }

    /// With this share of the time in kernels.
    pub(crate) fn kernels(self, share: f64) -> Self {
        self.with(|cell| cell.kernel = Some(share))
    }

    pub(crate) fn per_sweep(self) -> Self {
        self.with(|cell| cell.per = Per::Sweep)
    }

    /// With runs of this median, along 8 million arcs, and a state of a thousand bytes in all.
    pub(crate) fn seconds(mut self, median: f64) -> Self {
        let times = [median, 1.1 * median, 0.9 * median];
        let run = TimedRun { before: 1e-4, rounds: 7, arcs: 8_000_000, ..TimedRun::default() };
        self.0.runs = times.map(|seconds| TimedRun { seconds, ..run.clone() }).to_vec();
        self.0.seconds = Spread::of(&times);
        self.0.kernel = self.0.kernel.map(|share| share * median);
        self.0.arcs = Some(8e6);
        self.0.speed = Some(8e-3 / median);
        self.0.first = Some(FirstRun { seconds: 1.25 * median, transfer: 0.25, ..FirstRun::default() });
        self.extra(0)
    }

    /// With this much prepared once.
    pub(crate) fn prepare(self, prepare: f64) -> Self {
        self.with(|cell| cell.first = cell.first.map(|first| FirstRun { prepare, ..first }))
    }

    pub(crate) fn extra(self, extra: u64) -> Self {
        self.with(|cell| cell.memory = Some(Memory { graph: 900, state: 100, extra }))
    }

    /// Beside a least time that barriers take.
    pub(crate) fn limit(mut self, seconds: f64) -> Self {
        self.0.limit = Some(Limit { bound: Bound::Barrier, seconds, terms: Vec::new() });
        self.0.share = self.0.median().map(|time| seconds / time);
        self
    }

    /// With an error instead of figures.
    pub(crate) fn refused(mut self, kind: &str) -> Self {
        self.0.error = Some(failure(kind));
        (self.0.seconds, self.0.memory, self.0.verify, self.0.rounds) = (None, None, None, None);
        self
    }
}

pub(crate) fn failure(kind: &str) -> Failure {
    Failure::new(kind, "cuda:0 has no room for worklists of 4 GiB")
}

/// Returns a report of such cells, not concluded.
pub(crate) fn report(name: &str, cells: Vec<Made>) -> Report {
    let cells: Vec<Cell> = cells.into_iter().map(|made| made.0).collect();
    let mut names: Vec<&str> = cells.iter().map(|cell| cell.graph.as_str()).collect();
    names.dedup();
    Report {
        schema: SCHEMA,
        version: "1.2.3".to_owned(),
        command: format!("bench {name}"),
        machine: Machine::this(),
        device: Some(OnDevice {
            label: "cuda:0".to_owned(),
            name: "NVIDIA H200".to_owned(),
            capability: (9, 0),
            multiprocessors: 132,
            memory: 140 << 30,
            driver: "580.1".to_owned(),
            compiler: "NVRTC 13.0".to_owned(),
        }),
        threads: 2,
        measuring: Measuring {
            runs: 3,
            warmup: 1,
            seed: 1,
            case_limit: 30,
            order_limit: 600,
            ..Measuring::default()
        },
        graphs: names.into_iter().map(graph).collect(),
        cells,
        ..Report::default()
    }
}

fn graph(name: &str) -> GraphCase {
    let graph = GraphReport {
        name: name.to_owned(),
        hash: "0123456789abcdef".to_owned(),
        vertices: 1 << 20,
        edges: 1 << 24,
        arcs: 1 << 25,
        directed: true,
        isolated: 7,
        ..GraphReport::default()
    };
    let (name, source) = (name.to_owned(), name.to_owned());
    GraphCase { name, source, graph: Some(graph), load: Some(1.5), ..GraphCase::default() }
}

/// Asserts that the page of a report has these parts, and returns it.
pub(crate) fn page_has(evaluation: &dyn Evaluation, report: &Report, parts: &[&str]) -> String {
    let text = markdown(evaluation, report);
    parts.iter().for_each(|part| assert!(text.contains(part), "{part}\n{text}"));
    text
}

/// Asserts that figures of a report have these words, and returns all of them by the names of their files.
pub(crate) fn figures_have(
    evaluation: &dyn Evaluation,
    report: &Report,
    expected: &[(&str, &[&str])],
) -> BTreeMap<String, String> {
    let drawn = evaluation.figures(report).into_iter().map(|one| (one.file, one.figure.svg().to_owned()));
    let drawn = BTreeMap::from_iter(drawn);
    for (file, words) in expected {
        let svg = &drawn[*file];
        words.iter().for_each(|word| assert!(svg.contains(word), "{file}: {word}\n{svg}"));
    }
    drawn
}
