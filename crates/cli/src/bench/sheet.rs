//! Tables of the library on the terminal.

use crate::{
    console::{BAD, GOOD, LABEL},
    table::Table,
};
use warpgraph_bench::sheet::Sheet;

/// A table under its title.
pub(super) fn sheet(sheet: &Sheet) -> String {
    let mut table = Table::new(sheet.columns.clone());
    sheet.rows.iter().for_each(|row| table.row(row.iter().map(|cell| colored(cell))));
    format!("{LABEL}{}{LABEL:#}\n{}\n", sheet.title, table.text())
}

/// Whether an answer was right is seen at once.
pub(super) fn colored(cell: &str) -> String {
    match cell {
        "passed" => format!("{GOOD}passed{GOOD:#}"),
        "failed" => format!("{BAD}FAILED{BAD:#}"),
        cell => cell.to_owned(),
    }
}
