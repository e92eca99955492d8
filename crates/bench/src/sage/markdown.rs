//! The whole report as one Markdown file: tables, and plots beside it.

use super::{COMMAND, Report, plot, tables};
use crate::units::count;

/// The file; plots are linked by the names that [`plot::figures`] gives them, with an ending.
pub fn markdown(report: &Report, ending: &str) -> String {
    let mut text = head(report);
    let figures = plot::figures(report);
    for sheet in tables::all(report).iter().filter(|sheet| !sheet.rows.is_empty()) {
        text += &format!("\n## {}\n\n{}", sheet.title, sheet.markdown());
        for (_, remark) in REMARKS.iter().filter(|(begins, _)| sheet.title.starts_with(begins)) {
            text += &format!("\n{remark}\n");
        }
        for figure in figures.iter().filter(|figure| sheet.title.starts_with(&figure.table)) {
            text += &format!("\n![{}]({}.{ending})\n", figure.file, figure.file);
        }
    }
    for warning in &report.warnings {
        text += &format!("\nWarning: {warning}.\n");
    }
    text
}

const HEAD: &str = "\
Measured after M. Sha, Y. Li, K.-L. Tan, \"Self-adaptive graph traversal on GPUs\", SIGMOD 2021, section 7. Times are medians of
runs with the graph on the device, allocation and initialisation included; of pagerank, of a sweep. Searches start at random vertices
of the largest component, the same in every cell. Every answer was verified once.
";

const REMARKS: [(&str, &str); 7] = [
    (
        "Figure 6",
        "`of natural` and `of planted` are speeds over that in these orders; the planted one is that of the generator before it\n\
         shuffled the vertices.",
    ),
    (
        "Table 2",
        "`sampled` is made while runs go on: its time is what sampling took of the device, and `a round` that and renumbering,\n\
         over the rounds.",
    ),
    (
        "Figure 7",
        "`gorder gains` is the speed in that order over that in the natural one. `auto` is the engine's choice by superstep.",
    ),
    ("Figure 10", "Ratios are of speeds: above 1 is faster."),
    ("Table 3", "Kernels that elect tiles and do nothing with them, over kernels that expand frontiers."),
    ("Tiles", "`first` is the first run on a fresh copy of the graph, `last` the last of `runs`."),
    (
        "No preprocessing",
        "Later runs start at the same vertex. What was prepared for all of them, and copying the graph, stand beside.",
    ),
];

fn head(report: &Report) -> String {
    let (how, device) = (&report.measuring, &report.device);
    format!(
        "# Self-adaptive traversal\n\n{HEAD}\n\
         - warpgraph {}, `warpgraph {COMMAND}`; timed runs: {}, after {}; seed {}\n\
         - `sampled`: up to {} rounds; orders given up after {} s\n\
         - {} ({}), compute capability {}.{}, driver {}, compiler {}\n",
        report.version,
        count(how.runs),
        count(how.warmup),
        how.seed,
        how.rounds,
        how.order_limit,
        device.name,
        device.label,
        device.capability.0,
        device.capability.1,
        device.driver,
        device.compiler,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::testing::{as_in_the_paper, report};

    #[test]
    fn tables_remarks_and_plots_are_all_in_it() {
        let text = markdown(&as_in_the_paper(), "png");
        assert!(text.starts_with("# Self-adaptive traversal\n"), "{text}");
        for part in [
            "timed runs: 3, after 1; seed 1\n",
            "- NVIDIA X1 (cuda:0), compute capability 9.0, driver 580, compiler NVRTC 13\n",
            "\n## Figure 10: bfs by technique, time a run\n\n| step | order |",
            "| **community:22** |",
            "| node | natural | device-memory: no room |",
            "\nRatios are of speeds: above 1 is faster.\n",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        for named in plot::figures(&as_in_the_paper()) {
            assert_eq!(text.matches(&format!("({}.png)", named.file)).count(), 1, "{}", named.file);
        }
        for (begins, _) in REMARKS {
            assert!(text.contains(&format!("\n## {begins}")), "{begins}");
        }
    }

    #[test]
    fn an_empty_report_is_a_file_without_tables() {
        let text = markdown(&report(vec![]), "svg");
        assert!(!text.contains("## ") && !text.contains("!["), "{text}");
    }
}
