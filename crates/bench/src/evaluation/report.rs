//! The JSON form of every evaluation. Tables, figures and statements are made from it.

pub use super::cell::{Cell, FirstRun, Memory};
use super::{Evaluation, Measuring, statements::Verdict};
use crate::{
    GpuLimits,
    machine::Machine,
    read_back::read_back,
    result::{Failure, GraphReport},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::{collections::HashSet, path::Path};
use warpgraph::{Gpu, Properties, Round};

/// The version of the form.
pub const SCHEMA: u32 = 2;

/// Everything that was measured.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Report {
    pub schema: u32,
    pub version: String,
    /// `bench` and the name of the evaluation.
    pub command: String,
    pub machine: Machine,
    /// The GPU on it; null if cells run on the processor.
    pub device: Option<OnDevice>,
    pub threads: usize,
    /// Bytes of the GPU that could be used, if that was limited.
    pub gpu_memory: Option<u64>,
    pub measuring: Measuring,
    /// The flags of the evaluation.
    pub options: Value,
    /// What the GPU can do at best, if that was measured; `trouble` says why it could not be.
    pub limits: Option<GpuLimits>,
    /// The graphs, in the order they were asked for.
    pub graphs: Vec<GraphCase>,
    pub orders: Vec<Making>,
    /// The cells, in the order they were measured.
    pub cells: Vec<Cell>,
    /// What the evaluation adds of its own.
    pub figures: Map<String, Value>,
    /// The statements it tests; made anew when the report is read back.
    #[serde(skip_deserializing)]
    pub statements: Vec<Verdict>,
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

impl From<&Gpu> for OnDevice {
    fn from(gpu: &Gpu) -> Self {
        let Properties { label, name, capability, multiprocessors, memory, driver, .. } =
            gpu.properties().clone();
        Self { label, name, capability, multiprocessors, memory, driver, compiler: gpu.compiler() }
    }
}

/// A graph, or why it could not be measured.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct GraphCase {
    pub name: String,
    /// A generator's text, or a file.
    pub source: String,
    pub graph: Option<GraphReport>,
    /// Seconds of loading.
    pub load: Option<f64>,
    /// What the evaluation saw in it.
    pub figures: Map<String, Value>,
    pub error: Option<Failure>,
}

/// What bringing a graph into an order took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Making {
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
    pub rounds: Vec<Round>,
    /// What the evaluation saw in the graph in this order.
    pub figures: Map<String, Value>,
    pub error: Option<Failure>,
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

impl Report {
    /// Adds what follows from the measurements: figures, statements, warnings.
    pub fn conclude(&mut self, evaluation: &dyn Evaluation) {
        self.warnings = self.trouble.iter().cloned().collect();
        evaluation.conclude(self);
        self.warnings.extend(self.cells.iter().filter_map(Cell::doubt));
        self.statements = evaluation.statements().iter().map(|statement| statement.judge(self)).collect();
    }

    /// Returns the cells of a part on a graph by an algorithm, in the order of the part.
    pub fn cells_of(&self, part: &str, graph: &str, algorithm: &str) -> Vec<&Cell> {
        let of_both = self.cells_on(graph, algorithm);
        let mut cells: Vec<&Cell> = of_both.filter(|cell| cell.parts.contains_key(part)).collect();
        cells.sort_by_key(|cell| cell.parts[part]);
        cells
    }

    fn cells_on(&self, graph: &str, algorithm: &str) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(move |cell| cell.graph == graph && cell.algorithm == algorithm)
    }

    /// Returns the algorithms that have cells of a part, in the order of the cells.
    pub fn algorithms_of(&self, part: &str) -> Vec<&str> {
        let of_part = self.cells.iter().filter(|cell| cell.parts.contains_key(part));
        distinct(of_part.map(|cell| cell.algorithm.as_str()))
    }

    /// Returns the cell of a graph, an algorithm and a plan, by its label.
    pub fn cell(&self, graph: &str, algorithm: &str, label: &str) -> Option<&Cell> {
        self.cells_on(graph, algorithm).find(|cell| cell.label() == label)
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
        let mut seconds =
            self.cells.iter().map(Cell::median).chain(self.orders.iter().map(|one| one.seconds));
        match self.cells.iter().any(Cell::is_wrong) {
            true => 1,
            false if seconds.any(|seconds| seconds.is_some()) => 0,
            false => 2,
        }
    }
}

/// Returns every text once, in the order they first come.
pub fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut met = HashSet::new();
    texts.filter(|text| met.insert(*text)).collect()
}

/// Reads a report of this evaluation back, to make its tables and figures again.
pub fn read(path: &Path, evaluation: &dyn Evaluation) -> warpgraph::Result<Report> {
    let name = evaluation.about().name;
    let help = format!("make it with `warpgraph bench {name} --out DIR`, which writes DIR/{name}.json");
    let mut report: Report = read_back(path, &format!("bench {name}"), SCHEMA, &help)?;
    report.conclude(evaluation);
    Ok(report)
}
