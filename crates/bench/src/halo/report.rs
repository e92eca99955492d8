//! The JSON form of the measurement, schema 1. What follows from the cells is written beside them, and made anew when it is
//! read back.

use super::means::{self, Mean};
use crate::{
    machine::Machine,
    read_back::read_back,
    result::{Failure, GraphReport},
    statistics::Spread,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The command that writes it.
pub const COMMAND: &str = "bench halo";
/// The order that others are held against.
pub const NATURAL: &str = "natural";

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
    /// How it was measured.
    pub measuring: Measuring,
    /// The graphs, in the order they were asked for.
    pub graphs: Vec<GraphCase>,
    /// A graph and an order each.
    pub cells: Vec<Cell>,
    /// `halo2` by its number of samples.
    pub sweep: Vec<Sample>,
    /// Orders over all graphs.
    #[serde(skip_deserializing)]
    pub means: Vec<Mean>,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// How it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measuring {
    /// Searches a graph, from the same sources in every order.
    pub searches: u64,
    /// What sources and drawn orders are drawn from.
    pub seed: u64,
    /// Timed runs of an algorithm in an order.
    pub runs: u64,
    /// Untimed runs before them.
    pub warmup: u64,
    /// Threads that ordered and ran.
    pub threads: usize,
    /// Bytes of an edge in the modelled array.
    pub edge_bytes: u32,
    /// Device memory for edges in the model, over the bytes of all edges; `None`: a number of bytes, in every [`Transfer`].
    pub memory_share: Option<f64>,
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
    /// Why there are no figures.
    pub error: Option<Failure>,
}

impl GraphCase {
    /// The name to print: a file's without its folders.
    pub fn short(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name)
    }
}

/// One order of one graph; what was not measured is `None`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Cell {
    /// The graph, as it was asked for.
    pub graph: String,
    /// The graph's hash.
    pub hash: String,
    /// The order, as orders are printed.
    pub order: String,
    /// What making it took.
    pub ordering: Option<Ordering>,
    /// How near each other vertices lie in it.
    pub gaps: Option<Gaps>,
    /// What the searches move.
    pub transfer: Option<Transfer>,
    /// The same without prefetching; of the natural order, for figure 3.
    pub without_prefetch: Option<Transfer>,
    /// Breadth-first searches on the processor.
    pub bfs: Option<Times>,
    /// PageRank on the processor.
    pub pagerank: Option<Times>,
    /// The first search.
    pub staircase: Option<Staircase>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

/// What making an order took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ordering {
    /// Seconds until the order was there.
    pub seconds: f64,
    /// Seconds of writing the graph in that order.
    pub renumber: f64,
    /// The most bytes held beside the graph until the order was there.
    pub memory: Option<u64>,
}

/// Means of logarithms, base 2, of distances between vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Gaps {
    /// Between consecutive vertices of a level: MinIntraBFS.
    pub within: Option<f64>,
    /// To the nearest vertex of the level before.
    pub between: Option<f64>,
    /// Between consecutive neighbours of a vertex, whatever is searched.
    pub neighbours: Option<f64>,
    /// Memory sectors that 32 neighbours lie in, on average.
    pub sectors_per_tile: Option<f64>,
    /// Levels of a search, on average.
    pub levels: Option<f64>,
}

/// What moves between host and device, by the model of unified memory. Pages are of 4 KiB.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// Device memory for edges, in bytes.
    pub memory: u64,
    /// Bytes of all edges.
    pub array_bytes: u64,
    /// Bytes that the searches read: the least that must move where nothing is kept.
    pub ideal_bytes: u64,
    /// Bytes that moved to the device.
    pub moved_bytes: u64,
    /// Moved over ideal; `None` if nothing was read.
    pub amplification: Option<f64>,
    /// Pages that were read and not there.
    pub faults: u64,
    /// Batches that they were served in.
    pub batches: u64,
    /// Pages that moved beside them.
    pub prefetched_pages: u64,
    /// Pages that gave way to others.
    pub evicted_pages: u64,
    /// Pages that moved after they had given way.
    pub refetched_pages: u64,
    /// By number of fetches, from 0 on, how many pages were fetched so often.
    pub pages_by_fetches: Vec<u64>,
}

/// Runs of an algorithm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Seconds of each timed run.
    pub runs: Vec<f64>,
    /// Where they lie.
    #[serde(flatten)]
    pub spread: Spread,
    /// `passed` or `failed`.
    pub verify: Option<String>,
}

/// Active vertices of a search, as [`Panel`](crate::plot::levels::Panel) has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as the panel has them")]
pub struct Staircase {
    pub vertices: usize,
    pub levels: usize,
    /// In JSON a text each, `0 0 3 17`: there are many.
    #[serde(with = "rows")]
    pub rows: Vec<Vec<u32>>,
}

mod rows {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(rows: &[Vec<u32>], to: S) -> Result<S::Ok, S::Error> {
        let text = |row: &Vec<u32>| row.iter().map(u32::to_string).collect::<Vec<String>>().join(" ");
        to.collect_seq(rows.iter().map(text))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<u32>>, D::Error> {
        let rows = Vec::<String>::deserialize(from)?;
        let row = |text: &String| text.split_ascii_whitespace().map(str::parse).collect();
        rows.iter().map(row).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}

/// `halo2` with a number of samples, on one graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The graph, as it was asked for.
    pub graph: String,
    /// Searches that the order was made from.
    pub samples: u32,
    /// Seconds until the order was there.
    pub seconds: Option<f64>,
    /// The log gap within levels.
    pub within: Option<f64>,
    /// Bytes moved over ideal.
    pub amplification: Option<f64>,
    /// Why there are no figures.
    pub error: Option<Failure>,
}

impl Cell {
    /// The log gap within levels.
    pub fn within(&self) -> Option<f64> {
        self.gaps.as_ref()?.within
    }

    /// Bytes moved over ideal.
    pub fn amplification(&self) -> Option<f64> {
        self.transfer.as_ref()?.amplification
    }

    /// The median time of a search.
    pub fn bfs_seconds(&self) -> Option<f64> {
        Some(self.bfs.as_ref()?.spread.median)
    }

    /// The median time of PageRank.
    pub fn pagerank_seconds(&self) -> Option<f64> {
        Some(self.pagerank.as_ref()?.spread.median)
    }
}

impl Report {
    /// With all that follows from its cells: means, warnings.
    pub fn concluded(mut self) -> Self {
        self.means = means::means(&self);
        self.warnings = self.cells.iter().filter_map(failed).collect();
        self
    }

    /// The cells of a graph.
    pub fn cells_on<'a>(&'a self, graph: &'a str) -> impl Iterator<Item = &'a Cell> {
        self.cells.iter().filter(move |cell| cell.graph == graph)
    }

    /// The cell of an order.
    pub fn cell(&self, graph: &str, order: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.graph == graph && cell.order == order)
    }

    /// The samples of a graph.
    pub fn samples_on<'a>(&'a self, graph: &'a str) -> impl Iterator<Item = &'a Sample> {
        self.sweep.iter().filter(move |sample| sample.graph == graph)
    }

    /// All orders, in the order they were asked for.
    pub fn orders(&self) -> Vec<&str> {
        let mut orders: Vec<&str> = Vec::new();
        for cell in &self.cells {
            if !orders.contains(&cell.order.as_str()) {
                orders.push(&cell.order);
            }
        }
        orders
    }

    /// A value in an order over the same in the natural one; `None` if either is not there or the latter is 0.
    pub fn of_natural(&self, cell: &Cell, value: impl Fn(&Cell) -> Option<f64>) -> Option<f64> {
        let natural = value(self.cell(&cell.graph, NATURAL)?).filter(|natural| *natural > 0.0)?;
        Some(value(cell)? / natural)
    }
}

/// What is said of a cell with a wrong answer.
fn failed(cell: &Cell) -> Option<String> {
    let is_wrong = |times: &Option<Times>| times.as_ref()?.verify.as_deref().map(|word| word == "failed");
    let wrong =
        [("bfs", &cell.bfs), ("pagerank", &cell.pagerank)].map(|(name, times)| (name, is_wrong(times)));
    let (name, _) = wrong.into_iter().find(|(_, is_wrong)| *is_wrong == Some(true))?;
    Some(format!(
        "{name} on {} in the order {}: the answer is wrong; its time says nothing",
        cell.graph, cell.order
    ))
}

/// Reads a report back, to make its tables and plots anew.
///
/// # Errors
/// When the file cannot be read, or is no such report.
pub fn read(path: &Path) -> warpgraph::Result<Report> {
    let help = "make it with `warpgraph bench halo --out DIR`, which writes DIR/halo.json";
    let report: Report = read_back(path, COMMAND, help)?;
    Ok(report.concluded())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halo::{markdown, testing::as_in_the_paper};

    #[test]
    fn a_report_reads_back_as_it_was_written() {
        let report = as_in_the_paper();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("halo.json");
        std::fs::write(&path, serde_json::to_string_pretty(&report).unwrap()).unwrap();
        let again = read(&path).unwrap();
        assert_eq!((again.cells.len(), again.sweep.len()), (report.cells.len(), report.sweep.len()));
        assert_eq!(again.cells[0].staircase, report.cells[0].staircase);
        // As far as anybody looks: the last bits of a float may be lost on the way.
        assert_eq!(markdown(&again, "svg"), markdown(&report, "svg"));
    }

    #[test]
    fn rows_of_a_staircase_are_texts() {
        let stairs = Staircase { vertices: 9, levels: 3, rows: vec![vec![0, 17], vec![]] };
        let json = serde_json::to_string(&stairs).unwrap();
        assert_eq!(json, r#"{"vertices":9,"levels":3,"rows":["0 17",""]}"#);
        assert_eq!(serde_json::from_str::<Staircase>(&json).unwrap(), stairs);
        assert!(serde_json::from_str::<Staircase>(&json.replace("17", "x")).is_err());
    }

    #[test]
    fn what_is_no_report_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        for (text, problem) in [
            ("x", "not JSON: "),
            ("{\"command\":\"bench balance\",\"schema\":1}", "not a report of `warpgraph bench halo`"),
            ("{\"command\":\"bench halo\",\"schema\":7}", "schema 7, this build reads 1"),
            ("{\"command\":\"bench halo\",\"schema\":1}", "not a report: missing field"),
        ] {
            std::fs::write(&path, text).unwrap();
            let message = read(&path).unwrap_err().to_string();
            assert!(message.contains(&format!("x.json: {problem}")), "{message}");
        }
    }

    #[test]
    fn values_are_held_against_the_natural_order() {
        let mut report = as_in_the_paper();
        let cell = report.cell("data/web.bv", "halo2").unwrap();
        assert_eq!(report.of_natural(cell, Cell::within), Some(0.25));
        assert_eq!(report.of_natural(cell, |_| Some(0.0)), None);
        assert_eq!(report.orders(), ["natural", "random", "halo2"]);
        report.cells.retain(|cell| cell.order != NATURAL);
        assert_eq!(report.of_natural(&report.cells[0], Cell::within), None);
    }

    #[test]
    fn a_wrong_answer_is_warned_of() {
        let mut report = as_in_the_paper();
        assert!(report.warnings.is_empty());
        report.cells[0].pagerank.as_mut().unwrap().verify = Some("failed".to_owned());
        let warnings = report.concluded().warnings;
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].starts_with("pagerank on data/web.bv in the order natural"), "{warnings:?}");
    }
}
