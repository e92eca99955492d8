//! Figures 3 and 8 to 11 of the paper, and those of cost and times, drawn from a report.

use super::{
    InOrder, NATURAL, sweep,
    tables::{FETCHES, fetches},
};
use crate::{
    chart::{
        Bars, Lines, Scale, Unit,
        bars::{Panel, Row},
        lines, steps,
    },
    evaluation::{Drawing, GraphCase, Making, Report, tables::name},
};
use serde_json::Value;

/// Returns all figures that there is something to show in.
pub(super) fn all(report: &Report) -> Vec<Drawing> {
    let searches = &report.options["searches"];
    let gaps = format!("Figure 10: log gap within the levels of {searches} searches");
    let ideal = Some((1.0, "ideal".to_owned()));
    let bars = [
        ("figure3", "Figure 3", Bars { mark: ideal.clone(), ..prefetching(report) }),
        ("figure3-fetches", "Figure 3", fetched(report)),
        (
            "figure9",
            "Figure 9",
            Bars {
                mark: ideal,
                ..by_order(
                    report,
                    "Figure 9: bytes moved to the device, by the model",
                    "bytes moved / ideal",
                    |one| one.amplification(),
                )
            },
        ),
        ("figure10", "Figure 10", by_order(report, &gaps, "log gap (bits)", |one| one.within())),
        ("cost", "Cost", cost(report)),
        ("bfs", "Times", relative(report, "Breadth-first search on the processor", "bfs")),
        ("pagerank", "Times", relative(report, "PageRank on the processor", "pagerank")),
    ];
    let bars = bars.into_iter().filter(|(_, _, bars)| bars.has_any());
    let bars = bars.map(|(file, table, bars)| Drawing::new(file, table, bars.figure()));
    let lines = [
        ("figure11", sampled(report, "log gap within levels (bits)", Unit::Number, "gaps.within")),
        ("figure11-moved", sampled(report, "bytes moved / ideal", Unit::Number, "transfer.amplification")),
        ("figure11-time", sampled(report, "time to order", Unit::Seconds, "")),
    ];
    let lines = lines.into_iter().filter(|(_, lines)| lines.has_any());
    let lines = lines.map(|(file, lines)| Drawing::new(file, "Figure 11", lines.figure()));
    bars.chain(lines).chain(staircases(report)).collect()
}

/// A panel per graph, a bar per order that has a value on any graph.
fn by_order(report: &Report, title: &str, label: &str, value: impl Fn(&InOrder<'_>) -> Option<f64>) -> Bars {
    let panel = |case: &GraphCase| {
        let rows = InOrder::all(report, &case.name).into_iter();
        Panel { title: name(case), rows: rows.map(|one| Row::of(&one.making.order, value(&one))).collect() }
    };
    let has_any = |panel: &Panel| panel.rows.iter().any(|row| !row.values.is_empty());
    Bars { panels: report.graphs.iter().map(panel).filter(has_any).collect(), ..Bars::new(title, label) }
}

/// A panel per graph, bars of the natural order.
fn of_natural(report: &Report, title: &str, label: &str, rows: impl Fn(&InOrder<'_>) -> Vec<Row>) -> Bars {
    let natural = report.graphs.iter().filter_map(|case| Some((case, InOrder::natural(report, &case.name)?)));
    let panels = natural.map(|(case, one)| Panel { title: name(case), rows: rows(&one) });
    Bars { panels: panels.collect(), ..Bars::new(title, label) }
}

fn prefetching(report: &Report) -> Bars {
    let title = "Figure 3: read amplification in the natural order";
    of_natural(report, title, "bytes moved / ideal", |one| {
        let without = one.making.number("without_prefetch.amplification");
        vec![Row::of("with prefetching", one.amplification()), Row::of("without", without)]
    })
}

fn fetched(report: &Report) -> Bars {
    let title = "Figure 3: pages by number of fetches, in the natural order";
    of_natural(report, title, "% of the pages fetched", |one| {
        let shares = fetches(one.making);
        let share = |nth: usize| shares.map(|shares| 100.0 * shares[nth]);
        FETCHES.iter().enumerate().map(|(nth, (kind, ..))| Row::of(*kind, share(nth))).collect()
    })
}

fn cost(report: &Report) -> Bars {
    let mut bars = by_order(report, "Time to order", "time to order", |one| one.making.seconds);
    // The natural order is there already, and has no place.
    bars.panels.iter_mut().for_each(|panel| panel.rows.retain(|row| row.name != NATURAL));
    Bars { unit: Unit::Seconds, scale: Scale::Log, ..bars }
}

fn relative(report: &Report, title: &str, algorithm: &str) -> Bars {
    let label = "time / time in the natural order";
    let bars = by_order(report, title, label, |one| one.of_natural(|one| one.seconds(algorithm)));
    Bars { mark: Some((1.0, NATURAL.to_owned())), ..bars }
}

/// `halo2` by samples: a figure in an order, or the time to make it.
fn sampled(report: &Report, label: &str, unit: Unit, path: &str) -> Lines {
    let value = |making: &Making| if path.is_empty() { making.seconds } else { making.number(path) };
    let line = |graph: &str| -> Vec<(f64, f64)> {
        let all = sweep(report, graph).into_iter();
        all.filter_map(|(samples, making)| Some((f64::from(samples), value(making)?))).collect()
    };
    let all = report.graphs.iter().map(|case| (name(case), line(&case.name)));
    let (series, lines) = all.filter(|(_, line)| !line.is_empty()).unzip();
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

/// A figure per graph, a panel per order.
fn staircases(report: &Report) -> impl Iterator<Item = Drawing> {
    report.graphs.iter().zip(1..).filter_map(|(case, nth)| {
        let panels: Vec<steps::Panel> = InOrder::all(report, &case.name).iter().filter_map(panel).collect();
        let title = format!("Figure 8: active vertices by level, {}", name(case));
        (!panels.is_empty())
            .then(|| Drawing::new(format!("figure8-{nth}"), "Figure 10", steps::figure(&title, &panels)))
    })
}

fn panel(one: &InOrder<'_>) -> Option<steps::Panel> {
    let stairs = one.making.figures.get("staircase")?;
    let gap = one.within().map_or_else(String::new, |gap| format!(", log gap {gap:.2} bits"));
    let row = |row: &Value| {
        row.as_str()?.split_ascii_whitespace().map(|text| text.parse().ok()).collect::<Option<Vec<u32>>>()
    };
    Some(steps::Panel {
        title: format!("{}{gap}", one.making.order),
        levels: stairs["levels"].as_u64()? as usize,
        vertices: stairs["vertices"].as_u64()? as usize,
        rows: stairs["rows"].as_array()?.iter().map(row).collect::<Option<_>>()?,
    })
}
