//! The cells of every part, as flags choose them.

use super::Sage;
use crate::evaluation::{Handle, Held, Per, Starts, Wanted, refused};
use serde_json::json;
use std::{mem::discriminant, str::FromStr};
use warpgraph::{Balance, Error, Order, Plan, Result};

/// Algorithms that expand frontiers, those of the paper first.
pub(super) const ALGORITHMS: [&str; 8] =
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

/// Returns the order that figure 7 has balances in a second time.
pub(super) fn gorder() -> Order {
    Order::ALL.into_iter().find(|order| order.name() == "gorder").unwrap_or_default()
}

/// Returns every balance as a plan, and the engine's choice of them.
pub(super) fn balances() -> impl Iterator<Item = Plan> {
    Balance::ALL.map(Some).into_iter().chain([None]).map(|balance| Plan::bsp(None).by(balance))
}

/// Returns a plan as an algorithm gets it: one that names no direction pushes, where the algorithm can be held to that.
pub(super) fn fitted(algorithm: &str, plan: Plan) -> String {
    let text = plan.to_string();
    match text.strip_prefix("bsp") {
        Some(rest) if PROGRAMS.contains(&algorithm) && plan.direction().is_none() => {
            format!("bsp+push{rest}")
        }
        _ => text,
    }
}

/// What was chosen by flags.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    flags: &'a Sage,
    /// The steps of the ablation: plans, the last of which also meets every order.
    plans: Vec<Plan>,
    orders: Vec<Order>,
    algorithms: Vec<&'a str>,
}

impl<'a> Choice<'a> {
    pub(super) fn of(flags: &'a Sage) -> Result<Self> {
        let default = [Balance::Node, Balance::TILED, Balance::RESIDENT];
        let plans =
            or_default(parsed(&flags.plans)?, default.map(|balance| Plan::bsp(None).by(Some(balance))));
        let orders = parsed(&flags.orders)?;
        let named: Vec<&str> = flags.algorithms.iter().map(String::as_str).collect();
        for name in &named {
            warpgraph::find(name)?;
            if !ALGORITHMS.contains(name) {
                let help = format!("one of {}", ALGORITHMS.join(", "));
                return Err(refused(format!("{name} is not measured by `bench sage`"), help));
            }
        }
        let algorithms = or_default(named, ALGORITHMS[..OF_THE_PAPER].to_vec());
        Ok(Self { flags, plans, orders, algorithms })
    }

    /// Returns the cells of a graph of so many vertices. One that is in several parts is one cell.
    pub(super) fn cells(&self, vertices: u64, is_planted: bool) -> Vec<Wanted> {
        let is_asked = |name: &&str| self.flags.algorithms.is_empty() || self.algorithms.contains(name);
        let programs = PROGRAMS.into_iter().filter(is_asked);
        let figures = self.algorithms.iter().flat_map(|name| self.figures(name, vertices, is_planted));
        let autos = programs
            .flat_map(|name| balances().map(move |plan| ("auto", cell(name, plan, Held::NATURAL, vertices))));
        let firsts = self.plans.iter().copied().chain([Plan::bsp(None)]).map(|plan| {
            let (starts, handle) = (Starts::LargestOnce, Handle::FreshCompiled);
            ("first", Wanted { starts, handle, ..cell("bfs", plan, Held::NATURAL, vertices) })
        });
        let mut all = Vec::new();
        for (part, cell) in figures.chain(autos).chain(firsts).filter(|(part, _)| self.flags.has(part)) {
            cell.add_to(part, &mut all);
        }
        all
    }

    /// Returns the cells of figures 10, 6 and 7, of table 3, and of tiles that are met again.
    fn figures(&self, algorithm: &str, vertices: u64, is_planted: bool) -> Vec<(&'static str, Wanted)> {
        let cell = |plan: Plan, order: Held| cell(algorithm, plan, order, vertices);
        let natural = |plan: Plan| cell(plan, Held::NATURAL);
        let steps = self.steps().into_iter().map(|(order, plan)| ("fig10", cell(plan, order)));
        let orders = self.orders(is_planted).into_iter().map(|order| ("fig6", cell(self.last_plan(), order)));
        let usual = balances().map(|plan| ("fig7", natural(plan)));
        let in_gorder = balances().map(|plan| ("fig7", cell(plan, Held::Order(gorder()))));
        let tilings = self.plans_like(Balance::TILED).into_iter();
        let tilings = tilings.map(|plan| ("table3", Wanted { price_tiling: true, ..natural(plan) }));
        let tiles = self.plans_like(Balance::RESIDENT).into_iter();
        let tiles = tiles.map(|plan| ("tiles", Wanted { handle: Handle::Fresh, ..natural(plan) }));
        steps.chain(orders).chain(usual).chain(in_gorder).chain(tilings).chain(tiles).collect()
    }

    /// Returns the cells whose orders table 2 is about: those of figure 6, without the stages of `sampled`.
    pub(super) fn in_orders(&self) -> Vec<Wanted> {
        let is_last = |order: &Held| !matches!(order, Held::Sampled(rounds) if *rounds < self.flags.rounds);
        let orders = self.orders(false).into_iter().filter(is_last);
        orders.map(|order| cell(self.algorithms[0], self.last_plan(), order, u64::MAX)).collect()
    }

    fn last_plan(&self) -> Plan {
        self.plans.last().copied().unwrap_or_default()
    }

    /// Returns the plans of this kind of balance, or that balance by default.
    fn plans_like(&self, default: Balance) -> Vec<Plan> {
        let is_like =
            |plan: &&Plan| plan.balance().is_some_and(|of| discriminant(&of) == discriminant(&default));
        let like = self.plans.iter().filter(is_like).copied().collect();
        or_default(like, [Plan::bsp(None).by(Some(default))])
    }

    /// Returns the orders of figure 6, `sampled` in stages.
    fn orders(&self, is_planted: bool) -> Vec<Held> {
        let default = [Order::Natural, Order::Sampled, Order::Rcm, Order::Llp, gorder()];
        let last = self.flags.rounds;
        let all = or_default(self.orders.clone(), default).into_iter().flat_map(|order| match order {
            Order::Sampled => {
                STAGES.into_iter().filter(|rounds| *rounds < last).chain([last]).map(Held::Sampled).collect()
            }
            order => vec![Held::Order(order)],
        });
        all.chain(is_planted.then_some(Held::Planted)).collect()
    }

    /// Returns the steps of the ablation: plans in the first order, then the last plan in the others.
    fn steps(&self) -> Vec<(Held, Plan)> {
        let orders = or_default(self.orders.clone(), [Order::Natural, Order::Sampled]);
        let held = |order: Order| match order {
            Order::Sampled => Held::Sampled(self.flags.rounds),
            order => Held::Order(order),
        };
        let plans = self.plans.iter().map(|plan| (held(orders[0]), *plan));
        plans.chain(orders[1..].iter().map(|order| (held(*order), self.last_plan()))).collect()
    }
}

fn parsed<T: FromStr<Err = Error>>(texts: &[String]) -> Result<Vec<T>> {
    texts.iter().map(|text| text.parse()).collect()
}

fn or_default<T>(named: Vec<T>, default: impl Into<Vec<T>>) -> Vec<T> {
    if named.is_empty() { default.into() } else { named }
}

/// Returns a cell of an algorithm with the configuration that it is asked with here.
fn cell(algorithm: &str, plan: Plan, order: Held, vertices: u64) -> Wanted {
    let config = match algorithm {
        "pagerank" => json!({ "tolerance": 0.0, "max_iterations": SWEEPS }),
        "closeness" => json!({ "sources": CLOSENESS_SOURCES.min(vertices) }),
        _ => json!({}),
    };
    let searches = ["bfs", "sssp", "bc"].contains(&algorithm);
    let starts = if searches { Starts::Largest } else { Starts::Configured };
    let per = if algorithm == "pagerank" { Per::Sweep } else { Per::Run };
    Wanted { order, config, starts, per, ..Wanted::new(algorithm, fitted(algorithm, plan)) }
}
