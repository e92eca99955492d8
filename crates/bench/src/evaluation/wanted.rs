//! What is asked for: graphs, cells, and how often cells are measured.

use super::Held;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use warpgraph::{Approximation, DEFAULT_SEED, graph::generate::Spec};

/// How often and how long cells are measured: the flags that all evaluations share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Measuring")]
pub struct Measuring {
    /// Timed runs per cell
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub runs: u64,
    /// Untimed runs before them, beside the first one, which is verified
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub warmup: u64,
    /// Draw sources and random orders from this seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Start no further run of a cell after its runs took this many seconds; give a run up after twice as many
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub case_limit: u64,
    /// Give an order up after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub order_limit: u64,
    /// Check the answer of every timed run, or only of the first run of a cell; exit code 1 if one is wrong
    #[arg(long, value_name = "all|once", hide_possible_values = true)]
    pub verify: Verify,
}

/// Which answers are checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verify {
    /// Those of the first run and of every timed run of a cell.
    All,
    /// That of the first run of a cell.
    #[default]
    Once,
}

/// A graph that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Its name in tables.
    pub name: String,
    /// A generator's text, or a file.
    pub source: String,
    /// What generates the same graph before its vertices are shuffled, if that is known.
    pub planted: Option<Spec>,
}

impl Asked {
    /// Returns a graph that is called as its source is.
    pub fn new(source: impl Into<String>) -> Self {
        let source = source.into();
        Self { name: source.clone(), source, planted: None }
    }

    /// Returns the graphs of some sources.
    pub fn all<S: Into<String>>(sources: impl IntoIterator<Item = S>) -> Vec<Self> {
        sources.into_iter().map(Self::new).collect()
    }
}

/// Where searches start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Starts {
    /// Where the configuration says.
    #[default]
    Configured,
    /// At random vertices of the largest component, another one per run.
    Largest,
    /// At one such vertex in all runs.
    LargestOnce,
    /// At so many such vertices at once, others per run; for algorithms that take a list of sources.
    LargestTogether(u64),
}

/// What a time is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    /// A run.
    #[default]
    Run,
    /// A sweep of a run: the number of sweeps differs between programs and orders.
    Sweep,
}

impl Per {
    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        if self == Self::Sweep { "sweep" } else { "run" }
    }
}

/// What belongs to the time of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The run, with everything prepared.
    #[default]
    Run,
    /// The whole call: also what passes before the clock of the run starts.
    Call,
}

/// Which handle of a graph a cell runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Handle {
    /// The one that all cells of an order share; its cells are timed in turn.
    #[default]
    Shared,
    /// One of its own, timed in turn with the cells of its algorithm that share one; all these are on the device at once.
    Own,
    /// A new one, so that nothing which another cell keeps on the device is there.
    Fresh,
    /// A new one, after a run elsewhere has compiled the kernels.
    FreshCompiled,
}

/// What a run counts of its own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counts {
    /// Nothing; there is no such run.
    #[default]
    Nothing,
    /// Updates, edges and bytes.
    Work,
    /// The same, and how far the run was after each round.
    Rounds,
}

/// A cell before it is measured.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(missing_docs, reason = "their types say what they are")]
pub struct Wanted {
    /// The parts it is in, and its place in each.
    pub parts: BTreeMap<String, usize>,
    pub algorithm: String,
    /// Its configuration: fields that are not at their default.
    pub config: Value,
    pub order: Held,
    pub plan: String,
    /// How the graph is changed. The cell has a handle on the changed graph, which all such cells of an order share, and its
    /// answers are also compared with those on the graph itself.
    pub approximation: Approximation,
    pub starts: Starts,
    pub per: Per,
    pub clock: Clock,
    pub handle: Handle,
    /// Measure what electing tiles costs.
    pub price_tiling: bool,
    /// Count what crosses the bus, in one more run after the timed ones, from the sources of the first of these.
    pub count_transfer: bool,
    /// What one more run counts after the timed ones, from the sources of the first of these.
    pub counts: Counts,
}

impl Wanted {
    /// Returns a cell of an algorithm by a plan, in the natural order, at defaults, in no part.
    pub fn new(algorithm: &str, plan: impl Into<String>) -> Self {
        Self { algorithm: algorithm.to_owned(), plan: plan.into(), config: json!({}), ..Self::default() }
    }

    /// Returns its plan, and its approximation if there is one, as they are told to the user.
    pub(super) fn way(&self) -> String {
        match self.approximation.is_none() {
            true => self.plan.clone(),
            false => format!("{} with {}", self.plan, self.approximation),
        }
    }

    /// Adds this cell to a part; a cell that is there already is now in both.
    pub fn add_to(self, part: &str, all: &mut Vec<Self>) {
        let is_in = |cell: &&Self| cell.algorithm == self.algorithm && cell.parts.contains_key(part);
        let place = all.iter().filter(is_in).count();
        let blank = |cell: &Self| Self { parts: BTreeMap::new(), ..cell.clone() };
        match all.iter_mut().find(|cell| blank(cell) == blank(&self)) {
            Some(cell) => _ = cell.parts.entry(part.to_owned()).or_insert(place),
            None => all.push(Self { parts: BTreeMap::from([(part.to_owned(), place)]), ..self }),
        }
    }
}

/// Returns cells by the order they run in, in the order they first come, and in each by algorithm; stages of `sampled`
/// together, by their rounds.
pub(super) fn by_order(cells: Vec<Wanted>) -> Vec<(Held, Vec<Wanted>)> {
    let mut groups: Vec<(Held, Vec<Wanted>)> = Vec::new();
    for cell in cells {
        match groups.iter_mut().find(|(order, _)| order.is_made_with(cell.order)) {
            Some((_, group)) => group.push(cell),
            None => groups.push((cell.order, vec![cell])),
        }
    }
    for (order, group) in &mut groups {
        let met: Vec<String> = group.iter().map(|cell| cell.algorithm.clone()).collect();
        group.sort_by_key(|cell| match cell.order {
            Held::Sampled(rounds) => Some(rounds as usize),
            _ => met.iter().position(|algorithm| *algorithm == cell.algorithm),
        });
        *order = group[group.len() - 1].order;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::Order;

    #[test]
    fn a_cell_of_two_parts_is_one_with_a_place_in_each() {
        let mut all = Vec::new();
        for (plan, part, price_tiling) in
            [("auto", "a", false), ("bsp", "a", false), ("bsp", "b", false), ("bsp", "b", true)]
        {
            Wanted { price_tiling, ..Wanted::new("bfs", plan) }.add_to(part, &mut all);
        }
        let parts: Vec<Value> = all.iter().map(|cell| json!(cell.parts)).collect();
        assert_eq!(parts, [json!({ "a": 0 }), json!({ "a": 1, "b": 0 }), json!({ "b": 1 })]);
    }

    #[test]
    fn cells_are_grouped_by_order_then_by_algorithm_and_stages_by_their_rounds() {
        let (natural, rcm) = (Held::NATURAL, Held::Order(Order::Rcm));
        let [two, five] = [2, 5].map(Held::Sampled);
        let cells = [("bfs", natural), ("bfs", five), ("wcc", natural), ("bfs", rcm), ("bfs", two)];
        let cells = cells.map(|(name, order)| Wanted { order, ..Wanted::new(name, "auto") });
        let groups = by_order(cells.into_iter().chain([Wanted::new("bfs", "bsp")]).collect());
        let orders: Vec<Held> = groups.iter().map(|(order, _)| *order).collect();
        assert_eq!(orders, [natural, five, rcm]);
        let algorithms: Vec<&str> = groups[0].1.iter().map(|cell| cell.algorithm.as_str()).collect();
        assert_eq!(algorithms, ["bfs", "bfs", "wcc"]);
        assert_eq!(groups[1].1.iter().map(|cell| cell.order).collect::<Vec<_>>(), [two, five]);
    }
}
