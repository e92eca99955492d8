//! The JSON form of the table, schema 1, and what follows from its cells.

use super::{
    Question, Verify,
    limit_model::Limit,
    peers::{self, Peers},
    sources::Giant,
};
use crate::{
    GpuLimits, GraphReport, balance::OnDevice, machine::Machine, result::Failure, statistics,
    statistics::Spread,
};
use serde::Serialize;
use serde_json::Value;
use warpgraph::{Order, VertexId};

/// The command that writes it.
pub const COMMAND: &str = "bench gpu";

/// Everything that was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// [`crate::result::SCHEMA`].
    pub schema: u32,
    /// The version of warpgraph.
    pub version: String,
    /// [`COMMAND`].
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// The device on it.
    pub device: OnDevice,
    /// How it was measured.
    pub measuring: Measuring,
    /// What the device can do at best.
    pub limits: GpuLimits,
    /// What other programs take.
    pub peers: Peers,
    /// The graphs, in the order they were asked for.
    pub graphs: Vec<GraphCase>,
    /// A graph and an algorithm each; pagerank in two orders.
    pub cells: Vec<Cell>,
    /// Against other programs.
    pub summary: Summary,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// How it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Measuring {
    /// Timed runs a cell.
    pub runs: u64,
    /// Untimed runs before them.
    pub warmup: u64,
    /// What sources are drawn from.
    pub seed: u64,
    /// Which answers were checked.
    pub verify: Verify,
    /// Seconds after which no further run of a cell was started.
    pub case_limit: u64,
    /// By how many bits graphs are smaller than those of the table.
    pub scale_down: u32,
    /// Bytes of the device that could be used, if that was limited.
    pub gpu_memory: Option<u64>,
}

/// A graph, or why it is none.
#[derive(Debug, Clone, Serialize)]
pub struct GraphCase {
    /// What it is called.
    pub name: String,
    /// A generator's text, or a file.
    pub source: String,
    /// What it is.
    pub graph: Option<GraphReport>,
    /// Seconds of generating or reading it.
    pub load: Option<f64>,
    /// Seconds of bringing it into the order `degree`, if that was done.
    pub reorder: Option<f64>,
    /// Its largest component, if sources were drawn.
    pub giant: Option<Giant>,
    /// Are figures of other programs beside it?
    pub has_peers: bool,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

/// One algorithm on one graph.
#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    /// The graph's name.
    pub graph: String,
    /// The algorithm.
    pub algorithm: Question,
    /// The order of the vertices.
    pub order: Order,
    /// The configuration of the first timed run.
    pub config: Value,
    /// The plan that ran.
    pub plan: Option<String>,
    /// Every timed run.
    pub runs: Vec<TimedRun>,
    /// What `seconds` are of: `run`, or `sweep` for pagerank.
    pub per: &'static str,
    /// Where the times lie that are compared.
    pub seconds: Option<Spread>,
    /// Where the times of whole calls lie.
    pub total: Option<Spread>,
    /// The median of what the calls of the timed runs took before their clocks started, which is part of these times.
    pub before: Option<f64>,
    /// Runs so far from the others that something else must have happened.
    pub outliers: usize,
    /// Seconds of copying the graph to the device, over all runs.
    pub transfer: f64,
    /// Seconds of compiling kernels, over all runs.
    pub compile: f64,
    /// Bytes of answer and state on the device.
    pub state: u64,
    /// The least time by the limits, of what `per` says.
    pub limit: Option<Limit>,
    /// That over the median.
    pub share: Option<f64>,
    /// Beside other programs.
    pub peers: Option<Compared>,
    /// Is it part of the summary? Of pagerank's orders the faster one is.
    pub counts: bool,
    /// `passed` or `failed`.
    pub verify: Option<String>,
    /// Why there are no figures, or which property does not hold.
    pub error: Option<Failure>,
}

/// A timed run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TimedRun {
    /// Its time, as it reports it.
    pub seconds: f64,
    /// Seconds of the call before that clock starts: finding kernels, setting a balance up.
    pub before: f64,
    /// Of its time, kernels that expand frontiers.
    pub kernels: f64,
    /// Supersteps or sweeps.
    pub rounds: u64,
    /// Arcs of the vertices reached.
    pub arcs: u64,
    /// Where it started.
    pub source: Option<VertexId>,
    /// Seconds of verification, if its answer was verified.
    pub verify: Option<f64>,
}

impl TimedRun {
    /// Seconds of the whole call with the graph on the device, but for bringing the answer back.
    pub fn call(&self) -> f64 {
        self.before + self.seconds
    }
}

/// A cell beside other programs: milliseconds, and how many times ours they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Compared {
    /// The best program that is right.
    pub best: Option<&'static str>,
    /// Its time.
    pub best_ms: Option<f64>,
    /// That over ours.
    pub best_ratio: Option<f64>,
    /// cuGraph's time.
    pub cugraph_ms: Option<f64>,
    /// That over ours.
    pub cugraph_ratio: Option<f64>,
    /// What to know of them.
    pub remark: Option<&'static str>,
}

/// All cells against other programs.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Summary {
    /// Against cuGraph.
    pub cugraph: Against,
    /// Against the best program of each cell.
    pub best: Against,
}

/// All cells with a figure of another program.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Against {
    /// How many there are.
    pub cells: usize,
    /// In how many ours is faster.
    pub faster: usize,
    /// The geometric mean of their times over ours.
    pub geometric_mean: Option<f64>,
}

impl Against {
    /// Of their times over ours.
    pub fn of(ratios: &[f64]) -> Self {
        let faster = ratios.iter().filter(|ratio| **ratio > 1.0).count();
        Self { cells: ratios.len(), faster, geometric_mean: statistics::geometric_mean(ratios) }
    }
}

impl Compared {
    fn new(figure: &peers::Figure, seconds: f64) -> Self {
        let ratio = |ms: f64| ms / (seconds * 1e3);
        Self {
            best: figure.best.map(|(name, _)| name),
            best_ms: figure.best.map(|(_, ms)| ms),
            best_ratio: figure.best.map(|(_, ms)| ratio(ms)),
            cugraph_ms: figure.cugraph,
            cugraph_ratio: figure.cugraph.map(ratio),
            remark: figure.remark,
        }
    }
}

/// With all that follows from its cells: which count, ratios, the summary, warnings.
pub fn concluded(mut report: Report) -> Report {
    for i in 0..report.cells.len() {
        let cell = &report.cells[i];
        let is_beaten = |other: &Cell| {
            let same = (&other.graph, other.algorithm) == (&cell.graph, cell.algorithm);
            same && other.order != cell.order && other.median() < cell.median()
        };
        let counts = cell.seconds.is_some() && !report.cells.iter().any(is_beaten);
        let has_peers = report.graphs.iter().any(|graph| graph.name == cell.graph && graph.has_peers);
        let figure = peers::find(&cell.graph, cell.algorithm.name()).filter(|_| has_peers);
        let compared = figure.zip(cell.seconds).map(|(figure, time)| Compared::new(figure, time.median));
        let cell = &mut report.cells[i];
        (cell.counts, cell.peers) = (counts, compared);
    }
    let ratios = |of: fn(&Compared) -> Option<f64>| -> Vec<f64> {
        let counting = report.cells.iter().filter(|cell| cell.counts);
        counting.filter_map(|cell| cell.peers.as_ref().and_then(of)).collect()
    };
    report.summary = Summary {
        cugraph: Against::of(&ratios(|compared| compared.cugraph_ratio)),
        best: Against::of(&ratios(|compared| compared.best_ratio)),
    };
    report.warnings.extend(report.cells.iter().filter_map(outlier));
    report
}

impl Cell {
    /// The median of what is compared; infinite where nothing was measured.
    pub fn median(&self) -> f64 {
        self.seconds.map_or(f64::INFINITY, |spread| spread.median)
    }
}

/// What is said of a cell with runs far from the others.
fn outlier(cell: &Cell) -> Option<String> {
    (cell.outliers > 0).then(|| {
        let (runs, outliers) = (cell.runs.len(), cell.outliers);
        let cell = format!("{} on {}", cell.algorithm, cell.graph);
        format!(
            "{cell}: {outliers} of {runs} runs are far from the others; quiet the machine, or raise --warmup"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::testing::{cell, report};

    #[test]
    fn the_mean_is_geometric_and_counts_what_is_faster() {
        let against = Against::of(&[4.0, 0.25, 2.0, 2.0]);
        assert_eq!((against.cells, against.faster), (4, 3));
        assert!((against.geometric_mean.unwrap() - 2.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(Against::of(&[]), Against::default());
    }

    #[test]
    fn the_faster_order_counts_and_peers_are_beside_full_graphs_only() {
        let (natural, degree) = (Order::Natural, Order::Degree);
        let report = report(vec![
            cell("kron:22", Question::Bfs, natural, 1e-3),
            cell("kron:22", Question::PageRank, natural, 2e-3),
            cell("kron:22", Question::PageRank, degree, 0.5e-3),
            cell("kron:8", Question::Bfs, natural, 1e-3),
            cell("grid:4096x4096", Question::Bc, natural, 1.0),
        ]);
        let counts: Vec<bool> = report.cells.iter().map(|cell| cell.counts).collect();
        assert_eq!(counts, [true, false, true, true, true]);
        let bfs = report.cells[0].peers.unwrap();
        assert!((bfs.best_ratio.unwrap() - 0.577).abs() < 1e-12 && bfs.best == Some("GSWITCH"));
        assert_eq!((report.cells[3].peers, report.cells[4].peers.unwrap().cugraph_ratio), (None, None));
        let Summary { cugraph, best } = report.summary;
        assert_eq!((cugraph.cells, cugraph.faster, best.cells, best.faster), (2, 2, 2, 1));
        let mean = (2.58_f64 * 0.947 / 0.5).sqrt();
        assert!((cugraph.geometric_mean.unwrap() - mean).abs() < 1e-9);
    }
}
