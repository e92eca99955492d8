//! `node`: one thread per vertex of the frontier. It keeps nothing, and its kernels take nothing of their own.

use super::{
    Balancing, Scheme, Sizes,
    balancing::Deal,
    model::{Cost, Load, Price, WARP, Waits},
    own::{self, Own},
    probe::Shape,
};
use crate::{frontier::Frontiers, machine::Grid};
use warpgraph_core::{Balance, Result};

/// The balance.
pub(super) struct Node;

/// Its kernels take no arguments of their own.
struct NodeArgs;

impl Own for NodeArgs {
    const BALANCE: Balance = Balance::Node;

    fn bytes(&self) -> &[u8] {
        &[]
    }

    fn text() -> String {
        own::no_text()
    }
}

impl Balancing for Node {
    fn own(&self) -> String {
        NodeArgs::text()
    }

    fn schemes(&self) -> Vec<Scheme> {
        vec![Scheme::of(Balance::Node)]
    }

    fn price(&self) -> Option<Price> {
        Some(Price {
            assumed: Cost { first: 15_000.0, vertex: 0.03, arc: 0.040, step: 430.0, row: 0.0 },
            shapes: &[Shape::One, Shape::Pairs, Shape::Short, Shape::Walk],
            many: [Shape::Pairs, Shape::Short],
            step: Shape::Walk,
            waits,
        })
    }

    fn bytes(&self, _: &Sizes<'_>) -> u64 {
        0
    }

    fn bytes_per_copy(&self, _: &Frontiers, _: u64) -> u64 {
        0
    }

    unsafe fn deal(&mut self, deal: Deal<'_, '_>) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { deal.start(Grid::For(deal.work.members.count), &NodeArgs) }
    }
}

/// A thread takes the steps of the longest row. If there are more rows than threads, a warp comes back with other rows, and each
/// time takes the steps of its longest one: between the mean row and the longest.
fn waits(load: Load, threads: f64) -> Waits {
    let (vertices, arcs, longest) = (load.vertices as f64, load.arcs as f64, load.longest as f64);
    let mean = arcs / vertices.max(1.0);
    let rounds = (vertices / threads).max(1.0);
    let of_a_warp = (mean * longest.min(WARP * mean)).sqrt();
    Waits { vertices, tail: longest, steps: longest.max(rounds * of_a_warp), ..Waits::default() }
}
