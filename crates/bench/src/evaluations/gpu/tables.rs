//! The tables: times beside other programs and limits, pagerank as a whole, and the last lines.

use super::{has_peers, peers};
use crate::{
    evaluation::{
        Cell, Giant, GraphCase, Held, Per, Report,
        report::distinct,
        tables::{by_graph, cell_row, digits, graphs, none, percent, seconds, time, verdict},
    },
    sheet::Sheet,
    statistics::{geometric_mean, median},
    units::count,
};
use serde::Serialize;

/// Returns all tables.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    vec![graph_table(report), times(report), pagerank(report)]
}

fn graph_table(report: &Report) -> Sheet {
    let columns = "graph | >vertices | >arcs | >isolated | >sources of";
    graphs(report, Sheet::new("Graphs", columns), |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let giant = case.figure::<Giant>("giant").map_or_else(none, |giant| count(giant.vertices));
        vec![count(graph.vertices), count(graph.arcs), count(graph.isolated), giant]
    })
}

/// Returns the cells of a graph by algorithm, orders one after the other.
fn cells_of<'a>(report: &'a Report, case: &GraphCase) -> Vec<&'a Cell> {
    let mut cells: Vec<&Cell> = report.cells.iter().filter(|cell| cell.graph == case.name).collect();
    let names = distinct(cells.iter().map(|cell| cell.algorithm.as_str()));
    cells.sort_by_key(|cell| names.iter().position(|name| *name == cell.algorithm));
    cells
}

fn times(report: &Report) -> Sheet {
    let columns = "algorithm | >time | >spread | >before | >best peer | >x | >cuGraph | >x | >limit | >of it | verified";
    let rows = |case: &GraphCase| cells_of(report, case).into_iter().map(|cell| row(report, cell)).collect();
    by_graph(report, Sheet::new("Times", columns), rows)
}

fn row(report: &Report, cell: &Cell) -> Vec<String> {
    let order = if cell.order == Held::NATURAL { String::new() } else { format!(", {}", cell.order) };
    let per = if cell.per == Per::Run { "" } else { " per sweep" };
    cell_row([format!("{}{per}{order}", cell.algorithm)], cell, || {
        let [best, cugraph] = peers_of(report, cell);
        // A ratio that does not count is in brackets.
        let ratio = |peer| match ratio(cell, peer) {
            Some(x) if !counts(report, cell) => format!("({x:.2})"),
            x => digits(x, 2),
        };
        let before: Vec<f64> = cell.runs.iter().map(|run| run.before).collect();
        let rest = [
            seconds(Some(median(&before)).filter(|_| !before.is_empty())),
            best.map_or_else(none, |(name, ms)| format!("{name} {ms}")),
            ratio(best),
            cugraph.map_or_else(none, |(_, ms)| ms.to_string()),
            ratio(cugraph),
            cell.limit.as_ref().map_or_else(none, ToString::to_string),
            percent(cell.share, 0),
            verdict(cell),
        ];
        time(cell).into_iter().chain(rest).collect()
    })
}

fn pagerank(report: &Report) -> Sheet {
    let columns = "graph | order | >sweeps | >in all | >cuGraph | >reorder | >cuGraph builds";
    let mut sheet = Sheet::new("PageRank to a change of 1e-6, all sweeps", columns);
    for case in &report.graphs {
        let theirs = peers::total(&case.name).filter(|_| has_peers(case));
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

/// Another program, and its milliseconds.
type Peer = Option<(&'static str, f64)>;

/// Returns the best program for a cell, and cuGraph.
fn peers_of(report: &Report, cell: &Cell) -> [Peer; 2] {
    let has_peers = report.graph(&cell.graph).is_some_and(has_peers);
    let figure = peers::find(&cell.graph, &cell.algorithm).filter(|_| has_peers);
    figure.map_or([None; 2], |figure| [figure.best, figure.cugraph.map(|ms| (peers::CUGRAPH, ms))])
}

/// Returns how many times ours another program takes.
fn ratio(cell: &Cell, peer: Peer) -> Option<f64> {
    Some(peer?.1 / (cell.median()? * 1e3))
}

/// Returns true if no other order of the same algorithm on the same graph is faster.
fn counts(report: &Report, cell: &Cell) -> bool {
    let is_beaten = |other: &Cell| {
        let is_same = (&other.graph, &other.algorithm) == (&cell.graph, &cell.algorithm);
        is_same && other.order != cell.order && other.median().zip(cell.median()).is_some_and(|(a, b)| a < b)
    };
    cell.seconds.is_some() && !report.cells.iter().any(is_beaten)
}

/// All cells with a figure of another program.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Against {
    cells: usize,
    /// In how many ours is faster.
    faster: usize,
    /// The geometric mean of their times over ours.
    geometric_mean: Option<f64>,
}

/// Returns the cells that count, against the best program of each and against cuGraph.
pub(super) fn summary(report: &Report) -> [Against; 2] {
    [0, 1].map(|place| {
        let counting = report.cells.iter().filter(|cell| counts(report, cell));
        let ratios = counting.filter_map(|cell| ratio(cell, peers_of(report, cell)[place]));
        Against::of(&ratios.collect::<Vec<_>>())
    })
}

impl Against {
    fn of(ratios: &[f64]) -> Self {
        let faster = ratios.iter().filter(|ratio| **ratio > 1.0).count();
        Self { cells: ratios.len(), faster, geometric_mean: geometric_mean(ratios) }
    }

    /// Returns it in words.
    pub(super) fn line(&self, whom: &str) -> String {
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
