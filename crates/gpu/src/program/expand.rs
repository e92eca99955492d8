//! Expansion: one kernel per direction and balance that the plan leaves open.

use super::stage::{Arcs, Stage, along};
use crate::{
    advance::{Balancer, Expand, Expansion, Queue, Sides, Work},
    arguments::{Along, Edges, ProgramArgs},
    device_graph::Side,
    frontier::Counted,
};
use warpgraph_core::{Direction, Result, program::Ways};

impl Expand for ProgramArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }

    fn weights(&mut self) -> Option<&mut Edges> {
        Some(&mut self.weights)
    }
}

/// The kernels of all directions, and their balancer.
pub(crate) struct Expansions {
    kernels: Vec<(Direction, Expansion<ProgramArgs>)>,
    pub(crate) balancer: Balancer,
}

impl Expansions {
    /// Compiles the kernels of these directions. If `one_order`, one thread must take each row.
    pub(crate) fn new(stage: &Stage<'_>, directions: &[Direction], one_order: bool) -> Result<Self> {
        let (wide, machine) = (stage.device_graph.is_wide(), &stage.machine);
        let sides_of = |direction| sides(stage, direction).map(|(side, _)| side);
        let mut all: Vec<Side> = directions.iter().copied().flat_map(sides_of).collect();
        all.sort_by_key(|side| *side == Side::In);
        all.dedup();
        let is_pushed = directions.contains(&Direction::Push);
        let pushed: Vec<Side> = sides_of(Direction::Push).filter(|_| is_pushed).collect();
        let asked = stage.options.plan.balance();
        let balancer = Balancer::new(
            machine,
            stage.device_graph,
            asked,
            one_order,
            Sides { all: &all, dealt: &pushed },
            1,
        )?;
        let mut kernels = Vec::new();
        for &direction in directions {
            let name = match direction {
                Direction::Push => "program_push",
                Direction::Pull => "program_pull",
            };
            let source = |scheme| stage.functor.expand(wide, direction, scheme);
            let expansion = match direction {
                Direction::Push => balancer.expansion(machine, source, name)?,
                Direction::Pull => balancer.pulling(machine, source, name)?,
            };
            kernels.push((direction, expansion));
        }
        Ok(Self { kernels, balancer })
    }

    /// Returns the most entries that the next frontier can have.
    pub(crate) fn most_joining(&mut self, stage: &Stage<'_>, frontier: Counted) -> Result<u64> {
        match (repeats(stage), stage.sides()) {
            (false, _) => Ok(stage.vertices() as u64),
            (true, 1) => Ok(frontier.arcs.max(stage.vertices() as u64)),
            (true, _) => {
                let mut all = 0;
                for (_, arcs) in sides(stage, Direction::Push) {
                    all += self.balancer.count_arcs(&stage.machine, frontier.members, &arcs.rows)?;
                }
                Ok(all.max(stage.vertices() as u64))
            }
        }
    }

    /// Expands the rows of a frontier.
    pub(crate) fn run(
        &mut self,
        stage: &Stage<'_>,
        direction: Direction,
        args: ProgramArgs,
        frontier: Counted,
        next: Queue,
    ) -> Result<()> {
        let Some((_, kernel)) = self.kernels.iter().find(|(d, _)| *d == direction) else {
            unreachable!("kernels are compiled for every direction that can be chosen")
        };
        let Counted { members, mut arcs, mut longest, behind } = frontier;
        for (side, arcs_of_side) in sides(stage, direction) {
            let (rows, args) = (&arcs_of_side.rows, along(args, arcs_of_side));
            // If vertices can repeat, the count must be that of these rows, and nothing else may be running.
            if repeats(stage) && stage.sides() > 1 {
                arcs = self.balancer.count_arcs(&stage.machine, members, rows)?;
            }
            let work = Work { members, arcs: Some(arcs), longest, next };
            // SAFETY: members are vertices. The arrays of `args` have an entry per vertex; they belong to the stage and
            // the rows, which outlive the run. A next frontier without duplicates has at most as many entries as there
            // are vertices; one with duplicates has at most `most_joining`.
            unsafe { self.balancer.run(&stage.machine, kernel, side, rows, work, args)? };
            // The counts of the other side come next.
            (arcs, longest) = behind.map_or((arcs, None), |[arcs, longest]| (arcs, Some(longest)));
        }
        Ok(())
    }
}

/// Returns true if a vertex may join the next frontier several times. A program that applies messages never does: it
/// applies them once per vertex.
pub(super) fn repeats(stage: &Stage<'_>) -> bool {
    stage.plain && stage.options.plan.balance().is_some_and(|balance| balance.repeats())
}

/// Returns the arcs to go along, one direction after the other.
fn sides<'s>(stage: &'s Stage<'_>, direction: Direction) -> impl Iterator<Item = (Side, &'s Arcs)> {
    let is_symmetric = stage.device_graph.is_symmetric();
    let (out, incoming) =
        (Some((Side::Out, &stage.out)), stage.incoming.as_ref().map(|arcs| (Side::In, arcs)));
    let [first, second] = match direction {
        Direction::Push => [out, incoming],
        Direction::Pull => [incoming, out],
    };
    first.into_iter().chain(second.filter(|_| stage.ways == Ways::Both && !is_symmetric))
}
