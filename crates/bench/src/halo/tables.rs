//! The tables: graphs, orders over all of them, figures 3, 9, 10 and 11, cost of orders, times. None is wider than 100 columns as
//! text, remarks aside, while graphs have names of usual length.

use super::report::{Cell, GraphCase, NATURAL, Report, Sample, Times, Transfer};
use crate::{
    balance::tables::why,
    plot::shortened,
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    units::{bytes, count, seconds},
};

const NONE: &str = "-";
/// Letters of a name; longer ones are cut.
const NAME: usize = 40;
/// Pages by number of fetches, from and to.
pub(super) const FETCHES: [(&str, usize, usize); 5] =
    [("once", 1, 1), ("twice", 2, 2), ("3-4", 3, 4), ("5-8", 5, 8), ("more", 9, usize::MAX)];

/// All tables, in the order of the paper, what is beside it at the end.
pub fn all(report: &Report) -> Vec<Sheet> {
    vec![
        graphs(report),
        means(report),
        amplification(report),
        transfers(report),
        gaps(report),
        samples(report),
        costs(report),
        times(report),
    ]
}

/// Table 2.
pub fn graphs(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("directed", Left),
        ("vertices", Right),
        ("edges", Right),
        ("levels", Right),
        ("load", Right),
    ];
    let mut sheet = Sheet::new("Table 2: the graphs", columns);
    for case in &report.graphs {
        let Some(graph) = case.graph.as_ref().filter(|_| case.error.is_none()) else {
            sheet.row([name(case), why(case.error.as_ref())]);
            continue;
        };
        let levels = report.cells_on(&case.name).find_map(|cell| cell.gaps.as_ref()?.levels);
        sheet.row([
            name(case),
            if graph.directed { "yes" } else { "no" }.to_owned(),
            count(graph.vertices),
            count(graph.edges),
            digits(levels, 1),
            case.load.map_or_else(none, seconds),
        ]);
    }
    sheet
}

/// Orders over all graphs.
pub fn means(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("graphs", Right),
        ("log gap", Right),
        ("moved / ideal", Right),
        ("bfs of natural", Right),
        ("pagerank of natural", Right),
    ];
    let mut sheet = Sheet::new("Orders over all graphs", columns);
    for mean in &report.means {
        sheet.row([
            mean.order.clone(),
            mean.graphs.to_string(),
            digits(mean.within, 2),
            digits(mean.amplification, 2),
            digits(mean.bfs, 2),
            digits(mean.pagerank, 2),
        ]);
    }
    sheet
}

/// Figure 3.
pub fn amplification(report: &Report) -> Sheet {
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
    let mut sheet = Sheet::new(title, columns);
    for case in &report.graphs {
        let Some(cell) = report.cell(&case.name, NATURAL) else { continue };
        let Some(transfer) = &cell.transfer else { continue };
        let without = cell.without_prefetch.as_ref().and_then(|transfer| transfer.amplification);
        let shares = fetches(transfer).map(|share| digits(share.map(|share| 100.0 * share), 0) + "%");
        let row = [name(case), digits(transfer.amplification, 2), digits(without, 2)];
        sheet.row(row.into_iter().chain(shares));
    }
    sheet
}

/// The share of the fetched pages that was fetched so often, for each of [`FETCHES`].
pub(super) fn fetches(transfer: &Transfer) -> [Option<f64>; FETCHES.len()] {
    let pages = |from: usize, to: usize| -> u64 {
        let all = transfer.pages_by_fetches.iter().enumerate();
        all.filter(|(times, _)| (from..=to).contains(times)).map(|(_, pages)| *pages).sum()
    };
    let fetched = pages(1, usize::MAX);
    FETCHES.map(|(_, from, to)| (fetched > 0).then(|| pages(from, to) as f64 / fetched as f64))
}

/// Figure 9.
pub fn transfers(report: &Report) -> Sheet {
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
    by_graph(report, Sheet::new(title, columns), |cell| {
        let transfer = cell.transfer.as_ref()?;
        Some(vec![
            bytes(transfer.moved_bytes),
            bytes(transfer.ideal_bytes),
            digits(transfer.amplification, 2),
            digits(report.of_natural(cell, Cell::amplification), 2),
            count(transfer.prefetched_pages),
            count(transfer.evicted_pages),
            count(transfer.refetched_pages),
        ])
    })
}

/// Figure 10.
pub fn gaps(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("within levels", Right),
        ("of natural", Right),
        ("between levels", Right),
        ("neighbours", Right),
        ("sectors a tile", Right),
    ];
    let title = "Figure 10: log gaps, in bits; within levels is MinIntraBFS";
    by_graph(report, Sheet::new(title, columns), |cell| {
        let gaps = cell.gaps?;
        let of_natural = report.of_natural(cell, Cell::within);
        let figures = [gaps.within, of_natural, gaps.between, gaps.neighbours, gaps.sectors_per_tile];
        Some(figures.map(|figure| digits(figure, 2)).to_vec())
    })
}

/// Figure 11.
pub fn samples(report: &Report) -> Sheet {
    let columns = [
        ("samples", Right),
        ("time to order", Right),
        ("log gap within levels", Right),
        ("moved / ideal", Right),
    ];
    let mut sheet = Sheet::new("Figure 11: halo2 by its number of samples", columns);
    for case in &report.graphs {
        let samples: Vec<&Sample> = report.samples_on(&case.name).collect();
        if !samples.is_empty() {
            sheet.row([name(case)]);
        }
        for sample in samples {
            let samples = sample.samples.to_string();
            match &sample.error {
                Some(error) => sheet.row([samples, why(Some(error))]),
                None => sheet.row([
                    samples,
                    sample.seconds.map_or_else(none, seconds),
                    digits(sample.within, 2),
                    digits(sample.amplification, 2),
                ]),
            }
        }
    }
    sheet
}

/// What orders cost.
pub fn costs(report: &Report) -> Sheet {
    let columns = [
        ("order", Left),
        ("time to order", Right),
        ("to renumber", Right),
        ("memory", Right),
        ("in searches", Right),
        ("paid back after", Right),
    ];
    let mut sheet = by_graph(report, Sheet::new("Cost of orders", columns), |cell| {
        let ordering = cell.ordering?;
        let search = report.cell(&cell.graph, NATURAL).and_then(Cell::bfs_seconds);
        let in_searches = search.filter(|search| *search > 0.0).map(|search| ordering.seconds / search);
        Some(vec![
            seconds(ordering.seconds),
            seconds(ordering.renumber),
            ordering.memory.map_or_else(none, bytes),
            digits(in_searches, 1),
            paid_back(report, cell).map_or_else(none, count),
        ])
    });
    // The natural order is there already.
    sheet.rows.retain(|row| row[0] != NATURAL);
    sheet
}

/// Searches on the processor after which an order has gained what it cost; `None` if it gains nothing.
fn paid_back(report: &Report, cell: &Cell) -> Option<u64> {
    let natural = report.cell(&cell.graph, NATURAL)?.bfs_seconds()?;
    let (ordering, gain) = (cell.ordering?, natural - cell.bfs_seconds()?);
    (gain > 0.0).then(|| ((ordering.seconds + ordering.renumber) / gain).ceil() as u64)
}

/// What orders do to times.
pub fn times(report: &Report) -> Sheet {
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
    by_graph(report, Sheet::new("Times on the processor", columns), |cell| {
        let ratios =
            [report.of_natural(cell, Cell::bfs_seconds), report.of_natural(cell, Cell::pagerank_seconds)];
        let [bfs, pagerank] = [&cell.bfs, &cell.pagerank].map(Option::as_ref);
        let part = |times: Option<&Times>, ratio: Option<f64>| {
            let spread = times.map(|times| format!("{:.0}%", 100.0 * times.spread.spread));
            let median = times.map_or_else(none, |times| seconds(times.spread.median));
            [median, spread.unwrap_or_else(none), digits(ratio, 2)]
        };
        bfs.or(pagerank)?;
        let verdicts = [bfs, pagerank].map(|times| times.and_then(|times| times.verify.as_deref()));
        let parts = [part(bfs, ratios[0]), part(pagerank, ratios[1])].into_iter().flatten();
        Some(parts.chain([verdict(verdicts)]).collect())
    })
}

/// Of two: failed if one is, else passed if one is.
fn verdict(of: [Option<&str>; 2]) -> String {
    let words = ["failed", "passed"].into_iter().find(|word| of.contains(&Some(*word)));
    words.unwrap_or(NONE).to_owned()
}

/// A line for every graph, below it a row for every order; orders without figures say why, or are left out.
fn by_graph(report: &Report, mut sheet: Sheet, row: impl Fn(&Cell) -> Option<Vec<String>>) -> Sheet {
    for case in &report.graphs {
        let rows = report.cells_on(&case.name).filter_map(|cell| {
            let figures = match &cell.error {
                Some(error) => Some(vec![why(Some(error))]),
                None => row(cell),
            };
            Some((cell.order.clone(), figures?))
        });
        let rows: Vec<(String, Vec<String>)> = rows.collect();
        if !rows.is_empty() {
            sheet.row([name(case)]);
        }
        rows.into_iter().for_each(|(order, figures)| sheet.row(std::iter::once(order).chain(figures)));
    }
    sheet
}

/// The name of a graph, cut in its middle if it is long.
pub(crate) fn name(graph: &GraphCase) -> String {
    shortened(graph.short(), NAME)
}

/// What stands where nothing was measured.
pub(crate) fn none() -> String {
    NONE.to_owned()
}

/// A figure with so many digits behind the point.
pub(crate) fn digits(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(none, |value| format!("{value:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halo::testing::{as_in_the_paper, cell, report};

    #[test]
    fn graphs_and_means_are_told() {
        let report = as_in_the_paper();
        assert_eq!(graphs(&report).rows[0], ["web.bv", "yes", "1,048,576", "16,777,216", "9.0", "1.50 s"]);
        assert_eq!(means(&report).rows[2], ["halo2", "2", "4.00", "1.50", "0.50", "0.50"]);
    }

    #[test]
    fn figure_3_is_of_the_natural_order_only() {
        let sheet = amplification(&as_in_the_paper());
        assert_eq!(sheet.rows[0], ["web.bv", "2.25", "1.50", "25%", "12%", "12%", "25%", "25%"]);
        assert_eq!(sheet.rows[1][..3], ["kron:20", "3.00", "-"]);
        assert_eq!(sheet.rows.len(), 2);
    }

    #[test]
    fn shares_of_pages_are_of_those_fetched() {
        let none = Transfer { pages_by_fetches: vec![9], ..Transfer::default() };
        assert_eq!(fetches(&none), [None; 5]);
        let some = Transfer { pages_by_fetches: vec![9, 1, 0, 0, 3], ..Transfer::default() };
        assert_eq!(fetches(&some), [0.25, 0.0, 0.75, 0.0, 0.0].map(Some));
    }

    #[test]
    fn figures_9_and_10_have_a_row_an_order() {
        let report = as_in_the_paper();
        let moved = transfers(&report);
        let expected = ["halo2", "112.5 MiB", "100.0 MiB", "1.12", "0.50", "5,600", "24,000", "23,000"];
        assert_eq!(moved.rows[3], expected);
        assert_eq!(gaps(&report).rows[3], ["halo2", "2.00", "0.25", "1.00", "3.00", "12.50"]);
        assert_eq!((moved.rows[0].as_slice(), moved.rows.len()), (&["web.bv".to_owned()][..], 8));
        assert_eq!(moved.rows[6], ["random", "memory: no room for 4 GiB"]);
    }

    #[test]
    fn figure_11_has_a_row_a_number_of_samples() {
        let sheet = samples(&as_in_the_paper());
        assert_eq!(
            sheet.rows,
            [
                vec!["web.bv".to_owned()],
                ["2", "500 ms", "2.50", "1.50"].map(str::to_owned).to_vec(),
                ["4", "1.00 s", "2.25", "1.50"].map(str::to_owned).to_vec(),
                ["8", "2.00 s", "2.12", "1.50"].map(str::to_owned).to_vec(),
            ]
        );
    }

    #[test]
    fn an_order_is_paid_back_where_it_gains() {
        let sheet = costs(&as_in_the_paper());
        assert_eq!(sheet.rows[1], ["random", "1.50 s", "500 ms", "3.0 MiB", "0.8", "-"]);
        assert_eq!(sheet.rows[2], ["halo2", "1.50 s", "500 ms", "3.0 MiB", "0.8", "2"]);
        assert!(sheet.rows.iter().all(|row| row[0] != NATURAL));
    }

    #[test]
    fn times_are_held_against_the_natural_order() {
        let sheet = times(&as_in_the_paper());
        assert_eq!(sheet.rows[3], ["halo2", "500 ms", "0%", "0.25", "5.00 s", "0%", "0.25", "passed"]);
        let mut odd = cell("g", "halo2", (1.0, 1.0, 1.0));
        odd.bfs = None;
        odd.pagerank.as_mut().unwrap().verify = Some("failed".to_owned());
        let sheet = times(&report(vec![odd]));
        assert_eq!(sheet.rows[1], ["halo2", "-", "-", "-", "10.0 s", "0%", "-", "failed"]);
    }

    #[test]
    fn what_was_not_measured_has_no_rows() {
        let bare = Cell { graph: "g".to_owned(), order: NATURAL.to_owned(), ..Cell::default() };
        for sheet in &all(&report(vec![bare]))[2..] {
            assert!(sheet.rows.is_empty(), "{sheet:?}");
        }
    }
}
