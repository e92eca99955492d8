//! The tables: graphs, orders over all of them, figures 3, 9, 10 and 11, cost of orders, times.

use super::{ALGORITHMS, AMPLIFICATION, InOrder, NATURAL, WITHIN, sweep};
use crate::{
    evaluation::{
        Cell, Report,
        report::distinct,
        tables::{by_graph, digits, graphs, name, none, over, percent, row, seconds, time},
    },
    sheet::Sheet,
    statistics::geometric_mean,
    units::{bytes, count},
};

/// Pages by number of fetches, from and to.
pub(super) const FETCHES: [(&str, usize, usize); 5] =
    [("once", 1, 1), ("twice", 2, 2), ("3-4", 3, 4), ("5-8", 5, 8), ("more", 9, usize::MAX)];

/// Returns all tables, in the order of the paper; what is beside it comes last.
pub(super) fn all(report: &Report) -> Vec<Sheet> {
    let all = [graph_table, means, amplification, transfers, gaps, samples, costs, times];
    all.map(|table| table(report)).to_vec()
}

fn graph_table(report: &Report) -> Sheet {
    let columns = "graph | directed | >vertices | >edges | >levels | >load";
    graphs(report, Sheet::new("Table 2: the graphs", columns), |case| {
        let Some(graph) = &case.graph else { return Vec::new() };
        let levels = report.orders_of(&case.name).find_map(|making| making.number("gaps.levels"));
        let directed = if graph.directed { "yes" } else { "no" }.to_owned();
        vec![directed, count(graph.vertices), count(graph.edges), digits(levels, 1), seconds(case.load)]
    })
}

/// Orders over all graphs: what one order is worth, in a line.
fn means(report: &Report) -> Sheet {
    let columns = "order | >graphs | >log gap | >moved / ideal | >bfs of natural | >pagerank of natural";
    let mut sheet = Sheet::new("Orders over all graphs", columns).note(
        "`log gap` is the mean within levels, `moved / ideal` and times the geometric means over the graphs an order was\n\
         measured on. In the paper, natural moves 2.31 times the ideal, rcm 1.8, bfs-bp 1.72, halo2 1.42.",
    );
    let all = || report.graphs.iter().flat_map(|case| InOrder::all(report, &case.name));
    for order in distinct(all().map(|one| one.making.order.as_str())) {
        let of = || all().filter(|one| one.making.order == order && one.making.error.is_none());
        let values = |value: &dyn Fn(InOrder<'_>) -> Option<f64>| -> Vec<f64> {
            of().filter_map(value).filter(|x| *x > 0.0).collect()
        };
        // The gap is a mean of logarithms already.
        let gaps = values(&|one| one.value(WITHIN));
        let gap = over(Some(gaps.iter().sum()), Some(gaps.len() as f64));
        let moved = geometric_mean(&values(&|one| one.value(AMPLIFICATION)));
        let [bfs, pagerank] = ALGORITHMS.map(|name| geometric_mean(&values(&|one| one.of_natural(name))));
        let names = [order.to_owned(), of().count().to_string()];
        sheet.row(names.into_iter().chain(twos([gap, moved, bfs, pagerank])));
    }
    sheet
}

/// Returns figures with two digits behind the point.
fn twos<const N: usize>(figures: [Option<f64>; N]) -> [String; N] {
    figures.map(|figure| digits(figure, 2))
}

/// Figure 3.
fn amplification(report: &Report) -> Sheet {
    let columns = "graph | >moved / ideal | >without prefetching | >once | >twice | >3-4 | >5-8 | >more";
    let title = "Figure 3: read amplification in the natural order, and pages by number of fetches";
    let mut sheet = Sheet::new(title, columns).note(
        "`moved / ideal` is with prefetching. The columns behind are the share of the pages fetched that was fetched so often.",
    );
    for case in &report.graphs {
        let Some(natural) = InOrder::natural(report, &case.name) else { continue };
        let Some(shares) = fetches(natural) else { continue };
        let moved = twos([AMPLIFICATION, "without_prefetch.amplification"].map(|path| natural.value(path)));
        let shares = shares.map(|share| percent(Some(share), 0));
        sheet.row([name(case)].into_iter().chain(moved).chain(shares));
    }
    sheet
}

/// Returns the share of the fetched pages that was fetched so often, for each of [`FETCHES`].
pub(super) fn fetches(one: InOrder<'_>) -> Option<[f64; FETCHES.len()]> {
    let by_fetches = one.making.figures.get("transfer")?.get("pages_by_fetches")?.as_array()?;
    let pages = |from: usize, to: usize| -> u64 {
        let all = by_fetches.iter().enumerate().filter(|(times, _)| (from..=to).contains(times));
        all.filter_map(|(_, pages)| pages.as_u64()).sum()
    };
    let fetched = pages(1, usize::MAX);
    (fetched > 0).then(|| FETCHES.map(|(_, from, to)| pages(from, to) as f64 / fetched as f64))
}

/// Adds a line for every graph, below it a row for every order: figures, or why there are none; no row for `None`.
fn by_order(report: &Report, sheet: Sheet, figures: impl Fn(InOrder<'_>) -> Option<Vec<String>>) -> Sheet {
    by_graph(report, sheet, |case| {
        let row = |one: InOrder<'_>| {
            let (figures, error) = (figures(one), one.making.error.as_ref());
            let is_row = error.is_some() || figures.is_some();
            is_row.then(|| row([one.making.order.clone()], error, || figures.unwrap_or_default()))
        };
        InOrder::all(report, &case.name).filter_map(row).collect()
    })
}

/// Figure 9.
fn transfers(report: &Report) -> Sheet {
    let columns =
        "order | >moved | >ideal | >moved / ideal | >of natural | >prefetched | >evicted | >refetched";
    let title = "Figure 9: bytes moved to the device, by the model; pages of 4 KiB";
    by_order(report, Sheet::new(title, columns), |one| {
        let of = |name: &str, text: fn(u64) -> String| {
            one.value(&format!("transfer.{name}")).map_or_else(none, |x| text(x as u64))
        };
        one.value("transfer.moved_bytes")?;
        let sizes = ["moved_bytes", "ideal_bytes"].map(|name| of(name, bytes));
        let ratios = twos([one.value(AMPLIFICATION), one.of_natural(AMPLIFICATION)]);
        let pages = ["prefetched_pages", "evicted_pages", "refetched_pages"].map(|name| of(name, count));
        Some(sizes.into_iter().chain(ratios).chain(pages).collect())
    })
}

/// Figure 10.
fn gaps(report: &Report) -> Sheet {
    let columns = "order | >within levels | >of natural | >between levels | >neighbours | >sectors per tile";
    let title = "Figure 10: log gaps, in bits; within levels is MinIntraBFS";
    let sheet = Sheet::new(title, columns).note(
        "`between levels` is to the nearest vertex of the level before, `neighbours` between consecutive neighbours of a\n\
         vertex, `sectors per tile` the memory sectors of 32 bytes that 32 neighbours lie in.",
    );
    by_order(report, sheet, |one| {
        one.making.figures.get("gaps")?;
        let others = ["gaps.between", "gaps.neighbours", "gaps.sectors_per_tile"].map(|path| one.value(path));
        let within = [one.value(WITHIN), one.of_natural(WITHIN)];
        Some(twos(within).into_iter().chain(twos(others)).collect())
    })
}

/// Figure 11.
fn samples(report: &Report) -> Sheet {
    let columns = ">samples | >time to order | >log gap within levels | >moved / ideal";
    by_graph(report, Sheet::new("Figure 11: halo2 by its number of samples", columns), |case| {
        let cells = |(samples, one): (u32, InOrder<'_>)| {
            row([samples.to_string()], one.making.error.as_ref(), || {
                let [within, moved] = twos([WITHIN, AMPLIFICATION].map(|path| one.value(path)));
                vec![seconds(one.making.seconds), within, moved]
            })
        };
        sweep(report, &case.name).into_iter().map(cells).collect()
    })
}

/// What orders cost; the natural one is there already.
fn costs(report: &Report) -> Sheet {
    let columns = "order | >time to order | >to renumber | >memory | >in searches | >paid back after";
    let sheet = Sheet::new("Cost of orders", columns).note(
        "`in searches` is the time to order over that of a search in the natural order; an order is `paid back after` so many\n\
         searches on the processor, renumbering included.",
    );
    let mut sheet = by_order(report, sheet, |one| {
        let ordering = Some(one.making.seconds?);
        let search = InOrder::natural(report, &one.making.graph).and_then(|natural| natural.value("bfs"));
        let memory = one.making.memory.map_or_else(none, bytes);
        let paid_back = paid_back(one, search).map_or_else(none, count);
        let in_searches = digits(over(ordering, search), 1);
        Some(vec![seconds(ordering), seconds(one.making.renumber), memory, in_searches, paid_back])
    });
    sheet.rows.retain(|row| row[0] != NATURAL);
    sheet
}

/// Returns after how many searches an order has gained what it cost; `None` if it gains nothing.
fn paid_back(one: InOrder<'_>, natural: Option<f64>) -> Option<u64> {
    let gain = natural? - one.value("bfs")?;
    (gain > 0.0).then_some((one.making.total()? / gain).ceil() as u64)
}

/// What orders do to times.
fn times(report: &Report) -> Sheet {
    let columns = "order | >bfs | >spread | >of natural | >pagerank | >spread | >of natural | verified";
    let sheet = Sheet::new("Times on the processor", columns)
        .note("`of natural` is the time over that in the natural order.");
    by_order(report, sheet, |one| {
        let cells = ALGORITHMS.map(|name| (name, one.cell(name).filter(|cell| cell.seconds.is_some())));
        cells.iter().find_map(|(_, cell)| *cell)?;
        let part = |(name, cell): (&str, Option<&Cell>)| {
            let [median, spread] = cell.map_or_else(|| [none(), none()], time);
            [median, spread, digits(one.of_natural(name), 2)]
        };
        let verdicts = cells.map(|(_, cell)| cell.and_then(|cell| cell.verify.as_deref()));
        let word = ["failed", "passed"].into_iter().find(|word| verdicts.contains(&Some(*word)));
        Some(cells.into_iter().flat_map(part).chain([word.map_or_else(none, str::to_owned)]).collect())
    })
}
