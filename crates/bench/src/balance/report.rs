//! The JSON form of the measurement, schema 1. What follows from the cells is written beside them, and made anew when it is
//! read back.

use super::{
    degrees::Degrees,
    kind::Kind,
    ranks::{self, Chunking, Rank},
    statements::{self, Verdict},
    strategy,
};
use crate::{
    GpuLimits,
    gpu::limit_model::Limit,
    machine::Machine,
    read_back::read_back,
    result::{Failure, GraphReport},
    statistics::Spread,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// The command that writes it.
pub const COMMAND: &str = "bench balance";

/// Everything that was measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`](crate::result::SCHEMA).
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
    /// What the device can do at best; reports from before this was measured have none.
    #[serde(default)]
    pub limits: Option<GpuLimits>,
    /// The graphs, in the order they were asked for.
    pub graphs: Vec<GraphCase>,
    /// A graph, an algorithm and a plan each.
    pub cells: Vec<Cell>,
    /// Strategies by time and memory, the best one first in time.
    #[serde(skip_deserializing)]
    pub ranks: Vec<Rank>,
    /// What work chunking gains.
    #[serde(skip_deserializing)]
    pub chunking: Vec<Chunking>,
    /// The paper's statements.
    #[serde(skip_deserializing)]
    pub statements: Vec<Verdict>,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::Properties has them")]
pub struct OnDevice {
    pub label: String,
    pub name: String,
    pub capability: (u32, u32),
    pub multiprocessors: u32,
    pub memory: u64,
    pub driver: String,
    pub compiler: String,
}

impl From<&warpgraph::Properties> for OnDevice {
    fn from(of: &warpgraph::Properties) -> Self {
        Self {
            label: of.label.clone(),
            name: of.name.clone(),
            capability: of.capability,
            multiprocessors: of.multiprocessors,
            memory: of.memory,
            driver: of.driver.clone(),
            compiler: of.compiler.clone(),
        }
    }
}

/// How it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measuring {
    /// Timed runs a cell.
    pub runs: u64,
    /// Untimed runs before them, beside the one that is verified.
    pub warmup: u64,
    /// Seconds after which no further run of a cell was started.
    pub case_limit: u64,
    /// Bytes of the device that could be used, if that was limited.
    pub gpu_memory: Option<u64>,
}

/// A graph, or why it is none.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GraphCase {
    /// As it was asked for.
    pub name: String,
    /// What it is.
    pub graph: Option<GraphReport>,
    /// Seconds of loading.
    pub load: Option<f64>,
    /// Its kind, for the paper's statements.
    pub kind: Option<Kind>,
    /// Its degrees.
    pub degrees: Option<Degrees>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

impl GraphCase {
    /// The name to print: a file's without its folders.
    pub fn short(&self) -> &str {
        short(&self.name)
    }
}

/// A name without folders.
fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// One strategy of one algorithm on one graph.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Cell {
    /// The graph, as it was asked for.
    pub graph: String,
    /// The graph's hash.
    pub hash: String,
    /// The algorithm.
    pub algorithm: String,
    /// Its configuration.
    pub config: Value,
    /// The device it was to run on.
    pub device: String,
    /// The plan asked for; as plans are printed, if it is one.
    pub plan_asked: String,
    /// The plan that ran.
    pub plan: Option<String>,
    /// Where the time went.
    pub seconds: Option<Seconds>,
    /// Runs so far from the others that something else must have happened.
    pub outliers: usize,
    /// Arcs of the reached vertices / median / 10^6.
    pub mteps: Option<f64>,
    /// The least time of a run by the device's limits.
    #[serde(default)]
    pub limit: Option<Limit>,
    /// That over the median.
    #[serde(default)]
    pub share: Option<f64>,
    /// Supersteps.
    pub rounds: Option<u64>,
    /// What it takes on the device.
    pub memory: Option<Memory>,
    /// `passed` or `failed`.
    pub verify: Option<String>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

/// Where the time of a cell went. Preparation, transfer and compiling are of the first run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// What is made once and kept for later runs.
    pub prepare: f64,
    /// Copying the graph to the device.
    pub transfer: f64,
    /// Compiling kernels, or reading them from the cache.
    pub compile: f64,
    /// Each timed run.
    pub runs: Vec<f64>,
    /// Of each, the seconds of kernels that expand frontiers.
    pub kernels: Vec<f64>,
    /// Where the runs lie.
    #[serde(flatten)]
    pub spread: Spread,
    /// The median of `kernels`.
    pub kernel: f64,
    /// The rest of the median run.
    pub overhead: f64,
    /// Verification.
    pub verify: f64,
}

/// Bytes on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Offsets, targets, and weights where they are read.
    pub graph: u64,
    /// What every strategy keeps: values, frontiers.
    pub state: u64,
    /// What this one keeps beside.
    pub extra: u64,
}

impl Memory {
    /// All of it.
    pub fn total(&self) -> u64 {
        self.graph + self.state + self.extra
    }
}

/// What belongs to the time of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// A run, with everything prepared.
    Run,
    /// A run and the preparation: the paper's.
    Prepared,
}

impl Cell {
    /// Its plan without what all plans have in common.
    pub fn label(&self) -> &str {
        strategy::label(&self.plan_asked)
    }

    /// The median time.
    pub fn time(&self, clock: Clock) -> Option<f64> {
        let seconds = self.seconds.as_ref()?;
        Some(match clock {
            Clock::Run => seconds.spread.median,
            Clock::Prepared => seconds.spread.median + seconds.prepare,
        })
    }

    /// The part of a run that is overhead.
    pub fn overhead_share(&self) -> Option<f64> {
        let seconds = self.seconds.as_ref()?;
        Some(seconds.overhead / (seconds.overhead + seconds.kernel)).filter(|share| share.is_finite())
    }
}

impl Report {
    /// With all that follows from its cells: kinds of graphs, ranks, statements, warnings.
    pub fn concluded(mut self) -> Self {
        for i in 0..self.graphs.len() {
            let rounds = self.cells_on(&self.graphs[i].name, "bfs").find_map(|cell| cell.rounds);
            let graph = &mut self.graphs[i];
            graph.kind = graph.degrees.as_ref().map(|degrees| Kind::of(degrees, rounds));
        }
        self.ranks = ranks::ranks(&self);
        self.chunking = ranks::chunking(&self);
        self.statements = statements::judge(&self);
        self.warnings = self.cells.iter().filter_map(outlier).collect();
        self
    }

    /// The cells of a graph and an algorithm.
    pub fn cells_on<'a>(&'a self, graph: &'a str, algorithm: &'a str) -> impl Iterator<Item = &'a Cell> {
        self.cells.iter().filter(move |cell| cell.graph == graph && cell.algorithm == algorithm)
    }

    /// The cell of a strategy, by its label.
    pub fn cell(&self, graph: &str, algorithm: &str, label: &str) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| cell.graph == graph && cell.algorithm == algorithm && cell.label() == label)
    }

    /// The labels of all strategies, in the order they were asked for.
    pub fn labels(&self) -> Vec<&str> {
        let mut labels: Vec<&str> = Vec::new();
        for cell in &self.cells {
            if !labels.contains(&cell.label()) {
                labels.push(cell.label());
            }
        }
        labels
    }
}

/// What is said of a cell with runs far from the others.
fn outlier(cell: &Cell) -> Option<String> {
    let seconds = cell.seconds.as_ref().filter(|_| cell.outliers > 0)?;
    Some(format!(
        "{} on {} by {}: {} of {} runs are far from the others; quiet the machine, or raise --warmup",
        cell.algorithm,
        short(&cell.graph),
        cell.label(),
        cell.outliers,
        seconds.runs.len()
    ))
}

/// Reads a report back, to make its tables and plots anew.
///
/// # Errors
/// When the file cannot be read, or is no such report.
pub fn read(path: &Path) -> warpgraph::Result<Report> {
    let help = "make it with `warpgraph bench balance --out DIR`, which writes DIR/balance.json";
    let report: Report = read_back(path, COMMAND, help)?;
    Ok(report.concluded())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::{markdown, testing::as_in_the_paper};

    #[test]
    fn a_report_reads_back_as_it_was_written() {
        let report = as_in_the_paper();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("balance.json");
        std::fs::write(&path, serde_json::to_string_pretty(&report).unwrap()).unwrap();
        let again = read(&path).unwrap();
        assert_eq!(again.cells.len(), report.cells.len());
        // As far as anybody looks: the last bits of a float may be lost on the way.
        assert_eq!(markdown(&again), markdown(&report));
    }

    #[test]
    fn what_is_no_report_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        for (text, problem) in [
            ("x", "not JSON: "),
            ("{\"command\":\"bench\"}", "not a report of `warpgraph bench balance`"),
            ("{\"command\":\"bench balance\",\"schema\":7}", "schema 7, this build reads 1"),
            ("{\"command\":\"bench balance\",\"schema\":1}", "not a report: missing field"),
        ] {
            std::fs::write(&path, text).unwrap();
            let message = read(&path).unwrap_err().to_string();
            assert!(message.contains(&format!("x.json: {problem}")), "{message}");
        }
    }

    #[test]
    fn the_paper_s_clock_has_the_preparation() {
        let report = as_in_the_paper();
        let cell = report.cell("rmat", "sssp", "split").unwrap();
        let prepare = cell.seconds.as_ref().unwrap().prepare;
        assert!(prepare > 0.0);
        assert_eq!(cell.time(Clock::Prepared).unwrap(), cell.time(Clock::Run).unwrap() + prepare);
    }

    #[test]
    fn a_name_is_printed_without_its_folders() {
        assert_eq!(
            [short("/data/road.gr"), short("kron:20"), short("a\\b.gr")],
            ["road.gr", "kron:20", "b.gr"]
        );
    }
}
