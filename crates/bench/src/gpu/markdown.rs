//! The whole report as one Markdown file.

use super::{COMMAND, Report, Verify, peers, tables};
use crate::{
    gpu_limits,
    units::{bytes, count},
};

const HEAD: &str = "\
Times are medians of whole calls with the graph on the device, allocation and initialisation included, `spread` is the width of the
middle half of them over the median. `before` is what of that passes before the run's own clock starts (finding kernels, setting a
balance up). Bringing the answer to the host is not in the time. Searches start at random vertices of the largest component, another one a run. A
time of pagerank is that of a sweep, all sweeps over their number; the faster order counts, the other is in brackets. `x` is
the other program's time over ours, times of others are in milliseconds. `limit` is the least time by what the card was measured
to do, and what binds it; `of it` is that over ours.
";

/// The file.
pub fn markdown(report: &Report) -> String {
    let mut text = head(report);
    for sheet in tables::all(report).iter().filter(|sheet| !sheet.rows.is_empty()) {
        text += &format!("\n## {}\n\n{}", sheet.title, sheet.markdown());
    }
    let [cugraph, best] = tables::summary(report);
    text += &format!("\n- {cugraph}\n- {best}\n\n## Limits of the card\n");
    for sheet in gpu_limits::tables::all(&report.limits) {
        text += &format!("\n### {}\n\n{}", sheet.title, sheet.markdown());
    }
    if report.graphs.iter().any(|graph| graph.has_peers) {
        text += &others();
    }
    for warning in &report.warnings {
        text += &format!("\nWarning: {warning}.\n");
    }
    text
}

fn head(report: &Report) -> String {
    let (device, how, machine) = (&report.device, &report.measuring, &report.machine);
    let driver = if device.driver.is_empty() { String::new() } else { format!(", driver {}", device.driver) };
    let verified = match how.verify {
        Verify::All => "every answer of a timed run was verified",
        Verify::Once => "one answer of each cell was verified",
    };
    format!(
        "# warpgraph on {}\n\n{HEAD}\n\
         - warpgraph {}, `warpgraph {COMMAND}`; timed runs of each cell: {}, after {}; {verified}\n\
         - {} ({}), {} multiprocessors, {}{driver}, {}\n\
         - {}, {} cores\n",
        device.name,
        report.version,
        count(how.runs),
        count(how.warmup),
        device.name,
        device.label,
        device.multiprocessors,
        bytes(device.memory),
        device.compiler,
        machine.processor.as_deref().unwrap_or("unknown processor"),
        machine.cores,
    )
}

/// Who the others are, and what their times are of.
fn others() -> String {
    let mut text = format!("\n## The other programs\n\nMeasured on {}.\n\n", peers::MEASURED);
    for ((name, version), (_, region)) in peers::VERSIONS.iter().zip(peers::REGIONS) {
        text += &format!("- {name} {version}: {region}\n");
    }
    for figure in peers::FIGURES {
        if let Some(remark) = figure.remark {
            text += &format!("- {} on {}: {remark}\n", figure.algorithm, figure.graph);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{
        Question,
        testing::{cell, report},
    };
    use warpgraph::Order;

    #[test]
    fn peers_are_told_of_beside_full_graphs_only() {
        let of = |graph: &str| markdown(&report(vec![cell(graph, Question::Bfs, Order::Natural, 1e-3)]));
        let full = of("kron:22");
        for part in [
            "# warpgraph on NVIDIA H200\n",
            "\n## Times\n\n| algorithm | time |",
            "- against cuGraph: 2.58 times as fast",
            "\n### Random accesses, G/s\n",
            "- GSWITCH b18d2a4: the loop, without initialisation",
            "- bc on grid:4096x4096: no program is right",
        ] {
            assert!(full.contains(part), "{part} in\n{full}");
        }
        let small = of("kron:8");
        assert!(!small.contains("GSWITCH") && small.contains("no cell has a figure"), "{small}");
    }

    #[test]
    fn versions_and_regions_are_of_the_same_programs() {
        let names = |of: [(&'static str, &str); 6]| of.map(|(name, _)| name);
        assert_eq!(names(peers::VERSIONS), names(peers::REGIONS));
    }
}
