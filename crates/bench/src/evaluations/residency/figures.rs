//! The figures, drawn from a report.

use super::{ADVISED, SEARCHES, UNADVISED, at::At, tables::modelled};
use crate::{
    chart::{
        Bars, Lines, Scale, Unit,
        bars::{Panel, Row},
        lines,
    },
    evaluation::{
        Drawing, GraphCase, Held, Report,
        report::distinct,
        tables::{name, over},
    },
};
use warpgraph::Order;

const FAST: &str = "billion arcs per second";

/// Returns all figures that there is something to show in.
pub(super) fn all(report: &Report) -> Vec<Drawing> {
    let natural = |at: At<'_>| (at.order() == "natural").then(|| (label(at), at.cell.speed));
    let speeds = bars(report, "fig6", "Figure 1: bfs in the natural order, pushing", FAST, natural);
    let streaming = bars(report, "sage8", "SAGE, figure 8: bfs out of host memory", FAST, |at| {
        Some((label(at), at.cell.speed))
    });
    let mut all = vec![
        ("figure1".to_owned(), "Figure 1:", Bars { scale: Scale::Log, ..speeds }),
        ("figure13".to_owned(), "Figure 13", advice(report)),
        ("sage-figure8".to_owned(), "SAGE", streaming),
    ];
    for (part, words) in SEARCHES.into_iter().zip(["one search at a time", "several at a time"]) {
        let number = &part[3..];
        for label in labels(report, part) {
            let title = format!("Figure {number}: {words}, {label}");
            let by = |value: fn(At<'_>) -> Option<f64>| {
                move |at: At<'_>| (at.cell.label() == label).then(|| (at.cell.order.to_string(), value(at)))
            };
            let speeds = bars(
                report,
                part,
                &title,
                "speed over that in the natural order",
                by(|at| at.over_natural()),
            );
            let table = if part == "fig6" { "Figure 6" } else { "Figure 7" };
            all.push((format!("figure{number}-{}", file(label)), table, marked("natural", speeds)));
            if part == "fig6" {
                let title = format!("Figure 9: bytes over the bus in a search, {label}");
                let moved = bars(report, part, &title, "bytes moved / ideal", by(|at| at.amplification()));
                all.push((format!("figure9-{}", file(label)), "Figure 9", marked("ideal", moved)));
            }
        }
    }
    for algorithm in report.algorithms_of("budget") {
        let title = format!("{algorithm} beyond memory");
        let time = |at: At<'_>| (at.cell.algorithm == algorithm).then(|| (label(at), at.cell.median()));
        let times = bars(report, "budget", &title, "time per run; of pagerank, per sweep", time);
        all.push((
            format!("budget-{algorithm}"),
            "Beyond",
            Bars { unit: Unit::Seconds, scale: Scale::Each, ..times },
        ));
    }
    let bars = all.into_iter().filter(|(_, _, bars)| bars.has_any());
    let bars = bars.map(|(file, table, bars)| Drawing::new(file, table, bars.figure()));
    let lines = [
        ("figure11", "Figure 11", samples(report)),
        ("figure12", "Figure 12", scales(report, FAST, |at| at.cell.speed)),
        ("figure12-modelled", "Figure 12", scales(report, "modelled bytes moved / ideal", modelled)),
    ];
    let lines = lines.into_iter().filter(|(_, _, lines)| lines.has_any());
    bars.chain(lines.map(|(file, table, lines)| Drawing::new(file, table, lines.figure()))).collect()
}

fn label(at: At<'_>) -> String {
    at.cell.label().to_owned()
}

fn marked(name: &str, bars: Bars) -> Bars {
    Bars { mark: Some((1.0, name.to_owned())), ..bars }
}

/// Returns a residency as part of the name of a file: `unified-advice-off`.
fn file(label: &str) -> String {
    let pieces = label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|piece| !piece.is_empty());
    pieces.collect::<Vec<_>>().join("-")
}

fn labels<'a>(report: &'a Report, part: &str) -> Vec<&'a str> {
    let of_part = report.cells.iter().filter(|cell| cell.parts.contains_key(part));
    distinct(of_part.map(|cell| cell.label()))
}

/// Returns a panel per graph with a bar per cell of a part that has a name.
fn bars(
    report: &Report,
    part: &str,
    title: &str,
    words: &str,
    row: impl Fn(At<'_>) -> Option<(String, Option<f64>)>,
) -> Bars {
    let panel = |case: &GraphCase| {
        let rows = At::all(report, part, &case.name).into_iter().filter_map(&row);
        let rows: Vec<Row> = rows.map(|(name, value)| Row::of(name, value)).collect();
        rows.iter().any(|row| !row.values.is_empty()).then(|| Panel { title: name(case), rows })
    };
    Bars { panels: report.graphs.iter().filter_map(panel).collect(), ..Bars::new(title, words) }
}

/// Figure 13: speeds over natural without advice.
fn advice(report: &Report) -> Bars {
    let words = "speed over that in the natural order without advice";
    let row = |at: At<'_>| {
        let order = Some(at.order()).filter(|order| ["natural", "halo2"].contains(order))?;
        let with = match at.cell.label() {
            ADVISED => "with advice",
            UNADVISED => "without",
            _ => return None,
        };
        let natural = at.beside("natural", UNADVISED)?.cell.median();
        Some((format!("{order}, {with}"), over(natural, at.cell.median())))
    };
    marked("natural, without", bars(report, "fig6", "Figure 13: read-mostly advice", words, row))
}

/// Returns lines in one panel over whole numbers on the horizontal axis.
fn one_panel(title: &str, across: (&str, bool), up: &str, series: Vec<(String, Vec<(f64, f64)>)>) -> Lines {
    let (series, lines) = series.into_iter().filter(|(_, line)| !line.is_empty()).unzip();
    Lines {
        title: title.to_owned(),
        across: (across.0.to_owned(), across.1),
        up: (up.to_owned(), false),
        unit: Unit::Number,
        marks_points: true,
        series,
        panels: vec![lines::Panel { lines, ..lines::Panel::default() }],
    }
}

fn samples(report: &Report) -> Lines {
    let point = |at: At<'_>| match at.cell.order {
        Held::Order(Order::Halo2 { samples }) => Some((f64::from(samples), at.cell.speed?)),
        _ => None,
    };
    let line = |case: &GraphCase| {
        (name(case), At::all(report, "fig11", &case.name).into_iter().filter_map(point).collect())
    };
    let series = report.graphs.iter().map(line).collect();
    one_panel("Figure 11: bfs in halo2 by its number of samples", ("samples", true), FAST, series)
}

/// Returns a line per residency and order, over the logarithm of the number of vertices.
fn scales(report: &Report, up: &str, value: fn(At<'_>) -> Option<f64>) -> Lines {
    let all: Vec<At<'_>> =
        report.graphs.iter().flat_map(|case| At::all(report, "fig12", &case.name)).collect();
    let names: Vec<String> = all.iter().map(|at| format!("{}, {}", at.cell.order, at.cell.label())).collect();
    let line = |series: &str| {
        let of = all.iter().zip(&names).filter(|(_, name)| *name == series).map(|(at, _)| *at);
        let point = |at: At<'_>| Some(((at.case()?.graph.as_ref()?.vertices as f64).log2(), value(at)?));
        (series.to_owned(), of.filter_map(point).collect())
    };
    let series = distinct(names.iter().map(String::as_str)).into_iter().map(line).collect();
    one_panel("Figure 12: bfs on Kronecker graphs", ("scale", false), up, series)
}
