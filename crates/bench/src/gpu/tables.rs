//! The tables: times beside other programs and limits, pagerank as a whole, and the last lines.

use super::{
    Against, Cell, Report,
    peers::{self, Total},
};
use crate::{
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    units::{count, seconds},
};
use warpgraph::Order;

const NONE: &str = "-";

/// All tables.
pub fn all(report: &Report) -> Vec<Sheet> {
    vec![graphs(report), times(report), pagerank(report)]
}

fn graphs(report: &Report) -> Sheet {
    let columns =
        [("graph", Left), ("vertices", Right), ("arcs", Right), ("isolated", Right), ("sources of", Right)];
    let mut sheet = Sheet::new("Graphs", columns);
    for case in &report.graphs {
        let name = case.name.clone();
        match (&case.graph, &case.error) {
            (Some(graph), None) => sheet.row([
                name,
                count(graph.vertices),
                count(graph.arcs),
                count(graph.isolated),
                case.giant.as_ref().map_or_else(|| NONE.to_owned(), |giant| count(giant.vertices)),
            ]),
            (_, error) => {
                let why = error.as_ref().map_or("not measured", |error| error.message.as_str());
                sheet.row([name, why.to_owned()]);
            }
        }
    }
    sheet
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
    let mut sheet = Sheet::new("Times", columns);
    for case in &report.graphs {
        let cells = report.cells.iter().filter(|cell| cell.graph == case.name);
        let mut rows = cells.map(time).peekable();
        if rows.peek().is_some() {
            sheet.row([case.name.clone()]);
        }
        rows.for_each(|row| sheet.row(row));
    }
    sheet
}

/// The name of a cell in its graph.
fn label(cell: &Cell) -> String {
    let order = if cell.order == Order::Natural { String::new() } else { format!(", {}", cell.order) };
    let per = if cell.per == "run" { "" } else { " a sweep" };
    format!("{}{per}{order}", cell.algorithm)
}

fn time(cell: &Cell) -> Vec<String> {
    let Some(time) = cell.seconds else {
        let why = cell
            .error
            .as_ref()
            .map_or_else(|| "not measured".to_owned(), |error| format!("{}: {}", error.kind, error.message));
        return vec![label(cell), why];
    };
    let none = || NONE.to_owned();
    // What does not count is in brackets.
    let ratio = |x: Option<f64>| match x {
        Some(x) if cell.counts => format!("{x:.2}"),
        Some(x) => format!("({x:.2})"),
        None => none(),
    };
    let (best, best_ratio, cugraph, cugraph_ratio) = match &cell.peers {
        Some(compared) => (
            compared.best.zip(compared.best_ms).map_or_else(none, |(name, ms)| format!("{name} {ms}")),
            ratio(compared.best_ratio),
            compared.cugraph_ms.map_or_else(none, |ms| ms.to_string()),
            ratio(compared.cugraph_ratio),
        ),
        None => (none(), none(), none(), none()),
    };
    vec![
        label(cell),
        seconds(time.median),
        format!("{:.0}%", 100.0 * time.spread),
        cell.before.map_or_else(none, seconds),
        best,
        best_ratio,
        cugraph,
        cugraph_ratio,
        cell.limit.as_ref().map_or_else(none, ToString::to_string),
        cell.share.map_or_else(none, |share| format!("{:.0}%", 100.0 * share)),
        cell.verify.clone().unwrap_or_else(none),
    ]
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
        let cells = report.cells.iter().filter(|cell| cell.graph == case.name && cell.per == "sweep");
        for (cell, total) in cells.filter_map(|cell| Some((cell, cell.total?))) {
            let theirs = peers::total(&case.name).filter(|_| case.has_peers);
            let ms = |of: fn(&Total) -> f64| {
                theirs.map_or_else(|| NONE.to_owned(), |total| seconds(of(total) / 1e3))
            };
            let reorder = case.reorder.filter(|_| cell.order != Order::Natural);
            sheet.row([
                case.name.clone(),
                cell.order.to_string(),
                cell.runs.last().map_or_else(|| NONE.to_owned(), |run| count(run.rounds)),
                seconds(total.median),
                ms(|total| total.pagerank),
                reorder.map_or_else(|| NONE.to_owned(), seconds),
                ms(|total| total.build),
            ]);
        }
    }
    sheet
}

/// The last lines: how it stands against cuGraph, and against the best of each cell.
pub fn summary(report: &Report) -> [String; 2] {
    [against("cuGraph", &report.summary.cugraph), against("the best peer", &report.summary.best)]
}

fn against(whom: &str, against: &Against) -> String {
    match against.geometric_mean {
        Some(mean) => {
            let (faster, cells) = (against.faster, against.cells);
            format!(
                "against {whom}: {mean:.2} times as fast (geometric mean), faster in {faster} of {cells} cells"
            )
        }
        None => format!("against {whom}: no cell has a figure; they are of the full graphs of the table"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{
        Question,
        limit_model::{Bound, Limit},
        testing::{cell, report},
    };

    #[test]
    fn cells_are_beside_peers_and_limits() {
        let limit = Limit { bound: Bound::Gather, seconds: 0.25e-3, terms: vec![] };
        let bfs = Cell {
            limit: Some(limit),
            share: Some(0.25),
            ..cell("kron:22", Question::Bfs, Order::Natural, 1e-3)
        };
        let failed = Cell { seconds: None, ..cell("kron:22", Question::Mst, Order::Natural, 1.0) };
        let report = report(vec![
            bfs,
            cell("kron:22", Question::PageRank, Order::Natural, 2e-3),
            cell("kron:22", Question::PageRank, Order::Degree, 0.5e-3),
            failed,
        ]);
        let text: String = all(&report).iter().map(Sheet::markdown).collect();
        for row in [
            "| bfs | 1.00 ms | 0% | 100 us | GSWITCH 0.577 | 0.58 | 2.58 | 2.58 | gather 250 us | 25% | passed |",
            "| pagerank a sweep | 2.00 ms | 0% | 100 us | cuGraph 0.947 | (0.47) | 0.947 | (0.47) | - | - | passed |",
            "| pagerank a sweep, degree | 500 us | 0% | 100 us | cuGraph 0.947 | 1.89 | 0.947 | 1.89 |",
            "| mst | not measured |",
            "| kron:22 | degree | 1 | 500 us | 19.1 ms | 200 ms | 125 ms |",
        ] {
            assert!(text.contains(row), "{row} in\n{text}");
        }
        let [cugraph, best] = summary(&report);
        assert_eq!(cugraph, "against cuGraph: 2.21 times as fast (geometric mean), faster in 2 of 2 cells");
        assert_eq!(
            best,
            "against the best peer: 1.05 times as fast (geometric mean), faster in 1 of 2 cells"
        );
    }
}
