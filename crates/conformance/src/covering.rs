//! Which combinations are asked: all of them, or on a slow engine a covering array.
//!
//! The axes are algorithm, fixture, plan and order. On a slow engine, such as the simulator, every algorithm meets every fixture,
//! every plan and every order, but a fixture meets a few plans and one order per algorithm. So the time grows with the sum of the
//! axes' lengths, not with their product. The draw is seeded by names: the same on every machine and in every run.

use crate::fixtures::{self, Fixture};
use std::sync::LazyLock;
use warpgraph::{Order, Plan, graph::hash::mix};

/// Options that plans are tested with beside their defaults: thresholds so low that rows of small graphs are cut, and edges
/// stored in every way.
const OPTIONS: [&str; 24] = [
    "edge(chunking=off)",
    "push+edge(condensing=off)",
    "split(mdt=1)",
    "push+split(mdt=3)",
    "hierarchical(mdt=1)",
    "hierarchical(bins=3)",
    "zero-copy(hot=off)",
    "zero-copy(heads=4)",
    "zero-copy(heads=6,hot=off)",
    "zero-copy(code=ef)",
    "device(code=ef)",
    "device(heads=8)",
    "zero-copy(hot=off,ahead=auto)",
    "push+zero-copy(hot=off,ahead=all)",
    "workload+zero-copy(hot=off,ahead=all)",
    "push+tiled+zero-copy",
    "pull+zero-copy(code=ef)",
    "resident+zero-copy",
    "workload+streamed",
    "push+streamed",
    "unified(advice=off)",
    "paths(np=1,lambda=0.2)",
    "paths(sketch=off)",
    "paths(backward=off)",
];

/// Every plan there is, and some with options.
pub static PLANS: LazyLock<Vec<Plan>> = LazyLock::new(|| {
    let options = OPTIONS.map(|text| text.parse().expect("a plan"));
    Plan::ALL.into_iter().chain(options).collect()
});

/// Plans that a small fixture is asked with.
const PLANS_OF_SMALL: usize = 3;

/// Plans that any other fixture is asked with.
const PLANS_OF_OTHERS: usize = 1;

/// Returns the plans that `name` is asked with on a fixture, of those it may run with.
///
/// The fixtures take `plans` in turns. Each time all plans have had their turn, they are shuffled, so that no plan meets directed
/// fixtures only.
pub fn dealt(name: &str, fixture: &Fixture, plans: &[Plan]) -> Vec<Plan> {
    if plans.is_empty() {
        return Vec::new();
    }
    let first = turns_before(fixture);
    (first..first + turns_of(fixture).min(plans.len()))
        .map(|turn| plans[shuffled(seed(name), turn / plans.len(), plans.len())[turn % plans.len()]])
        .collect()
}

/// Returns the number of plans that a fixture is asked with.
fn turns_of(fixture: &Fixture) -> usize {
    if fixture.is_small() { PLANS_OF_SMALL } else { PLANS_OF_OTHERS }
}

/// Returns the number of plans that all fixtures before this one are asked with, so that no turn is left out. Slow engines are
/// asked about no large fixture. A graph that is not in the list takes turns drawn from its name.
fn turns_before(fixture: &Fixture) -> usize {
    let asked = |other: &&Fixture| !other.is_large();
    match fixtures::all().iter().position(|other| other.name == fixture.name) {
        Some(at) => fixtures::all()[..at].iter().filter(asked).map(turns_of).sum(),
        None => seed(&fixture.name) as usize % 1024,
    }
}

/// Returns the orders, without the natural one, that `name` is asked in on a fixture: `count` of them, in turns.
pub fn orders(name: &str, fixture: &Fixture, count: usize) -> Vec<Order> {
    let orders: Vec<Order> = Order::ALL.into_iter().filter(|&order| order != Order::Natural).collect();
    let first = place(fixture) * count + seed(name) as usize % orders.len();
    (first..first + count).map(|turn| orders[turn % orders.len()]).collect()
}

/// The place of a fixture in the list; one drawn from its name if it is not there.
fn place(fixture: &Fixture) -> usize {
    let listed = fixtures::all().iter().position(|other| other.name == fixture.name);
    listed.unwrap_or_else(|| seed(&fixture.name) as usize % 1024)
}

fn seed(name: &str) -> u64 {
    name.bytes().fold(0, |h, byte| mix(h, u64::from(byte)))
}

/// The numbers below `len` in an order drawn for one turn of all plans.
fn shuffled(seed: u64, round: usize, len: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..len).collect();
    numbers.sort_by_cached_key(|&i| mix(mix(seed, round as u64), i as u64));
    numbers
}
