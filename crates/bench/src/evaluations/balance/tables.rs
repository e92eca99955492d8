//! The tables: graphs, times, limits, memory, ranks, degrees, chunking.

use super::{Degrees, NODE, degrees::Kind, in_the_paper, ranks, speedup};
use crate::{
    evaluation::{
        Cell, GraphCase, Report,
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
        let kind = case.figure("kind").map_or_else(none, |kind: Kind| kind.words().to_owned());
        let of: Degrees = case.figure("degrees").unwrap_or_default();
        let [mean, sigma] = [of.mean, of.deviation].map(|figure| digits(Some(figure), 1));
        vec![kind, count(of.vertices), count(of.arcs), count(of.max), mean, sigma]
    })
}

/// Figures 7 and 8.
fn times(report: &Report, algorithm: &str, title: &str) -> Sheet {
    let columns = "plan | >time | >spread | >kernels | >overhead | >once | >of node | >M arcs/s | verified";
    let row = |cell: &Cell| {
        cell_row([cell.label().to_owned()], cell, || {
            let node = report.cell(&cell.graph, algorithm, NODE).and_then(Cell::median);
            let parts = [cell.kernel, cell.overhead(), Some(cell.prepare())].map(seconds);
            let of_node = digits(over(cell.median(), node), 2);
            let speed = cell.speed.map_or_else(none, |speed| rate(1e3 * speed));
            time(cell).into_iter().chain(parts).chain([of_node, speed, verdict(cell)]).collect()
        })
    };
    by_graph(report, Sheet::new(title, columns), |case| {
        let cells = report.cells.iter().filter(|cell| cell.graph == case.name && cell.algorithm == algorithm);
        cells.map(row).collect()
    })
}

/// A whole number from ten on, below with two digits.
fn rate(rate: f64) -> String {
    if rate < 9.995 { format!("{rate:.2}") } else { number(rate.round()) }
}

/// Adds, below every graph, a row for every plan that has figures.
fn by_plan(
    report: &Report,
    sheet: Sheet,
    figures: impl Fn(&GraphCase, &str) -> Option<Vec<String>>,
) -> Sheet {
    by_graph(report, sheet, |case| {
        let row = |label: &str| Some([vec![label.to_owned()], figures(case, label)?].concat());
        report.labels().into_iter().filter_map(row).collect()
    })
}

/// Times beside the least that the device's limits allow; no rows if these were not measured.
fn limits(report: &Report) -> Sheet {
    let columns = "plan | >sssp | >limit | >of limit | >bfs | >limit | >of limit";
    let title = "Limits: what binds a run, and the share of it that is reached";
    let sheet = Sheet::new(title, columns).note(
        "`limit` is the least time by what the device was measured to do, and what binds it; `of limit` is that over the median.",
    );
    let words = |cell: Option<&Cell>| {
        let limit = cell.and_then(|cell| cell.limit.as_ref());
        let share = percent(cell.and_then(|cell| cell.share), 0);
        [seconds(cell.and_then(Cell::median)), limit.map_or_else(none, ToString::to_string), share]
    };
    by_plan(report, sheet, |case, label| {
        let cells = ["sssp", "bfs"].map(|algorithm| report.cell(&case.name, algorithm, label));
        cells.iter().flatten().any(|cell| cell.limit.is_some()).then(|| cells.map(words).concat())
    })
}

/// The first half of figure 9.
fn memory(report: &Report) -> Sheet {
    let columns = "plan | >bfs: extra | >in all | >of node | >sssp: extra | >in all | >of node";
    let title = "Figure 9: memory on the device, graph and state included";
    by_plan(report, Sheet::new(title, columns), |case, label| {
        let sizes = |algorithm: &str| {
            let [own, node] = [label, NODE].map(|label| report.cell(&case.name, algorithm, label)?.memory);
            let [total, of] = [own, node].map(|memory| memory.map(|memory| memory.total()));
            let ratio = over(total.map(|bytes| bytes as f64), of.map(|bytes| bytes as f64));
            let extra = own.map(|memory| memory.extra);
            [extra.map_or_else(none, bytes), total.map_or_else(none, bytes), digits(ratio, 2)]
        };
        case.error.is_none().then(|| ["bfs", "sssp"].map(sizes).concat())
    })
}

/// The second half of figure 9.
fn rank_table(report: &Report) -> Sheet {
    let columns = "plan | paper | >time rank | >of node | >memory rank | >of node | >ran | >failed";
    let title = "Figure 9: ranks by geometric means over all graphs, bfs and sssp";
    let mut sheet = Sheet::new(title, columns);
    let place = |rank: Option<usize>| rank.map_or_else(none, |rank| rank.to_string());
    for rank in ranks(report) {
        let letters = in_the_paper(&rank.strategy).map_or_else(none, str::to_owned);
        let [time, memory] = [rank.time, rank.memory].map(|mean| digits(mean, 2));
        let [by_time, by_memory] = [rank.time_rank, rank.memory_rank].map(place);
        let [ran, failed] = [rank.ran, rank.failed].map(|cells| cells.to_string());
        sheet.row([rank.strategy, letters, by_time, time, by_memory, memory, ran, failed]);
    }
    sheet
}

/// Figure 10.
fn degrees(report: &Report) -> Sheet {
    let columns = "graph | >max | >MDT | >vertices split | >share | >entries | >max after";
    let mut sheet = Sheet::new("Figure 10: degrees before and after node splitting", columns);
    for (case, of) in with_degrees(report) {
        let [max, mdt, split, entries, after] =
            [of.max, of.threshold, of.split, of.entries, of.max_after].map(count);
        sheet.row([name(case), max, mdt, split, percent(Some(of.split_share()), 2), entries, after]);
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
        let [bfs, sssp] = ["bfs", "sssp"].map(|algorithm| speedup(report, &case.name, algorithm));
        if bfs.or(sssp).is_some() {
            sheet.row([name(case), digits(bfs, 2), digits(sssp, 2)]);
        }
    }
    sheet
}
