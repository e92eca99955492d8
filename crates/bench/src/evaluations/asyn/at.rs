//! What tables, figures and statements ask of a report: the plans of an algorithm on a graph, side by side.

use super::{PATHS, graphs::Seen};
use crate::evaluation::{Cell, GraphCase, Report, report::FirstRun, statements::View, tables::over};
use warpgraph::{PathPlan, PathUse, Plan, Work};

/// An algorithm on a graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) report: &'a Report,
    pub(super) case: &'a GraphCase,
    pub(super) algorithm: &'a str,
    /// Add what is made once to times.
    with_preparation: bool,
}

/// A figure of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// The time of a run.
    Time,
    /// The time of a run and of what is made once for all runs.
    Total,
    Updates,
    Bytes,
}

impl<'a> At<'a> {
    /// Returns all algorithms on a graph that have cells of one of these parts.
    pub(super) fn on(report: &'a Report, case: &'a GraphCase, parts: &[&str]) -> Vec<Self> {
        let mut algorithms = Vec::new();
        for cell in report.cells.iter().filter(|cell| cell.graph == case.name) {
            let is_in = parts.iter().any(|part| cell.parts.contains_key(*part));
            if is_in && !algorithms.contains(&cell.algorithm.as_str()) {
                algorithms.push(&cell.algorithm);
            }
        }
        let at = |algorithm| Self { report, case, algorithm, with_preparation: false };
        algorithms.into_iter().map(at).collect()
    }

    /// Returns all algorithms on all graphs that have cells of one of these parts.
    pub(super) fn all(report: &'a Report, parts: &[&str]) -> Vec<Self> {
        report.graphs.iter().flat_map(|case| Self::on(report, case, parts)).collect()
    }

    /// Returns the same as a statement sees it: with preparation, or without.
    pub(super) fn seen_by(self, view: &View<'_>) -> Self {
        Self { with_preparation: view.with_preparation, ..self }
    }

    /// Returns the cells of a part, in its order.
    pub(super) fn cells(self, part: &str) -> Vec<&'a Cell> {
        self.report.cells_of(part, &self.case.name, self.algorithm)
    }

    pub(super) fn cell(self, plan: &str) -> Option<&'a Cell> {
        let is_it = |cell: &&Cell| {
            cell.graph == self.case.name && cell.algorithm == self.algorithm && cell.plan_asked == plan
        };
        self.report.cells.iter().find(is_it)
    }

    pub(super) fn is_directed(self) -> bool {
        self.case.graph.as_ref().is_some_and(|graph| graph.directed)
    }

    pub(super) fn graph(self) -> Option<Seen> {
        self.case.figure("seen")
    }

    /// Returns a figure of a plan.
    pub(super) fn value(self, of: Of, plan: &str) -> Option<f64> {
        let (time, work) = (self.cell(plan)?.median(), self.work(plan));
        match of {
            Of::Time if !self.with_preparation => time,
            Of::Time | Of::Total => Some(time? + self.preparation(plan)?),
            Of::Updates => work.map(|work| work.updates as f64),
            Of::Bytes => work.map(|work| work.bytes as f64),
        }
    }

    /// Returns a figure of a plan over that of another.
    pub(super) fn ratio(self, of: Of, plan: &str, other: &str) -> Option<f64> {
        over(self.value(of, plan), self.value(of, other))
    }

    /// Returns the part of another plan's figure that a plan saves.
    pub(super) fn saved(self, of: Of, plan: &str, other: &str) -> Option<f64> {
        self.ratio(of, plan, other).map(|ratio| 1.0 - ratio)
    }

    /// Returns the cell of a part with the least figure, and that figure.
    pub(super) fn best(self, part: &str, of: Of) -> Option<(&'a Cell, f64)> {
        let figure = |cell: &'a Cell| Some((cell, self.value(of, &cell.plan_asked)?));
        self.cells(part).into_iter().filter_map(figure).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    pub(super) fn work(self, plan: &str) -> Option<Work> {
        Some(self.cell(plan)?.counted.as_ref()?.work)
    }

    pub(super) fn paths(self) -> Option<PathUse> {
        self.cell(PATHS)?.paths
    }

    /// Returns the seconds of what was made once for all runs by a plan: paths, and copies on the device.
    pub(super) fn preparation(self, plan: &str) -> Option<f64> {
        let first = self.cell(plan)?.first?;
        let found = self.making(plan).unwrap_or(0.0) - made(&first).unwrap_or(0.0);
        Some(first.prepare + first.transfer + found)
    }

    /// Returns the seconds of making the paths of a plan; those of another algorithm, if its cell found the paths made.
    pub(super) fn making(self, plan: &str) -> Option<f64> {
        let own = self.cell(plan)?.first.as_ref().and_then(made).filter(|seconds| *seconds > 0.0);
        let is_of = |cell: &&Cell| cell.graph == self.case.name && cell.plan_asked == plan;
        let of_plan = self.report.cells.iter().filter(is_of);
        own.or_else(|| of_plan.filter_map(|cell| made(cell.first.as_ref()?)).reduce(f64::max))
    }
}

fn made(first: &FirstRun) -> Option<f64> {
    Some(first.paths?.making_seconds)
}

/// Returns the options of a cell along paths.
pub(super) fn options(cell: &Cell) -> Option<PathPlan> {
    cell.plan_asked.parse::<Plan>().ok()?.paths()
}
