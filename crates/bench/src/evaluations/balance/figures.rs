//! Figures 7 to 11 of the paper, drawn from a report.

use super::{
    Degrees, NODE, Rank,
    degrees::{Bin, Kind},
    in_the_paper, speedup,
    tables::with_degrees,
};
use crate::{
    chart::{
        Bars, Lines, Scale, Unit,
        bars::{Panel, Row},
        lines,
    },
    evaluation::{
        Cell, Drawing, GraphCase, Report,
        tables::{name, over},
    },
    units::{count, seconds},
};

/// What the paper says of work chunking: from, to, on average.
const CHUNKING: (f64, f64, f64) = (1.11, 3.125, 1.82);

/// Returns all figures that there is something to show in.
pub(super) fn all(report: &Report) -> Vec<Drawing> {
    let on = report.device.as_ref().map_or_else(String::new, |device| format!(", on {}", device.name));
    let drawn = |mut bars: Bars| {
        bars.title += &on;
        bars.has_any().then(|| bars.figure())
    };
    let degrees = degrees(report);
    let all = [
        ("figure7", "Figure 7", drawn(times(report, "sssp", "Figure 7: sssp by strategy"))),
        ("figure8", "Figure 8", drawn(times(report, "bfs", "Figure 8: bfs by strategy"))),
        ("figure9", "Figure 9: ranks", drawn(ranks(report))),
        ("figure10", "Figure 10", degrees.has_any().then(|| degrees.figure())),
        ("figure11", "Figure 11", drawn(chunking(report))),
    ];
    all.into_iter().filter_map(|(file, table, figure)| Some(Drawing::new(file, table, figure?))).collect()
}

fn times(report: &Report, algorithm: &str, title: &str) -> Bars {
    let panel = |case: &GraphCase| {
        let kind = case.figure("kind").map_or_else(String::new, |kind: Kind| format!(", {}", kind.words()));
        let node = report.cell(&case.name, algorithm, NODE).and_then(Cell::median);
        let cells = report.cells.iter().filter(|cell| cell.graph == case.name && cell.algorithm == algorithm);
        Panel { title: name(case) + &kind, rows: cells.map(|cell| time(cell, node)).collect() }
    };
    let panels = report.graphs.iter().map(panel).filter(|panel| !panel.rows.is_empty());
    Bars {
        unit: Unit::Seconds,
        scale: Scale::Each,
        parts: vec!["kernels that expand frontiers", "overhead"],
        panels: panels.collect(),
        ..Bars::new(title, "time of a run, and in brackets that over the time of node")
    }
}

fn time(cell: &Cell, node: Option<f64>) -> Row {
    let Some((median, kernel)) = cell.median().zip(cell.kernel) else {
        let kind = cell.error.as_ref().map_or("nothing was measured", |error| error.kind.as_str());
        return Row { text: Some(kind.to_owned()), ..Row::of(cell.label(), None) };
    };
    let share = over(Some(median), node).map_or_else(String::new, |share| format!(" ({share:.2})"));
    let values = vec![kernel, cell.overhead().unwrap_or(0.0)];
    Row { values, text: Some(seconds(median) + &share), ..Row::of(cell.label(), None) }
}

fn ranks(report: &Report) -> Bars {
    let panel = |title: &str, of: fn(&Rank) -> (Option<usize>, Option<f64>)| {
        let mut placed = super::ranks(report);
        placed.retain(|rank| of(rank).1.is_some());
        placed.sort_by_key(|rank| of(rank).0);
        let row = |rank: &Rank| {
            let letters = in_the_paper(&rank.strategy).map_or_else(String::new, |of| format!(" ({of})"));
            let place = of(rank).0.unwrap_or_default();
            Row::of(format!("{place}. {}{letters}", rank.strategy), of(rank).1)
        };
        Panel { title: title.to_owned(), rows: placed.iter().map(row).collect() }
    };
    let label = "geometric means over all graphs, bfs and sssp, as multiples of node; the best is on top";
    Bars {
        scale: Scale::Each,
        panels: vec![
            panel("time", |rank| (rank.time_rank, rank.time)),
            panel("memory", |rank| (rank.memory_rank, rank.memory)),
        ],
        ..Bars::new("Figure 9: strategies by time and by memory", label)
    }
}

fn degrees(report: &Report) -> Lines {
    let curve = |bins: &[Bin]| bins.iter().filter(|bin| bin.from > 0).map(Bin::point).collect();
    let panel = |(case, of): (&GraphCase, Degrees)| lines::Panel {
        title: name(case),
        lines: vec![curve(&of.before), curve(&of.after)],
        mark: Some((of.threshold as f64, format!("MDT {}", count(of.threshold)))),
    };
    let panels = with_degrees(report).into_iter().filter(|(_, degrees)| degrees.max > 0);
    Lines {
        title: "Figure 10: degrees before and after node splitting; MDT is the largest degree left whole"
            .to_owned(),
        across: ("out-degree".to_owned(), true),
        up: ("how many".to_owned(), true),
        unit: Unit::Number,
        marks_points: false,
        series: ["vertices", "worklist entries after splitting"].map(str::to_owned).to_vec(),
        panels: panels.map(panel).collect(),
    }
}

fn chunking(report: &Report) -> Bars {
    let (from, to, average) = CHUNKING;
    let panel = |case: &GraphCase| {
        let rows = ["bfs", "sssp"].map(|name| Row::of(name, speedup(report, &case.name, name))).to_vec();
        rows.iter().any(|row| !row.values.is_empty()).then(|| Panel { title: name(case), rows })
    };
    Bars {
        mark: Some((1.0, "as fast as without".to_owned())),
        band: Some((from, to, format!("the paper's range, {from} to {to}, {average} on average"))),
        panels: report.graphs.iter().filter_map(panel).collect(),
        ..Bars::new("Figure 11: edge with work chunking", "times as fast as without work chunking")
    }
}
