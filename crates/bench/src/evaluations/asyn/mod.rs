//! `bench asyn`: the evaluation of AsynGraph \[1\], section 5, on the graphs and the device at hand.
//!
//! pagerank, adsorption, sssp and wcc along paths (the model `paths`), by supersteps that push (`bsp+push`, which stands for
//! the synchronous systems of the paper), and by an open plan, which is the fastest form here. Its parts, each of which can be
//! asked for alone:
//! - `main`: updates (figure 7), times (figure 8, table 2), convergence (figure 9), bytes loaded (figure 10), busy workers
//!   (figure 13);
//! - `fig11`: the ablation, without the sketch (AsynGraph-t) and without backward walks (AsynGraph-w); also figure 12;
//! - `fig14`: pagerank on power-law graphs of the exponents 1.8 to 2.2;
//! - `fig15`: how often hub chunks are walked, Np from 1 to 6;
//! - `table4`: the share of hubs, lambda, and of the sample, beta (tables 4 and 5);
//! - `fig16`: what makes a vertex important;
//! - beside the paper, and only if it is asked for, `thresholds`: sums along paths send large changes first, which supersteps
//!   can do as well. How many updates that takes, with and without supersteps, is counted by a reference (`supersteps`).
//!
//! Updates, edges and bytes are counted in a run beside the timed ones. `bsp+push` counts with slower kernels, and on the
//! processor, which has no such form, by a serial reference (`supersteps`) without times. Sums go on until the changes that
//! have not been sent are below the tolerance, in both models; rounds are not limited.
//!
//! \[1\] Y. Zhang et al. AsynGraph: maximizing data parallelism for efficient iterative graph processing on GPUs. TACO 2020.

mod at;
mod choice;
mod figures;
mod graphs;
mod statements;
mod supersteps;
mod tables;
#[cfg(test)]
mod tests;

use crate::{
    evaluation::{
        About, Asked, Cell, Drawing, Evaluation, Looked, Question, Report, RunsOn, Subject, Wanted,
        statements::Statement,
    },
    sheet::Sheet,
};
use clap::Args;
use graphs::Seen;
use serde::Serialize;
use serde_json::{Map, json};
use supersteps::Sending;
use warpgraph::{Graph, Result, Run};

/// What is known of it before its flags are read.
pub const ABOUT: About = About {
    name: "asyn",
    title: "Asynchronous runs along paths",
    head: "\
Measured after Y. Zhang et al., \"AsynGraph: Maximizing Data Parallelism for Efficient Iterative Graph Processing on GPUs\", TACO 2020,
section 5. `paths` walks along paths, `bsp+push` pushes by supersteps (of sums, only changes), `auto` is the open plan. Times are medians
of runs with everything prepared. An *update* is a message that changed a value: of a vertex, or of one of its mirrors on paths; a
*merge* is a mirror that changed its vertex. Both are counted, with edges and bytes, in one more run, which is not timed. The source
of sssp is one random vertex of the largest component. Every answer was verified once.",
    statements: "\
Each statement is judged in every case it is about: `held` in all of them, `in part` in some, `no` in none. `bsp+push` stands for
the synchronous systems of the paper. `with preparation` adds what is made once for all runs: paths, and copies on the device.",
    runs_on: RunsOn::Asked,
    limits: false,
    as_stored: false,
    try_with: "--device simt --quick",
    defaults: ["10", "1", "30", "once"],
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench asyn --device cuda --out asyn
  warpgraph bench asyn --device cuda --only main --only fig11 com-amazon.txt soc-pokec.txt.zst
  warpgraph bench asyn --device cpu --scale 12 --runs 3
  warpgraph bench asyn --only fig15 --algorithms sssp kron:16,w=1..255
  warpgraph bench asyn --only table4 --full-grid --device cuda
  warpgraph bench asyn --device simt --quick --runs 2
  warpgraph bench asyn --from asyn/asyn.json --out again

The graphs of --scale N have about 2^N vertices: kron:N, undirected and directed, community:N,
uniform:N, a grid, and power-law graphs with the exponents 1.8 to 2.2, all with weights from 1 to
255. Of the power-law graphs only that of 2.0 is in all parts. A simulated GPU takes minutes for
sums on graphs of 2^11 vertices: use --quick there.";

/// Compare asynchronous runs along paths with supersteps, as a paper does, and say which of its statements hold here
///
/// pagerank, adsorption, sssp and wcc: updates (figure 7), times (figure 8, table 2), convergence (figure 9), bytes loaded (figures
/// 10 and 12), the ablation (figure 11), busy workers (figure 13), power-law graphs (figure 14), and the parameters Np, lambda,
/// beta and importance (figures 15 and 16, tables 4 and 5). After Zhang et al., "AsynGraph", section 5; docs/reproduce.md says
/// what differs.
#[derive(Debug, Args, Serialize)]
#[command(after_help = EXAMPLES, next_help_heading = "Measuring")]
#[group(id = "own")]
pub struct Asyn {
    /// Graphs of the kinds of the paper, of 2^N vertices [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=26))]
    scale: Option<u32>,
    /// Tiny graphs of these kinds, for a simulated GPU
    #[arg(long, conflicts_with = "scale")]
    quick: bool,
    /// Only this part: main, fig11, fig14, fig15, fig16, table4 or thresholds; repeat it for each [default: all but thresholds]
    #[arg(long = "only", value_name = "PART", value_parser = part)]
    parts: Vec<String>,
    /// Only these algorithms [default: pagerank,adsorption,sssp,wcc]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = algorithm)]
    algorithms: Vec<String>,
    /// All 6 values of lambda and 5 of beta that the paper has, instead of 3 each
    #[arg(long)]
    full_grid: bool,
    /// pagerank and adsorption end when the changes that have not been sent are below this
    #[arg(long, value_name = "X", default_value_t = 1e-6, value_parser = tolerance)]
    tolerance: f64,
}

const PARTS: [&str; 7] = ["main", "fig11", "fig14", "fig15", "fig16", "table4", THRESHOLDS];
/// A part that takes long, since a serial reference counts.
const THRESHOLDS: &str = "thresholds";
const ALGORITHMS: [&str; 4] = ["pagerank", "adsorption", "sssp", "wcc"];
/// Plans: the model with its defaults, what it is compared with, the open plan, and its two ablations.
const PATHS: &str = "paths";
const PUSH: &str = "bsp+push";
const OPEN: &str = "auto";
const NO_SKETCH: &str = "paths(sketch=off)";
const NO_BACKWARD: &str = "paths(backward=off)";
/// What only the reference does, in the place of plans.
const LARGE_FIRST: &str = "bsp+push, large changes first";
const IN_PLACE: &str = "in place, large changes first";

fn part(text: &str) -> Result<String, String> {
    one_of("part", &PARTS, text)
}

fn algorithm(text: &str) -> Result<String, String> {
    one_of("algorithm", &ALGORITHMS, text)
}

fn one_of(what: &str, all: &[&str], text: &str) -> Result<String, String> {
    match all.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("there is no {what} {text:?} here; {what}s: {}", all.join(", "))),
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(tolerance) if tolerance > 0.0 && tolerance < 1.0 => Ok(tolerance),
        _ => Err("expected a number above 0 and below 1".to_owned()),
    }
}

impl Asyn {
    fn has(&self, part: &str) -> bool {
        match self.parts.is_empty() {
            true => part != THRESHOLDS,
            false => self.parts.iter().any(|name| name == part),
        }
    }

    fn algorithms(&self) -> Vec<&str> {
        match self.algorithms.is_empty() {
            true => ALGORITHMS.to_vec(),
            false => self.algorithms.iter().map(String::as_str).collect(),
        }
    }
}

impl Evaluation for Asyn {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        Ok(self.asked(named))
    }

    fn cells(&self, asked: &Asked, _: &Graph) -> Result<Vec<Wanted>> {
        let mut all = Vec::new();
        for (part, cell) in self.parts_of(asked).into_iter().filter(|(part, _)| self.has(part)) {
            cell.add_to(part, &mut all);
        }
        Ok(all)
    }

    fn look<'a>(&'a self, subject: &Subject<'a>) -> Result<Looked<'a>> {
        let figures = Map::from_iter([("seen".to_owned(), json!(Seen::of(subject)?))]);
        Ok(Looked { figures, in_order: None })
    }

    fn count(&self, question: &Question<'_>) -> Result<Option<Run>> {
        let Question { algorithm, plan, config, graph, on_gpu, control } = *question;
        let sending = match plan {
            PUSH if !on_gpu => Sending::Every,
            LARGE_FIRST => Sending::LargeFirst,
            IN_PLACE => Sending::InPlace,
            _ => return Ok(None),
        };
        supersteps::count((algorithm, config), sending, graph, control).map(Some)
    }

    fn statements(&self) -> &'static [Statement] {
        statements::ALL
    }

    fn facts(&self, report: &Report) -> Vec<String> {
        let tolerance = report.options["tolerance"].as_f64().unwrap_or_default();
        vec![format!("pagerank and adsorption: tolerance {tolerance:e}, rounds without a limit")]
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn remarks(&self, report: &Report) -> Vec<String> {
        let is_counted = |cell: &Cell| cell.plan_asked == PUSH && tables::is_only_counted(cell);
        let is_counted = report.cells.iter().any(is_counted);
        let counted = "`bsp+push` has no times: the processor has no such form, and a serial reference counted its work";
        is_counted.then(|| counted.to_owned()).into_iter().collect()
    }

    fn figures(&self, report: &Report) -> Vec<Drawing> {
        figures::all(report)
    }
}
