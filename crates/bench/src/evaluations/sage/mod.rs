//! `bench sage`: the evaluation of Sha et al. \[1\], section 7, on the graphs at hand and one GPU.
//!
//! Its parts, each of which can be asked for alone:
//! - `fig6`, speed by order, and `table2`, what orders cost, `sampled` by the round;
//! - `fig7`, speed by balance, in the natural order and in `gorder`, beside other programs;
//! - `fig10`, the ablation: a thread per vertex, tiles, resident tiles, the order that was learnt from them;
//! - `table3`, what electing tiles costs;
//! - beside the paper `auto`, how far the engine's own choice of balances is from the best one, `tiles`, how many tiles are met
//!   again, and `first`, what the first run on a graph takes.
//!
//! A run is timed with the graph on the device; what is made once and kept for later runs is told apart. Searches start at
//! random vertices of the largest component, the same in every cell; PageRank makes a fixed number of sweeps and is timed by
//! the sweep. Figure 8, out-of-core traversal, is a part of `bench residency`. Figure 9, several GPUs, is not repeated.
//!
//! \[1\] M. Sha, Y. Li, K.-L. Tan. Self-adaptive graph traversal on GPUs. SIGMOD 2021.

mod auto;
mod choice;
mod figures;
mod peers;
mod tables;
#[cfg(test)]
mod tests;

use crate::{
    evaluation::{About, Asked, Drawing, Evaluation, Report, RunsOn, Wanted},
    sheet::Sheet,
};
use choice::Choice;
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use warpgraph::{Graph, Result, graph::generate::Spec};

/// What is known of it before its flags are read.
pub const ABOUT: About = About {
    name: "sage",
    title: "Self-adaptive traversal",
    head: "\
Measured after M. Sha, Y. Li, K.-L. Tan, \"Self-adaptive graph traversal on GPUs\", SIGMOD 2021, section 7. Times are medians of
runs with the graph on the device, allocation and initialisation included; of pagerank, of a sweep. Searches start at random vertices
of the largest component, the same in every cell. Every answer was verified once.",
    statements: "",
    runs_on: RunsOn::Gpu,
    limits: false,
    as_stored: true,
    try_with: "--device simt --quick",
    defaults: ["20", "1", "30", "once"],
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench sage --device cuda --out sage
  warpgraph bench sage --device cuda --only fig10 --only auto kron:22=k22.wg grid:2048x2048
  warpgraph bench sage --only fig10 --plan tiled --plan 'tiled(align=off)' --plan 'tiled(min=8)'
  warpgraph bench sage --only fig6 --order natural --order sampled --order rcm community:20,shuffle
  warpgraph bench sage --algorithms bfs,sssp,wcc --peers others.json kron:22,w=1..255
  warpgraph bench sage --device simt --quick --only fig10 --runs 3
  warpgraph bench sage --from sage/sage.json --out again

The default graphs are kron:22, kron:24, powerlaw:4194304,alpha=1.8, uniform:22, grid:2048x2048
and community:22,degree=32,shuffle, all with weights from 1 to 255. The argument NAME=FILE takes the
graph in FILE and calls it NAME. If NAME is a generator that shuffles, the evaluation also measures the
planted order. A cell takes one verified run and at most --case-limit seconds; progress lines count
the cells.";

/// Measure self-adaptive traversal on a GPU as a paper does: balances, orders, ablation, and the engine's own choice
///
/// After Sha et al., "Self-adaptive graph traversal on GPUs", section 7: speed by order (figure 6) and what orders cost (table 2),
/// speed by balance (figure 7), the ablation (figure 10), what electing tiles costs (table 3); beside the paper how far the engine's
/// choice of balances is from the best, tiles that are met again, and the first run. docs/reproduce.md says what differs.
#[derive(Debug, Args, Serialize)]
#[command(after_help = EXAMPLES, next_help_heading = "Measuring")]
#[group(id = "own")]
pub struct Sage {
    /// Tiny graphs of these kinds, for a simulated GPU
    #[arg(long)]
    quick: bool,
    /// Only this part: fig6, fig7, fig10, table2, table3, auto, tiles or first; repeat it for each [default: all]
    #[arg(long = "only", value_name = "PART", value_parser = part)]
    parts: Vec<String>,
    /// Only these algorithms [default: bfs,bc,pagerank; of `auto` bfs,sssp,wcc]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    algorithms: Vec<String>,
    /// A step of the ablation, as a plan of `run`; bfs, sssp and wcc push where it names no direction; repeat it for each
    /// [default: node, tiled, resident]
    #[arg(long = "plan", value_name = "P")]
    plans: Vec<String>,
    /// An order of figure 6 and table 2, after the first also a step of the ablation by the last plan; repeat it for each
    /// [default: natural, sampled, rcm, llp, gorder; of the ablation natural, sampled]
    #[arg(long = "order", value_name = "O")]
    orders: Vec<String>,
    /// Rounds of `sampled`
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Times of other programs, for figure 7: a JSON list of rows {name, graph, algorithm, seconds}
    #[arg(long, value_name = "FILE")]
    peers: Option<PathBuf>,
}

const PARTS: [&str; 8] = ["fig10", "fig6", "table2", "fig7", "auto", "table3", "tiles", "first"];

fn part(text: &str) -> Result<String, String> {
    match PARTS.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("there is no part {text:?}; parts: {}", PARTS.join(", "))),
    }
}

/// Two Kronecker graphs, one of the most skewed degrees, one without skew, a road-like one, and communities whose order was
/// lost. Weights are for sssp.
const GRAPHS: [&str; 6] = [
    "kron:22,w=1..255",
    "kron:24,w=1..255",
    "powerlaw:4194304,alpha=1.8,w=1..255",
    "uniform:22,w=1..255",
    "grid:2048x2048,w=1..255",
    "community:22,degree=32,shuffle,w=1..255",
];
/// Graphs of these kinds for a simulated GPU.
const QUICK: [&str; 5] = [
    "kron:6,w=1..255",
    "powerlaw:64,alpha=1.8,w=1..255",
    "uniform:6,w=1..255",
    "grid:8x16,w=1..255",
    "community:6,degree=8,shuffle,w=1..255",
];
/// Left out of the names of the default graphs.
const WEIGHTS: &str = ",w=1..255";

/// Returns a graph by its text: a generator, a file, or `NAME=FILE`, a file and what to call it. A name that is a generator's
/// tells what the graph is.
fn asked(text: &str) -> Asked {
    let is_spec = |text: &str| text.parse::<Spec>().is_ok();
    let (name, source) = match text.rsplit_once('=') {
        Some((name, file)) if !is_spec(text) && (is_spec(name) || !name.contains(',')) => (name, file),
        _ => (text, text),
    };
    Asked { name: name.to_owned(), source: source.to_owned(), planted: planted(name) }
}

/// Returns what generates the same graph without `shuffle`; `None` if it does not shuffle, or is no generator's.
fn planted(text: &str) -> Option<Spec> {
    let shuffled: Spec = text.parse().ok()?;
    let pieces = text.split(',').filter(|piece| piece.split('=').next() != Some("shuffle"));
    let planted: Spec = pieces.collect::<Vec<&str>>().join(",").parse().ok()?;
    (planted != shuffled).then_some(planted)
}

impl Sage {
    fn has(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|name| name == part)
    }
}

impl Evaluation for Sage {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<()> {
        Choice::of(self)?;
        self.peers.as_ref().map_or(Ok(()), |path| peers::read(path).map(drop))
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        let suite: &[&str] = match (self.quick, named.is_empty()) {
            (true, _) => &QUICK,
            (false, true) => &GRAPHS,
            (false, false) => &[],
        };
        let of_suite = |source: &&str| Asked {
            name: source.strip_suffix(WEIGHTS).unwrap_or(source).to_owned(),
            ..asked(source)
        };
        Ok(suite.iter().map(of_suite).chain(named.iter().map(|text| asked(text))).collect())
    }

    fn cells(&self, asked: &Asked, graph: &Graph) -> Result<Vec<Wanted>> {
        Ok(Choice::of(self)?.cells(graph.vertices() as u64, asked.planted.is_some()))
    }

    fn orders(&self) -> Vec<Wanted> {
        let choice = Choice::of(self).ok().filter(|_| self.has("table2"));
        choice.map_or_else(Vec::new, |choice| choice.in_orders())
    }

    fn conclude(&self, report: &mut Report) {
        peers::add(report, self.peers.as_deref());
        report.figures.insert("auto".to_owned(), json!(auto::judge(report)));
    }

    fn facts(&self, report: &Report) -> Vec<String> {
        let (rounds, limit) = (&report.options["rounds"], report.measuring.order_limit);
        vec![format!("`sampled`: up to {rounds} rounds; orders given up after {limit} s")]
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn figures(&self, report: &Report) -> Vec<Drawing> {
        figures::all(report)
    }
}
