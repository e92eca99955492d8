//! The figures, drawn from a report.

use super::{at::At, paper::figure_3};
use crate::{
    chart::{
        Bars, Lines, Scale, Unit,
        bars::{Panel, Row},
        lines,
    },
    evaluation::{Drawing, GraphCase, Report, report::distinct, tables::name},
};

/// Returns all figures that there is something to show in.
pub(super) fn all(report: &Report) -> Vec<Drawing> {
    let speed = "time of the exact run over that of the approximate run, both by the baseline; in brackets the poster's";
    let error = "mean relative error in %; in brackets the poster's";
    let default = "time of our exact default over that of the approximate run by the baseline";
    let speedups = bars(report, "Figure 3: speed-up", speed, At::speedup, |at| Some(poster(at)?.0));
    let errors =
        bars(report, "Figure 3: inaccuracy", error, |at| Some(100.0 * at.error()?), |at| Some(poster(at)?.1));
    let defaults = bars(report, "Speed-up over the exact default", default, At::over_default, |_| None);
    let all = [
        ("figure3-speed-up", Bars { mark: Some((1.0, "as fast as exact".to_owned())), ..speedups }),
        ("figure3-inaccuracy", errors),
        ("over-default", Bars { mark: Some((1.0, "as fast as the exact default".to_owned())), ..defaults }),
    ];
    let bars = all.into_iter().filter(|(_, bars)| bars.has_any());
    let bars = bars.map(|(file, bars)| Drawing::new(file, "Figure 3", bars.figure()));
    bars.chain(sweeps(report)).collect()
}

/// Returns the poster's speed-up, and its inaccuracy in percent.
fn poster(at: At<'_>) -> Option<(f64, f64)> {
    let printed = figure_3(&at.cell.algorithm, at.technique()?)?;
    Some((printed.speedup, 100.0 * printed.inaccuracy))
}

/// Returns a panel per graph with a bar per algorithm and approximation.
fn bars<'a>(
    report: &'a Report,
    title: &str,
    words: &str,
    value: fn(At<'a>) -> Option<f64>,
    printed: fn(At<'a>) -> Option<f64>,
) -> Bars {
    let row = |at: At<'a>| {
        let of = at.technique().map_or_else(|| at.cell.approximation.to_string(), str::to_owned);
        let name = format!("{}, {of}", at.cell.algorithm);
        let text = value(at).map(|value| {
            let printed = printed(at).map_or_else(String::new, |printed| format!(" ({printed:.2})"));
            format!("{value:.2}{printed}")
        });
        Row { text, ..Row::of(name, value(at)) }
    };
    let panel = |case: &'a GraphCase| {
        let rows: Vec<Row> = At::on(report, "fig3", &case.name).into_iter().map(row).collect();
        rows.iter().any(|row| !row.values.is_empty()).then(|| Panel { title: name(case), rows })
    };
    let panels = report.graphs.iter().filter_map(panel).collect();
    Bars { panels, scale: Scale::Same, ..Bars::new(title, words) }
}

/// Returns speed-up and inaccuracy by the knob of every technique.
fn sweeps<'a>(report: &'a Report) -> Vec<Drawing> {
    let mut all = Vec::new();
    for (part, table) in [("fig2", "Figure 2"), ("knobs", "Beside the poster")] {
        let of_part = At::all(report, part);
        for technique in distinct(of_part.iter().filter_map(|at| at.technique())) {
            let mut add = |file: &str, words: &str, value: fn(At<'a>) -> Option<f64>| {
                let title = format!("{table}: {technique} by its knob");
                let lines = lines(report, part, technique, (&title, words), value);
                let file = format!("{part}-{technique}-{file}");
                all.extend(lines.has_any().then(|| Drawing::new(file, table, lines.figure())));
            };
            add("speed-up", "time of the exact run over that of the approximate run", At::speedup);
            add("inaccuracy", "mean relative error in %", |at| Some(100.0 * at.error()?));
        }
    }
    all
}

/// Returns a panel per graph with a line per algorithm over the knob in percent.
fn lines<'a>(
    report: &'a Report,
    part: &'a str,
    technique: &str,
    (title, words): (&str, &str),
    value: fn(At<'a>) -> Option<f64>,
) -> Lines {
    let series: Vec<String> = report.algorithms_of(part).into_iter().map(str::to_owned).collect();
    let panel = |case: &'a GraphCase| {
        let all = At::on(report, part, &case.name);
        let line = |algorithm: &String| {
            let of =
                all.iter().filter(|at| at.cell.algorithm == *algorithm && at.technique() == Some(technique));
            of.filter_map(|at| Some((100.0 * at.knob()?, value(*at)?))).collect()
        };
        lines::Panel { title: name(case), lines: series.iter().map(line).collect(), mark: None }
    };
    Lines {
        title: title.to_owned(),
        across: (format!("knob of {technique}, %"), false),
        up: (words.to_owned(), false),
        unit: Unit::Number,
        marks_points: true,
        panels: report
            .graphs
            .iter()
            .map(panel)
            .filter(|panel| panel.lines.iter().any(|line| !line.is_empty()))
            .collect(),
        series,
    }
}
