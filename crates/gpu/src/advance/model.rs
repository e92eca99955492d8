//! What a frontier costs by each scheme, and which is cheapest: how an open balance is decided.
//!
//! By any scheme a frontier takes, in nanoseconds,
//!
//! `first + (launches - launches of one arc) * launch + max(vertices * vertex + arcs * arc + tail * step, steps * step + turns * row)`
//!
//! - `first` is what one vertex of one arc takes from its start to its end, by all launches of the scheme.
//! - `vertex` and `arc` are what is left of a vertex and an arc where the whole device is at work on many.
//! - `step` is the way of one arc after another by the same thread: a read of its target, one of what lies there, an atomic. No other
//!   thread makes it shorter. `tail` are those of the longest row, where one thread or block has it: it may be met last. While all others
//!   want memory too its steps take [`BUSY`] times as long. `row` is the turn of one row after another of those that a warp or a block takes in turn.
//!
//! | scheme | steps | turns |
//! | --- | --- | --- |
//! | `node` | the longest row; where there are more rows than threads, as often as those come back, what a warp's longest row has: a middle between the mean row and the longest | |
//! | `tiled` | the longest row, or a block's share, by 256 arcs | arcs of a warp by 32: short rows are lined up |
//! | `workload` | an equal share of the arcs; looking for where it begins, by 4 | rows by 256, where one block sums all degrees |
//! | `resident` | an equal share of the arcs | tiles of a warp |
//!
//! Nothing here asks a device: figures come from [`calibrate`](super::calibrate), or are [`Costs::ASSUMED`].

use super::Scheme;
use crate::{
    frontier::SHORT_TILES,
    machine::{BLOCK, TILED_ARCS},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an open balance is chosen among. `node` is not: on an H200 it was behind `tiled` in searches and components on all of 17 graphs
/// (docs/reproduce.md).
pub(crate) const OPEN: &[Scheme] = &[Scheme::Tiled, Scheme::Workload];
/// The same where tiles are kept.
pub(crate) const OPEN_WITH_TILES: &[Scheme] = &[Scheme::Tiled, Scheme::Workload, Scheme::Resident];

const THREADS: f64 = BLOCK as f64;
const WARP: f64 = 32.0;
/// A step of the search for a place in prefix sums is one of the steps of an arc, of which there are about so many.
const READS_A_STEP: f64 = 4.0;

/// What a scheme costs, in nanoseconds.
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

/// What schemes cost on a device.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Costs {
    /// Nanoseconds of one launch more.
    pub launch: f64,
    /// Threads that run at a time.
    pub threads: f64,
    /// A thread a row.
    pub node: Cost,
    /// Rows cut into tiles as they are met.
    pub tiled: Cost,
    /// An equal share of all arcs a thread.
    pub workload: Cost,
    /// Tiles that are kept.
    pub resident: Cost,
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
    /// Kept tiles of these rows must be listed: they are not those of all, in order.
    pub(crate) is_listed: bool,
}

/// A choice, and what it was made by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Why {
    /// Nanoseconds by each candidate, the chosen one first.
    prices: [Option<(Scheme, f64)>; PRICED],
    longest: u64,
}

/// How many times as long a step takes while the whole device reads: what an H200 showed on graphs with hubs.
const BUSY: f64 = 2.5;
/// The share of a price that it may be off by.
const UNSURE: f64 = 0.05;
/// Schemes that have a price.
const PRICED: usize = 4;

impl Costs {
    /// What is taken for granted where nothing was measured: about what an H200 does.
    pub const ASSUMED: Self = Self {
        launch: 3200.0,
        threads: 132.0 * 2048.0,
        node: Cost { first: 15_000.0, vertex: 0.03, arc: 0.040, step: 430.0, row: 0.0 },
        tiled: Cost { first: 15_000.0, vertex: 0.03, arc: 0.037, step: 980.0, row: 1500.0 },
        workload: Cost { first: 18_500.0, vertex: 0.15, arc: 0.050, step: 430.0, row: 700.0 },
        resident: Cost { first: 20_500.0, vertex: 0.19, arc: 0.037, step: 980.0, row: 2500.0 },
    };

    /// Schemes that have a price, with their names.
    pub fn all(&self) -> [(&'static str, Cost); PRICED] {
        [Scheme::Node, Scheme::Tiled, Scheme::Workload, Scheme::Resident]
            .map(|scheme| (scheme.name(), *self.of(scheme)))
    }

    /// Of those that are not candidates of an open balance, those of what they begin with.
    fn of(&self, scheme: Scheme) -> &Cost {
        match scheme {
            Scheme::Node | Scheme::Edge | Scheme::Split | Scheme::Hierarchical => &self.node,
            Scheme::Tiled => &self.tiled,
            Scheme::Workload => &self.workload,
            Scheme::Resident => &self.resident,
        }
    }

    /// What a scheme costs becomes known.
    pub(super) fn set(&mut self, scheme: Scheme, cost: Cost) {
        match scheme {
            Scheme::Node | Scheme::Edge | Scheme::Split | Scheme::Hierarchical => self.node = cost,
            Scheme::Tiled => self.tiled = cost,
            Scheme::Workload => self.workload = cost,
            Scheme::Resident => self.resident = cost,
        }
    }

    /// A row takes what is left of the time of a frontier, if steps and launches are known.
    pub(super) fn explain_turns(&mut self, scheme: Scheme, load: Load, nanoseconds: f64) {
        let (cost, (steps, turns)) = (*self.of(scheme), self.waits(scheme, load));
        let known = cost.first + self.launch * launches_more(scheme, load) + steps * cost.step;
        let row = if turns > 0.0 { ((nanoseconds - known) / turns).max(0.0) } else { 0.0 };
        self.set(scheme, Cost { row, ..cost });
    }

    /// Are these numbers that can be reckoned with?
    pub(crate) fn is_sound(&self) -> bool {
        let costs = self.all().map(|(_, c)| [c.first, c.vertex, c.arc, c.step, c.row]);
        let all = costs.iter().flatten().chain([&self.launch]);
        all.copied().all(|x| x.is_finite() && x >= 0.0) && self.threads.is_finite() && self.threads >= 1.0
    }

    /// Nanoseconds that a scheme takes.
    pub(crate) fn nanoseconds(&self, scheme: Scheme, load: Load) -> f64 {
        let cost = self.of(scheme);
        let (vertices, arcs) = (load.vertices as f64, load.arcs as f64);
        let (steps, turns) = self.waits(scheme, load);
        let launches = self.launch * launches_more(scheme, load);
        let listed = if scheme == Scheme::Resident && !load.is_listed { 0.0 } else { vertices };
        let (even, tail) = (listed * cost.vertex + arcs * cost.arc, self.tail(scheme, load) * cost.step);
        // It is slow for no longer than others are at work.
        let device = even + tail + ((BUSY - 1.0) * tail).min(even);
        (cost.first + launches).max(0.0) + device.max(steps * cost.step + turns * cost.row)
    }

    /// Steps of the longest row, which may be met last, when all else is done.
    fn tail(&self, scheme: Scheme, load: Load) -> f64 {
        match scheme {
            Scheme::Workload | Scheme::Resident => 0.0,
            Scheme::Tiled => load.longest as f64 / THREADS,
            _ => load.longest as f64,
        }
    }

    /// Steps and turns that nobody can take at the same time.
    fn waits(&self, scheme: Scheme, load: Load) -> (f64, f64) {
        let (vertices, arcs, longest) = (load.vertices as f64, load.arcs as f64, load.longest as f64);
        let mean = arcs / vertices.max(1.0);
        let running = (self.threads / THREADS).max(1.0);
        match scheme {
            Scheme::Tiled => {
                let blocks =
                    (vertices / THREADS).max((arcs / TILED_ARCS as f64).min(vertices)).clamp(1.0, running);
                let warps = blocks * THREADS / WARP;
                (longest.max(arcs / blocks) / THREADS, (arcs / (WARP * warps)).max(1.0))
            }
            Scheme::Workload => {
                let search = vertices.max(1.0).log2() / READS_A_STEP;
                let turns = if !load.is_all && is_short(load) { vertices / THREADS } else { 0.0 };
                (arcs / self.threads + search, turns)
            }
            Scheme::Resident => {
                let tiles = vertices + arcs / THREADS;
                (arcs / self.threads, (tiles * WARP / self.threads).max(1.0))
            }
            _ => {
                let rounds = (vertices / self.threads).max(1.0);
                let of_a_warp = (mean * longest.min(WARP * mean)).sqrt();
                (longest.max(rounds * of_a_warp), 0.0)
            }
        }
    }

    /// The cheapest of some schemes; the first of them unless another is cheaper by more than prices are sure of.
    pub(crate) fn choose(&self, among: &[Scheme], load: Load) -> Why {
        let mut prices = [None; PRICED];
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

/// Does one block sum up all degrees?
fn is_short(load: Load) -> bool {
    load.vertices <= SHORT_TILES * u64::from(BLOCK)
}

/// Launches beyond those that one vertex of one arc takes.
fn launches_more(scheme: Scheme, load: Load) -> f64 {
    match scheme {
        Scheme::Workload if load.is_all => -1.0,
        Scheme::Resident if !load.is_listed => -1.0,
        Scheme::Workload if !is_short(load) => 2.0,
        _ => 0.0,
    }
}

impl Why {
    /// The cheapest.
    pub(crate) fn scheme(&self) -> Scheme {
        self.prices[0].map_or(Scheme::Node, |(scheme, _)| scheme)
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
    use super::*;

    const ALL: [Scheme; 4] = [Scheme::Node, Scheme::Tiled, Scheme::Workload, Scheme::Resident];

    fn load(vertices: u64, arcs: u64, longest: u64) -> Load {
        Load { vertices, arcs, longest, is_all: false, is_listed: true }
    }

    fn chosen(load: Load) -> Scheme {
        Costs::ASSUMED.choose(OPEN, load).scheme()
    }

    #[test]
    fn short_rows_go_by_tiles() {
        for load in [load(0, 0, 0), load(1, 1, 1), load(300, 600, 3), load(4096, 8192, 2)] {
            assert_eq!(chosen(load), Scheme::Tiled, "{load:?}");
        }
    }

    #[test]
    fn rows_of_some_hundred_arcs_go_by_tiles() {
        assert_eq!(chosen(load(1000, 200_000, 400)), Scheme::Tiled);
        assert_eq!(chosen(load(50_000, 5_000_000, 2000)), Scheme::Tiled);
        assert_eq!(chosen(load(1, 300, 300)), Scheme::Tiled);
    }

    #[test]
    fn a_hub_is_shared_by_the_whole_device() {
        assert_eq!(chosen(load(1, 10_000_000, 10_000_000)), Scheme::Workload);
        assert_eq!(chosen(load(1 << 20, 20_000_000, 3_000_000)), Scheme::Workload);
        let among = [Scheme::Node, Scheme::Tiled, Scheme::Resident];
        assert_eq!(Costs::ASSUMED.choose(&among, load(1, 10_000_000, 10_000_000)).scheme(), Scheme::Resident);
    }

    #[test]
    fn summing_up_degrees_is_free_where_all_vertices_go() {
        let some = load(1 << 20, 1 << 24, 1 << 12);
        let all = Load { is_all: true, ..some };
        let price = |load| Costs::ASSUMED.nanoseconds(Scheme::Workload, load);
        assert!((price(some) - price(all) - 3.0 * Costs::ASSUMED.launch).abs() < 1.0);
    }

    #[test]
    fn tiles_that_lie_in_order_cost_no_list() {
        let some = load(1 << 20, 1 << 24, 1 << 12);
        let price = |load| Costs::ASSUMED.nanoseconds(Scheme::Resident, load);
        let list = Costs::ASSUMED.launch + some.vertices as f64 * Costs::ASSUMED.resident.vertex;
        assert!((price(some) - price(Load { is_listed: false, ..some }) - list).abs() < 1.0);
    }

    #[test]
    fn a_long_row_is_slow_for_as_long_as_others_are_at_work() {
        let price = |arcs, longest| Costs::ASSUMED.nanoseconds(Scheme::Tiled, load(1000, arcs, longest));
        let tail = 30_000.0 / THREADS * Costs::ASSUMED.tiled.step;
        let more = |arcs| price(arcs, 30_000) - price(arcs, 0);
        assert!((more(100_000_000) - BUSY * tail).abs() < 1.0, "{}", more(100_000_000));
        assert!(more(1_000_000) < BUSY * tail && more(1_000_000) > tail, "{}", more(1_000_000));
    }

    #[test]
    fn more_of_anything_never_costs_less() {
        for scheme in ALL {
            // Within what is summed by one block, and beyond it.
            for vertices in [1, 256, 1 << 11, 1 << 13, 1 << 20] {
                for arcs in [vertices, 8 * vertices, 1000 * vertices] {
                    let price =
                        |arcs, longest| Costs::ASSUMED.nanoseconds(scheme, load(vertices, arcs, longest));
                    let longest = arcs.div_ceil(vertices);
                    // More arcs are worth more blocks to `tiled`, which makes turns shorter.
                    let more = price(2 * arcs, 2 * longest);
                    assert!(
                        scheme == Scheme::Tiled || price(arcs, longest) <= more,
                        "{scheme} {vertices} {arcs}"
                    );
                    assert!(price(arcs, longest) <= price(arcs, arcs), "{scheme} {vertices} {arcs}");
                }
            }
        }
    }

    #[test]
    fn turns_explain_what_steps_and_launches_do_not() {
        for scheme in [Scheme::Tiled, Scheme::Workload, Scheme::Resident] {
            let (mut costs, load) = (Costs::ASSUMED, load(2048, 2048 * 12, 12));
            let cost = *costs.of(scheme);
            costs.set(scheme, Cost { vertex: 0.0, arc: 0.0, ..cost });
            let time = costs.nanoseconds(scheme, load);
            costs.set(scheme, Cost { row: 7.0, ..*costs.of(scheme) });
            costs.explain_turns(scheme, load, time);
            assert!((costs.of(scheme).row - cost.row).abs() < 1e-6, "{scheme}: {}", costs.of(scheme).row);
        }
    }

    #[test]
    fn what_prices_are_not_sure_of_changes_nothing() {
        let by = |workload: f64| {
            let cost = Cost { vertex: 0.0, arc: 0.0, step: 0.0, row: 0.0, first: 10_000.0 };
            let costs = Costs { tiled: cost, workload: Cost { first: workload, ..cost }, ..Costs::ASSUMED };
            costs.choose(OPEN, load(1, 1, 1)).scheme()
        };
        assert_eq!([9_000.0, 9_600.0, 10_500.0].map(by), [Scheme::Workload, Scheme::Tiled, Scheme::Tiled]);
    }

    #[test]
    fn a_choice_says_what_it_was_made_by() {
        let costs = Costs { workload: Cost { first: 40_400.0, ..Costs::ASSUMED.workload }, ..Costs::ASSUMED };
        let why = costs.choose(OPEN, load(1, 1, 1));
        assert_eq!(why.scheme(), Scheme::Tiled);
        assert_eq!(why.to_string(), "tiled 17 us, workload 40; longest row 1");
    }

    #[test]
    fn figures_that_are_none_are_not_sound() {
        assert!(Costs::ASSUMED.is_sound());
        let broken = [f64::NAN, f64::INFINITY, -1.0];
        for x in broken {
            assert!(!Costs { launch: x, ..Costs::ASSUMED }.is_sound());
            assert!(!Costs { tiled: Cost { arc: x, ..Costs::ASSUMED.tiled }, ..Costs::ASSUMED }.is_sound());
        }
        assert!(!Costs { threads: 0.0, ..Costs::ASSUMED }.is_sound());
    }
}
