//! Figures 3 and 8 to 11 of the paper, and those of cost and times, drawn from a report.

use super::{
    AMPLIFICATION, InOrder, NATURAL, WITHIN, sweep,
    tables::{FETCHES, fetches},
};
use crate::{
    chart::{
        Bars, Lines, Scale, Unit,
        bars::{Panel, Row},
        lines, steps,
    },
    evaluation::{Drawing, GraphCase, Report, tables::name},
};
use serde_json::Value;

const MOVED: &str = "bytes moved / ideal";

/// Returns all figures that there is something to show in.
pub(super) fn all(report: &Report) -> Vec<Drawing> {
    let gaps = format!("Figure 10: log gap within the levels of {} searches", report.options["searches"]);
    let moved = "Figure 9: bytes moved to the device, by the model";
    let by = |title: &str, label: &str, path: &str| by_order(report, title, label, |one| one.value(path));
    let marked = |name: &str, bars: Bars| Bars { mark: Some((1.0, name.to_owned())), ..bars };
    let relative = |title: &str, algorithm: &str| {
        let label = "time / time in the natural order";
        marked(NATURAL, by_order(report, title, label, |one| one.of_natural(algorithm)))
    };
    let bars = [
        ("figure3", "Figure 3", marked("ideal", prefetching(report))),
        ("figure3-fetches", "Figure 3", fetched(report)),
        ("figure9", "Figure 9", marked("ideal", by(moved, MOVED, AMPLIFICATION))),
        ("figure10", "Figure 10", by(&gaps, "log gap (bits)", WITHIN)),
        ("cost", "Cost", cost(by("Time to order", "time to order", "order"))),
        ("bfs", "Times", relative("Breadth-first search on the processor", "bfs")),
        ("pagerank", "Times", relative("PageRank on the processor", "pagerank")),
    ];
    let bars = bars.into_iter().filter(|(_, _, bars)| bars.has_any());
    let bars = bars.map(|(file, table, bars)| Drawing::new(file, table, bars.figure()));
    let lines = [
        ("figure11", sampled(report, "log gap within levels (bits)", Unit::Number, WITHIN)),
        ("figure11-moved", sampled(report, MOVED, Unit::Number, AMPLIFICATION)),
        ("figure11-time", sampled(report, "time to order", Unit::Seconds, "order")),
    ];
    let lines = lines.into_iter().filter(|(_, lines)| lines.has_any());
    let lines = lines.map(|(file, lines)| Drawing::new(file, "Figure 11", lines.figure()));
    bars.chain(lines).chain(staircases(report)).collect()
}

/// Returns a panel per graph that has rows.
fn by_graph(report: &Report, title: &str, label: &str, rows: impl Fn(&str) -> Option<Vec<Row>>) -> Bars {
    let panel = |case: &GraphCase| Some(Panel { title: name(case), rows: rows(&case.name)? });
    Bars { panels: report.graphs.iter().filter_map(panel).collect(), ..Bars::new(title, label) }
}

/// Returns a bar per order, where there is a value.
fn by_order(report: &Report, title: &str, label: &str, value: impl Fn(InOrder<'_>) -> Option<f64>) -> Bars {
    by_graph(report, title, label, |graph| {
        let row = |one: InOrder<'_>| Row::of(&one.making.order, value(one));
        let rows: Vec<Row> = InOrder::all(report, graph).map(row).collect();
        rows.iter().any(|row| !row.values.is_empty()).then_some(rows)
    })
}

fn prefetching(report: &Report) -> Bars {
    by_graph(report, "Figure 3: read amplification in the natural order", MOVED, |graph| {
        let one = InOrder::natural(report, graph)?;
        let paths = [("with prefetching", AMPLIFICATION), ("without", "without_prefetch.amplification")];
        Some(paths.map(|(name, path)| Row::of(name, one.value(path))).to_vec())
    })
}

fn fetched(report: &Report) -> Bars {
    let title = "Figure 3: pages by number of fetches, in the natural order";
    by_graph(report, title, "% of the pages fetched", |graph| {
        let shares = fetches(InOrder::natural(report, graph)?);
        let share = |nth: usize| shares.map(|shares| 100.0 * shares[nth]);
        Some(FETCHES.iter().enumerate().map(|(nth, (kind, ..))| Row::of(*kind, share(nth))).collect())
    })
}

/// Returns the time to order; the natural order is there already, and has no place.
fn cost(mut bars: Bars) -> Bars {
    bars.panels.iter_mut().for_each(|panel| panel.rows.retain(|row| row.name != NATURAL));
    Bars { unit: Unit::Seconds, scale: Scale::Log, ..bars }
}

/// Returns a value of `halo2` by its number of samples.
fn sampled(report: &Report, label: &str, unit: Unit, path: &str) -> Lines {
    let line = |case: &GraphCase| {
        let all = sweep(report, &case.name).into_iter();
        let points = all.filter_map(|(samples, one)| Some((f64::from(samples), one.value(path)?)));
        (name(case), points.collect::<Vec<_>>())
    };
    let (series, lines) = report.graphs.iter().map(line).filter(|(_, line)| !line.is_empty()).unzip();
    Lines {
        title: "Figure 11: halo2 by its number of samples".to_owned(),
        across: ("samples".to_owned(), true),
        up: (label.to_owned(), false),
        unit,
        marks_points: true,
        series,
        panels: vec![lines::Panel { lines, ..lines::Panel::default() }],
    }
}

/// Returns a figure per graph, a panel per order.
fn staircases(report: &Report) -> impl Iterator<Item = Drawing> {
    report.graphs.iter().zip(1..).filter_map(|(case, nth)| {
        let panels: Vec<steps::Panel> = InOrder::all(report, &case.name).filter_map(panel).collect();
        let title = format!("Figure 8: active vertices by level, {}", name(case));
        let figure = (!panels.is_empty()).then(|| steps::figure(&title, &panels))?;
        Some(Drawing::new(format!("figure8-{nth}"), "Figure 10", figure))
    })
}

fn panel(one: InOrder<'_>) -> Option<steps::Panel> {
    let stairs = one.making.figures.get("staircase")?;
    let gap = one.value(WITHIN).map_or_else(String::new, |gap| format!(", log gap {gap:.2} bits"));
    let row = |row: &Value| row.as_str()?.split_ascii_whitespace().map(|text| text.parse().ok()).collect();
    Some(steps::Panel {
        title: format!("{}{gap}", one.making.order),
        levels: stairs["levels"].as_u64()? as usize,
        vertices: stairs["vertices"].as_u64()? as usize,
        rows: stairs["rows"].as_array()?.iter().map(row).collect::<Option<_>>()?,
    })
}
