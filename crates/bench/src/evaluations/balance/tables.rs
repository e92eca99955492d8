//! The tables: graphs, times, limits, memory, ranks, degrees, chunking.

use super::{Degrees, NODE, degrees::Kind, in_the_paper, ranks, speedup};
use crate::{
    evaluation::{
        GraphCase, Report,
        report::{Cell, Memory},
        tables::{by_graph, cell_row, digits, graphs, name, none, over, percent, seconds, time, verdict},
    },
    sheet::Sheet,
    units::{bytes, count, number},
};

/// Returns all tables, in the order of the paper.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    vec![
        graph_table(report),
        times(report, "sssp", "Figure 7: sssp by strategy"),
        times(report, "bfs", "Figure 8: bfs by strategy"),
        limits(report),
        memory(report),
        rank_table(report),
        degrees(report),
        chunking(report),
    ]
}

fn graph_table(report: &Report) -> Sheet {
    let columns = "graph | kind | >vertices | >arcs | >max | >mean | >sigma";
    graphs(report, Sheet::new("Table II: the graphs, and their out-degrees", columns), |case| {
        let (degrees, kind) =
            (case.figure::<Degrees>("degrees").unwrap_or_default(), case.figure::<Kind>("kind"));
        vec![
            kind.map_or_else(none, |kind| kind.words().to_owned()),
            count(degrees.vertices),
            count(degrees.arcs),
            count(degrees.max),
            format!("{:.1}", degrees.mean),
            format!("{:.1}", degrees.deviation),
        ]
    })
}

/// Figures 7 and 8.
fn times(report: &Report, algorithm: &str, title: &str) -> Sheet {
    let columns = "plan | >time | >spread | >kernels | >overhead | >once | >of node | >M arcs/s | verified";
    by_graph(report, Sheet::new(title, columns), |case| {
        let cells = report.cells.iter().filter(|cell| cell.graph == case.name && cell.algorithm == algorithm);
        let row = |cell: &Cell| {
            let node = report.cell(&cell.graph, algorithm, NODE).and_then(Cell::median);
            cell_row([cell.label().to_owned()], cell, || {
                let rest = [
                    seconds(cell.kernel),
                    seconds(cell.overhead()),
                    seconds(Some(cell.prepare())),
                    digits(over(cell.median(), node), 2),
                    cell.speed.map_or_else(none, |speed| rate(1e3 * speed)),
                    verdict(cell),
                ];
                time(cell).into_iter().chain(rest).collect()
            })
        };
        cells.map(row).collect()
    })
}

/// A whole number from ten on, below with two digits.
fn rate(rate: f64) -> String {
    if rate < 9.995 { format!("{rate:.2}") } else { number(rate.round()) }
}

/// Times beside the least that the device's limits allow; no rows if these were not measured.
fn limits(report: &Report) -> Sheet {
    let columns = "plan | >sssp | >limit | >of limit | >bfs | >limit | >of limit";
    let title = "Limits: what binds a run, and the share of it that is reached";
    let sheet = Sheet::new(title, columns).note(
        "`limit` is the least time by what the device was measured to do, and what binds it; `of limit` is that over the median.",
    );
    by_graph(report, sheet, |case| {
        let held = |label: &str| ["sssp", "bfs"].map(|algorithm| report.cell(&case.name, algorithm, label));
        let labels = report.labels().into_iter();
        let labels =
            labels.filter(|label| held(label).into_iter().flatten().any(|cell| cell.limit.is_some()));
        let words = |cell: Option<&Cell>| {
            let limit = cell.and_then(|cell| cell.limit.as_ref());
            let share = percent(cell.and_then(|cell| cell.share), 0);
            [seconds(cell.and_then(Cell::median)), limit.map_or_else(none, ToString::to_string), share]
        };
        let row = |label: &str| {
            std::iter::once(label.to_owned()).chain(held(label).into_iter().flat_map(words)).collect()
        };
        labels.map(row).collect()
    })
}

/// The first half of figure 9.
fn memory(report: &Report) -> Sheet {
    let columns = "plan | >bfs: extra | >in all | >of node | >sssp: extra | >in all | >of node";
    let title = "Figure 9: memory on the device, graph and state included";
    by_graph(report, Sheet::new(title, columns), |case| {
        if case.error.is_some() {
            return Vec::new();
        }
        let held = |algorithm: &str, label: &str| report.cell(&case.name, algorithm, label)?.memory;
        let row = |label: &str| {
            let sizes = ["bfs", "sssp"].map(|name| sizes(held(name, label), held(name, NODE)));
            std::iter::once(label.to_owned()).chain(sizes.into_iter().flatten()).collect()
        };
        report.labels().into_iter().map(row).collect()
    })
}

fn sizes(memory: Option<Memory>, node: Option<Memory>) -> [String; 3] {
    let total = |memory: Option<Memory>| memory.map(|memory| memory.total() as f64);
    [
        memory.map_or_else(none, |memory| bytes(memory.extra)),
        memory.map_or_else(none, |memory| bytes(memory.total())),
        digits(over(total(memory), total(node)), 2),
    ]
}

/// The second half of figure 9.
fn rank_table(report: &Report) -> Sheet {
    let columns = "plan | paper | >time rank | >of node | >memory rank | >of node | >ran | >failed";
    let title = "Figure 9: ranks by geometric means over all graphs, bfs and sssp";
    let mut sheet = Sheet::new(title, columns);
    let place = |rank: Option<usize>| rank.map_or_else(none, |rank| rank.to_string());
    for rank in ranks(report) {
        sheet.row([
            rank.strategy.clone(),
            in_the_paper(&rank.strategy).map_or_else(none, str::to_owned),
            place(rank.time_rank),
            digits(rank.time, 2),
            place(rank.memory_rank),
            digits(rank.memory, 2),
            rank.ran.to_string(),
            rank.failed.to_string(),
        ]);
    }
    sheet
}

/// Figure 10.
fn degrees(report: &Report) -> Sheet {
    let columns = "graph | >max | >MDT | >vertices split | >share | >entries | >max after";
    let mut sheet = Sheet::new("Figure 10: degrees before and after node splitting", columns);
    for (case, degrees) in with_degrees(report) {
        sheet.row([
            name(case),
            count(degrees.max),
            count(degrees.threshold),
            count(degrees.split),
            percent(Some(degrees.split_share()), 2),
            count(degrees.entries),
            count(degrees.max_after),
        ]);
    }
    sheet
}

/// Returns graphs with their degrees.
pub(super) fn with_degrees(report: &Report) -> Vec<(&GraphCase, Degrees)> {
    report.graphs.iter().filter_map(|case| Some((case, case.figure("degrees")?))).collect()
}

/// Figure 11.
fn chunking(report: &Report) -> Sheet {
    let title = "Figure 11: edge with work chunking, times as fast as without";
    let mut sheet = Sheet::new(title, "graph | >bfs | >sssp");
    for case in &report.graphs {
        let gains = ["bfs", "sssp"].map(|name| speedup(report, &case.name, name));
        if gains.iter().any(Option::is_some) {
            sheet.row(std::iter::once(name(case)).chain(gains.map(|gain| digits(gain, 2))));
        }
    }
    sheet
}
