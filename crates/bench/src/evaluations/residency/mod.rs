//! `bench residency`: runs whose edges are not all in the memory of the GPU, by where the edges are and by order.
//!
//! Its parts, each of which can be asked for alone:
//! - `fig6` and `fig7`, Gera et al. \[1\]: speed of breadth-first searches by order at several residencies, one search at a time
//!   and 10 at a time. The tables of its figures 1, 9 and 13 are made from the cells of `fig6`;
//! - `fig11`: `halo2` by its number of samples, and `fig12`: Kronecker graphs by their scale (`--scales`), both of \[1\];
//! - `sage8`, figure 8 of Sha et al. \[2\]: tiles that read host memory against rows that are sent ahead;
//! - `budget`, beside the papers: four algorithms by the plans for graphs that do not fit.
//!
//! Every cell has a handle of its own, so that nothing of another residency is on the device. What crosses the bus is counted
//! in a run beside the timed ones.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7), 2020.
//! \[2\] M. Sha, Y. Li, K.-L. Tan. Self-adaptive graph traversal on GPUs. SIGMOD 2021.

mod at;
mod figures;
mod statements;
mod tables;
#[cfg(test)]
mod tests;

use crate::{
    evaluation::{
        About, Asked, Drawing, Evaluation, Handle, Held, Looked, Ordered, Per, Report, RunsOn, Starts,
        Subject, Wanted, report::figure, statements::Statement,
    },
    gpu_limits::GpuLimits,
    searches::Searches,
    sheet::Sheet,
    units::bytes,
};
use at::{Sizes, Whole};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use warpgraph::{
    Graph, Order, Plan, Residency as Edges, Result,
    transform::unified::{REGION, Settings},
};

/// What is known of it before its flags are read.
pub const ABOUT: About = About {
    name: "residency",
    title: "Edges beyond the memory of the GPU",
    head: "\
Measured after P. Gera et al., \"Traversing Large Graphs on GPUs with Unified Memory\", PVLDB 13(7), 2020 (HALO), and after figure 8 of
M. Sha et al., \"Self-adaptive graph traversal on GPUs\", SIGMOD 2021. Times are medians of runs after one that prepares everything,
allocation and initialisation included; of pagerank, of a sweep. Searches start at random vertices of the largest component, the
same in every cell. Bytes that crossed the bus are those of one more run, which counts them. `link` is what copies from pinned memory
to the device reach.",
    statements: "\
Each statement is judged in every case it is about: `held` in all of them, `in part` in some, `no` in none. Cases are graphs and
residencies other than `device`.",
    runs_on: RunsOn::Gpu,
    limits: false,
    as_stored: false,
    try_with: "--device simt --quick",
    defaults: ["50", "1", "30", "once"],
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench residency --device cuda --only budget --out whole
  warpgraph bench residency --device cuda --gpu-memory 700M --beside whole/residency.json --out out
  warpgraph bench residency web.graph --only fig6 --order natural --order 'halo2(k=64)' --residency zero-copy
  warpgraph bench residency --scales 18..24 --gpu-memory 2G --out scales
  warpgraph bench residency --device simt --quick --only sage8 --runs 3
  warpgraph bench residency --from out/residency.json --out again

--runs is the number of searches, each from another source. The table of graphs has the memory
for offsets, state and a quarter of the edges: give it as --gpu-memory. Without graphs: kron:22,
community:22 and uniform:22, with weights from 1 to 255.";

/// Measure runs whose edges are not all in the memory of a GPU: by residency, by order, and by plan
///
/// After Gera et al., "Traversing Large Graphs on GPUs with Unified Memory": searches by order (figures 6 and 7), bytes moved
/// (figures 1 and 9), samples (11), scaling (12), read-mostly advice (13); after figure 8 of Sha et al. tiles against streaming;
/// beside the papers four algorithms within a budget. docs/reproduce.md says what differs.
#[derive(Debug, Args, Serialize)]
#[command(after_help = EXAMPLES, next_help_heading = "Measuring")]
#[group(id = "own")]
pub struct Residency {
    /// Tiny graphs, for a simulated GPU
    #[arg(long)]
    quick: bool,
    /// Only this part: fig6, fig7, fig11, fig12, sage8 or budget; repeat it for each [default: all]
    #[arg(long = "only", value_name = "PART", value_parser = part)]
    parts: Vec<String>,
    /// A residency of figures 6 to 13, as in a plan; repeat it for each
    /// [default: zero-copy(hot=off,heads=off), unified, unified(advice=off), device]
    #[arg(long = "residency", value_name = "R")]
    residencies: Vec<String>,
    /// Only these orders, `ORDER after random` for one made from random places; repeat it for each [default: all but gorder
    /// and llp, and bfs-bp after random]
    #[arg(long = "order", value_name = "O")]
    orders: Vec<String>,
    /// Searches that orders sample, where --order does not say
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=65_536))]
    samples: u32,
    /// Searches at a time in figure 7
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=256))]
    together: u64,
    /// Figure 12 on the Kronecker graphs kron:A to kron:B
    #[arg(long, value_name = "A..B", value_parser = scales)]
    scales: Option<(u32, u32)>,
    /// Memory of the device that figure 12 models beside the measurement, as a part of the edges
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    model_memory: f64,
    /// A plan of the part `budget`; repeat it for each
    /// [default: auto, zero-copy, zero-copy(code=ef), unified(advice=off), device]
    #[arg(long = "plan", value_name = "P")]
    plans: Vec<String>,
    /// The JSON of a run without --gpu-memory, for times of `device` on graphs of the same names
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
}

const PARTS: [&str; 6] = ["fig6", "fig7", "fig11", "fig12", "sage8", "budget"];

fn part(text: &str) -> Result<String, String> {
    match PARTS.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("there is no part {text:?}; parts: {}", PARTS.join(", "))),
    }
}

fn scales(text: &str) -> Result<(u32, u32), String> {
    let ends = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    ends.filter(|(from, to)| (1..=*to).contains(from) && *to <= 31)
        .ok_or_else(|| "expected two scales from 1 to 31, such as 18..24".to_owned())
}

const GRAPHS: [&str; 3] = ["kron:22,w=1..255", "community:22,degree=32,w=1..255", "uniform:22,w=1..255"];
const QUICK: [&str; 2] = ["kron:6,w=1..255", "community:6,degree=8,w=1..255"];
/// Residencies: in host memory without anything kept on the device, and in managed memory with and without advice.
const HOST: &str = "zero-copy(hot=off,heads=off)";
const ADVISED: &str = "unified";
const UNADVISED: &str = "unified(advice=off)";
const DEVICE: &str = "device";
const RESIDENCIES: [&str; 4] = [HOST, ADVISED, UNADVISED, DEVICE];
/// Plans of figure 8 of SAGE: its own two balances, what stands for Subway, and the open plan.
const TILED: &str = "tiled+zero-copy(hot=off,heads=off)";
const RESIDENT: &str = "resident+zero-copy(hot=off,heads=off)";
const STREAMED: &str = "tiled+streamed";
const OPEN: &str = "zero-copy";
/// Plans of the part `budget`, and its algorithms.
const PLANS: [&str; 5] = ["auto", OPEN, "zero-copy(code=ef)", UNADVISED, DEVICE];
const ALGORITHMS: [&str; 4] = ["bfs", "wcc", "pagerank", "sssp"];
/// Sweeps of PageRank.
const SWEEPS: u64 = 20;
/// Samples of figure 11.
const SAMPLES: [u32; 8] = [2, 4, 8, 16, 32, 64, 128, 256];
/// Orders that only `--order` asks for: they take long.
const SLOW: [&str; 2] = ["gorder", "llp"];
/// Searches that the model of figure 12 is fed with.
const MODELLED: u64 = 5;
/// The parts of figures 6 and 7.
const SEARCHES: [&str; 2] = ["fig6", "fig7"];

/// Returns a cell on a handle of its own. What crosses the bus is counted, unless all edges are on the device.
fn cell(algorithm: &str, plan: impl Into<String>, order: Held) -> Wanted {
    let wanted = Wanted { order, handle: Handle::Fresh, ..Wanted::new(algorithm, plan) };
    let count_transfer = !residency(&wanted.plan).is_some_and(|edges| edges.is_on_device());
    Wanted { count_transfer, ..wanted }
}

fn residency(plan: &str) -> Option<Edges> {
    plan.parse::<Plan>().ok()?.residency
}

/// Returns a search by pushing alone, as both papers do it.
fn search(plan: &str, order: Held) -> Wanted {
    Wanted { starts: Starts::Largest, ..cell("bfs", format!("push+{plan}"), order) }
}

/// Returns a cell of the part `budget`.
fn within(algorithm: &str, plan: &str) -> Wanted {
    let wanted = cell(algorithm, plan, Held::NATURAL);
    match algorithm {
        "pagerank" => {
            let config = json!({ "tolerance": 0.0, "max_iterations": SWEEPS });
            Wanted { config, per: Per::Sweep, ..wanted }
        }
        "wcc" => wanted,
        _ => Wanted { starts: Starts::Largest, ..wanted },
    }
}

impl Residency {
    fn has(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|name| name == part)
    }

    fn residencies(&self) -> Vec<&str> {
        named_or(&self.residencies, &RESIDENCIES)
    }

    /// Returns an order by its text; one that samples, with so many searches as asked unless the text says otherwise.
    fn order(&self, text: &str) -> Result<Held> {
        let held: Held = text.parse()?;
        match held {
            Held::Order(order) | Held::Shuffled(order) if order.searches() && !text.contains('(') => {
                text.replacen(order.name(), &format!("{}(k={})", order.name(), self.samples), 1).parse()
            }
            held => Ok(held),
        }
    }

    fn orders(&self) -> Result<Vec<Held>> {
        let usual = Order::ALL.iter().map(|order| order.name()).filter(|name| !SLOW.contains(name));
        let usual: Vec<&str> = usual.chain(["bfs-bp after random"]).collect();
        named_or(&self.orders, &usual).into_iter().map(|text| self.order(text)).collect()
    }

    fn is_scale(&self, name: &str) -> bool {
        self.scales.is_some_and(|(from, to)| (from..=to).any(|scale| name == format!("kron:{scale}")))
    }

    /// Returns every cell of a graph with its part.
    fn parts_of(&self, name: &str) -> Result<Vec<(&'static str, Wanted)>> {
        let mut all = Vec::new();
        let host = self.residencies()[0];
        if self.is_scale(name) {
            let orders = [Held::NATURAL, self.order("halo2")?];
            let pairs =
                orders.into_iter().flat_map(|order| self.residencies().into_iter().map(move |r| (order, r)));
            all.extend(pairs.map(|(order, residency)| ("fig12", search(residency, order))));
            return Ok(all);
        }
        for order in self.orders()? {
            for residency in self.residencies() {
                all.push(("fig6", search(residency, order)));
                let starts = Starts::LargestTogether(self.together);
                all.push(("fig7", Wanted { starts, ..cell("closeness", residency, order) }));
            }
        }
        let samples = SAMPLES.map(|samples| Held::Order(Order::Halo2 { samples }));
        all.extend(samples.map(|order| ("fig11", search(host, order))));
        all.extend([TILED, RESIDENT, STREAMED].map(|plan| ("sage8", search(plan, Held::NATURAL))));
        let open = Wanted { starts: Starts::Largest, ..cell("bfs", OPEN, Held::NATURAL) };
        all.push(("sage8", open));
        let plans = named_or(&self.plans, &PLANS);
        all.extend(
            ALGORITHMS.iter().flat_map(|name| plans.iter().map(|plan| ("budget", within(name, plan)))),
        );
        Ok(all)
    }

    /// Returns what a model of unified memory moves for a few searches.
    fn modelled(
        &self,
        ordered: &Ordered,
        searches: &Searches,
        subject: &Subject<'_>,
    ) -> Result<Map<String, Value>> {
        let (inner, map) = ordered.inner();
        let memory = (inner.arcs() as f64 * 4.0 * self.model_memory) as u64;
        if memory < REGION {
            return Ok(Map::new());
        }
        let transfer = searches.transfer(inner, map, Settings::with_memory(memory), subject.control)?;
        Ok(Map::from_iter([("transfer".to_owned(), json!(transfer))]))
    }
}

fn named_or<'a>(named: &'a [String], usual: &[&'a str]) -> Vec<&'a str> {
    if named.is_empty() { usual.to_vec() } else { named.iter().map(String::as_str).collect() }
}

impl Evaluation for Residency {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<()> {
        for text in self.residencies().into_iter().chain(self.plans.iter().map(String::as_str)) {
            text.parse::<Plan>()?;
        }
        self.orders()?;
        self.beside.as_ref().map_or(Ok(()), |path| Whole::read(path).map(drop))
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        let suite: &[&str] = match (self.quick, named.is_empty() && self.scales.is_none()) {
            (true, _) => &QUICK,
            (false, true) => &GRAPHS,
            (false, false) => &[],
        };
        let of_suite = suite.iter().map(|text| (*text).to_owned());
        let scales = self.scales.into_iter().flat_map(|(from, to)| from..=to);
        let scales = scales.map(|scale| format!("kron:{scale}")).filter(|name| !named.contains(name));
        Ok(Asked::all(of_suite.chain(named.iter().cloned()).chain(scales)))
    }

    fn cells(&self, asked: &Asked, _: &Graph) -> Result<Vec<Wanted>> {
        let mut all = Vec::new();
        for (part, cell) in self.parts_of(&asked.name)?.into_iter().filter(|(part, _)| self.has(part)) {
            cell.add_to(part, &mut all);
        }
        Ok(all)
    }

    fn look<'a>(&'a self, subject: &Subject<'a>) -> Result<Looked<'a>> {
        let Subject { asked, graph, engine, processor, control, measuring } = *subject;
        let bus = engine.gpu().and_then(|gpu| GpuLimits::measure_bus(gpu, control).ok());
        let figures = [("edges", json!(Sizes::of(graph))), ("bus", json!(bus))];
        let figures = figures.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        let count = if self.is_scale(&asked.name) { MODELLED } else { 0 };
        let searches = Searches::of(processor, graph, (count, measuring.seed), control)?;
        let subject = *subject;
        let in_order = move |ordered: &Ordered| match count {
            0 => Ok(Map::new()),
            _ => processor.install(|| self.modelled(ordered, &searches, &subject)),
        };
        Ok(Looked { figures, in_order: Some(Box::new(in_order)) })
    }

    fn conclude(&self, report: &mut Report) {
        let mut all: Vec<Whole> = figure(&report.figures, DEVICE).unwrap_or_default();
        let read = self.beside.as_ref().and_then(|path| Whole::read(path).ok()).unwrap_or_default();
        for whole in Whole::of(report).into_iter().chain(read) {
            if !all.iter().any(|of| (&of.graph, &of.algorithm) == (&whole.graph, &whole.algorithm)) {
                all.push(whole);
            }
        }
        report.figures.insert(DEVICE.to_owned(), json!(all));
    }

    fn statements(&self) -> &'static [Statement] {
        statements::ALL
    }

    fn facts(&self, report: &Report) -> Vec<String> {
        let budget = report.gpu_memory.map_or_else(|| "none".to_owned(), bytes);
        let together = &report.options["together"];
        vec![format!("budget of device memory: {budget}; searches at a time in figure 7: {together}")]
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn figures(&self, report: &Report) -> Vec<Drawing> {
        figures::all(report)
    }
}
