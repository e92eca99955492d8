//! What tables, figures and statements ask of a report: an approximate cell beside its exact ones.

use super::{OPEN, TECHNIQUES};
use crate::evaluation::{Cell, Report, report::distinct, statements::View, tables::over};
use warpgraph::{Approximation, Exactness, Inaccuracy, Knob, Plan};

/// An approximate cell by the baseline, and the report it is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    report: &'a Report,
    pub(super) cell: &'a Cell,
    /// Add what is made once to the time of the approximate run: changing the graph.
    with_preparation: bool,
}

impl<'a> At<'a> {
    /// Returns the approximate cells by the baseline of a part on a graph, by algorithm and in the order of the part.
    pub(super) fn on(report: &'a Report, part: &'a str, graph: &str) -> Vec<Self> {
        let algorithms = report.algorithms_of(part);
        let cells = algorithms.into_iter().flat_map(|algorithm| {
            let plan = baseline(report, graph, algorithm);
            let cells = report.cells_of(part, graph, algorithm).into_iter();
            cells.filter(move |cell| !cell.approximation.is_none() && plan == Some(cell.plan_asked.as_str()))
        });
        cells.map(|cell| Self { report, cell, with_preparation: false }).collect()
    }

    /// Returns those of a part on all graphs.
    pub(super) fn all(report: &'a Report, part: &'a str) -> Vec<Self> {
        report.graphs.iter().flat_map(|case| Self::on(report, part, &case.name)).collect()
    }

    /// Returns the same as a statement sees it: with preparation, or without.
    pub(super) fn seen_by(self, view: &View<'_>) -> Self {
        Self { with_preparation: view.with_preparation, ..self }
    }

    /// Returns a cell of the same graph and algorithm.
    fn beside(self, plan: &str, approximation: Approximation) -> Option<&'a Cell> {
        let Cell { graph, algorithm, .. } = self.cell;
        let is_it = |cell: &&Cell| {
            (&cell.graph, &cell.algorithm) == (graph, algorithm)
                && is_by(cell, plan)
                && cell.approximation == approximation
        };
        self.report.cells.iter().find(is_it)
    }

    /// Returns the exact cell by the baseline.
    pub(super) fn exact(self) -> Option<&'a Cell> {
        self.beside(&self.cell.plan_asked, Approximation::NONE)
    }

    /// Returns the exact cell by the open plan.
    pub(super) fn default(self) -> Option<&'a Cell> {
        self.beside(OPEN, Approximation::NONE)
    }

    /// Returns the approximate cell by the open plan.
    pub(super) fn open(self) -> Option<&'a Cell> {
        self.beside(OPEN, self.cell.approximation)
    }

    fn time(self) -> Option<f64> {
        let once = if self.with_preparation { self.exactness().map_or(0.0, |all| all.seconds) } else { 0.0 };
        Some(self.cell.median()? + once)
    }

    /// Returns the time of the exact run over its own.
    pub(super) fn speedup(self) -> Option<f64> {
        over(self.exact()?.median(), self.time())
    }

    /// Returns the time of the exact default over its own.
    pub(super) fn over_default(self) -> Option<f64> {
        over(self.default()?.median(), self.time())
    }

    /// Returns the time of the exact default over that of the approximate one.
    pub(super) fn open_over_default(self) -> Option<f64> {
        over(self.default()?.median(), self.open()?.median())
    }

    /// Returns what was changed.
    pub(super) fn exactness(self) -> Option<&'a Exactness> {
        self.cell.exactness.as_ref()
    }

    /// Returns how far the answer is from the exact one.
    pub(super) fn inaccuracy(self) -> Option<&'a Inaccuracy> {
        self.exactness()?.inaccuracy.as_ref()
    }

    /// Returns the mean error.
    pub(super) fn error(self) -> Option<f64> {
        Some(self.inaccuracy()?.mean)
    }

    /// Returns the technique, if there is one alone.
    pub(super) fn technique(self) -> Option<&'static str> {
        technique(self.cell.approximation)
    }

    /// Returns the knob of its technique.
    pub(super) fn knob(self) -> Option<f64> {
        let Approximation { coalesce, latency, divergence } = self.cell.approximation;
        coalesce.or(latency).or(divergence).map(Knob::value)
    }
}

/// Returns the technique of an approximation that has one.
pub(super) fn technique(all: Approximation) -> Option<&'static str> {
    let has = [all.coalesce.is_some(), all.latency.is_some(), all.divergence.is_some()];
    let mut named = TECHNIQUES.into_iter().zip(has).filter(|(_, has)| *has).map(|(name, _)| name);
    named.next().filter(|_| named.next().is_none())
}

fn is_by(cell: &Cell, plan: &str) -> bool {
    cell.plan_asked == plan || cell.plan_asked.parse::<Plan>().ok() == plan.parse().ok()
}

/// Returns the plan of the baseline for an algorithm on a graph: that of the first exact cell.
fn baseline<'a>(report: &'a Report, graph: &str, algorithm: &str) -> Option<&'a str> {
    let is_it =
        |cell: &&Cell| cell.graph == graph && cell.algorithm == algorithm && cell.approximation.is_none();
    report.cells.iter().find(is_it).map(|cell| cell.plan_asked.as_str())
}

/// Returns the plans of all baselines, each with its algorithms.
pub(super) fn baselines(report: &Report) -> Vec<(&str, Vec<&str>)> {
    let algorithms = distinct(report.cells.iter().map(|cell| cell.algorithm.as_str()));
    let of = |algorithm: &&str| {
        let graphs = report.graphs.iter();
        graphs.into_iter().find_map(|case| baseline(report, &case.name, algorithm))
    };
    let plans: Vec<(&str, &str)> = algorithms.iter().filter_map(|name| Some((of(name)?, *name))).collect();
    let with = |plan| {
        let names = plans.iter().filter(|(of, _)| *of == plan).map(|(_, name)| *name);
        (plan, names.collect())
    };
    distinct(plans.iter().map(|(plan, _)| *plan)).into_iter().map(with).collect()
}
