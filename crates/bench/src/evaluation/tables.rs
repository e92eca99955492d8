//! What the tables of several evaluations need: names, rows by graph, figures in words.

use super::{Cell, GraphCase, Report};
use crate::{chart::shortened, result::Failure, sheet::Sheet, units};

/// Letters of the name of a graph; longer names are cut.
const NAME: usize = 40;

/// Returns the name of a graph, cut in its middle if it is long.
pub fn name(graph: &GraphCase) -> String {
    shortened(graph.short(), NAME)
}

/// Returns what stands where nothing was measured.
pub fn none() -> String {
    "-".to_owned()
}

/// Returns a figure with so many digits behind the point.
pub fn digits(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(none, |value| format!("{value:.digits$}"))
}

/// Returns a share as a percentage.
pub fn percent(share: Option<f64>, digits: usize) -> String {
    share.map_or_else(none, |share| format!("{:.digits$}%", 100.0 * share))
}

/// Returns a time in words.
pub fn seconds(value: Option<f64>) -> String {
    value.map_or_else(none, units::seconds)
}

/// Returns one value over another, if that is above 0.
pub fn over(value: Option<f64>, of: Option<f64>) -> Option<f64> {
    Some(value? / of.filter(|of| *of > 0.0)?).filter(|ratio| ratio.is_finite())
}

/// Returns the median time of a cell and its spread.
pub fn time(cell: &Cell) -> [String; 2] {
    [seconds(cell.median()), percent(cell.seconds.map(|spread| spread.spread), 0)]
}

/// Returns whether the answer of a cell was right.
pub fn verdict(cell: &Cell) -> String {
    cell.verify.clone().unwrap_or_else(none)
}

/// Returns why there are no figures: kind and message, unless the message begins with the kind.
pub fn why(error: Option<&Failure>) -> String {
    match error {
        None => "nothing was measured".to_owned(),
        Some(error) if error.message.starts_with(&error.kind) => error.message.clone(),
        Some(error) => format!("{}: {}", error.kind, error.message),
    }
}

type Row = Vec<String>;

/// Returns a row of names and figures, or of names and why there are no figures.
pub fn row<const N: usize>(names: [String; N], error: Option<&Failure>, of: impl FnOnce() -> Row) -> Row {
    row_if(error.is_none(), names, error, of)
}

/// Returns a row of names and the figures of a cell, or of names and why it has none.
pub fn cell_row<const N: usize>(names: [String; N], cell: &Cell, of: impl FnOnce() -> Row) -> Row {
    row_if(cell.seconds.is_some(), names, cell.error.as_ref(), of)
}

fn row_if<const N: usize>(
    is_there: bool,
    names: [String; N],
    error: Option<&Failure>,
    of: impl FnOnce() -> Row,
) -> Row {
    names.into_iter().chain(if is_there { of() } else { vec![why(error)] }).collect()
}

/// Adds a line for every graph that has rows, below it these rows.
pub fn by_graph(report: &Report, mut sheet: Sheet, rows: impl Fn(&GraphCase) -> Vec<Vec<String>>) -> Sheet {
    for case in &report.graphs {
        let rows = rows(case);
        if !rows.is_empty() {
            sheet.row([name(case)]);
        }
        rows.into_iter().for_each(|row| sheet.row(row));
    }
    sheet
}

/// Adds a row for every graph, or why it could not be measured.
pub fn graphs(report: &Report, mut sheet: Sheet, figures: impl Fn(&GraphCase) -> Vec<String>) -> Sheet {
    for case in &report.graphs {
        let is_there = case.graph.is_some() && case.error.is_none();
        sheet.row(row_if(is_there, [name(case)], case.error.as_ref(), || figures(case)));
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_without_folders_and_cut_in_the_middle() {
        let (long, cut) = (format!("folder/{}.gr", "x".repeat(60)), "x".repeat(19) + "..." + &"x".repeat(15));
        let spec = "kron:20,degree=8,directed,w=1..255";
        let cases =
            [("/data/road.gr", "road.gr"), ("a\\b.gr", "b.gr"), (&long, &(cut + ".gr")), (spec, spec)];
        for (text, expected) in cases {
            assert_eq!(name(&GraphCase { name: text.to_owned(), ..GraphCase::default() }), expected);
        }
    }

    #[test]
    fn errors_and_ratios_are_said() {
        assert_eq!(why(Some(&Failure::new("io", "gone"))), "io: gone");
        assert_eq!(why(Some(&Failure::new("plan", "plan \"x\": no"))), "plan \"x\": no");
        assert_eq!([over(Some(3.0), Some(2.0)), over(Some(3.0), Some(0.0))], [Some(1.5), None]);
    }
}
