//! What other programs take: the best one that answers right, and cuGraph, on graphs of the same sizes.
//!
//! Measured on one NVIDIA H200 on 2026-11-15, medians of 1 to 8 runs, answers checked against references on the processor.
//! Expect 15 % between machines.

use serde::Serialize;
use serde_json::{Value, json};

/// When and on what they were measured.
const MEASURED: &str = "one NVIDIA H200, driver 580, CUDA 13.0, 2026-11-15";

/// Programs, their versions (commits where there are no releases), and what their times are of. Ours is the whole call with
/// the graph on the device, allocation and initialisation included.
const PROGRAMS: [(&str, &str, &str); 6] = [
    (CUGRAPH, "26.10", "the whole call and a wait, results allocated"),
    (
        GSWITCH,
        "b18d2a4",
        "the loop, without initialisation; isolated vertices dropped and lists sorted when loading",
    ),
    (EMOGI, "382dbcc", "the loop, without initialisation; its kernels with the graph in GPU memory"),
    (XBFS, "02000da", "the sum of its kernels' times only"),
    (LONESTAR, "b67f942", "the whole call, worklists allocated"),
    (TIGR, "a9b7c08", "the loop, without initialisation; pagerank without the mass of vertices without arcs"),
];

/// The program that has figures for most cells.
pub(crate) const CUGRAPH: &str = "cuGraph";
const GSWITCH: &str = "GSWITCH";
const EMOGI: &str = "EMOGI";
const XBFS: &str = "XBFS";
const LONESTAR: &str = "LonestarGPU";
const TIGR: &str = "Tigr";

/// Figures of one algorithm on one graph of the table, in milliseconds: of a run, for pagerank of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Figure {
    pub(crate) graph: &'static str,
    pub(crate) algorithm: &'static str,
    /// The best right program, and its time.
    pub(crate) best: Option<(&'static str, f64)>,
    pub(crate) cugraph: Option<f64>,
    /// What to know of them.
    remark: Option<&'static str>,
}

/// cuGraph's milliseconds for all sweeps of pagerank to a change of 1e-6 on a graph of the table, and for building that from
/// arrays on the device, degree order included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Total {
    graph: &'static str,
    pub(super) pagerank: f64,
    sweeps: u64,
    pub(super) build: f64,
}

type Name = &'static str;

const fn figure(algorithm: Name, graph: Name, best: (Name, f64), cugraph: f64) -> Figure {
    Figure { graph, algorithm, best: Some(best), cugraph: Some(cugraph), remark: None }
}

/// cuGraph is the best.
const fn cugraph(algorithm: Name, graph: Name, ms: f64) -> Figure {
    figure(algorithm, graph, (CUGRAPH, ms), ms)
}

const K22: &str = "kron:22";
const K24: &str = "kron:24";
const U22: &str = "uniform:22";
const GRID: &str = "grid:4096x4096";

const NONE_IS_RIGHT: &str = "no program is right; cuGraph overflows in 2766 ms";

/// All figures: one per cell of the table, by algorithm.
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
    Figure { best: None, cugraph: None, remark: Some(NONE_IS_RIGHT), ..cugraph("bc", GRID, 0.0) },
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

/// Returns the figures of an algorithm on a graph of the table.
pub(super) fn find(graph: &str, algorithm: &str) -> Option<&'static Figure> {
    FIGURES.iter().find(|figure| figure.graph == graph && figure.algorithm == algorithm)
}

/// Returns cuGraph's totals on a graph of the table.
pub(super) fn total(graph: &str) -> Option<&'static Total> {
    TOTALS.iter().find(|total| total.graph == graph)
}

/// Returns all of this, for a report.
pub(super) fn all() -> Value {
    json!({
        "measured": MEASURED,
        "versions": PROGRAMS.map(|(name, version, _)| (name, version)),
        "regions": PROGRAMS.map(|(name, _, region)| (name, region)),
        "figures": FIGURES,
        "totals": TOTALS,
    })
}

/// Returns what the other programs are, and what their times are of, as Markdown.
pub(super) fn words() -> String {
    let programs = PROGRAMS.map(|(name, version, region)| format!("- {name} {version}: {region}\n"));
    let remark =
        |of: &Figure| of.remark.map(|remark| format!("- {} on {}: {remark}\n", of.algorithm, of.graph));
    let remarks: String = FIGURES.iter().filter_map(remark).collect();
    format!("Measured on {MEASURED}.\n\n{}{remarks}", programs.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluations::gpu::suite;

    #[test]
    fn every_graph_of_the_table_has_its_cells_and_totals() {
        let algorithms = suite::ROWS.map(|row| suite::algorithms(&row.name(0), 0).len());
        assert_eq!((algorithms, FIGURES.len()), ([8, 5, 5, 6], 24));
        assert!(suite::ROWS.iter().all(|row| total(&row.name(0)).is_some()));
    }

    #[test]
    fn there_is_one_figure_per_cell_and_no_program_is_better_than_the_best() {
        for figure in &FIGURES {
            assert!(suite::ALGORITHMS.contains(&figure.algorithm), "{figure:?}");
            assert_eq!(find(figure.graph, figure.algorithm), Some(figure));
            let (Some((name, best)), Some(cugraph)) = (figure.best, figure.cugraph) else { continue };
            assert!(best <= cugraph, "{figure:?}");
            assert!(PROGRAMS.iter().any(|(known, ..)| *known == name), "{name} has a version");
        }
        assert_eq!(find("bfs", "kron:22"), None);
        assert_eq!(find("kron:22", "bfs").unwrap().best, Some(("GSWITCH", 0.577)));
    }
}
