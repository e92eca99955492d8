//! The JSON form of the measurement, schema 1. What follows from the cells is written beside them, and made anew when it is
//! read back.

use super::{
    Held, Part, Peer, Question,
    auto::{self, Auto},
    seen::{First, Kept, Making, Tiling},
};
use crate::{
    balance::OnDevice, halo::GraphCase, machine::Machine, read_back::read_back, result::Failure,
    statistics::Spread,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeMap, path::Path};

/// The command that writes it.
pub const COMMAND: &str = "bench sage";
/// The kind of failure that a wrong answer is.
pub(super) const WRONG: &str = "verification";

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
    /// The graphs, in the order they were asked for.
    pub graphs: Vec<GraphCase>,
    /// Orders that were made.
    pub orders: Vec<Making>,
    /// A graph, an order, an algorithm and a plan each.
    pub cells: Vec<Cell>,
    /// What electing tiles costs.
    pub tilings: Vec<Tiling>,
    /// Tiles that are met again.
    pub tiles: Vec<Kept>,
    /// First runs.
    pub firsts: Vec<First>,
    /// Times of other programs.
    pub peers: Vec<Peer>,
    /// The engine's choice of balances, if it was measured.
    #[serde(skip_deserializing)]
    pub auto: Option<Auto>,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// How it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measuring {
    /// Timed runs a cell.
    pub runs: u64,
    /// Untimed runs before them, beside the one that is verified.
    pub warmup: u64,
    /// What sources and drawn orders are drawn from.
    pub seed: u64,
    /// Rounds of `sampled` at most.
    pub rounds: u32,
    /// Seconds after which no further run of a cell was started.
    pub case_limit: u64,
    /// Seconds after which an order was given up.
    pub order_limit: u64,
    /// Bytes of the device that could be used, if that was limited.
    pub gpu_memory: Option<u64>,
}

/// One plan of one algorithm on one graph in one order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The graph, as it is called.
    pub graph: String,
    /// The graph's hash; that of the planted order is of another graph.
    pub hash: String,
    /// The parts it is of, and the place it has in each.
    pub parts: BTreeMap<Part, usize>,
    /// The algorithm.
    pub algorithm: Question,
    /// Its configuration, in the first run.
    pub config: Value,
    /// The order the graph was held in.
    pub order: Held,
    /// Rounds of `sampled` that were made before the first timed run and after the last.
    pub rounds_made: Option<(u32, u32)>,
    /// The plan asked for.
    pub plan_asked: String,
    /// The plan that ran.
    pub plan: Option<String>,
    /// What `seconds` are of: `run` or `sweep`.
    pub per: String,
    /// Seconds of each timed run.
    pub runs: Vec<f64>,
    /// Of each, those of kernels that expand frontiers.
    pub kernels: Vec<f64>,
    /// Where the seconds of a run, or a sweep, lie.
    pub seconds: Option<Spread>,
    /// Arcs of a run, or a sweep, at the median.
    pub arcs: Option<f64>,
    /// Billions of arcs a second, at the median.
    pub speed: Option<f64>,
    /// Supersteps of the last run.
    pub supersteps: Option<u64>,
    /// Runs so far from the others that something else must have happened.
    pub outliers: usize,
    /// Seconds of what is made once and kept for later runs.
    pub prepare: f64,
    /// `passed` or `failed`.
    pub verify: Option<String>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

impl Cell {
    /// Its plan without what all plans have in common; `auto` for the engine's choice of balances.
    pub fn label(&self) -> &str {
        label(&self.plan_asked)
    }

    /// The median time of a run, or a sweep.
    pub fn median(&self) -> Option<f64> {
        Some(self.seconds.as_ref()?.median)
    }
}

/// A plan without what all of them have in common: `bsp+push+node` is `node`, `bsp` is `auto`.
pub(super) fn label(plan: &str) -> &str {
    match plan.strip_prefix("bsp").unwrap_or(plan) {
        "" | "+push" => "auto",
        rest => rest.strip_prefix("+push+").or_else(|| rest.strip_prefix('+')).unwrap_or(rest),
    }
}

impl Report {
    /// With all that follows from its cells: what the engine's choice is worth, warnings.
    pub fn concluded(mut self) -> Self {
        self.auto = auto::judge(&self);
        self.warnings = self.cells.iter().filter_map(doubt).collect();
        self
    }

    /// Takes times of other programs in, each at most once.
    pub fn add_peers(&mut self, peers: Vec<Peer>) {
        for peer in peers {
            if !self.peers.contains(&peer) {
                self.peers.push(peer);
            }
        }
    }

    /// The cells of a part, a graph and an algorithm, in the order of the part.
    pub fn cells_of(&self, part: Part, graph: &str, algorithm: Question) -> Vec<&Cell> {
        let is_of = |cell: &&Cell| cell.graph == graph && cell.algorithm == algorithm;
        let mut cells: Vec<(usize, &Cell)> = self
            .cells
            .iter()
            .filter(is_of)
            .filter_map(|cell| Some((*cell.parts.get(&part)?, cell)))
            .collect();
        cells.sort_by_key(|(place, _)| *place);
        cells.into_iter().map(|(_, cell)| cell).collect()
    }

    /// The algorithms that have cells of a part, in the order of [`Question::ALL`].
    pub fn algorithms_of(&self, part: Part) -> Vec<Question> {
        let has = |question: &Question| {
            self.cells.iter().any(|cell| cell.algorithm == *question && cell.parts.contains_key(&part))
        };
        Question::ALL.into_iter().filter(has).collect()
    }

    /// The making of an order.
    pub fn making(&self, graph: &str, order: &str) -> Option<&Making> {
        self.orders.iter().find(|making| making.graph == graph && making.order == order)
    }

    /// Was an answer wrong?
    pub fn has_wrong(&self) -> bool {
        let is_wrong = |error: &Option<Failure>| error.as_ref().is_some_and(|error| error.kind == WRONG);
        self.cells.iter().any(|cell| is_wrong(&cell.error))
            || self.tilings.iter().any(|tiling| is_wrong(&tiling.error))
            || self.tiles.iter().any(|kept| is_wrong(&kept.error))
            || self.firsts.iter().any(|first| is_wrong(&first.error))
    }

    /// Did anything run?
    pub fn is_measured(&self) -> bool {
        self.cells.iter().any(|cell| cell.seconds.is_some())
            || self.tilings.iter().any(|tiling| tiling.tiling.is_some())
            || self.tiles.iter().any(|kept| kept.first.is_some())
            || self.firsts.iter().any(|first| first.first.is_some())
            || self.orders.iter().any(|making| making.seconds.is_some())
    }
}

/// What is said of a cell with a wrong answer, or with runs far from the others.
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

/// Reads a report back, to make its tables and plots anew.
///
/// # Errors
/// When the file cannot be read, or is no such report.
pub fn read(path: &Path) -> warpgraph::Result<Report> {
    let help = "make it with `warpgraph bench sage --out DIR`, which writes DIR/sage.json";
    let report: Report = read_back(path, COMMAND, help)?;
    Ok(report.concluded())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sage::{markdown, testing::as_in_the_paper};

    #[test]
    fn a_report_reads_back_as_it_was_written() {
        let report = as_in_the_paper();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sage.json");
        std::fs::write(&path, serde_json::to_string_pretty(&report).unwrap()).unwrap();
        let again = read(&path).unwrap();
        assert_eq!((&again.cells, &again.orders), (&report.cells, &report.orders));
        assert_eq!((&again.auto, &again.firsts), (&report.auto, &report.firsts));
        assert_eq!(markdown(&again, "svg"), markdown(&report, "svg"));
        std::fs::write(&path, r#"{"command":"bench halo","schema":1}"#).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("not a report of `warpgraph bench sage`"));
    }

    #[test]
    fn labels_leave_out_what_is_common() {
        let plans = ["bsp+push+node", "bsp+tiled(min=32)", "bsp", "bsp+push", "auto", "bsp+pull+node"];
        assert_eq!(plans.map(label), ["node", "tiled(min=32)", "auto", "auto", "auto", "pull+node"]);
    }

    #[test]
    fn wrong_answers_and_odd_runs_are_warned_of() {
        let mut report = as_in_the_paper();
        assert!(report.warnings.is_empty());
        report.cells[0].verify = Some("failed".to_owned());
        assert!(report.is_measured() && !report.has_wrong());
        report.firsts[0].error =
            Some(Failure { kind: WRONG.to_owned(), message: "no tree".to_owned(), help: None });
        assert!(report.has_wrong());
        report.cells[1].outliers = 2;
        let warnings = report.concluded().warnings;
        assert!(warnings[0].ends_with("the answer is wrong; its time says nothing"), "{warnings:?}");
        assert!(warnings[1].contains("2 of 3 runs are far"), "{warnings:?}");
    }

    #[test]
    fn peers_are_taken_in_once() {
        let mut report = as_in_the_paper();
        let other = Peer { seconds: 3.0, ..report.peers[0].clone() };
        report.add_peers(vec![report.peers[0].clone(), other]);
        assert_eq!(report.peers.len(), 2);
    }

    #[test]
    fn shares_are_of_something() {
        let report = as_in_the_paper();
        assert_eq!(report.tilings[0].share(), Some(0.25));
        assert_eq!(Tiling { kernel: Some(0.0), ..report.tilings[0].clone() }.share(), None);
        assert_eq!(report.firsts[0].ratio(), Some(1.25));
    }
}
