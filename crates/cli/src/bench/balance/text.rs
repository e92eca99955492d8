//! The report on the terminal.

use crate::{
    bench::sheet::sheet,
    console::{BAD, GOOD, LABEL, NOTE},
};
use warpgraph_bench::balance::{
    Report,
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
