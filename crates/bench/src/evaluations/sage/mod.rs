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
//! the sweep. Out-of-core traversal and several GPUs (figures 8 and 9) are not repeated.
//!
//! \[1\] M. Sha, Y. Li, K.-L. Tan. Self-adaptive graph traversal on GPUs. SIGMOD 2021.

mod auto;
mod figures;
mod peers;
mod tables;

use crate::{
    evaluation::{
        About, Asked, Drawing, Evaluation, Handle, Held, Per, Report, RunsOn, Starts, Wanted, refused,
    },
    sheet::Sheet,
};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use warpgraph::{Balance, Graph, Order, Plan, Result, graph::generate::Spec};

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
and community:22,degree=32,shuffle; their weights go from 1 to 255. NAME=FILE reads a graph from a
file and calls it NAME. If NAME is a generator that shuffles, the evaluation also measures the
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

/// Algorithms that expand frontiers, those of the paper first.
const ALGORITHMS: [&str; 8] =
    ["bfs", "bc", "pagerank", "sssp", "wcc", "scc", "label-propagation", "closeness"];
/// How many of them are of the paper.
const OF_THE_PAPER: usize = 3;
/// Algorithms that take any direction and any balance: the engine's choice is judged by them.
const PROGRAMS: [&str; 3] = ["bfs", "sssp", "wcc"];
/// Sweeps of PageRank.
const SWEEPS: u64 = 20;
/// Vertices that closeness is about: a batch.
const CLOSENESS_SOURCES: u64 = 64;
/// Rounds after which figure 6 looks at `sampled`, beside the last.
const STAGES: [u32; 3] = [1, 2, 5];

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

/// Returns the order that figure 7 has balances in a second time.
fn gorder() -> Order {
    Order::ALL.into_iter().find(|order| order.name() == "gorder").unwrap_or_default()
}

/// Returns a plan as an algorithm gets it: one that names no direction pushes, where the algorithm can be held to that.
fn fitted(algorithm: &str, plan: &Plan) -> String {
    let text = plan.to_string();
    match text.strip_prefix("bsp") {
        Some(rest) if PROGRAMS.contains(&algorithm) && plan.direction().is_none() => {
            format!("bsp+push{rest}")
        }
        _ => text,
    }
}

/// Returns every balance as a plan, and the engine's choice of them.
fn balances() -> impl Iterator<Item = Plan> {
    Balance::ALL.map(Some).into_iter().chain([None]).map(|balance| Plan::bsp(None).by(balance))
}

/// What was chosen by flags.
#[derive(Debug)]
struct Choice<'a> {
    flags: &'a Sage,
    /// The steps of the ablation: plans, the last of which also meets every order.
    plans: Vec<Plan>,
    orders: Vec<Order>,
}

impl Sage {
    fn choice(&self) -> Result<Choice<'_>> {
        let named = self.plans.iter().map(|text| text.parse()).collect::<Result<Vec<Plan>>>()?;
        let default = [Balance::Node, Balance::TILED, Balance::RESIDENT];
        let plans = match named.is_empty() {
            true => default.map(|balance| Plan::bsp(None).by(Some(balance))).to_vec(),
            false => named,
        };
        let orders = self.orders.iter().map(|text| text.parse()).collect::<Result<_>>()?;
        for name in &self.algorithms {
            warpgraph::find(name)?;
            if !ALGORITHMS.contains(&name.as_str()) {
                let help = format!("one of {}", ALGORITHMS.join(", "));
                return Err(refused(format!("{name} is not measured by `bench sage`"), help));
            }
        }
        Ok(Choice { flags: self, plans, orders })
    }

    fn has(&self, part: &str) -> bool {
        self.parts.is_empty() || self.parts.iter().any(|name| name == part)
    }

    /// The algorithms of figures.
    fn algorithms(&self) -> Vec<&str> {
        match self.algorithms.is_empty() {
            true => ALGORITHMS[..OF_THE_PAPER].to_vec(),
            false => self.algorithms.iter().map(String::as_str).collect(),
        }
    }
}

impl Choice<'_> {
    fn last_plan(&self) -> Plan {
        self.plans.last().copied().unwrap_or_default()
    }

    /// Returns the plans of a kind of balance, or that balance by default.
    fn plans_like(&self, is_like: impl Fn(&Balance) -> bool, default: Balance) -> Vec<Plan> {
        let like = self.plans.iter().filter(|plan| plan.balance().as_ref().is_some_and(&is_like));
        let like: Vec<Plan> = like.copied().collect();
        if like.is_empty() { vec![Plan::bsp(None).by(Some(default))] } else { like }
    }

    fn held(&self, order: Order) -> Held {
        if order == Order::Sampled { Held::Sampled(self.flags.rounds) } else { Held::Order(order) }
    }

    /// The orders of figure 6.
    fn orders(&self, is_planted: bool) -> Vec<Held> {
        let orders = match self.orders.is_empty() {
            true => vec![Order::Natural, Order::Sampled, Order::Rcm, Order::Llp, gorder()],
            false => self.orders.clone(),
        };
        let last = self.flags.rounds;
        let stages = || STAGES.into_iter().filter(move |&rounds| rounds < last).chain([last]);
        let all = orders.into_iter().flat_map(|order| match order {
            Order::Sampled => stages().map(Held::Sampled).collect(),
            order => vec![Held::Order(order)],
        });
        all.chain(is_planted.then_some(Held::Planted)).collect()
    }

    /// The steps of the ablation: plans in the first order, then the last plan in the others.
    fn steps(&self) -> Vec<(Held, Plan)> {
        let orders =
            if self.orders.is_empty() { vec![Order::Natural, Order::Sampled] } else { self.orders.clone() };
        let plans = self.plans.iter().map(|plan| (self.held(orders[0]), *plan));
        plans.chain(orders[1..].iter().map(|&order| (self.held(order), self.last_plan()))).collect()
    }

    /// Returns a cell of an algorithm with the configuration that it is asked with here.
    fn cell(algorithm: &str, plan: &Plan, order: Held, vertices: u64) -> Wanted {
        let config = match algorithm {
            "pagerank" => json!({ "tolerance": 0.0, "max_iterations": SWEEPS }),
            "closeness" => json!({ "sources": CLOSENESS_SOURCES.min(vertices) }),
            _ => json!({}),
        };
        let searches = ["bfs", "sssp", "bc"].contains(&algorithm);
        Wanted {
            order,
            config,
            starts: if searches { Starts::Largest } else { Starts::Configured },
            per: if algorithm == "pagerank" { Per::Sweep } else { Per::Run },
            ..Wanted::new(algorithm, fitted(algorithm, plan))
        }
    }

    fn figures(&self, cell: &dyn Fn(&Plan, Held) -> Wanted, is_planted: bool, all: &mut Vec<Wanted>) {
        let mut add = |part: &str, cell: Wanted| {
            if self.flags.has(part) {
                cell.add_to(part, all);
            }
        };
        self.steps().into_iter().for_each(|(order, plan)| add("fig10", cell(&plan, order)));
        self.orders(is_planted).into_iter().for_each(|order| add("fig6", cell(&self.last_plan(), order)));
        for order in [Held::NATURAL, Held::Order(gorder())] {
            balances().for_each(|plan| add("fig7", cell(&plan, order)));
        }
        let natural = |plan: &Plan| cell(plan, Held::NATURAL);
        for plan in self.plans_like(|balance| matches!(balance, Balance::Tiled(_)), Balance::TILED) {
            add("table3", Wanted { price_tiling: true, ..natural(&plan) });
        }
        for plan in self.plans_like(|balance| matches!(balance, Balance::Resident(_)), Balance::RESIDENT) {
            add("tiles", Wanted { handle: Handle::Fresh, ..natural(&plan) });
        }
    }
}

impl Evaluation for Sage {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<()> {
        self.choice()?;
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
        let (choice, vertices, mut all) = (self.choice()?, graph.vertices() as u64, Vec::new());
        for algorithm in self.algorithms() {
            let cell = |plan: &Plan, order: Held| Choice::cell(algorithm, plan, order, vertices);
            choice.figures(&cell, asked.planted.is_some(), &mut all);
        }
        let is_asked = |name: &&str| self.algorithms.is_empty() || self.algorithms.iter().any(|a| a == name);
        for algorithm in PROGRAMS.into_iter().filter(|_| self.has("auto")).filter(is_asked) {
            for plan in balances() {
                Choice::cell(algorithm, &plan, Held::NATURAL, vertices).add_to("auto", &mut all);
            }
        }
        let firsts = choice.plans.iter().copied().chain([Plan::bsp(None)]);
        for plan in firsts.filter(|_| self.has("first")) {
            let cell = Choice::cell("bfs", &plan, Held::NATURAL, vertices);
            let (starts, handle) = (Starts::LargestOnce, Handle::FreshCompiled);
            Wanted { starts, handle, ..cell }.add_to("first", &mut all);
        }
        Ok(all)
    }

    fn orders(&self) -> Vec<Wanted> {
        let Ok(choice) = self.choice() else { return Vec::new() };
        let algorithm = self.algorithms()[0];
        let is_last = |order: &Held| !matches!(order, Held::Sampled(rounds) if *rounds < self.rounds);
        let orders = choice.orders(false).into_iter().filter(|_| self.has("table2")).filter(is_last);
        orders.map(|order| Choice::cell(algorithm, &choice.last_plan(), order, u64::MAX)).collect()
    }

    fn conclude(&self, report: &mut Report) {
        peers::add(report, self.peers.as_deref());
        let auto = auto::judge(report);
        report.figures.insert("auto".to_owned(), json!(auto));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evaluation::{
            Making,
            testing::{Made, failure, report},
            write::markdown,
        },
        evaluations::of,
    };

    fn texts(line: &str, source: &str, part: &str, algorithm: &str) -> Vec<String> {
        let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
        let cells = of::<Sage>(line).cells(&asked(source), &graph).unwrap();
        let is_of = |cell: &&Wanted| cell.algorithm == algorithm && cell.parts.contains_key(part);
        let mut cells: Vec<&Wanted> = cells.iter().filter(is_of).collect();
        cells.sort_by_key(|cell| cell.parts[part]);
        cells.iter().map(|cell| format!("{} {}", cell.order, cell.plan)).collect()
    }

    #[test]
    fn the_ablation_adds_one_technique_per_step() {
        let expected = [
            "natural bsp+push+node",
            "natural bsp+push+tiled",
            "natural bsp+push+resident",
            "sampled(rounds=10) bsp+push+resident",
        ];
        assert_eq!(texts("", "kron:5", "fig10", "bfs"), expected);
        assert_eq!(texts("", "kron:5", "fig10", "pagerank")[0], "natural bsp+node");
    }

    #[test]
    fn flags_replace_steps_and_orders() {
        let line = "--plan tiled(align=off) --plan tiled --order rcm --order natural --order sampled --algorithms bc";
        let expected = [
            "rcm bsp+tiled(align=off)",
            "rcm bsp+tiled",
            "natural bsp+tiled",
            "sampled(rounds=10) bsp+tiled",
        ];
        assert_eq!(texts(line, "community:9,shuffle", "fig10", "bc"), expected);
        let orders = texts(line, "community:9,shuffle", "fig6", "bc");
        let orders: Vec<&str> = orders.iter().map(|text| text.split(' ').next().unwrap()).collect();
        let sampled = ["sampled(rounds=1)", "sampled(rounds=2)", "sampled(rounds=5)", "sampled(rounds=10)"];
        assert_eq!(orders[..2], ["rcm", "natural"]);
        assert_eq!((&orders[2..6], orders[6]), (&sampled[..], "planted"));
        assert_eq!(
            texts("--plan node --plan tiled(min=8)", "kron:5", "table3", "bfs"),
            ["natural bsp+push+tiled(min=8)"]
        );
        assert_eq!(texts("--plan node", "kron:5", "tiles", "bc"), ["natural bsp+resident"]);
        assert_eq!(
            texts("--plan tiled", "kron:5", "first", "bfs"),
            ["natural bsp+push+tiled", "natural bsp+push"]
        );
    }

    #[test]
    fn a_cell_of_several_parts_is_measured_once() {
        let graph = Graph::from_edges(3, &[(0, 1)], false).unwrap();
        let all = of::<Sage>("").cells(&asked("kron:5"), &graph).unwrap();
        let is_it = |cell: &&Wanted| {
            let is_plain = cell.handle == Handle::Shared && cell.order == Held::NATURAL;
            is_plain && cell.plan == "bsp+push+resident" && cell.algorithm == "bfs"
        };
        let found: Vec<&Wanted> = all.iter().filter(is_it).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].parts.keys().collect::<Vec<_>>(), ["auto", "fig10", "fig6", "fig7"]);
        assert_eq!(texts("", "kron:5", "auto", "sssp").len(), 8);
        assert!(texts("", "kron:5", "fig7", "sssp").is_empty(), "not of the paper");
        assert!(texts("--algorithms wcc,scc --only auto", "kron:5", "auto", "scc").is_empty());
    }

    #[test]
    fn only_programs_are_held_to_pushing_and_only_where_nothing_else_was_said() {
        let plan = |algorithm: &str, text: &str| fitted(algorithm, &text.parse().unwrap());
        assert_eq!(plan("bfs", "tiled(min=8)"), "bsp+push+tiled(min=8)");
        assert_eq!([plan("bfs", "pull+tiled"), plan("pagerank", "tiled")], ["bsp+pull+tiled", "bsp+tiled"]);
        assert_eq!([plan("bfs", "auto"), plan("wcc", "bsp")], ["auto", "bsp+push"]);
        for algorithm in ALGORITHMS {
            let entry = warpgraph::find(algorithm).unwrap();
            for balance in balances() {
                let plan = fitted(algorithm, &balance).parse().unwrap();
                let options = warpgraph::Options { plan, ..Default::default() };
                entry.rules.check(warpgraph::Device::FIRST_GPU, &options).unwrap();
            }
        }
    }

    #[test]
    fn graphs_are_asked_for_by_generator_by_file_and_by_both() {
        for name in GRAPHS.into_iter().chain(QUICK) {
            assert!(name.parse::<Spec>().unwrap().weight_range().is_some(), "{name}");
        }
        let of_text = |text: &str| (asked(text).name, asked(text).source);
        for text in ["kron:20,w=1..9", "a/road.gr"] {
            assert_eq!(of_text(text), (text.to_owned(), text.to_owned()));
        }
        assert_eq!(of_text("kron:22=k22.wg"), ("kron:22".to_owned(), "k22.wg".to_owned()));
        let both = asked("community:10,shuffle,w=1..9=c.wg");
        assert_eq!((both.name.as_str(), both.source.as_str()), ("community:10,shuffle,w=1..9", "c.wg"));
        assert_eq!(both.planted, Some("community:10,w=1..9".parse().unwrap()));
        let suite = of::<Sage>("").graphs(&[]).unwrap();
        assert_eq!((suite.len(), suite[0].name.as_str()), (6, "kron:22"));
        assert!(suite[5].planted.is_some() && suite[4].planted.is_none());
        assert_eq!(of::<Sage>("--quick").graphs(&["x.wg".to_owned()]).unwrap()[5].name, "x.wg");
    }

    /// bfs in all parts on a graph, and another graph that it was refused on.
    fn as_in_the_paper() -> Report {
        let made = |order: &str, plan: &str, seconds: f64, parts: &[(&str, usize)]| {
            Made::on("community:22", "bfs", plan).order(order).seconds(seconds).parts(parts)
        };
        let tiles = |made, reused| warpgraph::TileUse { made, reused, held: 100, held_bytes: 1 << 20 };
        let mut priced = made("natural", "bsp+push+tiled", 2.0, &[("table3", 0)]);
        priced.0.runs.iter_mut().for_each(|run| run.tiling = Some(0.5));
        let mut kept = made("natural", "bsp+push+resident", 1.0, &[("tiles", 0)]);
        kept.0.first.as_mut().unwrap().tiles = Some(tiles(100, 0));
        kept.0.tiles = Some(tiles(25, 75));
        let mut report = report(
            "sage",
            vec![
                made("natural", "bsp+push+node", 8.0, &[("fig10", 0), ("fig7", 0), ("auto", 0)]),
                made("natural", "bsp+push+tiled", 2.0, &[("fig10", 1), ("fig7", 1), ("auto", 1)]),
                made(
                    "natural",
                    "bsp+push+resident",
                    1.0,
                    &[("fig10", 2), ("fig6", 0), ("fig7", 2), ("auto", 2)],
                ),
                made("natural", "bsp+push", 1.25, &[("fig7", 3), ("auto", 3)]),
                made("sampled(rounds=1)", "bsp+push+resident", 0.8, &[("fig6", 1)]),
                made("sampled(rounds=10)", "bsp+push+resident", 0.5, &[("fig10", 3), ("fig6", 2)]),
                made("gorder", "bsp+push+node", 4.0, &[("fig7", 4)]),
                made("planted", "bsp+push+resident", 0.4, &[("fig6", 3)]),
                priced,
                kept,
                made("natural", "bsp+push+resident", 1.0, &[("first", 0)]).prepare(0.5),
                Made::on("grid:9x9", "bfs", "bsp+push+node").refused("device-memory").parts(&[("fig10", 0)]),
            ],
        );
        let making = |order: &str| Making {
            graph: "community:22".to_owned(),
            order: order.to_owned(),
            seconds: Some(12.0),
            renumber: Some(0.5),
            memory: Some(3 << 20),
            ..Making::default()
        };
        let refused = Making { seconds: None, error: Some(failure("device-memory")), ..making("llp") };
        let rounds = [1, 2].map(|round| warpgraph::Round {
            round,
            samples: 20,
            moved: 1000,
            sectors_before: 6.0,
            sectors_after: Some(4.5),
            sampling_seconds: 0.25,
            renumbering_seconds: 0.125,
            speed_before: Some(4e9),
            speed_after: None,
        });
        let (seconds, renumber, memory) = (Some(0.5), Some(0.25), None);
        let sampled = Making { seconds, renumber, memory, rounds: rounds.to_vec(), ..making("sampled") };
        report.orders = vec![making("gorder"), refused, sampled];
        let peer =
            json!([{ "name": "Gunrock", "graph": "community:22", "algorithm": "bfs", "seconds": 2.0 }]);
        report.figures.insert("peers".to_owned(), peer);
        report.conclude(&of::<Sage>(""));
        report
    }

    #[test]
    fn the_page_has_every_part() {
        let text = markdown(&of::<Sage>(""), &as_in_the_paper());
        for part in [
            "# Self-adaptive traversal on NVIDIA H200\n",
            "| community:22 | yes | 1,048,576 | 33,554,432 | 32.0 | 1.50 s |",
            "## Figure 6: bfs by order, time per run\n",
            "| natural | - | 1.00 s | 10% | 0.00800 | 1.00 | 0.40 | passed |",
            "| sampled(rounds=10) | - | 500 ms | 10% | 0.016 | 2.00 | 0.80 | passed |",
            "| gorder | 12.0 s | 500 ms | 3.0 MiB | - | - |",
            "| llp | device-memory: cuda:0 has no room",
            "| sampled | 500 ms | 250 ms | - | 2 | 375 ms |",
            "| 2 | 20 | 1,000 | 6.00 | 4.50 | 250 ms | 125 ms | 4.00 | - |",
            "| node | 8.00 s | 10% | 0.00100 | 4.00 s | 0.00200 | 2.00 | passed |",
            "| auto | 1.25 s | 10% | 0.00640 | - | - | - | passed |",
            "| Gunrock | 2.00 s | - | 0.00400 |",
            "| node | natural | 8.00 s | 10% | 0.00100 | - | - | passed |",
            "| resident | sampled(rounds=10) | 500 ms | 10% | 0.016 | 2.00 | 16.00 | passed |",
            "| node | natural | device-memory: cuda:0 has no room",
            "| bfs | tiled | 2.00 s | 500 ms | 25.0% |",
            "| bfs | resident | 100 | 0.0% | 5 | 25 | 75.0% | 100 | 1.0 MiB |",
            "| resident | 1.25 s | 1.00 s | 1.25 | 500 ms | 250 ms | 0 ns |",
            "behind by more than 10 % and 20 us in 1 of 1 cells",
            "| bfs | resident | 1.00 s | 1.25 s | 1.25 | 250 ms | yes |",
            "| node | 1 | 0.156 |",
            "![figure10-bfs](figure10-bfs.svg)",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn figures_show_speeds() {
        let drawn = figures::all(&as_in_the_paper());
        let files: Vec<&str> = drawn.iter().map(|one| one.file.as_str()).collect();
        assert_eq!(files, ["figure6-bfs", "figure7-bfs", "figure7-bfs-gorder", "figure10-bfs"]);
        let words: [&[&str]; 4] = [
            &["bfs by order", "10 rounds of sampled", "planted", "0.016"],
            &["bfs by balance", "resident", "auto", "0.006"],
            &["in gorder", "node", "0.002"],
            &["bfs by technique", "resident, 10 rounds of sampled", "0.001"],
        ];
        for (one, words) in drawn.iter().zip(words) {
            let svg = one.figure.svg();
            words.iter().for_each(|word| assert!(svg.contains(word), "{}: {word}\n{svg}", one.file));
            assert!(!svg.contains("grid:9x9"), "nothing was measured on it");
        }
    }
}
