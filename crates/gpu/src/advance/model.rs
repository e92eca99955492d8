//! What a frontier costs by each balance, and which is cheapest: how an open balance is decided.
//!
//! By any balance a frontier takes, in nanoseconds,
//!
//! `first + launches * launch + max(vertices * vertex + arcs * arc + tail * step, steps * step + turns * row)`
//!
//! - `first` is what one vertex of one arc takes from its start to its end, by all launches of the balance, and `launches` are those
//!   beyond these.
//! - `vertex` and `arc` are what a vertex and an arc take where the whole device is at work on many.
//! - `step` is what one arc takes after another by the same thread: a read of its target, one of what lies there, an atomic. No other
//!   thread makes it shorter. `tail` are the steps of the longest row, where one thread or block takes it: that row may come last.
//!   While all other threads want memory too its steps take [`BUSY`] times as long. `row` is what one row takes after another of
//!   those that a warp or a block takes in turn.
//!
//! A balance says in its [`Price`] how [`Waits`] follow from a [`Load`]. Nothing here asks a device: figures come from
//! [`calibrate`](super::calibrate), or are [`Costs::assumed`].

use super::{Scheme, probe::Shape};
use crate::machine::BLOCK;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};
use std::{collections::BTreeMap, fmt};

/// Threads of a block and of a warp.
pub(super) const THREADS: f64 = BLOCK as f64;
pub(super) const WARP: f64 = 32.0;

/// What a balance costs, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// One vertex of one arc, from start to end.
    pub first: f64,
    /// A vertex among many.
    pub vertex: f64,
    /// An arc among many.
    pub arc: f64,
    /// An arc after another by one thread.
    pub step: f64,
    /// A row after another by one warp.
    pub row: f64,
}

/// How the time of a balance is modelled and measured.
pub(crate) struct Price {
    /// What it is taken to cost where nothing was measured: about what an H200 does.
    pub(super) assumed: Cost,
    /// The frontiers by which it is measured.
    pub(super) shapes: &'static [Shape],
    /// Two of them, of many vertices and arcs, that tell the cost of a vertex from that of an arc.
    pub(super) many: [Shape; 2],
    /// The one that shows how long a step is, which may be one of another balance.
    pub(super) step: Shape,
    /// What a frontier waits for, by the threads that run at a time.
    pub(super) waits: fn(Load, f64) -> Waits,
}

/// What a frontier waits for by a balance.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Waits {
    /// Launches beyond those that one vertex of one arc takes.
    pub(super) launches: f64,
    /// Vertices that take time of their own.
    pub(super) vertices: f64,
    /// Steps of the longest row, which may come last, when all else is done.
    pub(super) tail: f64,
    /// Steps and turns that no two threads can take at the same time.
    pub(super) steps: f64,
    pub(super) turns: f64,
}

/// What balances cost on a device.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Costs {
    /// Nanoseconds of one launch more.
    pub launch: f64,
    /// Threads that run at a time.
    pub threads: f64,
    /// By balance, those of [`priced`] in its order.
    pub(super) by: Vec<(Scheme, Cost)>,
}

/// A frontier, as far as its cost goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) vertices: u64,
    pub(crate) arcs: u64,
    /// Arcs of the longest row.
    pub(crate) longest: u64,
    /// All vertices of the graph, whose degrees are summed up already.
    pub(crate) is_all: bool,
    /// Kept tiles of these rows must be listed: they are not those of all rows, in order.
    pub(crate) is_listed: bool,
}

/// A choice, and what it was made by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Why {
    /// Nanoseconds by each candidate, the chosen one first.
    prices: [Option<(Scheme, f64)>; CHOICES],
    longest: u64,
}

/// How many times as long a step takes while the whole device reads: what an H200 showed on graphs with hubs.
const BUSY: f64 = 2.5;
/// The share of a price that it may be off by.
const UNSURE: f64 = 0.05;
/// The most candidates of a choice.
const CHOICES: usize = super::open::CANDIDATES.len() + 1;

/// Returns the balances that have a price, those first that one arc takes the least time by.
pub(super) fn priced() -> Vec<(Scheme, Price)> {
    let mut priced: Vec<_> =
        Scheme::all().filter_map(|scheme| Some((scheme, scheme.host().price()?))).collect();
    priced.sort_by(|(_, a), (_, b)| a.assumed.first.total_cmp(&b.assumed.first));
    priced
}

impl Costs {
    /// Returns what is taken for granted where nothing was measured: about what an H200 does.
    pub fn assumed() -> Self {
        let by = priced().into_iter().map(|(scheme, price)| (scheme, price.assumed)).collect();
        Self { launch: 3200.0, threads: 132.0 * 2048.0, by }
    }

    /// Returns the balances that have a price, with their names.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, Cost)> {
        self.by.iter().map(|(scheme, cost)| (scheme.name(), *cost))
    }

    /// Returns what a balance costs, if it has a price.
    pub(super) fn of(&self, scheme: Scheme) -> Option<Cost> {
        self.by.iter().find(|(known, _)| *known == scheme).map(|(_, cost)| *cost)
    }

    /// Sets what a balance costs.
    pub(super) fn set(&mut self, scheme: Scheme, cost: Cost) {
        if let Some((_, known)) = self.by.iter_mut().find(|(known, _)| *known == scheme) {
            *known = cost;
        }
    }

    /// Sets what a row takes to what is left of the time of a frontier, if steps and launches are known.
    pub(super) fn explain_turns(&mut self, scheme: Scheme, price: &Price, load: Load, nanoseconds: f64) {
        let Some(cost) = self.of(scheme) else { return };
        let Waits { launches, steps, turns, .. } = (price.waits)(load, self.threads);
        let known = cost.first + self.launch * launches + steps * cost.step;
        let row = if turns > 0.0 { ((nanoseconds - known) / turns).max(0.0) } else { 0.0 };
        self.set(scheme, Cost { row, ..cost });
    }

    /// True if these are numbers that can be reckoned with.
    pub(crate) fn is_sound(&self) -> bool {
        let costs = self.by.iter().flat_map(|(_, c)| [c.first, c.vertex, c.arc, c.step, c.row]);
        let mut all = costs.chain([self.launch]);
        all.all(|x| x.is_finite() && x >= 0.0) && self.threads.is_finite() && self.threads >= 1.0
    }

    /// Returns the nanoseconds that a balance takes; no end of them if it has no price.
    pub(crate) fn nanoseconds(&self, scheme: Scheme, load: Load) -> f64 {
        let (Some(cost), Some(price)) = (self.of(scheme), scheme.host().price()) else {
            return f64::INFINITY;
        };
        let Waits { launches, vertices, tail, steps, turns } = (price.waits)(load, self.threads);
        let (even, tail) = (vertices * cost.vertex + load.arcs as f64 * cost.arc, tail * cost.step);
        // It is slow for no longer than others are at work.
        let device = even + tail + ((BUSY - 1.0) * tail).min(even);
        (cost.first + self.launch * launches).max(0.0) + device.max(steps * cost.step + turns * cost.row)
    }

    /// Returns the cheapest of some schemes; the first of them unless another is cheaper by more than prices are sure of.
    pub(crate) fn choose(&self, among: &[Scheme], load: Load) -> Why {
        let mut prices = [None; CHOICES];
        for (price, &scheme) in prices.iter_mut().zip(among) {
            *price = Some((scheme, self.nanoseconds(scheme, load)));
        }
        let order = |price: &Option<(Scheme, f64)>| match *price {
            Some((scheme, price)) if among.first() == Some(&scheme) => price,
            Some((_, price)) => price * (1.0 + UNSURE),
            None => f64::INFINITY,
        };
        prices.sort_by(|a, b| order(a).total_cmp(&order(b)));
        Why { prices, longest: load.longest }
    }
}

/// One key per balance, beside `launch` and `threads`.
impl Serialize for Costs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2 + self.by.len()))?;
        map.serialize_entry("launch", &self.launch)?;
        map.serialize_entry("threads", &self.threads)?;
        for (name, cost) in self.all() {
            map.serialize_entry(name, &cost)?;
        }
        map.end()
    }
}

/// [`Costs`] as they are written.
#[derive(Deserialize)]
struct Written {
    launch: f64,
    threads: f64,
    #[serde(flatten)]
    by: BTreeMap<String, Cost>,
}

impl TryFrom<Written> for Costs {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { launch, threads, by } = written;
        let cost = |(scheme, _): (Scheme, Price)| {
            let cost = by.get(scheme.name()).ok_or_else(|| format!("the cost of {scheme} is missing"))?;
            Ok((scheme, *cost))
        };
        let by = priced().into_iter().map(cost).collect::<Result<_, String>>()?;
        Ok(Self { launch, threads, by })
    }
}

impl Why {
    /// Returns the cheapest.
    pub(crate) fn scheme(&self) -> Scheme {
        let [Some((scheme, _)), ..] = self.prices else { unreachable!("a choice has a candidate") };
        scheme
    }
}

/// `tiled 31 us, node 40, workload 55; longest row 12`.
impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (scheme, price)) in self.prices.iter().flatten().enumerate() {
            let (comma, unit) = if i == 0 { ("", " us") } else { (", ", "") };
            write!(f, "{comma}{scheme} {:.0}{unit}", price / 1e3)?;
        }
        write!(f, "; longest row {}", self.longest)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use warpgraph_core::Balance;

    const NODE: Scheme = Scheme::of(Balance::Node);
    const TILED: Scheme = Scheme::of(Balance::TILED);
    const WORKLOAD: Scheme = Scheme::of(Balance::Workload);
    const RESIDENT: Scheme = Scheme::of(Balance::RESIDENT);
    const OPEN: [Scheme; 2] = [TILED, WORKLOAD];

    fn cost(scheme: Scheme) -> Cost {
        Costs::assumed().of(scheme).unwrap()
    }

    fn with(scheme: Scheme, cost: Cost) -> Costs {
        let mut costs = Costs::assumed();
        costs.set(scheme, cost);
        costs
    }

    fn load(vertices: u64, arcs: u64, longest: u64) -> Load {
        Load { vertices, arcs, longest, is_all: false, is_listed: true }
    }

    fn chosen(load: Load) -> Scheme {
        Costs::assumed().choose(&OPEN, load).scheme()
    }

    #[test]
    fn short_rows_go_by_tiles() {
        for load in [load(0, 0, 0), load(1, 1, 1), load(300, 600, 3), load(4096, 8192, 2)] {
            assert_eq!(chosen(load), TILED, "{load:?}");
        }
    }

    #[test]
    fn rows_of_some_hundred_arcs_go_by_tiles() {
        assert_eq!(chosen(load(1000, 200_000, 400)), TILED);
        assert_eq!(chosen(load(50_000, 5_000_000, 2000)), TILED);
        assert_eq!(chosen(load(1, 300, 300)), TILED);
    }

    #[test]
    fn a_hub_is_shared_by_the_whole_device() {
        assert_eq!(chosen(load(1, 10_000_000, 10_000_000)), WORKLOAD);
        assert_eq!(chosen(load(1 << 20, 20_000_000, 3_000_000)), WORKLOAD);
        let among = [NODE, TILED, RESIDENT];
        assert_eq!(Costs::assumed().choose(&among, load(1, 10_000_000, 10_000_000)).scheme(), RESIDENT);
    }

    #[test]
    fn summing_up_degrees_is_free_where_all_vertices_go() {
        let some = load(1 << 20, 1 << 24, 1 << 12);
        let all = Load { is_all: true, ..some };
        let price = |load| Costs::assumed().nanoseconds(WORKLOAD, load);
        assert!((price(some) - price(all) - 3.0 * Costs::assumed().launch).abs() < 1.0);
    }

    #[test]
    fn tiles_that_lie_in_order_cost_no_list() {
        let some = load(1 << 20, 1 << 24, 1 << 12);
        let price = |load| Costs::assumed().nanoseconds(RESIDENT, load);
        let list = Costs::assumed().launch + some.vertices as f64 * cost(RESIDENT).vertex;
        assert!((price(some) - price(Load { is_listed: false, ..some }) - list).abs() < 1.0);
    }

    #[test]
    fn a_long_row_is_slow_for_as_long_as_others_are_at_work() {
        let price = |arcs, longest| Costs::assumed().nanoseconds(TILED, load(1000, arcs, longest));
        let tail = 30_000.0 / THREADS * cost(TILED).step;
        let more = |arcs| price(arcs, 30_000) - price(arcs, 0);
        assert!((more(100_000_000) - BUSY * tail).abs() < 1.0, "{}", more(100_000_000));
        assert!(more(1_000_000) < BUSY * tail && more(1_000_000) > tail, "{}", more(1_000_000));
    }

    #[test]
    fn more_of_anything_never_costs_less() {
        for scheme in [NODE, TILED, WORKLOAD, RESIDENT] {
            // Within what is summed by one block, and beyond it.
            for vertices in [1, 256, 1 << 11, 1 << 13, 1 << 20] {
                for arcs in [vertices, 8 * vertices, 1000 * vertices] {
                    let price =
                        |arcs, longest| Costs::assumed().nanoseconds(scheme, load(vertices, arcs, longest));
                    let longest = arcs.div_ceil(vertices);
                    // More arcs are worth more blocks to `tiled`, which makes turns shorter.
                    let more = price(2 * arcs, 2 * longest);
                    assert!(scheme == TILED || price(arcs, longest) <= more, "{scheme} {vertices} {arcs}");
                    assert!(price(arcs, longest) <= price(arcs, arcs), "{scheme} {vertices} {arcs}");
                }
            }
        }
    }

    #[test]
    fn turns_explain_what_steps_and_launches_do_not() {
        for scheme in [TILED, WORKLOAD, RESIDENT] {
            let (mut costs, load) = (Costs::assumed(), load(2048, 2048 * 12, 12));
            let cost = cost(scheme);
            costs.set(scheme, Cost { vertex: 0.0, arc: 0.0, ..cost });
            let time = costs.nanoseconds(scheme, load);
            costs.set(scheme, Cost { row: 7.0, vertex: 0.0, arc: 0.0, ..cost });
            costs.explain_turns(scheme, &scheme.host().price().unwrap(), load, time);
            let row = costs.of(scheme).unwrap().row;
            assert!((row - cost.row).abs() < 1e-6, "{scheme}: {row}");
        }
    }

    #[test]
    fn what_prices_are_not_sure_of_changes_nothing() {
        let by = |workload: f64| {
            let cost = Cost { vertex: 0.0, arc: 0.0, step: 0.0, row: 0.0, first: 10_000.0 };
            let mut costs = with(TILED, cost);
            costs.set(WORKLOAD, Cost { first: workload, ..cost });
            costs.choose(&OPEN, load(1, 1, 1)).scheme()
        };
        assert_eq!([9_000.0, 9_600.0, 10_500.0].map(by), [WORKLOAD, TILED, TILED]);
    }

    #[test]
    fn a_choice_says_what_it_was_made_by() {
        let costs = with(WORKLOAD, Cost { first: 40_400.0, ..cost(WORKLOAD) });
        let why = costs.choose(&OPEN, load(1, 1, 1));
        assert_eq!(why.scheme(), TILED);
        assert_eq!(why.to_string(), "tiled 17 us, workload 40; longest row 1");
    }

    #[test]
    fn figures_that_are_none_are_not_sound() {
        assert!(Costs::assumed().is_sound());
        let broken = [f64::NAN, f64::INFINITY, -1.0];
        for x in broken {
            assert!(!Costs { launch: x, ..Costs::assumed() }.is_sound());
            assert!(!with(TILED, Cost { arc: x, ..cost(TILED) }).is_sound());
        }
        assert!(!Costs { threads: 0.0, ..Costs::assumed() }.is_sound());
    }

    #[test]
    fn costs_are_written_with_one_key_per_balance_and_read_back() {
        let costs = with(TILED, Cost { first: 7.5, ..cost(TILED) });
        let text = serde_json::to_string(&costs).unwrap();
        let keys: Vec<&str> = ["launch", "threads", "node", "tiled", "workload", "resident"].to_vec();
        let at: Vec<_> = keys.iter().map(|key| text.find(&format!("\"{key}\":")).unwrap()).collect();
        assert!(at.is_sorted(), "{text}");
        assert_eq!(serde_json::from_str::<Costs>(&text).unwrap(), costs);
        let error =
            serde_json::from_str::<Costs>(&text.replace("workload", "other")).unwrap_err().to_string();
        assert!(error.contains("the cost of workload is missing"), "{error}");
    }
}
