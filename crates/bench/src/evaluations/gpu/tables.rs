//! The tables: times beside other programs and limits, pagerank as a whole, and the last lines.

use super::peers;
use crate::{
    evaluation::{
        Cell, GraphCase, Held, Per, Report,
        report::distinct,
        tables::{by_graph, cell_row, digits, graphs, none, percent, seconds, time, verdict},
    },
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    statistics::{geometric_mean, median},
    units::count,
};
use serde::Serialize;

/// Returns all tables.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    vec![graph_table(report), times(report), pagerank(report)]
}

fn graph_table(report: &Report) -> Sheet {
    let columns =
        [("graph", Left), ("vertices", Right), ("arcs", Right), ("isolated", Right), ("sources of", Right)];
    graphs(report, Sheet::new("Graphs", columns), |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let giant = case.figure::<crate::evaluation::Giant>("giant");
        let giant = giant.map_or_else(none, |giant| count(giant.vertices));
        vec![count(graph.vertices), count(graph.arcs), count(graph.isolated), giant]
    })
}

/// Returns the cells of a graph by algorithm, orders one after the other.
fn cells_of<'a>(report: &'a Report, case: &GraphCase) -> Vec<&'a Cell> {
    let cells: Vec<&Cell> = report.cells.iter().filter(|cell| cell.graph == case.name).collect();
    let names = distinct(cells.iter().map(|cell| cell.algorithm.as_str()));
    names
        .into_iter()
        .flat_map(|name| cells.iter().copied().filter(move |cell| cell.algorithm == name))
        .collect()
}

fn times(report: &Report) -> Sheet {
    let columns = [
        ("algorithm", Left),
        ("time", Right),
        ("spread", Right),
        ("before", Right),
        ("best peer", Right),
        ("x", Right),
        ("cuGraph", Right),
        ("x", Right),
        ("limit", Right),
        ("of it", Right),
        ("verified", Left),
    ];
    by_graph(report, Sheet::new("Times", columns), |case| {
        cells_of(report, case).into_iter().map(|cell| row(report, cell)).collect()
    })
}

fn row(report: &Report, cell: &Cell) -> Vec<String> {
    let order = if cell.order == Held::NATURAL { String::new() } else { format!(", {}", cell.order) };
    let per = if cell.per == Per::Run { "" } else { " per sweep" };
    let compared = Compared::of(report, cell);
    // A ratio that does not count is in brackets.
    let ratio = |x: Option<f64>| match x {
        Some(x) if !counts(report, cell) => format!("({x:.2})"),
        x => digits(x, 2),
    };
    cell_row([format!("{}{per}{order}", cell.algorithm)], cell, || {
        let before: Vec<f64> = cell.runs.iter().map(|run| run.before).collect();
        let best = compared.best.map_or_else(none, |(name, ms)| format!("{name} {ms}"));
        let rest = [
            seconds(Some(median(&before)).filter(|_| !before.is_empty())),
            best,
            ratio(compared.best_ratio),
            compared.cugraph.map_or_else(none, |ms| ms.to_string()),
            ratio(compared.cugraph_ratio),
            cell.limit.as_ref().map_or_else(none, ToString::to_string),
            percent(cell.share, 0),
            verdict(cell),
        ];
        time(cell).into_iter().chain(rest).collect()
    })
}

fn pagerank(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("order", Left),
        ("sweeps", Right),
        ("in all", Right),
        ("cuGraph", Right),
        ("reorder", Right),
        ("cuGraph builds", Right),
    ];
    let mut sheet = Sheet::new("PageRank to a change of 1e-6, all sweeps", columns);
    for case in &report.graphs {
        let theirs = peers::total(&case.name).filter(|_| case.figure("has_peers") == Some(true));
        let ms = |of: fn(&peers::Total) -> f64| seconds(theirs.map(|total| of(total) / 1e3));
        let sweeps = |cell: &&&Cell| cell.per == Per::Sweep && cell.seconds.is_some();
        for cell in cells_of(report, case).iter().filter(sweeps) {
            let calls: Vec<f64> = cell.runs.iter().map(|run| run.before + run.seconds).collect();
            let making = report.orders_of(&case.name).find(|making| making.order == cell.order.to_string());
            sheet.row([
                case.name.clone(),
                cell.order.to_string(),
                cell.rounds.map_or_else(none, count),
                seconds(Some(median(&calls))),
                ms(|total| total.pagerank),
                seconds(making.and_then(|making| making.total())),
                ms(|total| total.build),
            ]);
        }
    }
    sheet
}

/// A cell beside other programs: milliseconds, and how many times ours they are.
#[derive(Debug, Clone, Copy, Default)]
struct Compared {
    best: Option<(&'static str, f64)>,
    best_ratio: Option<f64>,
    cugraph: Option<f64>,
    cugraph_ratio: Option<f64>,
}

impl Compared {
    fn of(report: &Report, cell: &Cell) -> Self {
        let has_peers = report.graph(&cell.graph).is_some_and(|case| case.figure("has_peers") == Some(true));
        let figure = peers::find(&cell.graph, &cell.algorithm).filter(|_| has_peers);
        let Some((figure, time)) = figure.zip(cell.median()) else { return Self::default() };
        let ratio = |ms: f64| ms / (time * 1e3);
        Self {
            best: figure.best,
            best_ratio: figure.best.map(|(_, ms)| ratio(ms)),
            cugraph: figure.cugraph,
            cugraph_ratio: figure.cugraph.map(ratio),
        }
    }
}

/// Returns true if no other order of the same algorithm on the same graph is faster.
fn counts(report: &Report, cell: &Cell) -> bool {
    let is_beaten = |other: &Cell| {
        let is_same = (&other.graph, &other.algorithm) == (&cell.graph, &cell.algorithm);
        is_same && other.order != cell.order && other.median().zip(cell.median()).is_some_and(|(a, b)| a < b)
    };
    cell.seconds.is_some() && !report.cells.iter().any(is_beaten)
}

/// All cells against other programs.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Summary {
    cugraph: Against,
    /// Against the best program of each cell.
    best: Against,
}

/// All cells with a figure of another program.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
struct Against {
    cells: usize,
    /// In how many ours is faster.
    faster: usize,
    /// The geometric mean of their times over ours.
    geometric_mean: Option<f64>,
}

impl Summary {
    /// Of the cells that count.
    pub(super) fn of(report: &Report) -> Self {
        let ratios = |of: fn(Compared) -> Option<f64>| -> Vec<f64> {
            let counting = report.cells.iter().filter(|cell| counts(report, cell));
            counting.filter_map(|cell| of(Compared::of(report, cell))).collect()
        };
        Self {
            cugraph: Against::of(&ratios(|compared| compared.cugraph_ratio)),
            best: Against::of(&ratios(|compared| compared.best_ratio)),
        }
    }

    /// Returns the last lines.
    pub(super) fn lines(&self) -> [String; 2] {
        [self.cugraph.line("cuGraph"), self.best.line("the best peer")]
    }
}

impl Against {
    fn of(ratios: &[f64]) -> Self {
        let faster = ratios.iter().filter(|ratio| **ratio > 1.0).count();
        Self { cells: ratios.len(), faster, geometric_mean: geometric_mean(ratios) }
    }

    fn line(&self, whom: &str) -> String {
        let Self { cells, faster, .. } = self;
        match self.geometric_mean {
            Some(mean) => format!(
                "against {whom}: {mean:.2} times as fast (geometric mean), faster in {faster} of {cells} cells"
            ),
            None => format!("against {whom}: no cell has a figure; they are of the full graphs of the table"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_geometric_and_counts_what_is_faster() {
        let against = Against::of(&[4.0, 0.25, 2.0, 2.0]);
        assert_eq!((against.cells, against.faster), (4, 3));
        assert!((against.geometric_mean.unwrap() - 2.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(Against::of(&[]), Against::default());
    }
}
