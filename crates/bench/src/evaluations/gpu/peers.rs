//! What other programs take: the best one that answers right, and cuGraph, on graphs of the same sizes.
//!
//! Measured on one NVIDIA H200 on 2026-11-15, medians of 1 to 8 runs, answers checked against references on the processor.
//! Expect 15 % between machines.

use serde::Serialize;

/// When and on what they were measured.
const MEASURED: &str = "one NVIDIA H200, driver 580, CUDA 13.0, 2026-11-15";

/// Programs and their versions; commits where there are no releases.
const VERSIONS: [(&str, &str); 6] = [
    (CUGRAPH, "26.10"),
    (GSWITCH, "b18d2a4"),
    (EMOGI, "382dbcc"),
    (XBFS, "02000da"),
    (LONESTAR, "b67f942"),
    (TIGR, "a9b7c08"),
];

/// What their times are of. Ours is the whole call with the graph on the device, allocation and initialisation included.
const REGIONS: [(&str, &str); 6] = [
    (CUGRAPH, "the whole call and a wait, results allocated"),
    (GSWITCH, "the loop, without initialisation; isolated vertices dropped and lists sorted when loading"),
    (EMOGI, "the loop, without initialisation; its kernels with the graph in GPU memory"),
    (XBFS, "the sum of its kernels' times only"),
    (LONESTAR, "the whole call, worklists allocated"),
    (TIGR, "the loop, without initialisation; pagerank without the mass of vertices without arcs"),
];

/// The program that has figures for most cells.
pub(crate) const CUGRAPH: &str = "cuGraph";
const GSWITCH: &str = "GSWITCH";
const EMOGI: &str = "EMOGI";
const XBFS: &str = "XBFS";
const LONESTAR: &str = "LonestarGPU";
const TIGR: &str = "Tigr";

/// Figures of one algorithm on one graph, in milliseconds: of a run, for pagerank of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// A graph of the table.
    pub(crate) graph: &'static str,
    /// The algorithm.
    pub(crate) algorithm: &'static str,
    /// The best right one: its name and time.
    pub(crate) best: Option<(&'static str, f64)>,
    /// cuGraph's.
    pub(crate) cugraph: Option<f64>,
    /// What to know of them.
    pub(crate) remark: Option<&'static str>,
}

/// cuGraph's time for all sweeps of pagerank to a change of 1e-6, and for building its graph, degree order included, in
/// milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Total {
    /// A graph of the table.
    pub(super) graph: &'static str,
    /// All sweeps.
    pub(super) pagerank: f64,
    /// Sweeps.
    pub(super) sweeps: u64,
    /// The graph, from arrays on the device.
    pub(super) build: f64,
}

const fn figure(
    algorithm: &'static str,
    graph: &'static str,
    best: (&'static str, f64),
    cugraph: f64,
) -> Figure {
    Figure { graph, algorithm, best: Some(best), cugraph: Some(cugraph), remark: None }
}

/// cuGraph is the best.
const fn cugraph(algorithm: &'static str, graph: &'static str, ms: f64) -> Figure {
    figure(algorithm, graph, (CUGRAPH, ms), ms)
}

const K22: &str = "kron:22";
const K24: &str = "kron:24";
const U22: &str = "uniform:22";
const GRID: &str = "grid:4096x4096";

/// All figures.
pub(crate) const FIGURES: [Figure; 24] = [
    figure("bfs", K22, (GSWITCH, 0.577), 2.58),
    figure("bfs", K24, (GSWITCH, 1.29), 3.70),
    Figure { remark: Some("XBFS: kernels only"), ..figure("bfs", U22, (XBFS, 1.24), 3.52) },
    Figure { remark: Some("cuGraph: without direction"), ..figure("bfs", GRID, (LONESTAR, 58.8), 1030.0) },
    figure("sssp", K22, (GSWITCH, 6.70), 52.9),
    figure("sssp", K24, (EMOGI, 54.1), 72.4),
    figure("sssp", U22, (EMOGI, 14.4), 60.4),
    figure("sssp", GRID, (LONESTAR, 120.0), 4036.0),
    cugraph("pagerank", K22, 0.947),
    cugraph("pagerank", K24, 3.40),
    cugraph("pagerank", U22, 1.205),
    Figure { remark: Some("Tigr: no dangling mass"), ..figure("pagerank", GRID, (TIGR, 0.325), 0.425) },
    figure("wcc", K22, (GSWITCH, 2.17), 28.3),
    cugraph("wcc", K24, 44.8),
    figure("wcc", U22, (GSWITCH, 1.62), 38.5),
    figure("wcc", GRID, (GSWITCH, 3.25), 55.9),
    cugraph("bc", K22, 31.0),
    cugraph("bc", K24, 130.0),
    cugraph("bc", U22, 41.7),
    Figure {
        graph: GRID,
        algorithm: "bc",
        best: None,
        cugraph: None,
        remark: Some("no program is right; cuGraph overflows in 2766 ms"),
    },
    figure("triangles", K22, (LONESTAR, 606.0), 680.0),
    cugraph("kcore", K22, 296.0),
    cugraph("mst", K22, 112.0),
    cugraph("mst", GRID, 198.0),
];

/// cuGraph's totals.
const TOTALS: [Total; 4] = [
    Total { graph: K22, pagerank: 19.1, sweeps: 17, build: 125.0 },
    Total { graph: K24, pagerank: 67.3, sweeps: 17, build: 183.0 },
    Total { graph: U22, pagerank: 13.5, sweeps: 10, build: 119.0 },
    Total { graph: GRID, pagerank: 22.1, sweeps: 51, build: 88.0 },
];

/// The figures of an algorithm on a graph of the suite.
pub(super) fn find(graph: &str, algorithm: &str) -> Option<&'static Figure> {
    FIGURES.iter().find(|figure| figure.graph == graph && figure.algorithm == algorithm)
}

/// cuGraph's totals on a graph of the suite.
pub(super) fn total(graph: &str) -> Option<&'static Total> {
    TOTALS.iter().find(|total| total.graph == graph)
}

/// All of this, for a report.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Peers {
    measured: &'static str,
    versions: [(&'static str, &'static str); 6],
    regions: [(&'static str, &'static str); 6],
    figures: &'static [Figure],
    totals: &'static [Total],
}

/// All of this.
pub(super) const ALL: Peers =
    Peers { measured: MEASURED, versions: VERSIONS, regions: REGIONS, figures: &FIGURES, totals: &TOTALS };

/// Returns what the other programs are, and what their times are of, as Markdown.
pub(super) fn words() -> String {
    let mut text = format!("Measured on {MEASURED}.\n\n");
    for ((name, version), (_, region)) in VERSIONS.iter().zip(REGIONS) {
        text += &format!("- {name} {version}: {region}\n");
    }
    for figure in FIGURES {
        if let Some(remark) = figure.remark {
            text += &format!("- {} on {}: {remark}\n", figure.algorithm, figure.graph);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluations::gpu::suite;

    #[test]
    fn there_is_one_figure_for_every_cell_of_the_suite_and_no_other() {
        let cells: Vec<(String, &str)> = suite::ROWS
            .iter()
            .flat_map(|row| row.algorithms.iter().map(|algorithm| (row.name(0), *algorithm)))
            .collect();
        for (graph, algorithm) in &cells {
            assert!(find(graph, algorithm).is_some(), "{algorithm} on {graph}");
        }
        assert_eq!(cells.len(), FIGURES.len());
        assert!(suite::ROWS.iter().all(|row| total(&row.name(0)).is_some()));
    }

    #[test]
    fn no_program_is_better_than_the_best_and_every_program_has_a_version() {
        assert_eq!(VERSIONS.map(|(name, _)| name), REGIONS.map(|(name, _)| name));
        for figure in FIGURES {
            let (Some((name, best)), Some(cugraph)) = (figure.best, figure.cugraph) else { continue };
            assert!(best <= cugraph, "{figure:?}");
            assert!(VERSIONS.iter().any(|(known, _)| *known == name), "{name}");
            assert!(REGIONS.iter().any(|(known, _)| *known == name), "{name}");
        }
        assert_eq!(find("bfs", "kron:22"), None);
        assert_eq!(find("kron:22", "bfs").unwrap().best, Some(("GSWITCH", 0.577)));
    }
}
