//! `workload`: an equal share of all arcs per thread. It keeps nothing, and sums up the degrees of a frontier.

use super::{
    Balancing, Scheme, Sizes,
    balancing::Deal,
    model::{Cost, Load, Price, THREADS, Waits},
    own::{Own, own},
    probe::Shape,
};
use crate::{
    frontier::{Frontiers, SHORT_TILES},
    machine::{BLOCK, Grid},
};
use warpgraph_core::{Balance, Result};
use warpgraph_device::{Address, arguments};

/// A thread steps along an arc about so many times as slowly as it reads one prefix sum in its search.
const READS_PER_STEP: f64 = 4.0;

/// The balance.
pub(super) struct Workload;

arguments! {
    /// What only the kernels of `workload` take.
    pub(crate) struct WorkloadArgs {
        /// Prefix sums of the degrees of the frontier.
        first: Address<()>,
    }
}
own!(WorkloadArgs, Balance::Workload);

impl Balancing for Workload {
    fn own(&self) -> String {
        WorkloadArgs::text()
    }

    fn schemes(&self) -> Vec<Scheme> {
        vec![Scheme::of(Balance::Workload)]
    }

    fn price(&self) -> Option<Price> {
        Some(Price {
            assumed: Cost { first: 18_500.0, vertex: 0.15, arc: 0.050, step: 430.0, row: 700.0 },
            shapes: &[Shape::One, Shape::Short, Shape::Long, Shape::Turns],
            many: [Shape::Short, Shape::Long],
            // Arcs are dealt out so evenly that no wait is long enough to show a step: it is as long as that of `node`.
            step: Shape::Walk,
            waits,
        })
    }

    fn bytes(&self, _: &Sizes<'_>) -> u64 {
        0
    }

    fn bytes_per_copy(&self, frontiers: &Frontiers, vertices: u64) -> u64 {
        frontiers.prefix_bytes_of(vertices)
    }

    unsafe fn deal(&mut self, deal: Deal<'_, '_>) -> Result<()> {
        let Deal { machine, rows, work, scratch, .. } = deal;
        if work.members.count == 0 {
            return Ok(());
        }
        let own = WorkloadArgs { first: deal.frontiers.prefix(machine, work.members, rows, scratch)? };
        // SAFETY: the caller's promise; the prefix sums are those of the members.
        unsafe { deal.start(Grid::Shares(deal.copies() * rows.arcs() as u64), &own) }
    }
}

/// A thread takes the steps of an equal share of the arcs and looks for where it begins. If the frontier is short, one block sums
/// up all degrees, 256 rows at a time; if it is all vertices, their degrees are summed up already.
fn waits(load: Load, threads: f64) -> Waits {
    let (vertices, arcs) = (load.vertices as f64, load.arcs as f64);
    let is_short = load.vertices <= SHORT_TILES * u64::from(BLOCK);
    let search = vertices.max(1.0).log2() / READS_PER_STEP;
    Waits {
        launches: if load.is_all {
            -1.0
        } else if is_short {
            0.0
        } else {
            2.0
        },
        vertices,
        tail: 0.0,
        steps: arcs / threads + search,
        turns: if !load.is_all && is_short { vertices / THREADS } else { 0.0 },
    }
}
