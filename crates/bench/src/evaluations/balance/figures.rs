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
    let bars = [
        ("figure7", "Figure 7", times(report, "sssp", "Figure 7: sssp by strategy")),
        ("figure8", "Figure 8", times(report, "bfs", "Figure 8: bfs by strategy")),
        ("figure9", "Figure 9: ranks", ranks(report)),
        ("figure11", "Figure 11", chunking(report)),
    ];
    let bars = bars.into_iter().filter(|(_, _, bars)| bars.has_any());
    let bars = bars.map(|(file, table, bars)| Drawing::new(file, table, bars.figure()));
    let degrees = degrees(report);
    let lines = degrees.has_any().then(|| Drawing::new("figure10", "Figure 10", degrees.figure()));
    bars.chain(lines).collect()
}

fn on(report: &Report) -> String {
    report.device.as_ref().map_or_else(String::new, |device| format!(", on {}", device.name))
}

fn times(report: &Report, algorithm: &str, title: &str) -> Bars {
    let panel = |case: &GraphCase| {
        let kind = case.figure::<Kind>("kind").map_or_else(String::new, |kind| format!(", {}", kind.words()));
        let cells = report.cells.iter().filter(|cell| cell.graph == case.name && cell.algorithm == algorithm);
        let node = report.cell(&case.name, algorithm, NODE).and_then(Cell::median);
        Panel { title: format!("{}{kind}", name(case)), rows: cells.map(|cell| time(cell, node)).collect() }
    };
    let panels = report.graphs.iter().map(panel).filter(|panel| !panel.rows.is_empty());
    Bars {
        unit: Unit::Seconds,
        scale: Scale::Each,
        parts: vec!["kernels that expand frontiers", "overhead"],
        panels: panels.collect(),
        ..Bars::new(
            title.to_owned() + &on(report),
            "time of a run, and in brackets that over the time of node",
        )
    }
}

fn time(cell: &Cell, node: Option<f64>) -> Row {
    let Some((median, kernel)) = cell.median().zip(cell.kernel) else {
        let kind = cell.error.as_ref().map_or("nothing was measured", |error| error.kind.as_str());
        return Row { text: Some(kind.to_owned()), ..Row::of(cell.label(), None) };
    };
    let share = over(Some(median), node).map_or_else(String::new, |share| format!(" ({share:.2})"));
    Row {
        name: cell.label().to_owned(),
        values: vec![kernel, cell.overhead().unwrap_or(0.0)],
        text: Some(seconds(median) + &share),
    }
}

fn ranks(report: &Report) -> Bars {
    let ranks = super::ranks(report);
    let panel = |title: &str, of: fn(&Rank) -> (Option<usize>, Option<f64>)| {
        let mut placed: Vec<(usize, f64, &Rank)> = ranks
            .iter()
            .filter_map(|rank| {
                let (place, mean) = of(rank);
                Some((place?, mean?, rank))
            })
            .collect();
        placed.sort_by_key(|(place, ..)| *place);
        let row = |(place, mean, rank): (usize, f64, &Rank)| {
            let letters =
                in_the_paper(&rank.strategy).map(|letters| format!(" ({letters})")).unwrap_or_default();
            Row::of(format!("{place}. {}{letters}", rank.strategy), Some(mean))
        };
        Panel { title: title.to_owned(), rows: placed.into_iter().map(row).collect() }
    };
    Bars {
        scale: Scale::Each,
        panels: vec![
            panel("time", |rank| (rank.time_rank, rank.time)),
            panel("memory", |rank| (rank.memory_rank, rank.memory)),
        ],
        ..Bars::new(
            format!("Figure 9: strategies by time and by memory{}", on(report)),
            "geometric means over all graphs, bfs and sssp, as multiples of node; the best is on top",
        )
    }
}

fn degrees(report: &Report) -> Lines {
    let curve = |bins: &[Bin]| {
        let bins = bins.iter().filter(|bin| bin.from > 0);
        bins.map(Bin::point).collect::<Vec<_>>()
    };
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
    let row = |case: &GraphCase, algorithm: &str| Row::of(algorithm, speedup(report, &case.name, algorithm));
    let panel = |case: &GraphCase| Panel {
        title: name(case),
        rows: ["bfs", "sssp"].map(|algorithm| row(case, algorithm)).to_vec(),
    };
    let panels = report.graphs.iter().map(panel);
    let panels = panels.filter(|panel| panel.rows.iter().any(|row| !row.values.is_empty()));
    Bars {
        mark: Some((1.0, "as fast as without".to_owned())),
        band: Some((from, to, format!("the paper's range, {from} to {to}, {average} on average"))),
        panels: panels.collect(),
        ..Bars::new(
            format!("Figure 11: edge with work chunking{}", on(report)),
            "times as fast as without work chunking",
        )
    }
}
