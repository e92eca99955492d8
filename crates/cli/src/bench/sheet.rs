//! Tables of the library on the terminal.

use crate::{
    console::{BAD, GOOD, LABEL},
    table::{self, Table},
};
use warpgraph_bench::sheet::{Sheet, Side};

/// A table under its title.
pub(super) fn sheet(sheet: &Sheet) -> String {
    let side = |side: Side| match side {
        Side::Left => table::Side::Left,
        Side::Right => table::Side::Right,
    };
    let mut table = Table::new(sheet.columns.iter().map(|(title, s)| (*title, side(*s))));
    for row in &sheet.rows {
        table.row(row.iter().map(|cell| colored(cell)));
    }
    format!("{LABEL}{}{LABEL:#}\n{}\n", sheet.title, table.text())
}

/// Whether an answer was right is seen at once.
fn colored(cell: &str) -> String {
    match cell {
        "passed" => format!("{GOOD}passed{GOOD:#}"),
        "failed" => format!("{BAD}FAILED{BAD:#}"),
        cell => cell.to_owned(),
    }
}
