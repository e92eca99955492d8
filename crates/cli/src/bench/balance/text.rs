//! The report on the terminal.

use crate::{
    console::{BAD, GOOD, LABEL, NOTE},
    table::{self, Table},
};
use warpgraph_bench::balance::{
    Report, Sheet, Side,
    statements::{Outcome, Verdict},
    tables,
};

/// All tables that have rows, then the statements.
pub(super) fn report(report: &Report) -> String {
    let sheets = tables::all(report);
    let tables = sheets.iter().filter(|sheet| !sheet.rows.is_empty()).map(sheet);
    let (device, how) = (&report.device, &report.measuring);
    let on = format!("on {} ({}), medians of {} runs\n\n", device.name, device.label, how.runs);
    let statements: String = report.statements.iter().map(verdict).collect();
    on + &tables.collect::<String>() + &format!("{LABEL}What the paper says{LABEL:#}\n{statements}")
}

fn sheet(sheet: &Sheet) -> String {
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

/// Two lines: what is said, and what was seen.
fn verdict(verdict: &Verdict) -> String {
    let style = match verdict.outcome {
        Outcome::Held => GOOD,
        Outcome::No => BAD,
        Outcome::InPart => NOTE,
        Outcome::NotMeasured => anstyle::Style::new(),
    };
    let said = format!("{style}{:<12}{style:#}  {}\n", verdict.outcome, verdict.statement);
    match (verdict.cases.is_empty(), verdict.seen.is_empty()) {
        (true, _) => said,
        (false, true) => format!("{said}{:14}{}\n", "", verdict.count()),
        (false, false) => format!("{said}{:14}{}: {}\n", "", verdict.count(), verdict.seen),
    }
}
