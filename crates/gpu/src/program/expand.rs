//! Expansion: one kernel for each direction and balance that the plan leaves open, and what they need of the frontier.

use super::stage::{Arcs, SCRATCH, Stage, Ways, along};
use crate::{
    arguments::ProgramArgs,
    frontier::{Frontiers, Members},
    machine::{Grid, Launch},
};
use warpgraph_core::{Balance, Direction, Result};
use warpgraph_device::Address;

/// A frontier of so few arcs is done with before its degrees are summed up.
const FEW_ARCS: u64 = 1 << 10;

/// The kernels.
pub(crate) struct Expansions {
    kernels: Vec<(Direction, Balance, Launch<ProgramArgs>)>,
    pub(crate) frontiers: Frontiers,
}

/// The balances a plan leaves open; only one if `one_order` says that a row must be one thread's.
pub(crate) fn balances(asked: Option<Balance>, one_order: bool) -> &'static [Balance] {
    match asked {
        Some(Balance::Node) => &[Balance::Node],
        Some(Balance::Workload) => &[Balance::Workload],
        None if one_order => &[Balance::Node],
        None => &[Balance::Node, Balance::Workload],
    }
}

/// The one for so many arcs.
fn pick<T>(open: &[(Balance, T)], arcs: u64) -> &(Balance, T) {
    let is_fit = |(balance, _): &&(Balance, T)| (*balance == Balance::Node) == (arcs <= FEW_ARCS);
    open.iter().find(is_fit).unwrap_or(&open[0])
}

impl Expansions {
    /// Compiles what may be needed in these directions.
    pub(crate) fn new(stage: &Stage<'_>, directions: &[Direction], one_order: bool) -> Result<Self> {
        let wide = stage.resident.is_wide();
        let mut kernels = Vec::new();
        for &direction in directions {
            for &balance in balances(stage.options.plan.balance(), one_order) {
                let source = stage.functor.expand(wide, direction, balance)?;
                kernels.push((direction, balance, stage.machine.kernel(&source, source.kernels[0])?));
            }
        }
        Ok(Self { kernels, frontiers: Frontiers::new(&stage.machine, wide, stage.vertices())? })
    }

    /// Expands the rows of `members`, which have so many arcs in all; gives the balance that was taken.
    pub(crate) fn run(
        &mut self,
        stage: &Stage<'_>,
        direction: Direction,
        args: ProgramArgs,
        members: Members,
        arcs: u64,
    ) -> Result<Balance> {
        let open: Vec<_> =
            self.kernels.iter().filter(|(d, ..)| *d == direction).map(|(_, b, k)| (*b, k)).collect();
        let (balance, kernel) = *pick(&open, arcs);
        for side in sides(stage, direction) {
            let (first, grid) = match balance {
                Balance::Node => (Address::NULL, Grid::For(members.count)),
                Balance::Workload => {
                    let scratch = stage.counter(SCRATCH);
                    let first = self.frontiers.prefix(&stage.machine, members, &side.rows, scratch)?;
                    (first, Grid::Shares(arcs))
                }
            };
            let args = ProgramArgs { items: members.items, count: members.count, first, ..along(args, side) };
            // SAFETY: members are vertices without duplicates; arrays of `args` have an entry a vertex and, as the stage and the
            // rows they come from, outlive the run; a next frontier without duplicates has no more entries than vertices.
            unsafe { stage.machine.start(kernel, grid, &args)? };
        }
        Ok(balance)
    }
}

/// The arcs to go along, one direction after the other.
fn sides<'s>(stage: &'s Stage<'_>, direction: Direction) -> impl Iterator<Item = &'s Arcs> {
    let is_symmetric = !stage.resident.graph().is_directed();
    let (out, incoming) = (Some(&stage.out), stage.incoming.as_ref());
    let [first, second] = match direction {
        Direction::Push => [out, incoming],
        Direction::Pull => [incoming, out],
    };
    first.into_iter().chain(second.filter(|_| stage.ways == Ways::Both && !is_symmetric))
}
