//! The JSON form of a measurement, schema 1: written by `bench`, read back to compare.

use crate::{
    GpuLimits, Limits,
    case::Subject,
    compare::Comparison,
    gpu_model::Limit,
    machine::Machine,
    read_back::read_back,
    statistics::{self, Spread},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use warpgraph::{
    Approximation, Error, Exactness, Graph, Halted, Order, Plan,
    cost::Traffic,
    graph::WeightType,
    measure::{Figures, Measured},
};

/// The version of the form.
pub const SCHEMA: u32 = 1;

/// All cases of a run, and the machine they ran on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of warpgraph.
    pub version: String,
    /// `bench`.
    pub command: String,
    pub machine: Machine,
    /// What its processor can do at best; null where all cases were to run on a GPU.
    pub limits: Option<Limits>,
    /// What the GPU can do at best, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu_limits: Option<GpuLimits>,
    pub cases: Vec<CaseReport>,
    /// Against an earlier measurement, if that was asked for.
    #[serde(skip_deserializing)]
    pub compare: Option<Comparison>,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// The graph that was worked on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct GraphReport {
    pub name: String,
    pub hash: String,
    pub vertices: u64,
    pub edges: u64,
    pub arcs: u64,
    pub directed: bool,
    pub weighted: bool,
    pub weight_type: Option<WeightType>,
    pub self_loops: u64,
    pub merged: u64,
    pub isolated: u64,
}

impl GraphReport {
    /// Counts and hashes the graph, on the threads of the current pool.
    pub fn new(graph: &Graph) -> Self {
        let weight_type = graph.weight_type();
        Self {
            name: graph.origin().name.clone(),
            hash: format!("{:016x}", graph.hash()),
            vertices: graph.vertices() as u64,
            edges: graph.edges(),
            arcs: graph.arcs() as u64,
            directed: graph.is_directed(),
            weighted: weight_type.is_some(),
            weight_type,
            self_loops: graph.counts().self_loops,
            merged: graph.origin().merged,
            isolated: graph.counts().isolated,
        }
    }
}

/// One case: what was asked, and what came of it or why not.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct CaseReport {
    pub algorithm: String,
    pub config: Value,
    /// The graph as it was asked for.
    pub name: String,
    /// The graph, if it could be loaded.
    pub graph: Option<GraphReport>,
    /// The device it ran on, or was to run on.
    pub device: String,
    pub plan_asked: Plan,
    pub order: Order,
    /// How the graph was changed before the runs.
    #[serde(default)]
    pub approx: Approximation,
    /// What that changed; null if nothing was to be changed.
    #[serde(default)]
    pub exactness: Option<Exactness>,
    pub threads: usize,
    /// What came of it; null where there is an error.
    #[serde(flatten)]
    pub timing: Timing,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

/// The figures of a case that ran.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Timing {
    /// The plan that ran.
    pub plan: Option<Plan>,
    pub seconds: Option<Seconds>,
    /// Runs so far from the others that something else must have happened.
    pub outliers: usize,
    /// Arcs of the reached vertices / median / 10^6.
    pub mteps: Option<f64>,
    /// Supersteps of the last run.
    pub rounds: Option<u64>,
    /// What ended it.
    pub halt: Option<Halted>,
    /// Bytes of answer and state.
    pub state: Option<u64>,
    /// The most bytes of a GPU's memory held at a time; null on the processor.
    pub device_peak: Option<u64>,
    /// What must be moved at least, and how near the run came; null without a model, and on a GPU.
    pub traffic: Option<Share>,
    /// The least time on the GPU that it ran on; not there without a model, and on the processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// That over the measured median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// `passed`, `failed` or null.
    pub verify: Option<String>,
}

/// Where the time went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::measure::Figures has them")]
pub struct Seconds {
    /// Reading or generating, building, checking; once a graph.
    pub load: f64,
    /// Renumbering; null where the graph was in its order already.
    pub reorder: Option<f64>,
    pub prepare: f64,
    pub transfer: Option<f64>,
    pub compile: Option<f64>,
    pub runs: Vec<f64>,
    /// Where they lie.
    #[serde(flatten)]
    pub spread: Spread,
    pub fetch: Option<f64>,
    pub verify: Option<f64>,
}

/// The least traffic of a run, and the share of the machine's limit it reached.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The model's figures.
    #[serde(flatten)]
    pub least: Traffic,
    /// All bytes of the model.
    pub bytes: u64,
    /// Seconds they take at the machine's limits.
    pub seconds_at_limit: f64,
    /// That over the measured median.
    pub share: f64,
}

/// An error as a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// A stable word.
    pub kind: String,
    /// What went wrong.
    pub message: String,
    /// What to do next.
    pub help: Option<String>,
}

impl Failure {
    /// Returns a failure without help.
    pub(crate) fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), message: message.into(), help: None }
    }

    /// Returns the error that a child printed as JSON, or else the last line of its standard error.
    pub(crate) fn of_child(report: &serde_json::Value, said: &str) -> Self {
        let error = &report["error"];
        let text = |name: &str| error[name].as_str().map(str::to_owned);
        let last = || said.lines().last().unwrap_or("it printed no report").to_owned();
        let message = text("message").unwrap_or_else(last);
        Self { kind: text("kind").unwrap_or_else(|| "run".to_owned()), message, help: text("help") }
    }

    /// Returns an error; that of what took too long says so, and names the flag of the limit it met.
    pub(crate) fn in_time(error: &Error, late: String, flag: &str) -> Self {
        let failure = Self::from(error);
        match failure.kind.as_str() {
            "deadline" => {
                let help = Some(format!("allow more with {flag}, or choose a smaller graph"));
                Self { message: late, help, ..failure }
            }
            _ => failure,
        }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        Self { kind: error.kind().to_owned(), message: error.to_string(), help: error.help() }
    }
}

impl Timing {
    /// Of a case that ran, without its share of the limits.
    pub fn new(measured: &Measured, subject: &Subject) -> Self {
        let (run, figures) = (measured.answer.run(), &measured.figures);
        Self {
            plan: Some(run.plan),
            seconds: Seconds::new(figures, subject),
            outliers: statistics::outliers(&figures.runs),
            mteps: Some(figures.mteps()).filter(|rate| rate.is_finite()),
            rounds: Some(run.rounds),
            halt: Some(run.halt),
            state: Some(run.state_bytes),
            device_peak: run.device.is_gpu().then_some(run.device_bytes),
            verify: figures.verdict().map(str::to_owned),
            ..Self::default()
        }
    }
}

impl Seconds {
    fn new(figures: &Figures, subject: &Subject) -> Option<Self> {
        Some(Self {
            load: subject.load,
            reorder: subject.loaded.reorder_seconds(),
            prepare: figures.prepare,
            transfer: figures.transfer,
            compile: figures.compile,
            runs: figures.runs.clone(),
            spread: Spread::of(&figures.runs)?,
            fetch: figures.fetch,
            verify: figures.verify,
        })
    }
}

/// Reads a report that `bench --out` wrote.
///
/// # Errors
/// When the file cannot be read, or is no such report.
pub fn read(path: &Path) -> warpgraph::Result<Report> {
    read_back(path, "bench", SCHEMA, "make it with `warpgraph bench --out`")
}
