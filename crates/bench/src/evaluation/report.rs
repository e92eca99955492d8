//! The JSON form of every evaluation. Tables, figures and statements are made from it.

use super::{Evaluation, Held, Measuring, Per, statements::Verdict};
use crate::{
    GpuLimits,
    gpu_model::Limit,
    machine::Machine,
    result::{Failure, GraphReport},
    statistics::Spread,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, path::Path};
use warpgraph::{Round, TileUse, VertexId};

/// The version of the form.
pub const SCHEMA: u32 = 2;
/// The kind of failure that a wrong answer is.
pub(super) const WRONG: &str = "verification";

/// Everything that was measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The version of warpgraph.
    pub version: String,
    /// `bench` and the name of the evaluation.
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// The GPU on it; null if cells run on the processor.
    pub device: Option<OnDevice>,
    /// Threads of the engine.
    pub threads: usize,
    /// Bytes of the GPU that could be used, if that was limited.
    pub gpu_memory: Option<u64>,
    /// How often and how long cells were measured.
    pub measuring: Measuring,
    /// The flags of the evaluation.
    pub options: Value,
    /// What the GPU can do at best, if that was measured.
    pub limits: Option<GpuLimits>,
    /// The graphs, in the order they were asked for.
    pub graphs: Vec<GraphCase>,
    /// Orders that graphs were brought into.
    pub orders: Vec<Making>,
    /// The cells, in the order they were measured.
    pub cells: Vec<Cell>,
    /// What the evaluation adds of its own.
    pub figures: Map<String, Value>,
    /// The statements it tests; made anew when the report is read back.
    #[serde(skip_deserializing)]
    pub statements: Vec<Verdict>,
    /// Why the limits of the GPU could not be measured.
    pub trouble: Option<String>,
    /// What the user should know, a sentence each; made anew when the report is read back.
    #[serde(skip_deserializing)]
    pub warnings: Vec<String>,
}

/// A GPU.
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

/// A graph, or why it could not be measured.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct GraphCase {
    /// Its name.
    pub name: String,
    /// A generator's text, or a file.
    pub source: String,
    /// What it is.
    pub graph: Option<GraphReport>,
    /// Seconds of loading.
    pub load: Option<f64>,
    /// What the evaluation saw in it.
    pub figures: Map<String, Value>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

/// What bringing a graph into an order took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Making {
    /// The graph.
    pub graph: String,
    /// The order: `rcm`, `sampled`.
    pub order: String,
    /// Seconds until the order was there; of `sampled`, device time of sampling, over all rounds.
    pub seconds: Option<f64>,
    /// Seconds of writing the graph in that order, over all rounds.
    pub renumber: Option<f64>,
    /// The most bytes held beside the graph until the order was there.
    pub memory: Option<u64>,
    /// Rounds of `sampled`.
    pub rounds: Vec<RoundSeen>,
    /// What the evaluation saw in the graph in this order.
    pub figures: Map<String, Value>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

/// A round of `sampled`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::Round has them")]
pub struct RoundSeen {
    pub round: u32,
    pub samples: u32,
    pub moved: u64,
    pub sectors_before: f64,
    pub sectors_after: Option<f64>,
    pub sampling_seconds: f64,
    pub renumbering_seconds: f64,
    pub speed_before: Option<f64>,
    pub speed_after: Option<f64>,
}

impl From<&Round> for RoundSeen {
    fn from(of: &Round) -> Self {
        Self {
            round: of.round,
            samples: of.samples,
            moved: of.moved,
            sectors_before: of.sectors_before,
            sectors_after: of.sectors_after,
            sampling_seconds: of.sampling_seconds,
            renumbering_seconds: of.renumbering_seconds,
            speed_before: of.speed_before,
            speed_after: of.speed_after,
        }
    }
}

/// One algorithm on one graph in one order by one plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Cell {
    /// The graph.
    pub graph: String,
    /// The graph's hash.
    pub hash: String,
    /// The parts it is in, and its place in each.
    pub parts: BTreeMap<String, usize>,
    /// The algorithm.
    pub algorithm: String,
    /// Its configuration, in the first run.
    pub config: Value,
    /// The order the graph was in.
    pub order: Held,
    /// Rounds of `sampled` that were made before the first timed run and after the last.
    pub rounds_made: Option<(u32, u32)>,
    /// The device it ran on, or was to run on.
    pub device: String,
    /// The plan asked for.
    pub plan_asked: String,
    /// The plan that ran.
    pub plan: Option<String>,
    /// The first run, which prepares everything.
    pub first: Option<FirstRun>,
    /// Every timed run.
    pub runs: Vec<TimedRun>,
    /// What `seconds` are of.
    pub per: Per,
    /// Where the times lie.
    pub seconds: Option<Spread>,
    /// The median seconds of kernels that expand frontiers, of a run.
    pub kernel: Option<f64>,
    /// Runs so far from the others that something else must have happened.
    pub outliers: usize,
    /// Arcs of a run or a sweep, at the median.
    pub arcs: Option<f64>,
    /// Billions of arcs per second, at the median.
    pub speed: Option<f64>,
    /// Supersteps of a run, at the median.
    pub rounds: Option<u64>,
    /// Bytes it takes.
    pub memory: Option<Memory>,
    /// Tiles of the last run.
    pub tiles: Option<TilesSeen>,
    /// The least time by the limits of the device, of what `per` says.
    pub limit: Option<Limit>,
    /// That over the median.
    pub share: Option<f64>,
    /// `passed` or `failed`.
    pub verify: Option<String>,
    /// Why there are no figures, or which property does not hold.
    pub error: Option<Failure>,
}

/// The first run of a cell: seconds of it, and of what was done for it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::Run has them")]
pub struct FirstRun {
    pub seconds: f64,
    /// What is made once and kept for later runs.
    pub prepare: f64,
    pub transfer: f64,
    pub compile: f64,
    pub verify: f64,
    pub tiles: Option<TilesSeen>,
}

/// A timed run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TimedRun {
    /// Its time, as it reports it.
    pub seconds: f64,
    /// Seconds of the call before that clock starts.
    pub before: f64,
    /// Of its time, kernels that expand frontiers.
    pub kernels: f64,
    /// Of these, electing tiles, if that was measured.
    pub tiling: Option<f64>,
    /// Supersteps or sweeps.
    pub rounds: u64,
    /// Arcs of the vertices reached.
    pub arcs: u64,
    /// Vertices reached, if it tells.
    pub reached: Option<u64>,
    /// Where it started, if the evaluation chose that.
    pub source: Option<VertexId>,
    /// Seconds of verification, if its answer was verified.
    pub verify: Option<f64>,
}

/// Bytes that a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Offsets, targets, and weights where they are read.
    pub graph: u64,
    /// What every plan keeps: values, frontiers.
    pub state: u64,
    /// What this plan keeps beside.
    pub extra: u64,
}

impl Memory {
    /// Returns all of it.
    pub fn total(&self) -> u64 {
        self.graph + self.state + self.extra
    }
}

/// Tiles that a run went through.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::TileUse has them")]
pub struct TilesSeen {
    pub made: u64,
    pub reused: u64,
    pub held: u64,
    pub held_bytes: u64,
    pub reuse_rate: f64,
}

impl From<TileUse> for TilesSeen {
    fn from(of: TileUse) -> Self {
        let TileUse { made, reused, held, held_bytes } = of;
        Self { made, reused, held, held_bytes, reuse_rate: of.reuse_rate() }
    }
}

impl GraphCase {
    /// Returns its name without folders.
    pub fn short(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name)
    }

    /// Returns a figure of its own, if it is there.
    pub fn figure<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        figure(&self.figures, name)
    }
}

impl Making {
    /// Returns a figure of its own, if it is there.
    pub fn figure<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        figure(&self.figures, name)
    }

    /// Returns a number of its own by its path: `gaps.within`.
    pub fn number(&self, path: &str) -> Option<f64> {
        let mut names = path.split('.');
        let first = self.figures.get(names.next()?)?;
        names.try_fold(first, |value, name| value.get(name))?.as_f64()
    }

    /// Returns the seconds until the graph was in the order.
    pub fn total(&self) -> Option<f64> {
        Some(self.seconds? + self.renumber.unwrap_or(0.0))
    }
}

/// Returns a figure of an evaluation, if it is there.
pub fn figure<T: DeserializeOwned>(figures: &Map<String, Value>, name: &str) -> Option<T> {
    serde_json::from_value(figures.get(name)?.clone()).ok()
}

impl Cell {
    /// Returns its plan without what all plans have in common: `bsp+push+node` is `node`, `bsp` is `auto`.
    pub fn label(&self) -> &str {
        match self.plan_asked.strip_prefix("bsp").unwrap_or(&self.plan_asked) {
            "" | "+push" => "auto",
            rest => rest.strip_prefix("+push+").or_else(|| rest.strip_prefix('+')).unwrap_or(rest),
        }
    }

    /// Returns the median time.
    pub fn median(&self) -> Option<f64> {
        Some(self.seconds?.median)
    }

    /// Returns what of a median run is not kernels that expand frontiers.
    pub fn overhead(&self) -> Option<f64> {
        Some((self.median()? - self.kernel?).max(0.0))
    }

    /// Returns what was prepared in the first run.
    pub fn prepare(&self) -> f64 {
        self.first.map_or(0.0, |first| first.prepare)
    }

    fn is_wrong(&self) -> bool {
        self.verify.as_deref() == Some("failed") || self.error.as_ref().is_some_and(|e| e.kind == WRONG)
    }
}

impl Report {
    /// Adds what follows from the measurements: figures, statements, warnings.
    pub fn conclude(&mut self, evaluation: &dyn Evaluation) {
        self.warnings = self.trouble.iter().cloned().collect();
        evaluation.conclude(self);
        self.warnings.extend(self.cells.iter().filter_map(doubt));
        self.statements = evaluation.statements().iter().map(|statement| statement.judge(self)).collect();
    }

    /// Returns the cells of a part on a graph by an algorithm, in the order of the part.
    pub fn cells_of(&self, part: &str, graph: &str, algorithm: &str) -> Vec<&Cell> {
        let is_of = |cell: &&Cell| cell.graph == graph && cell.algorithm == algorithm;
        let mut cells: Vec<&Cell> =
            self.cells.iter().filter(is_of).filter(|cell| cell.parts.contains_key(part)).collect();
        cells.sort_by_key(|cell| cell.parts[part]);
        cells
    }

    /// Returns the algorithms that have cells of a part, in the order of the cells.
    pub fn algorithms_of(&self, part: &str) -> Vec<&str> {
        let of_part = self.cells.iter().filter(|cell| cell.parts.contains_key(part));
        distinct(of_part.map(|cell| cell.algorithm.as_str()))
    }

    /// Returns the cell of a graph, an algorithm and a plan, by its label.
    pub fn cell(&self, graph: &str, algorithm: &str, label: &str) -> Option<&Cell> {
        let mut cells = self.cells.iter().filter(|cell| cell.graph == graph && cell.algorithm == algorithm);
        cells.find(|cell| cell.label() == label)
    }

    /// Returns the labels of all plans, in the order of the cells.
    pub fn labels(&self) -> Vec<&str> {
        distinct(self.cells.iter().map(Cell::label))
    }

    /// Returns the orders that a graph was brought into.
    pub fn orders_of<'a>(&'a self, graph: &'a str) -> impl Iterator<Item = &'a Making> {
        self.orders.iter().filter(move |making| making.graph == graph)
    }

    /// Returns a graph by its name.
    pub fn graph(&self, name: &str) -> Option<&GraphCase> {
        self.graphs.iter().find(|graph| graph.name == name)
    }

    /// Returns the exit code: 1 if an answer was wrong, 2 if nothing was measured.
    pub fn exit_code(&self) -> u8 {
        let is_measured = self.cells.iter().any(|cell| cell.seconds.is_some())
            || self.orders.iter().any(|order| order.seconds.is_some());
        match () {
            () if self.cells.iter().any(Cell::is_wrong) => 1,
            () if !is_measured => 2,
            () => 0,
        }
    }
}

/// Returns every text once, in the order they first come.
pub fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// Returns what is said of a cell with a wrong answer, or with runs far from the others.
fn doubt(cell: &Cell) -> Option<String> {
    let on = format!("{} on {} by {} in the order {}", cell.algorithm, cell.graph, cell.label(), cell.order);
    match cell.verify.as_deref() {
        Some("failed") => Some(format!("{on}: the answer is wrong; its time says nothing")),
        _ if cell.outliers > 0 => Some(format!(
            "{on}: {} of {} runs are far from the others; quiet the machine, or raise --warmup",
            cell.outliers,
            cell.runs.len()
        )),
        _ => None,
    }
}

/// Reads a report back, to make its tables and figures again.
///
/// # Errors
/// When the file cannot be read, or is no report of this evaluation.
pub fn read(path: &Path, evaluation: &dyn Evaluation) -> warpgraph::Result<Report> {
    let name = evaluation.about().name;
    let help = format!("make it with `warpgraph bench {name} --out DIR`, which writes DIR/{name}.json");
    let mut report: Report = crate::read_back::read_back(path, &format!("bench {name}"), SCHEMA, &help)?;
    report.conclude(evaluation);
    Ok(report)
}
