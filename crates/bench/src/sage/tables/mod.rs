//! The tables, in the order of the paper, what is beside it at the end. None is wider than 100 columns as text, remarks aside, while
//! graphs have names of usual length.

mod auto;
mod costs;
mod speed;

pub use auto::{choices, means};
pub use costs::{firsts, orders, rounds, tiles, tilings};
pub use speed::{ablation, balances, by_order};

use super::{Part, Report};
use crate::{
    balance::tables::why,
    halo::{
        GraphCase,
        tables::{digits, name, none},
    },
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    units::{count, seconds},
};

/// All tables.
pub fn all(report: &Report) -> Vec<Sheet> {
    let of = |part: Part, table: fn(&Report, super::Question) -> Sheet| -> Vec<Sheet> {
        report.algorithms_of(part).into_iter().map(|algorithm| table(report, algorithm)).collect()
    };
    let mut all = vec![graphs(report)];
    all.extend(of(Part::Fig6, by_order));
    all.extend([orders(report), rounds(report)]);
    all.extend(of(Part::Fig7, balances));
    all.extend(of(Part::Fig10, ablation));
    all.extend([tilings(report), tiles(report), firsts(report), choices(report), means(report)]);
    all
}

/// Table 1.
pub fn graphs(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("directed", Left),
        ("vertices", Right),
        ("arcs", Right),
        ("arcs a vertex", Right),
        ("load", Right),
    ];
    let mut sheet = Sheet::new("Table 1: the graphs", columns);
    for case in &report.graphs {
        let Some(graph) = case.graph.as_ref().filter(|_| case.error.is_none()) else {
            sheet.row([name(case), why(case.error.as_ref())]);
            continue;
        };
        sheet.row([
            name(case),
            if graph.directed { "yes" } else { "no" }.to_owned(),
            count(graph.vertices),
            count(graph.arcs),
            format!("{:.1}", graph.arcs as f64 / graph.vertices.max(1) as f64),
            case.load.map_or_else(none, seconds),
        ]);
    }
    sheet
}

/// A line for every graph that has rows, below it these.
fn by_graph(report: &Report, mut sheet: Sheet, rows: impl Fn(&GraphCase) -> Vec<Vec<String>>) -> Sheet {
    for case in &report.graphs {
        let rows = rows(case);
        if !rows.is_empty() {
            sheet.row([name(case)]);
        }
        rows.into_iter().for_each(|row| sheet.row(row));
    }
    sheet
}

/// One value over another that there is something of.
fn over(value: Option<f64>, of: Option<f64>) -> Option<f64> {
    Some(value? / of.filter(|of| *of > 0.0)?)
}

/// A speed, with the digits that matter.
fn fast(speed: Option<f64>) -> String {
    let places = match speed {
        Some(speed) if speed < 0.01 => 5,
        Some(speed) if speed < 0.1 => 3,
        _ => 2,
    };
    digits(speed, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::testing::{as_in_the_paper, report};

    #[test]
    fn every_table_has_rows_where_something_was_measured_and_none_elsewhere() {
        let sheets = all(&as_in_the_paper());
        assert_eq!(sheets.len(), 11);
        for sheet in &sheets {
            assert!(!sheet.rows.is_empty(), "{}", sheet.title);
            assert!(sheet.rows.iter().all(|row| row.len() <= sheet.columns.len()), "{sheet:?}");
        }
        assert!(all(&report(vec![])).iter().all(|sheet| sheet.rows.is_empty()));
    }

    #[test]
    fn graphs_are_told() {
        let row = &graphs(&as_in_the_paper()).rows[0];
        assert_eq!(row[..], ["community:22", "no", "1,048,576", "33,554,432", "32.0", "1.50 s"]);
    }

    #[test]
    fn nothing_is_over_nothing() {
        assert_eq!((over(Some(1.0), Some(2.0)), over(Some(1.0), Some(0.0))), (Some(0.5), None));
        assert_eq!([0.00123, 0.0456, 7.891].map(|speed| fast(Some(speed))), ["0.00123", "0.046", "7.89"]);
        assert_eq!((over(None, Some(2.0)), over(Some(1.0), None)), (None, None));
    }
}
