//! The whole report as one Markdown file: tables, and plots beside it.

use super::{
    plot,
    report::{COMMAND, Report},
    tables,
};
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
        for figure in figures.iter().filter(|figure| sheet.title.starts_with(figure.table)) {
            text += &format!("\n![{}]({}.{ending})\n", figure.file, figure.file);
        }
    }
    for warning in &report.warnings {
        text += &format!("\nWarning: {warning}.\n");
    }
    text
}

const HEAD: &str = "\
Measured after P. Gera, H. Kim, P. Sao, H. Kim, D. Bader, \"Traversing Large Graphs on GPUs with Unified Memory\", PVLDB 13(7), 2020,
sections 6 and 10. Searches start at the same random vertices in every order. Bytes moved are those of a model of unified memory
that is fed with what the searches read: pages of 4 KiB, prefetching, 2 MiB evicted at a time. Times are medians of runs on the
processor.
";

const REMARKS: [(&str, &str); 5] = [
    (
        "Orders over",
        "`log gap` is the mean within levels, `moved / ideal` and times the geometric means over the graphs an order was\n\
         measured on. In the paper, natural moves 2.31 times the ideal, rcm 1.8, bfs-bp 1.72, halo2 1.42.",
    ),
    (
        "Figure 3",
        "`moved / ideal` is with prefetching. The columns behind are the share of the pages fetched that was fetched so often.",
    ),
    (
        "Figure 10",
        "`between levels` is to the nearest vertex of the level before, `neighbours` between consecutive neighbours of a\n\
         vertex, `sectors a tile` the memory sectors of 32 bytes that 32 neighbours lie in.",
    ),
    (
        "Cost",
        "`in searches` is the time to order over that of a search in the natural order; an order is `paid back after` so many\n\
              searches on the processor, renumbering included.",
    ),
    ("Times", "`of natural` is the time over that in the natural order."),
];

fn head(report: &Report) -> String {
    let (how, machine) = (&report.measuring, &report.machine);
    let memory = how.memory_share.map_or_else(String::new, |share| {
        format!(", memory of the modelled device for {:.0}% of the edges", 100.0 * share)
    });
    format!(
        "# Orders of vertices\n\n{HEAD}\n\
         - warpgraph {}, `warpgraph {COMMAND}`; searches a graph: {}, seed {}\n\
         - timed runs: {}, after {}; edges of {} bytes{memory}\n\
         - {}, {} cores, {} threads\n",
        report.version,
        count(how.searches),
        how.seed,
        count(how.runs),
        count(how.warmup),
        how.edge_bytes,
        machine.processor.as_deref().unwrap_or("unknown processor"),
        machine.cores,
        how.threads,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halo::testing::{as_in_the_paper, report};

    #[test]
    fn tables_remarks_and_plots_are_all_in_it() {
        let text = markdown(&as_in_the_paper(), "png");
        assert!(text.starts_with("# Orders of vertices\n"), "{text}");
        for part in [
            "searches a graph: 50, seed 1\n",
            "memory of the modelled device for 50% of the edges",
            "\n## Figure 9: bytes moved to the device, by the model; pages of 4 KiB\n\n| order | moved |",
            "| **web.bv** |",
            "| random | memory: no room for 4 GiB |",
            "\n\n`of natural` is the time over that in the natural order.\n",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        for file in plot::files(2) {
            assert_eq!(text.matches(&format!("({file}.png)")).count(), 1, "{file}");
        }
    }

    #[test]
    fn an_empty_report_is_a_file_without_tables() {
        let text = markdown(&report(vec![]), "svg");
        assert!(!text.contains("## ") && !text.contains("!["), "{text}");
    }
}
