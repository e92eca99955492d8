//! `bench approx`: the evaluation of Graffix \[1\]: speed-up and inaccuracy of runs on graphs changed by `coalesce`, `latency` and
//! `divergence`.
//!
//! - `fig3` (figure 3 and the means of the abstract): each technique at the default of its knob, on every graph and algorithm;
//! - `fig2` (figure 2): sssp, mst and bc by the threshold of `coalesce`;
//! - `knobs`, beside the poster: the same by the knobs of `latency` and `divergence`.
//!
//! The *baseline* is the plan of the poster's exact runs, `bsp+push+node`, as far as the algorithm takes it: bc and scc choose
//! their directions (`bsp+node`), mst has one form. The speed-up is the time of the exact run over that of the approximate run,
//! both by the baseline. Beside it stand the exact and the approximate run by an open plan, the default here: only what is
//! faster than those is of use.
//!
//! The poster does not say its metric, its sources, its sizes, or the figures of two of its algorithms. Inaccuracies here are
//! means of relative differences over vertices (sssp, pagerank, bc), or the relative difference of the weight (mst) or the
//! number of components (scc), from the first of the timed sources.
//!
//! \[1\] S. Singh, R. Nasre, Optimizing graph processing on GPUs using approximate computing, PPoPP 2019.

mod at;
mod figures;
mod paper;
mod statements;
mod tables;
#[cfg(test)]
mod tests;

use crate::{
    evaluation::{
        About, Asked, Drawing, Evaluation, Report, RunsOn, Starts, Subject, Wanted, statements::Statement,
    },
    sheet::Sheet,
};
use clap::Args;
use serde::Serialize;
use warpgraph::{Approximation, Device, Graph, Options, Result, find};

/// What is known of it before its flags are read.
pub const ABOUT: About = About {
    name: "approx",
    title: "Graphs changed for speed",
    head: "\
Measured after S. Singh and R. Nasre, \"Optimizing Graph Processing on GPUs using Approximate Computing\", PPoPP 2019 (Graffix). Times are
medians of runs with everything prepared. `baseline` is the plan of the poster's exact runs, `bsp+push+node`, or what an algorithm
takes of it; `default` is the open plan. A speed-up is the time of an exact run over that of an approximate one. Inaccuracy is the mean
relative difference over vertices (sssp, pagerank, bc), or the relative difference of the forest's weight (mst) or of the number of
components (scc). sssp and bc start at random vertices of the largest component, the same in every cell. Answers were verified on the
graph as it was changed.",
    statements: "\
Each statement is judged in every case it is about: `held` in all of them, `in part` in some, `no` in none. Cases are graphs and
algorithms. Numbers are those of the poster.",
    runs_on: RunsOn::Asked,
    limits: false,
    as_stored: false,
    try_with: "--device simt --quick",
    defaults: ["10", "1", "60", "once"],
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench approx --device cuda --out approx
  warpgraph bench approx --device cuda --only fig3 soc-livejournal.txt.zst road-usa.gr
  warpgraph bench approx --approx 'latency(threshold=0.8)' --approx latency+divergence kron:18,w=1..255
  warpgraph bench approx --device cuda --only knobs --technique latency --algorithms sssp,pagerank
  warpgraph bench approx --device cpu --scale 12 --runs 3
  warpgraph bench approx --device simt --quick --runs 2
  warpgraph bench approx --from approx/approx.json --out again

The graphs of --scale N have about 2^N vertices: kron:N and a directed power-law graph (social),
community:N (social, clustered) and a grid (road), all with weights from 1 to 255. Of
an undirected graph, scc finds the connected components.";

/// Measure what changing a graph gains and costs, as a paper does, and say which of its statements hold here
///
/// sssp, mst, scc, pagerank and bc on graphs changed by coalesce, latency and divergence: speed-up and inaccuracy (figure 3), beside the
/// nine figures of the poster and beside our exact default, and both by the knob of each technique (figure 2). After Singh and
/// Nasre, "Graffix"; docs/reproduce.md says what differs.
#[derive(Debug, Args, Serialize)]
#[command(after_help = EXAMPLES, next_help_heading = "Measuring")]
#[group(id = "own")]
pub struct Approx {
    /// A social and a road graph of each kind, of 2^N vertices [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=26))]
    scale: Option<u32>,
    /// Tiny graphs of these kinds, for a simulated GPU
    #[arg(long, conflicts_with = "scale")]
    quick: bool,
    /// Only this part: fig2, fig3 or knobs; repeat it for each [default: all]
    #[arg(long = "only", value_name = "PART", value_parser = part)]
    parts: Vec<String>,
    /// Only these algorithms [default: sssp,mst,scc,pagerank,bc]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = algorithm)]
    algorithms: Vec<String>,
    /// Only this technique: coalesce, latency or divergence; repeat it for each [default: all]
    #[arg(long = "technique", value_name = "T", value_parser = technique)]
    techniques: Vec<String>,
    /// An approximation of figure 3, such as latency+coalesce; repeat it for each [default: each technique at its default]
    #[arg(long = "approx", value_name = "A", value_parser = approximation)]
    approximations: Vec<Approximation>,
}

const PARTS: [&str; 3] = ["fig2", "fig3", "knobs"];
const ALGORITHMS: [&str; 5] = ["sssp", "mst", "scc", "pagerank", "bc"];
/// The algorithms of figure 2.
const SWEPT: [&str; 3] = ["sssp", "mst", "bc"];
const TECHNIQUES: [&str; 3] = ["coalesce", "latency", "divergence"];
/// Values of a knob.
const KNOBS: [&str; 6] = ["0", "0.2", "0.4", "0.6", "0.8", "1"];
/// The open plan.
const OPEN: &str = "auto";
/// Plans of the baseline; an algorithm has the first that it takes.
const BASELINES: [&str; 4] = ["bsp+push+node", "bsp+node", "bsp+push", OPEN];
const QUICK: [&str; 4] = [
    "kron:6,w=1..255",
    "powerlaw:60,directed,w=1..255",
    "community:6,degree=8,w=1..255",
    "grid:8x7,drop=0.1,w=1..255",
];

fn part(text: &str) -> Result<String, String> {
    one_of("part", &PARTS, text)
}

fn algorithm(text: &str) -> Result<String, String> {
    one_of("algorithm", &ALGORITHMS, text)
}

fn technique(text: &str) -> Result<String, String> {
    one_of("technique", &TECHNIQUES, text)
}

fn one_of(what: &str, all: &[&str], text: &str) -> Result<String, String> {
    match all.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("there is no {what} {text:?} here; {what}s: {}", all.join(", "))),
    }
}

fn approximation(text: &str) -> Result<Approximation, String> {
    let read: Approximation = text.parse().map_err(|error: warpgraph::Error| match error.help() {
        Some(help) => format!("{error}; {help}"),
        None => error.to_string(),
    })?;
    match read.is_none() {
        true => Err("`none` is always measured; name a technique".to_owned()),
        false => Ok(read),
    }
}

/// Returns the graphs of `--scale`: two social ones, a clustered one, and a road network.
fn suite(scale: u32) -> [String; 4] {
    let (wide, high) = (1u64 << scale.div_ceil(2), 1u64 << (scale / 2));
    [
        format!("kron:{scale},w=1..255"),
        format!("powerlaw:{},directed,w=1..255", 1u64 << scale),
        format!("community:{scale},w=1..255"),
        format!("grid:{wide}x{high},drop=0.1,w=1..255"),
    ]
}

/// The default of `--scale`.
const SCALE: u32 = 20;

/// Returns the plan of the baseline for an algorithm on a device.
fn baseline(algorithm: &str, device: Device) -> Result<&'static str> {
    let rules = find(algorithm)?.rules;
    let takes = |plan: &&&str| {
        let options = plan.parse().map(|plan| Options { plan, ..Options::default() });
        options.is_ok_and(|options| rules.check(device, &options).is_ok())
    };
    Ok(BASELINES.iter().find(takes).copied().unwrap_or(OPEN))
}

/// Returns a cell of an algorithm.
fn cell(algorithm: &str, plan: &str, approximation: Approximation) -> Wanted {
    let starts = if ["sssp", "bc"].contains(&algorithm) { Starts::Largest } else { Starts::Configured };
    Wanted { starts, approximation, ..Wanted::new(algorithm, plan) }
}

impl Approx {
    fn has(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|name| name == part)
    }

    fn algorithms(&self) -> Vec<&str> {
        named_or(&self.algorithms, &ALGORITHMS)
    }

    fn techniques(&self) -> Vec<&str> {
        named_or(&self.techniques, &TECHNIQUES)
    }

    /// Returns the approximations of figure 3.
    fn compared(&self) -> Result<Vec<Approximation>> {
        match self.approximations.is_empty() {
            true => self.techniques().into_iter().map(str::parse).collect(),
            false => Ok(self.approximations.clone()),
        }
    }

    /// Returns the approximations of figure 2 or of the other knobs.
    fn swept(&self, part: &str) -> Result<Vec<Approximation>> {
        let is_in = |technique: &&str| (part == "fig2") == (*technique == "coalesce");
        let techniques = self.techniques().into_iter().filter(is_in);
        let texts = techniques.flat_map(|technique| {
            let key = if technique == "divergence" { "share" } else { "threshold" };
            KNOBS.map(|knob| format!("{technique}({key}={knob})"))
        });
        texts.map(|text| text.parse()).collect()
    }

    /// Returns the cells of an algorithm, each with its part, whose baseline is this plan.
    fn cells_of(&self, algorithm: &str, baseline: &str) -> Result<Vec<(&'static str, Wanted)>> {
        let exact = |plan: &str| cell(algorithm, plan, Approximation::NONE);
        let mut all = vec![("fig3", exact(baseline)), ("fig3", exact(OPEN))];
        for approximation in self.compared()? {
            all.extend([baseline, OPEN].map(|plan| ("fig3", cell(algorithm, plan, approximation))));
        }
        for part in ["fig2", "knobs"].into_iter().filter(|_| SWEPT.contains(&algorithm)) {
            let swept = self.swept(part)?;
            all.extend((!swept.is_empty()).then(|| (part, exact(baseline))));
            all.extend(swept.into_iter().map(|one| (part, cell(algorithm, baseline, one))));
        }
        Ok(all)
    }

    fn cells_for(&self, device: Device) -> Result<Vec<Wanted>> {
        let mut all = Vec::new();
        for algorithm in self.algorithms() {
            let cells = self.cells_of(algorithm, baseline(algorithm, device)?)?;
            let wanted = cells.into_iter().filter(|(part, _)| self.has(part));
            wanted.for_each(|(part, cell)| cell.add_to(part, &mut all));
        }
        Ok(all)
    }
}

fn named_or<'a>(named: &'a [String], usual: &[&'a str]) -> Vec<&'a str> {
    if named.is_empty() { usual.to_vec() } else { named.iter().map(String::as_str).collect() }
}

impl Evaluation for Approx {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        let suite = match (self.quick, self.scale) {
            (true, _) => QUICK.map(str::to_owned).to_vec(),
            (false, Some(scale)) => suite(scale).to_vec(),
            (false, None) if named.is_empty() => suite(SCALE).to_vec(),
            (false, None) => Vec::new(),
        };
        Ok(Asked::all(suite.into_iter().chain(named.iter().cloned())))
    }

    fn cells(&self, _: &Asked, _: &Graph) -> Result<Vec<Wanted>> {
        self.cells_for(Device::FIRST_GPU)
    }

    fn cells_on(&self, subject: &Subject<'_>) -> Result<Vec<Wanted>> {
        let is_on_gpu = subject.engine.gpu().is_some();
        self.cells_for(if is_on_gpu { Device::FIRST_GPU } else { Device::Cpu })
    }

    fn statements(&self) -> &'static [Statement] {
        statements::ALL
    }

    fn facts(&self, report: &Report) -> Vec<String> {
        let plans = at::baselines(report);
        let fact = |(plan, algorithms): (&str, Vec<&str>)| format!("{plan} ({})", algorithms.join(", "));
        let plans: Vec<String> = plans.into_iter().map(fact).collect();
        let fact = format!("baselines: {}", plans.join("; "));
        (!plans.is_empty()).then_some(fact).into_iter().collect()
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn remarks(&self, report: &Report) -> Vec<String> {
        tables::remarks(report)
    }

    fn figures(&self, report: &Report) -> Vec<Drawing> {
        figures::all(report)
    }
}
