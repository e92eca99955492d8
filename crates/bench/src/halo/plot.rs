//! The figures, drawn from a report.

use super::{
    report::{Cell, NATURAL, Report, Sample},
    tables::{FETCHES, fetches, name},
};
use crate::plot::{
    Figure, Unit,
    by_order::{self, Bars},
    levels::{self, Panel},
    sweep::{self, Sweep},
};

/// A figure, and the name of its file without an ending.
#[derive(Debug)]
pub struct Named {
    /// `figure9`.
    pub file: String,
    /// What the title of the table begins with that it belongs to.
    pub table: &'static str,
    /// The figure.
    pub figure: Figure<'static>,
}

/// The names of all files that a report of so many graphs may have.
pub fn files(graphs: usize) -> Vec<String> {
    let fixed = [
        "figure3",
        "figure3-fetches",
        "figure9",
        "figure10",
        "figure11",
        "figure11-moved",
        "figure11-time",
        "cost",
        "bfs",
        "pagerank",
    ];
    let levels = (1..=graphs).map(|nth| format!("figure8-{nth}"));
    fixed.map(str::to_owned).into_iter().chain(levels).collect()
}

/// All figures that there is something to show in.
pub fn figures(report: &Report) -> Vec<Named> {
    let fixed = [
        bars("figure3", "Figure 3", prefetching(report)),
        bars("figure3-fetches", "Figure 3", fetched(report)),
        bars("figure9", "Figure 9", moved(report)),
        bars("figure10", "Figure 10", gaps(report)),
        lines(
            "figure11",
            sampled(report, "log gap within levels (bits)", Unit::Number, |sample| sample.within),
        ),
        lines(
            "figure11-moved",
            sampled(report, "bytes moved / ideal", Unit::Number, |sample| sample.amplification),
        ),
        lines("figure11-time", sampled(report, "time to order", Unit::Seconds, |sample| sample.seconds)),
        bars("cost", "Cost", cost(report)),
        bars("bfs", "Times", relative(report, "Breadth-first search on the processor", Cell::bfs_seconds)),
        bars("pagerank", "Times", relative(report, "PageRank on the processor", Cell::pagerank_seconds)),
    ];
    fixed.into_iter().flatten().chain(staircases(report)).collect()
}

fn bars(file: &str, table: &'static str, bars: Bars) -> Option<Named> {
    let has_any = bars.graphs.iter().any(|(_, values)| values.iter().any(Option::is_some));
    has_any.then(|| Named { file: file.to_owned(), table, figure: by_order::figure(&bars) })
}

fn lines(file: &str, sweep: Sweep) -> Option<Named> {
    let has_any = sweep.lines.iter().any(|(_, points)| !points.is_empty());
    has_any.then(|| Named { file: file.to_owned(), table: "Figure 11", figure: sweep::figure(&sweep) })
}

/// A value of every order on every graph that has one.
fn by_order(report: &Report, title: &str, label: &str, value: impl Fn(&Cell) -> Option<f64>) -> Bars {
    let orders: Vec<String> = report.orders().into_iter().map(str::to_owned).collect();
    let graphs = report.graphs.iter().map(|case| {
        let values = orders.iter().map(|order| value(report.cell(&case.name, order)?));
        (name(case), values.collect::<Vec<Option<f64>>>())
    });
    let graphs = graphs.filter(|(_, values)| values.iter().any(Option::is_some)).collect();
    Bars {
        title: title.to_owned(),
        label: label.to_owned(),
        unit: Unit::Number,
        is_log: false,
        ideal: None,
        orders,
        graphs,
    }
}

/// Figures of the natural order, several a graph.
fn of_natural(
    report: &Report,
    title: &str,
    label: &str,
    kinds: &[&str],
    values: impl Fn(&Cell) -> Vec<Option<f64>>,
) -> Bars {
    let natural = report.graphs.iter().filter_map(|case| Some((case, report.cell(&case.name, NATURAL)?)));
    let graphs = natural.map(|(case, cell)| (name(case), values(cell)));
    let graphs = graphs.filter(|(_, values)| values.iter().any(Option::is_some)).collect();
    let orders = kinds.iter().map(|kind| (*kind).to_owned()).collect();
    Bars { orders, graphs, ..by_order(report, title, label, |_| None) }
}

fn prefetching(report: &Report) -> Bars {
    let title = "Figure 3: read amplification in the natural order";
    let kinds = ["with prefetching", "without"];
    let bars = of_natural(report, title, "bytes moved / ideal", &kinds, |cell| {
        let without = cell.without_prefetch.as_ref().and_then(|transfer| transfer.amplification);
        vec![cell.amplification(), without]
    });
    Bars { ideal: Some((1.0, "ideal".to_owned())), ..bars }
}

fn fetched(report: &Report) -> Bars {
    let title = "Figure 3: pages by number of fetches, in the natural order";
    let kinds = FETCHES.map(|(kind, ..)| kind);
    of_natural(report, title, "% of the pages fetched", &kinds, |cell| {
        let shares = cell.transfer.as_ref().map_or([None; FETCHES.len()], fetches);
        shares.map(|share| share.map(|share| 100.0 * share)).to_vec()
    })
}

fn moved(report: &Report) -> Bars {
    let title = "Figure 9: bytes moved to the device, by the model";
    let bars = by_order(report, title, "bytes moved / ideal", Cell::amplification);
    Bars { ideal: Some((1.0, "ideal".to_owned())), ..bars }
}

fn gaps(report: &Report) -> Bars {
    let searches = report.measuring.searches;
    let title = format!("Figure 10: log gap within the levels of {searches} searches");
    by_order(report, &title, "log gap (bits)", Cell::within)
}

fn cost(report: &Report) -> Bars {
    let seconds =
        |cell: &Cell| cell.ordering.filter(|_| cell.order != NATURAL).map(|ordering| ordering.seconds);
    let mut bars = by_order(report, "Time to order", "seconds", seconds);
    // The natural order is there already, and has no place.
    if let Some(place) = bars.orders.iter().position(|order| order == NATURAL) {
        bars.orders.remove(place);
        for (_, values) in &mut bars.graphs {
            values.remove(place);
        }
    }
    Bars { unit: Unit::Seconds, is_log: true, label: "time to order".to_owned(), ..bars }
}

fn relative(report: &Report, title: &str, seconds: impl Fn(&Cell) -> Option<f64>) -> Bars {
    let bars =
        by_order(report, title, "time / time in the natural order", |cell| report.of_natural(cell, &seconds));
    Bars { ideal: Some((1.0, NATURAL.to_owned())), ..bars }
}

fn sampled(report: &Report, label: &str, unit: Unit, value: impl Fn(&Sample) -> Option<f64>) -> Sweep {
    let line = |graph: &str| -> Vec<(f64, f64)> {
        let point = |sample: &Sample| Some((f64::from(sample.samples), value(sample)?));
        report.samples_on(graph).filter_map(point).collect()
    };
    let lines = report.graphs.iter().map(|case| (name(case), line(&case.name)));
    Sweep {
        title: "Figure 11: halo2 by its number of samples".to_owned(),
        parameter: "samples".to_owned(),
        label: label.to_owned(),
        unit,
        lines: lines.filter(|(_, points)| !points.is_empty()).collect(),
    }
}

/// A figure a graph, a panel an order.
fn staircases(report: &Report) -> impl Iterator<Item = Named> {
    report.graphs.iter().zip(1..).filter_map(|(case, nth)| {
        let panels: Vec<Panel> = report.cells_on(&case.name).filter_map(panel).collect();
        let title = format!("Figure 8: active vertices by level, {}", name(case));
        let named = |figure| Named { file: format!("figure8-{nth}"), table: "Figure 10", figure };
        (!panels.is_empty()).then(|| named(levels::figure(&title, panels)))
    })
}

fn panel(cell: &Cell) -> Option<Panel> {
    let stairs = cell.staircase.as_ref()?;
    let gap = cell.within().map_or_else(String::new, |gap| format!(", log gap {gap:.2} bits"));
    Some(Panel {
        title: format!("{}{gap}", cell.order),
        levels: stairs.levels,
        vertices: stairs.vertices,
        rows: stairs.rows.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halo::testing::{as_in_the_paper, cell, report};

    fn svg(report: &Report, file: &str) -> String {
        let found = figures(report).into_iter().find(|named| named.file == file);
        found.expect(file).figure.svg().unwrap()
    }

    #[test]
    fn every_file_has_a_figure_and_says_what_it_shows() {
        let report = as_in_the_paper();
        let drawn: Vec<String> = figures(&report).iter().map(|named| named.file.clone()).collect();
        assert_eq!(drawn, files(2));
        for (file, words) in [
            ("figure3", &["without", "2.25", "1.50", "ideal"][..]),
            ("figure3-fetches", &["once", "3-4", "25.0"]),
            ("figure8-1", &["web.bv", "natural, log gap 8.00 bits", "halo2, log gap 2.00 bits", "BFS level"]),
            ("figure9", &["halo2", "1.12", "kron:20", "bytes moved / ideal"]),
            ("figure10", &["of 50 searches", "16.0", "log gap (bits)"]),
            ("figure11", &["samples", "\n8\n", "web.bv"]),
            ("figure11-time", &["time to order", " s\n"]),
            ("cost", &["1.50 s", "random"]),
            ("bfs", &["0.25", "time in the natural order"]),
        ] {
            let svg = svg(&report, file);
            words.iter().for_each(|word| assert!(svg.contains(word), "{file}: {word}\n{svg}"));
        }
        assert!(!svg(&report, "cost").contains("natural"));
    }

    #[test]
    fn every_figure_has_a_png_too() {
        for named in figures(&as_in_the_paper()) {
            assert!(named.figure.png().unwrap().starts_with(b"\x89PNG"), "{}", named.file);
        }
    }

    #[test]
    fn what_was_not_measured_has_no_figure() {
        assert!(figures(&report(vec![])).is_empty());
        let mut bare = cell("g", "halo2", (1.0, 1.0, 1.0));
        (bare.transfer, bare.bfs, bare.pagerank, bare.staircase) = (None, None, None, None);
        let drawn: Vec<String> = figures(&report(vec![bare])).into_iter().map(|named| named.file).collect();
        assert_eq!(drawn, ["figure10", "cost"]);
    }

    #[test]
    fn names_are_texts_and_no_markup() {
        let report = report(vec![cell("<b>&", "halo2", (1.0, 1.0, 1.0))]);
        for file in ["figure8-1", "figure10"] {
            let svg = svg(&report, file);
            assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"), "{svg}");
        }
    }
}
