//! The tables: graphs, orders over all of them, figures 3, 9, 10 and 11, cost of orders, times.

use super::{InOrder, NATURAL, sweep};
use crate::{
    evaluation::{
        Cell, Making, Report,
        report::distinct,
        tables::{by_graph, digits, graphs, name, none, percent, row, seconds, time},
    },
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    statistics::geometric_mean,
    units::{bytes, count},
};

/// Pages by number of fetches, from and to.
pub(super) const FETCHES: [(&str, usize, usize); 5] =
    [("once", 1, 1), ("twice", 2, 2), ("3-4", 3, 4), ("5-8", 5, 8), ("more", 9, usize::MAX)];

/// Returns all tables, in the order of the paper; what is beside it comes last.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    vec![
        graph_table(report),
        means(report),
        amplification(report),
        transfers(report),
        gaps(report),
        samples(report),
        costs(report),
        times(report),
    ]
}

fn graph_table(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("directed", Left),
        ("vertices", Right),
        ("edges", Right),
        ("levels", Right),
        ("load", Right),
    ];
    graphs(report, Sheet::new("Table 2: the graphs", columns), |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let levels = report.orders_of(&case.name).find_map(|making| making.number("gaps.levels"));
        vec![
            if graph.directed { "yes" } else { "no" }.to_owned(),
            count(graph.vertices),
            count(graph.edges),
            digits(levels, 1),
            seconds(case.load),
        ]
    })
}

/// Orders over all graphs: what one order is worth, in a line.
fn means(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("graphs", Right),
        ("log gap", Right),
        ("moved / ideal", Right),
        ("bfs of natural", Right),
        ("pagerank of natural", Right),
    ];
    let mut sheet = Sheet::new("Orders over all graphs", columns).note(
        "`log gap` is the mean within levels, `moved / ideal` and times the geometric means over the graphs an order was\n\
         measured on. In the paper, natural moves 2.31 times the ideal, rcm 1.8, bfs-bp 1.72, halo2 1.42.",
    );
    let all: Vec<InOrder<'_>> =
        report.graphs.iter().flat_map(|case| InOrder::all(report, &case.name)).collect();
    for order in distinct(all.iter().map(|one| one.making.order.as_str())) {
        let is_of = |one: &&InOrder<'_>| one.making.order == order && one.making.error.is_none();
        let of: Vec<&InOrder<'_>> = all.iter().filter(is_of).collect();
        let values = |value: &dyn Fn(&InOrder<'_>) -> Option<f64>| -> Vec<f64> {
            of.iter().filter_map(|one| value(one)).filter(|x| *x > 0.0).collect()
        };
        // The gap is a mean of logarithms already.
        let gaps = values(&|one| one.within());
        let gap = (!gaps.is_empty()).then(|| gaps.iter().sum::<f64>() / gaps.len() as f64);
        let times = ["bfs", "pagerank"]
            .map(|name| geometric_mean(&values(&|one| one.of_natural(|one| one.seconds(name)))));
        let figures = [gap, geometric_mean(&values(&|one| one.amplification())), times[0], times[1]];
        let names = [order.to_owned(), of.len().to_string()];
        sheet.row(names.into_iter().chain(figures.map(|figure| digits(figure, 2))));
    }
    sheet
}

/// Figure 3.
fn amplification(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("moved / ideal", Right),
        ("without prefetching", Right),
        ("once", Right),
        ("twice", Right),
        ("3-4", Right),
        ("5-8", Right),
        ("more", Right),
    ];
    let title = "Figure 3: read amplification in the natural order, and pages by number of fetches";
    let mut sheet = Sheet::new(title, columns).note(
        "`moved / ideal` is with prefetching. The columns behind are the share of the pages fetched that was fetched so often.",
    );
    for case in &report.graphs {
        let Some(natural) = InOrder::natural(report, &case.name) else { continue };
        let Some(shares) = fetches(natural.making) else { continue };
        let without = natural.making.number("without_prefetch.amplification");
        let row = [name(case), digits(natural.amplification(), 2), digits(without, 2)];
        sheet.row(row.into_iter().chain(shares.map(|share| percent(Some(share), 0))));
    }
    sheet
}

/// Returns the share of the fetched pages that was fetched so often, for each of [`FETCHES`].
pub(super) fn fetches(making: &Making) -> Option<[f64; FETCHES.len()]> {
    let by_fetches: Vec<u64> =
        serde_json::from_value(making.figures.get("transfer")?.get("pages_by_fetches")?.clone()).ok()?;
    let pages = |from: usize, to: usize| -> u64 {
        let all = by_fetches.iter().enumerate();
        all.filter(|(times, _)| (from..=to).contains(times)).map(|(_, pages)| *pages).sum()
    };
    let fetched = pages(1, usize::MAX);
    (fetched > 0).then(|| FETCHES.map(|(_, from, to)| pages(from, to) as f64 / fetched as f64))
}

/// Adds a line for every graph, below it a row for every order: figures, or why there are none; no row for `None`.
fn by_order(report: &Report, sheet: Sheet, figures: impl Fn(&InOrder<'_>) -> Option<Vec<String>>) -> Sheet {
    by_graph(report, sheet, |case| {
        let row = |one: InOrder<'_>| {
            let figures = figures(&one);
            let is_row = one.making.error.is_some() || figures.is_some();
            let names = [one.making.order.clone()];
            is_row.then(|| row(names, one.making.error.as_ref(), || figures.unwrap_or_default()))
        };
        InOrder::all(report, &case.name).into_iter().filter_map(row).collect()
    })
}

/// Figure 9.
fn transfers(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("moved", Right),
        ("ideal", Right),
        ("moved / ideal", Right),
        ("of natural", Right),
        ("prefetched", Right),
        ("evicted", Right),
        ("refetched", Right),
    ];
    let title = "Figure 9: bytes moved to the device, by the model; pages of 4 KiB";
    by_order(report, Sheet::new(title, columns), |one| {
        let of = |name: &str| one.making.number(&format!("transfer.{name}")).map(|x| x as u64);
        Some(vec![
            bytes(of("moved_bytes")?),
            of("ideal_bytes").map_or_else(none, bytes),
            digits(one.amplification(), 2),
            digits(one.of_natural(|one| one.amplification()), 2),
            of("prefetched_pages").map_or_else(none, count),
            of("evicted_pages").map_or_else(none, count),
            of("refetched_pages").map_or_else(none, count),
        ])
    })
}

/// Figure 10.
fn gaps(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("within levels", Right),
        ("of natural", Right),
        ("between levels", Right),
        ("neighbours", Right),
        ("sectors per tile", Right),
    ];
    let title = "Figure 10: log gaps, in bits; within levels is MinIntraBFS";
    let sheet = Sheet::new(title, columns).note(
        "`between levels` is to the nearest vertex of the level before, `neighbours` between consecutive neighbours of a\n\
         vertex, `sectors per tile` the memory sectors of 32 bytes that 32 neighbours lie in.",
    );
    by_order(report, sheet, |one| {
        one.making.figures.get("gaps")?;
        let of = |name: &str| one.making.number(&format!("gaps.{name}"));
        let figures = [
            one.within(),
            one.of_natural(|one| one.within()),
            of("between"),
            of("neighbours"),
            of("sectors_per_tile"),
        ];
        Some(figures.map(|figure| digits(figure, 2)).to_vec())
    })
}

/// Figure 11.
fn samples(report: &Report) -> Sheet {
    let columns = [
        ("samples", Right),
        ("time to order", Right),
        ("log gap within levels", Right),
        ("moved / ideal", Right),
    ];
    by_graph(report, Sheet::new("Figure 11: halo2 by its number of samples", columns), |case| {
        let figures = |making: &Making| {
            vec![
                seconds(making.seconds),
                digits(making.number("gaps.within"), 2),
                digits(making.number("transfer.amplification"), 2),
            ]
        };
        let all = sweep(report, &case.name).into_iter();
        all.map(|(samples, making)| row([samples.to_string()], making.error.as_ref(), || figures(making)))
            .collect()
    })
}

/// What orders cost; the natural one is there already.
fn costs(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("time to order", Right),
        ("to renumber", Right),
        ("memory", Right),
        ("in searches", Right),
        ("paid back after", Right),
    ];
    let sheet = Sheet::new("Cost of orders", columns).note(
        "`in searches` is the time to order over that of a search in the natural order; an order is `paid back after` so many\n\
         searches on the processor, renumbering included.",
    );
    let mut sheet = by_order(report, sheet, |one| {
        let ordering = one.making.seconds?;
        let search = InOrder::natural(report, &one.making.graph).and_then(|natural| natural.seconds("bfs"));
        let in_searches = search.filter(|search| *search > 0.0).map(|search| ordering / search);
        Some(vec![
            seconds(Some(ordering)),
            seconds(one.making.renumber),
            one.making.memory.map_or_else(none, bytes),
            digits(in_searches, 1),
            paid_back(one, search).map_or_else(none, count),
        ])
    });
    sheet.rows.retain(|row| row[0] != NATURAL);
    sheet
}

/// Returns after how many searches an order has gained what it cost; `None` if it gains nothing.
fn paid_back(one: &InOrder<'_>, natural: Option<f64>) -> Option<u64> {
    let gain = natural? - one.seconds("bfs")?;
    (gain > 0.0).then_some((one.making.total()? / gain).ceil() as u64)
}

/// What orders do to times.
fn times(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("bfs", Right),
        ("spread", Right),
        ("of natural", Right),
        ("pagerank", Right),
        ("spread", Right),
        ("of natural", Right),
        ("verified", Left),
    ];
    let sheet = Sheet::new("Times on the processor", columns)
        .note("`of natural` is the time over that in the natural order.");
    by_order(report, sheet, |one| {
        let cells =
            ["bfs", "pagerank"].map(|name| (name, one.cell(name).filter(|cell| cell.seconds.is_some())));
        cells.iter().find_map(|(_, cell)| *cell)?;
        let part = |(name, cell): (&str, Option<&Cell>)| {
            let [median, spread] = cell.map_or_else(|| [none(), none()], time);
            [median, spread, digits(one.of_natural(|one| one.seconds(name)), 2)]
        };
        let verdicts = cells.map(|(_, cell)| cell.and_then(|cell| cell.verify.as_deref()));
        let word = ["failed", "passed"].into_iter().find(|word| verdicts.contains(&Some(*word)));
        Some(cells.into_iter().flat_map(part).chain([word.map_or_else(none, str::to_owned)]).collect())
    })
}
