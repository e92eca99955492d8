//! How often proved errors hold: `bench bounds` asks with many seeds, and compares every answer with the exact one.
//!
//! An algorithm proves an error, always or with a confidence, for all vertices at once. A *trial* is one run with a seed of its
//! own; it holds if the error of the answer is at most what the run reports. The claim of a row holds if that is so in at least
//! the stated share of the trials. Exact answers come from the processor, so the claim is about the device and not about two
//! runs of the same code.
//!
//! Runs that answer exactly because that costs less prove nothing about sampling, so they are counted apart. Where an engine
//! may decide so while it runs, it is asked for the same bits in every run, which keeps it at sampling once it has begun.

mod checks;

pub use checks::{ALL, Ask, Check};

use crate::{
    machine::Machine,
    sheet::Sheet,
    statistics::Spread,
    units::{count, number, seconds},
};
use serde::{Deserialize, Serialize};
use warpgraph::{Accuracy, Control, Engine, Graph, Loaded, Order, Result, Word};

/// The version of the JSON.
pub const SCHEMA: u32 = 1;
/// Graphs that are large enough for samples to pay off and small enough for exact answers.
pub const GRAPHS: [&str; 5] = [
    "kron:12",
    "powerlaw:4096,directed",
    "uniform:12,degree=8,directed",
    "community:12",
    "grid:64x64,drop=0.1",
];

/// What came of all trials.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Report {
    pub schema: u32,
    pub version: String,
    pub command: String,
    pub machine: Machine,
    /// What the trials ran on: the name of a GPU, or `cpu`.
    pub device: String,
    pub threads: usize,
    /// Trials per row.
    pub seeds: u64,
    pub rows: Vec<Row>,
}

/// The trials of an algorithm on a graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Row {
    pub algorithm: String,
    pub graph: String,
    pub vertices: u64,
    pub arcs: u64,
    /// The error that was allowed, and what it is of.
    pub asked: f64,
    pub of: String,
    /// The share of trials that must hold.
    pub confidence: f64,
    pub trials: u64,
    /// Trials whose answers report a proved error, and an exact answer.
    pub proved: u64,
    pub exact: u64,
    /// Trials within the error that they report.
    pub held: u64,
    /// The greatest error over the reported one, of proved answers.
    pub worst: f64,
    /// The samples of the last trial; null if it drew none.
    pub samples: Option<u64>,
    /// The median seconds of a run.
    pub seconds: f64,
    /// The median seconds of an exact answer on the same device, where the runs estimate it.
    pub exact_seconds: Option<f64>,
}

impl Row {
    /// Returns true if at least the stated share of trials held.
    pub fn holds(&self) -> bool {
        self.held as f64 >= self.confidence * self.trials as f64
    }
}

/// One run, and how far it is off.
#[derive(Debug, Clone)]
pub struct Trial {
    /// What the run says of its error.
    pub accuracy: Accuracy,
    /// The error, of what the report names.
    pub off: f64,
    /// Seconds of the run.
    pub seconds: f64,
}

/// A graph on the device under test and on the processor.
#[derive(Debug)]
pub struct Subject {
    name: String,
    /// On the device under test.
    pub tested: Loaded,
    /// On the processor, for exact answers.
    pub reference: Loaded,
}

impl Subject {
    /// Loads a graph twice.
    ///
    /// # Errors
    /// When memory is short.
    pub fn new(name: &str, graph: &Graph, engine: &Engine, processor: &Engine) -> Result<Self> {
        let [tested, reference] = [engine, processor].map(|engine| engine.load(graph, Order::Natural));
        Ok(Self { name: name.to_owned(), tested: tested?, reference: reference? })
    }

    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        self.tested.graph()
    }
}

impl Check {
    /// Makes all trials of a graph; `None` if the check is not about such graphs.
    ///
    /// # Errors
    /// Those of runs; if the control stops the work.
    pub fn row(&self, subject: &Subject, seeds: u64, control: &Control) -> Result<Option<Row>> {
        if !(self.is_about)(subject.graph()) {
            return Ok(None);
        }
        let mut ask = (self.trials)(subject, self.error)?;
        let mut all = Vec::new();
        for seed in 0..seeds {
            control.check("checking proved errors")?;
            all.push(ask(seed, control)?);
        }
        Ok(Some(self.counted(subject, &all)))
    }

    fn counted(&self, subject: &Subject, all: &[Trial]) -> Row {
        let with = |word: Word| all.iter().filter(move |trial| trial.accuracy.word == word);
        let proved = || with(Word::Proved);
        let median = |values: Vec<f64>| Spread::of(&values).map(|spread| spread.median);
        let last = all.last().map(|trial| trial.accuracy.clone());
        Row {
            algorithm: self.name.to_owned(),
            graph: subject.name.clone(),
            vertices: subject.graph().vertices() as u64,
            arcs: subject.graph().arcs() as u64,
            asked: self.error,
            of: last.as_ref().map(|accuracy| accuracy.of.clone()).unwrap_or_default(),
            confidence: proved().map(|trial| trial.accuracy.confidence).fold(0.0, f64::max),
            trials: all.len() as u64,
            proved: proved().count() as u64,
            exact: with(Word::Exact).count() as u64,
            held: all.iter().filter(|trial| trial.off <= trial.accuracy.achieved + ROUNDING).count() as u64,
            worst: proved().map(|trial| trial.off / trial.accuracy.achieved).fold(0.0, f64::max),
            samples: last.and_then(|accuracy| accuracy.samples),
            seconds: median(all.iter().map(|trial| trial.seconds).collect()).unwrap_or_default(),
            exact_seconds: median(proved().filter_map(|trial| trial.accuracy.exact_seconds).collect()),
        }
    }
}

/// What the rounding of f64 sums may add to an error, far below any error that makes sense to ask for.
const ROUNDING: f64 = 1e-9;

impl Report {
    /// Returns 1 if a claim does not hold, and 0 otherwise.
    pub fn exit_code(&self) -> u8 {
        u8::from(!self.rows.iter().all(Row::holds))
    }

    /// Returns the rows as a table.
    pub fn sheet(&self) -> Sheet {
        let columns = "algorithm | graph | >allowed | >confidence | >trials | >proved | >held | >worst | >samples | >run \
                       | >exact";
        let mut sheet = Sheet::new("Proved errors against exact answers", columns);
        for row in &self.rows {
            let none = || "-".to_owned();
            sheet.rows.push(vec![
                row.algorithm.clone(),
                row.graph.clone(),
                number(row.asked),
                format!("{:.0} %", 100.0 * row.confidence),
                count(row.trials),
                count(row.proved),
                count(row.held),
                if row.proved > 0 { format!("{:.2}", row.worst) } else { none() },
                row.samples.map_or_else(none, count),
                seconds(row.seconds),
                row.exact_seconds.map_or_else(none, seconds),
            ]);
        }
        sheet.note("held: trials within the error that they report. worst: the greatest error over the reported one. exact: what an exact answer would take on the device, as runs estimate it.")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Device, graph::generate::Spec};

    fn rows(graph: &str, device: Device, seeds: u64) -> Vec<Row> {
        let control = Control::new();
        let graph_of = graph.parse::<Spec>().unwrap().generate(&control).unwrap();
        let (engine, processor) =
            (Engine::on(device, Some(2)).unwrap(), Engine::on(Device::Cpu, Some(2)).unwrap());
        let subject = Subject::new(graph, &graph_of, &engine, &processor).unwrap();
        ALL.iter().filter_map(|check| check.row(&subject, seeds, &control).unwrap()).collect()
    }

    #[test]
    fn every_proved_error_holds_on_the_processor() {
        let all = rows("kron:11", Device::Cpu, 12);
        assert_eq!(
            all.iter().map(|row| &*row.algorithm).collect::<Vec<_>>(),
            ["bc", "closeness", "triangles", "pagerank"]
        );
        for row in &all {
            assert!(row.holds() && row.worst <= 1.0 && row.trials == 12, "{row:?}");
            assert_eq!(row.proved + row.exact, row.trials, "{row:?}");
        }
        assert!(all.iter().filter(|row| row.proved > 0).count() >= 3, "{all:?}");
        let report = Report { rows: all, ..Report::default() };
        assert_eq!((report.exit_code(), report.sheet().rows.len()), (0, 4));
    }

    #[test]
    fn directed_graphs_have_no_row_for_triangles_and_a_claim_that_fails_is_told() {
        let mut all = rows("powerlaw:300,directed", Device::Cpu, 2);
        assert!(all.iter().all(|row| row.algorithm != "triangles") && all.len() == 3);
        all[0].held = 0;
        all[0].confidence = 0.9;
        assert_eq!(Report { rows: all, ..Report::default() }.exit_code(), 1);
    }
}
