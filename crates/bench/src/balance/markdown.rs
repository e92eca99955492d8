//! The whole report as one Markdown file: tables, plots beside it, and the paper's statements.

use super::{
    plot,
    report::{COMMAND, Report},
    statements::Verdict,
    tables,
};
use crate::{
    sheet::{Sheet, Side::Left},
    units::{bytes, count},
};

/// The file; plots are linked by the names that [`plot::all`] gives them.
pub fn markdown(report: &Report) -> String {
    let mut text = head(report);
    for sheet in tables::all(report).iter().filter(|sheet| !sheet.rows.is_empty()) {
        text += &format!("\n## {}\n\n{}", sheet.title, sheet.markdown());
        if sheet.title == tables::LIMITS {
            text += LIMITS;
        }
        for (file, title) in plot::FILES.iter().filter(|(_, title)| sheet.title.starts_with(*title)) {
            text += &format!("\n![{title}]({file})\n");
        }
    }
    text += "\n## What the paper says\n\n";
    text += STATEMENTS;
    text += &statements(&report.statements).markdown();
    for warning in &report.warnings {
        text += &format!("\nWarning: {warning}.\n");
    }
    text
}

const HEAD: &str = "\
Measured after A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, \"Dynamic Load Balancing Strategies for
Graph Applications on GPUs\", section IV. Times are medians of runs with the graph on the device. `kernels` is device time of
kernels that expand frontiers, `overhead` the rest of a run; `once` is what a strategy prepares in the first run and keeps for
later ones, and part of no other figure. `extra` is memory beside the graph and what every strategy keeps. Every answer was
verified once, before the timed runs.
";

const LIMITS: &str = "
`limit` is the least time by what the device was measured to do, and what binds it; `of limit` is that over the median.
";

const STATEMENTS: &str = "\
Each statement is judged in every case it speaks of: `held` in all of them, `in part` in some, `no` in none. The paper counts
what is prepared once as overhead; where that changes the count, it is said. Kinds of graphs go by what was measured: `road-like`
has a large diameter, `skewed` a largest degree of 16 times the mean, `large` 100 million arcs too; random graphs are `even`.

";

fn head(report: &Report) -> String {
    let (device, how) = (&report.device, &report.measuring);
    let machine = &report.machine;
    let driver = if device.driver.is_empty() { String::new() } else { format!(", driver {}", device.driver) };
    let budget =
        how.gpu_memory.map_or_else(String::new, |most| format!(", {} of them used at most", bytes(most)));
    format!(
        "# Load balancing strategies on {}\n\n{HEAD}\n\
         - warpgraph {}, `warpgraph {COMMAND}`; timed runs of each strategy: {}, after {}\n\
         - {} ({}), {} multiprocessors, {}{budget}{driver}, {}\n\
         - {}, {} cores\n",
        device.name,
        report.version,
        count(how.runs),
        count(how.warmup + 1),
        device.name,
        device.label,
        device.multiprocessors,
        bytes(device.memory),
        device.compiler,
        machine.processor.as_deref().unwrap_or("unknown processor"),
        machine.cores,
    )
}

fn statements(verdicts: &[Verdict]) -> Sheet {
    let columns =
        [("figure", Left), ("statement", Left), ("held", Left), ("here", Left), ("but not on", Left)];
    let mut sheet = Sheet::new("", columns);
    for verdict in verdicts {
        let here = match verdict.cases.is_empty() {
            true => String::new(),
            false if verdict.seen.is_empty() => verdict.count(),
            false => format!("{}: {}", verdict.count(), verdict.seen),
        };
        sheet.row([
            verdict.figure.to_string(),
            verdict.statement.to_owned(),
            verdict.outcome.to_string(),
            here,
            verdict.exceptions.join("; "),
        ]);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::testing::{Made, as_in_the_paper, report};

    #[test]
    fn tables_plots_and_statements_are_all_in_it() {
        let text = markdown(&as_in_the_paper());
        assert!(text.starts_with("# Load balancing strategies on NVIDIA H200\n"), "{text}");
        for part in [
            "## Figure 7: sssp by strategy\n\n| plan | time |",
            "![Figure 10](figure10.svg)",
            "| edge | device-memory: cuda:0 has no room for worklists of 4 GiB |",
            "| 7 | sssp: edge takes 60 to 80 % less time than node, where it fits | held | in 3 of 3 cases: 70 % less |  |",
            "140.0 GiB, driver 580.1, NVRTC 13.0",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        for (file, _) in plot::FILES {
            assert_eq!(text.matches(&format!("({file})")).count(), 1, "{file}");
        }
    }

    #[test]
    fn limits_are_a_table_with_a_remark_where_they_were_measured() {
        let measured = markdown(&report(vec![Made::on("g", "bfs", "node").seconds(1.0).limit(0.25)]));
        for part in ["| node | - | - | - | 1.00 s | barrier 250 ms | 25% |\n", "\n`limit` is the least time"]
        {
            assert!(measured.contains(part), "{part} in\n{measured}");
        }
        assert!(!markdown(&as_in_the_paper()).contains("`limit`"));
    }

    #[test]
    fn an_empty_report_is_a_file_without_tables() {
        let text = markdown(&report(vec![]));
        assert!(!text.contains("## Figure") && text.contains("| not measured |  |  |"), "{text}");
    }
}
