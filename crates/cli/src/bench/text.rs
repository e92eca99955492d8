//! The tables of a bench.

use crate::{
    console::{BAD, GOOD, LABEL, Rows, bytes, number, seconds},
    table::Table,
};
use warpgraph::Order;
use warpgraph_bench::{
    Limits, Report,
    compare::{Comparison, Verdict},
    gpu_limits::tables,
    limits::Rate,
    result::CaseReport,
    sheet::Sheet,
};

/// The machine's limits, the cases, and what changed.
pub(super) fn report(report: &Report) -> String {
    let mut text = report.limits.as_ref().map(limits).unwrap_or_default();
    // In full with `--limits`; beside cases they would be longer than these.
    if let (Some(limits), true) = (&report.gpu_limits, report.cases.is_empty()) {
        text += &tables::all(limits).iter().map(sheet).collect::<String>();
    }
    if !report.cases.is_empty() {
        let gap = if text.is_empty() { "" } else { "\n" };
        text += &format!("{gap}{}", cases(&report.cases));
    }
    if let Some(comparison) = &report.compare {
        text += &format!("\n{}", compared(comparison));
    }
    text
}

/// What the machine can do at best.
pub(crate) fn limits(limits: &Limits) -> String {
    let mut rows = Rows::default();
    let threads =
        if limits.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", limits.threads) };
    rows.add("copying", format!("{:.1} GB/s read and written, {threads}", limits.copy / 1e9));
    for (i, rate) in limits.gather.iter().enumerate() {
        rows.add(if i == 0 { "random reads" } else { "" }, per_second(rate));
    }
    rows.add("atomic adds", per_second(&limits.atomic));
    rows.add("waking", format!("{} for all threads", seconds(limits.wake)));
    rows.text()
}

fn per_second(rate: &Rate) -> String {
    format!("{} M/s over {}", number((rate.per_second / 1e6).round()), bytes(rate.footprint))
}

fn cases(cases: &[CaseReport]) -> String {
    let ordered = cases.iter().any(|case| case.order != Order::Natural);
    let elsewhere = cases.iter().any(|case| case.device != "cpu" && case.error.is_none());
    let changed = cases.iter().any(|case| !case.approx.is_none());
    let is_shown = |title: &str| match title {
        "device" | "limit" => elsewhere,
        "order" => ordered,
        "approx" => changed,
        _ => true,
    };
    let titles = "graph | algorithm | device | order | approx | plan | >median | >spread | >M arcs/s | >limit \
                  | >of limit | verified";
    let columns = Sheet::new("", titles).columns;
    let mut table = Table::new(columns.iter().copied().filter(|(title, _)| is_shown(title)));
    for case in cases {
        let (order, approx) = (case.order.to_string(), case.approx.to_string());
        let asked = [case.name.clone(), case.algorithm.clone(), case.device.clone(), order, approx];
        let cells = asked.into_iter().chain(figures(case)).zip(&columns);
        table.row(cells.filter(|(_, (title, _))| is_shown(title)).map(|(cell, _)| cell));
    }
    table.text()
}

/// The figures of a case, or why there are none.
fn figures(case: &CaseReport) -> Vec<String> {
    let (timing, none) = (&case.timing, || "-".to_owned());
    let Some(time) = &timing.seconds else {
        let (kind, why) =
            case.error.as_ref().map_or(("error", "nothing was measured"), |e| (&e.kind, &e.message));
        return vec![format!("{BAD}{kind}{BAD:#}: {why}")];
    };
    let share = timing.share.or(timing.traffic.map(|traffic| traffic.share));
    let at_limit = timing.traffic.map(|traffic| seconds(traffic.seconds_at_limit));
    vec![
        timing.plan.map_or_else(none, |plan| plan.to_string()),
        seconds(time.spread.median),
        format!("{:.0}%", 100.0 * time.spread.spread),
        timing.mteps.map_or_else(none, |rate| number(rate.round())),
        // What binds a run on a GPU, and its least time; of one on the processor the time alone.
        timing.limit.as_ref().map(ToString::to_string).or(at_limit).unwrap_or_else(none),
        share.map_or_else(none, |share| format!("{share:.2}")),
        timing.verify.as_deref().map_or_else(none, colored),
    ]
}

fn compared(comparison: &Comparison) -> String {
    let mut table = Table::new(Sheet::new("", "case | >old | >new | >ratio | change").columns);
    for change in &comparison.cases {
        let word = match change.change {
            Verdict::Faster => format!("{GOOD}faster{GOOD:#}"),
            Verdict::Slower => format!("{BAD}slower{BAD:#}"),
            Verdict::Same => "within the spread".to_owned(),
        };
        let ratio = format!("{:.2}", change.ratio);
        table.row([change.case.clone(), seconds(change.old), seconds(change.new), ratio, word]);
    }
    let mut text = table.text();
    if let Some(mean) = comparison.geometric_mean {
        text += &format!("geometric mean of the ratios (above 1 is faster): {mean:.2}\n");
    }
    for (cases, which) in [(&comparison.only_old, "old"), (&comparison.only_new, "new")] {
        if !cases.is_empty() {
            text += &format!("only in the {which} one: {}\n", cases.join("; "));
        }
    }
    text
}

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
