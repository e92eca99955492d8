//! `bench balance`: the evaluation of Raval et al., section IV, on the graphs at hand.
//!
//! BFS and SSSP, pushing, by five ways of sharing a frontier's arcs among the threads of a GPU, and by variants of one of
//! them. The paper's third axis of figure 9, complexity of implementation, is its authors' judgement; here all strategies have
//! one interface, so it is left out.
//!
//! The graph goes to the device anew for every cell, so that memory counts nothing that another strategy keeps. What a
//! strategy makes once and keeps for later runs, such as a list of all edges, is preparation. The paper counts it as
//! overhead, so statements are judged both ways.

mod degrees;
mod figures;
mod statements;
mod tables;
#[cfg(test)]
mod tests;

use crate::{
    evaluation::{
        About, Asked, Cell, Drawing, Evaluation, Handle, Looked, Report, RunsOn, Subject, Wanted,
        statements::Statement, tables::over,
    },
    sheet::Sheet,
    statistics::geometric_mean,
};
use clap::Args;
use degrees::Degrees;
use serde::Serialize;
use serde_json::{Value, json};
use warpgraph::{Graph, Result};

/// What is known of it before its flags are read.
pub const ABOUT: About = About {
    name: "balance",
    title: "Load balancing strategies",
    head: "\
Measured after A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, \"Dynamic Load Balancing Strategies for
Graph Applications on GPUs\", section IV. Times are medians of runs with the graph on the device. `kernels` is device time of
kernels that expand frontiers, `overhead` the rest of a run; `once` is what a strategy prepares in the first run and keeps for
later ones, and part of no other figure. `extra` is memory beside the graph and what every strategy keeps. Every answer was
verified once, before the timed runs.",
    statements: "\
Each statement is judged in every case it is about: `held` in all of them, `in part` in some, `no` in none. The paper counts
what is prepared once as overhead; where that changes the count, it is said. Kinds of graphs follow from what was measured:
`road-like` has a large diameter, `skewed` a largest degree of 16 times the mean, `large` also 100 million arcs; random graphs
are `even`.",
    runs_on: RunsOn::Gpu,
    limits: true,
    as_stored: true,
    try_with: "--device simt --quick",
    defaults: ["10", "1", "30", "once"],
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench balance --device cuda --out balance
  warpgraph bench balance kron:18,degree=8,directed,w=1..255 grid:512x512,w=1..255
  warpgraph bench balance --plan push+node --plan 'push+split(mdt=32)' kron:18
  warpgraph bench balance --device simt --quick
  warpgraph bench balance --scale 20 road.gr.zst --out balance
  warpgraph bench balance --from balance/balance.json --out again

The graphs of --scale N: kron:N with 8 directed edges per vertex (RMAT), uniform:N
and uniform:N+3 with 4 (Erdos-Renyi), a grid of 2^N vertices with a tenth of the edges
dropped (road-like), kron:N+4 with 20 (Graph500), all with weights from 1 to 255.
Graphs that are named with --scale or --quick are measured after them.";

/// Compare load balancing strategies on a GPU, as a paper does, and say which of its statements hold here
///
/// BFS and SSSP by every strategy: time split into kernels and overhead, memory, degrees before and after node splitting,
/// and what work chunking gains. After Raval et al., "Dynamic Load Balancing Strategies for Graph Applications on GPUs",
/// section IV; docs/reproduce.md says what differs. Every answer is verified once.
#[derive(Debug, Args, Serialize)]
#[command(after_help = EXAMPLES, next_help_heading = "Measuring")]
#[group(id = "own")]
pub struct Balance {
    /// Five graphs of the kinds of the paper, of 2^N vertices and more; its own are of scale 20
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=27))]
    scale: Option<u32>,
    /// Tiny graphs of these kinds, for a simulated GPU
    #[arg(long, conflicts_with = "scale")]
    quick: bool,
    /// Only these strategies, each as a plan of `run`; repeat it for each [default: all of the paper]
    #[arg(long = "plan", value_name = "P")]
    plans: Vec<String>,
}

/// Labels of cells: the baseline, those of the paper, and `edge` with an atomic for every arc.
const NODE: &str = "node";
const EDGE: &str = "edge";
const EDGE_WITHOUT_CHUNKING: &str = "edge(chunking=off)";
const WORKLOAD: &str = "workload";
const SPLIT: &str = "split";
const HIERARCHICAL: &str = "hierarchical";
/// The strategies of the paper, and what it calls them.
const STRATEGIES: [&str; 5] = [NODE, EDGE, WORKLOAD, SPLIT, HIERARCHICAL];
const LETTERS: [&str; 5] = ["BS", "EP", "WD", "NS", "HP"];
/// The strategies that are compared, unless others are named.
const COMPARED: [&str; 7] =
    [NODE, EDGE, EDGE_WITHOUT_CHUNKING, "edge(condensing=off)", WORKLOAD, SPLIT, HIERARCHICAL];
const ALGORITHMS: [&str; 2] = ["sssp", "bfs"];

/// Returns what the paper calls a strategy.
fn in_the_paper(label: &str) -> Option<&'static str> {
    STRATEGIES.iter().zip(LETTERS).find(|(strategy, _)| **strategy == label).map(|(_, letters)| letters)
}

/// The scale of the paper's graphs.
const SCALE: u32 = 20;
/// Graphs of one kind each, for a simulated GPU.
const QUICK: [&str; 4] = [
    "kron:6,degree=8,directed,w=1..255",
    "uniform:6,degree=4,directed,w=1..255",
    "grid:4x32,drop=0.1,w=1..255",
    "kron:7,degree=20,w=1..255",
];

/// Returns an RMAT, two Erdos-Renyi, a road-like and a Graph500-like graph, the latter of 16 times as many vertices as the
/// first: the kinds of the paper's table II, and its sizes at scale 20.
fn suite(scale: u32) -> Vec<String> {
    let (wide, high) = (1u64 << (scale / 2), 1u64 << (scale - scale / 2));
    vec![
        format!("kron:{scale},degree=8,directed,w=1..255"),
        format!("uniform:{scale},degree=4,directed,w=1..255"),
        format!("uniform:{},degree=4,directed,w=1..255", scale + 3),
        format!("grid:{wide}x{high},drop=0.1,w=1..255"),
        format!("kron:{},degree=20,w=1..255", scale + 4),
    ]
}

impl Evaluation for Balance {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        let scale = self.scale.or(named.is_empty().then_some(SCALE));
        let own = match self.quick {
            true => QUICK.map(str::to_owned).to_vec(),
            false => scale.map_or_else(Vec::new, suite),
        };
        Ok(Asked::all(own.into_iter().chain(named.iter().cloned())))
    }

    fn cells(&self, _: &Asked, _: &Graph) -> Result<Vec<Wanted>> {
        let plans = match self.plans.is_empty() {
            true => COMPARED.map(|label| format!("bsp+push+{label}")).to_vec(),
            false => self.plans.clone(),
        };
        let fresh = |name: &str, plan: &String| Wanted { handle: Handle::Fresh, ..Wanted::new(name, plan) };
        Ok(ALGORITHMS.iter().flat_map(|name| plans.iter().map(|plan| fresh(name, plan))).collect())
    }

    fn look<'a>(&'a self, subject: &Subject<'a>) -> Result<Looked<'a>> {
        let degrees = subject.processor.install(|| Degrees::of(&subject.graph.out().csr));
        let figures = serde_json::Map::from_iter([("degrees".to_owned(), json!(degrees))]);
        Ok(Looked { figures, in_order: None })
    }

    fn conclude(&self, report: &mut Report) {
        for case in &mut report.graphs {
            let bfs = |cell: &&Cell| cell.graph == case.name && cell.algorithm == "bfs";
            let rounds = report.cells.iter().filter(bfs).find_map(|cell| cell.rounds);
            let kind = case.figure("degrees").map(|degrees: Degrees| degrees.kind(rounds));
            case.figures.insert("kind".to_owned(), json!(kind));
        }
        report.figures.insert("ranks".to_owned(), json!(ranks(report)));
        report.figures.insert("chunking".to_owned(), json!(chunking(report)));
    }

    fn statements(&self) -> &'static [Statement] {
        statements::ALL
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn figures(&self, report: &Report) -> Vec<Drawing> {
        figures::all(report)
    }
}

/// A strategy over all graphs and algorithms.
#[derive(Debug, Default, Serialize)]
struct Rank {
    strategy: String,
    /// The geometric mean of its times over those of `node`, where both ran, and its place by that, from 1.
    time: Option<f64>,
    time_rank: Option<usize>,
    /// The same for bytes on the device; strategies that take the same share a place.
    memory: Option<f64>,
    memory_rank: Option<usize>,
    /// Cells that ran, and that did not.
    ran: usize,
    failed: usize,
}

/// Returns all strategies, the fastest first, then those without figures.
fn ranks(report: &Report) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = report.labels().into_iter().map(|label| rank(report, label)).collect();
    let (times, sizes): (Vec<_>, Vec<_>) = ranks.iter().map(|rank| (rank.time, rank.memory)).unzip();
    for rank in &mut ranks {
        (rank.time_rank, rank.memory_rank) = (place(rank.time, &times), place(rank.memory, &sizes));
    }
    ranks.sort_by_key(|rank| rank.time_rank.unwrap_or(usize::MAX));
    ranks
}

fn rank(report: &Report, label: &str) -> Rank {
    let cells: Vec<&Cell> = report.cells.iter().filter(|cell| cell.label() == label).collect();
    let mean = |figure: fn(&Cell) -> Option<f64>| {
        let node = |cell: &Cell| figure(report.cell(&cell.graph, &cell.algorithm, NODE)?);
        let ratios = cells.iter().filter_map(|cell| over(figure(cell), node(cell)));
        geometric_mean(&ratios.filter(|ratio| *ratio > 0.0).collect::<Vec<_>>())
    };
    let ran = cells.iter().filter(|cell| cell.seconds.is_some()).count();
    Rank {
        strategy: label.to_owned(),
        time: mean(Cell::median),
        memory: mean(|cell| Some(cell.memory?.total() as f64)),
        ran,
        failed: cells.len() - ran,
        ..Rank::default()
    }
}

/// Returns one more than how many are less.
fn place(value: Option<f64>, all: &[Option<f64>]) -> Option<usize> {
    value.map(|value| 1 + all.iter().flatten().filter(|other| **other < value).count())
}

/// Returns the time of `edge` with an atomic for every arc over that with one for all arcs of a vertex.
fn speedup(report: &Report, graph: &str, algorithm: &str) -> Option<f64> {
    let [without, with] =
        [EDGE_WITHOUT_CHUNKING, EDGE].map(|label| report.cell(graph, algorithm, label)?.median());
    over(without, with)
}

/// Returns what chunking gains for each graph and algorithm where both forms of `edge` ran.
fn chunking(report: &Report) -> Vec<Value> {
    let gain = |Cell { graph, algorithm, .. }: &Cell| {
        let speedup = speedup(report, graph, algorithm)?;
        Some(json!({ "graph": graph, "algorithm": algorithm, "speedup": speedup }))
    };
    report.cells.iter().filter(|cell| cell.label() == EDGE).filter_map(gain).collect()
}
