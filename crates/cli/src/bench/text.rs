//! The tables of a bench.

use super::sheet::sheet;
use crate::{
    console::{BAD, GOOD, Rows, bytes, number, seconds},
    table::{Side, Table},
};
use warpgraph::Order;
use warpgraph_bench::{
    Limits, Report,
    compare::{Comparison, Verdict},
    gpu_limits::tables,
    gpu_model::Limit,
    limits::Rate,
    result::{CaseReport, Share},
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
    use Side::{Left, Right};
    let ordered = cases.iter().any(|case| case.order != Order::Natural);
    let elsewhere = cases.iter().any(|case| case.device != "cpu" && case.error.is_none());
    let mut columns = vec![("graph", Left), ("algorithm", Left)];
    if elsewhere {
        columns.push(("device", Left));
    }
    if ordered {
        columns.push(("order", Left));
    }
    columns.extend([("plan", Left), ("median", Right), ("spread", Right), ("M arcs/s", Right)]);
    if elsewhere {
        columns.push(("limit", Right));
    }
    columns.extend([("of limit", Right), ("verified", Left)]);
    let mut table = Table::new(columns);
    for case in cases {
        let mut row = vec![case.name.clone(), case.algorithm.clone()];
        if elsewhere {
            row.push(case.device.clone());
        }
        if ordered {
            row.push(case.order.to_string());
        }
        row.extend(figures(case, elsewhere));
        table.row(row);
    }
    table.text()
}

/// The figures of a case, with the time at its limit where some ran on a GPU; or why there are none.
fn figures(case: &CaseReport, elsewhere: bool) -> Vec<String> {
    let (timing, none) = (&case.timing, || "-".to_owned());
    let Some(time) = &timing.seconds else {
        let why = case.error.as_ref().map_or("nothing was measured", |e| e.message.as_str());
        return vec![format!(
            "{BAD}{}{BAD:#}: {why}",
            case.error.as_ref().map_or("error", |e| e.kind.as_str())
        )];
    };
    let mut row = vec![
        timing.plan.map_or_else(none, |plan| plan.to_string()),
        seconds(time.spread.median),
        format!("{:.0}%", 100.0 * time.spread.spread),
        timing.mteps.map_or_else(none, |rate| number(rate.round())),
    ];
    if elsewhere {
        row.push(at_limit(&timing.limit, timing.traffic.as_ref()));
    }
    let share = timing.share.or(timing.traffic.map(|traffic| traffic.share));
    row.extend([
        share.map_or_else(none, |share| format!("{share:.2}")),
        match timing.verify.as_deref() {
            Some("failed") => format!("{BAD}FAILED{BAD:#}"),
            Some(word) => format!("{GOOD}{word}{GOOD:#}"),
            None => none(),
        },
    ]);
    row
}

/// What binds a run on a GPU, and its least time; of one on the processor the time alone.
fn at_limit(limit: &Option<Limit>, traffic: Option<&Share>) -> String {
    match (limit, traffic) {
        (Some(limit), _) => limit.to_string(),
        (None, Some(traffic)) => seconds(traffic.seconds_at_limit),
        (None, None) => "-".to_owned(),
    }
}

fn compared(comparison: &Comparison) -> String {
    use Side::{Left, Right};
    let mut table =
        Table::new([("case", Left), ("old", Right), ("new", Right), ("ratio", Right), ("change", Left)]);
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
