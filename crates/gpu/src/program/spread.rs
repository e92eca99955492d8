//! `Min`, `Max` and `Or`: a frontier of vertices that changed, until nobody does.
//!
//! A program that only joins improves values in place. One with an `apply` or `active` of its own is strict: what is told in a superstep
//! is joined apart, and applied to the value after, by everyone who was told anything.

use super::{
    expand::Expansions,
    stage::{ARCS, Ended, NEXT, Stage, TOLD},
};
use crate::{arguments::ProgramArgs, frontier::Members, machine::Grid};
use warpgraph_core::{Direction, Halted, Result};
use warpgraph_device::Address;

/// Pull while the frontier's vertices and arcs are more than this share of all arcs.
const DENSE_SHARE: u64 = 20;
/// For programs that change a vertex once: pull once the frontier's arcs are more than this share of those not yet looked at.
const PULL_SHARE: u64 = 15;
/// And push again once the frontier is less than this share of the vertices.
const PUSH_SHARE: u64 = 18;

/// Runs until nobody changes.
pub(super) fn run(stage: &mut Stage<'_>) -> Result<Ended> {
    let n = stage.vertices();
    let directions: &[Direction] = match stage.options.direction() {
        Some(Direction::Push) => &[Direction::Push],
        Some(Direction::Pull) => &[Direction::Pull],
        None if stage.incoming.is_some() && stage.resident.has_incoming() => {
            &[Direction::Push, Direction::Pull]
        }
        None => &[Direction::Push],
    };
    let mut expansions = Expansions::new(stage, directions, false)?;
    let (init, apply) = (stage.vertex_kernel("program_init")?, stage.vertex_kernel("program_apply")?);
    stage.start_clock();

    let values = stage.values("values")?;
    let told = if stage.plain { None } else { Some(stage.gathering()?) };
    let told_queue = if stage.plain { None } else { Some(stage.machine.array::<u32>(n, "a queue")?) };
    let stamps = stage.machine.zeros::<u32>(n, "stamps")?;
    let mut queues = [stage.machine.array::<u32>(n, "a queue")?, stage.machine.array::<u32>(n, "a queue")?];
    let mut args = ProgramArgs {
        values: values.address().cast(),
        spoken: values.address().cast(),
        into: told.as_ref().unwrap_or(&values).address().cast(),
        stamps: stamps.address(),
        ..stage.args()
    };
    // Before any kernel: a copy from ordinary memory waits for all of them, and cannot be stopped.
    let mut members = match stage.seeds.take() {
        None => Members::all(n),
        Some(seeds) => {
            queues[0].write(&seeds).map_err(crate::lift)?;
            Members::of(queues[0].address(), seeds.len() as u64)
        }
    };
    // SAFETY: all arrays have an entry a vertex, and live until the run has ended.
    unsafe { stage.machine.start(&init, Grid::For(n as u64), &args)? };
    expansions.frontiers.stamp(&stage.machine, members, &stamps, 1)?;
    expansions.frontiers.count_arcs(&stage.machine, members, &stage.out.rows, stage.counter(ARCS))?;
    stage.check_start()?;
    let mut arcs = stage.read_counters()?[ARCS];
    let mut choice = Choice { fixed: directions, pulling: false, unexplored: stage.out.rows.arcs() as u64 };
    let mut halted = Halted::Converged;
    args.round = 1;
    while members.count > 0 {
        stage.machine.check()?;
        args.round += 1;
        stage.clear_counters()?;
        let direction = choice.of(stage, members.count, arcs);
        let next = Members { items: queues[1].address(), count: n as u64, size: stage.counter(NEXT) };
        // Who is told: the next frontier itself, or those who have something to apply.
        let into = match &told_queue {
            None => (next.items, stage.counter(NEXT)),
            Some(queue) => (queue.address(), stage.counter(TOLD)),
        };
        (args.next, args.next_size) = into;
        let balance = match direction {
            Direction::Push => expansions.run(stage, direction, args, members, arcs)?,
            Direction::Pull => {
                args.bitmap = expansions.frontiers.bitmap(&stage.machine, members)?;
                let all = stage.out.rows.arcs() as u64;
                expansions.run(stage, direction, args, Members::all(n), all)?
            }
        };
        args.bitmap = Address::NULL;
        if told_queue.is_some() {
            let applied = ProgramArgs {
                items: into.0,
                size: into.1,
                next: next.items,
                next_size: stage.counter(NEXT),
                ..args
            };
            // SAFETY: as above; the queue holds who was told, each once.
            unsafe { stage.machine.start(&apply, Grid::For(n as u64), &applied)? };
        }
        expansions.frontiers.count_arcs(&stage.machine, next, &stage.out.rows, stage.counter(ARCS))?;
        let counters = stage.read_counters()?;
        let before = members.count;
        queues.swap(0, 1);
        (members, arcs) = (Members::of(queues[0].address(), counters[NEXT]), counters[ARCS]);
        if stage.step(before, direction, || format!("{} vertices changed, {balance}", counters[NEXT]))
            && members.count > 0
        {
            halted = Halted::MaxIterations;
            break;
        }
    }
    let held = [told.as_ref().map_or(0, |told| told.bytes()), told_queue.as_ref().map_or(0, |q| q.bytes())];
    let state_bytes = values.bytes() + stamps.bytes() + queues.iter().map(|q| q.bytes()).sum::<u64>();
    let state_bytes = state_bytes + held.iter().sum::<u64>() + expansions.frontiers.bytes();
    Ok(Ended { values, residual: None, halted, state_bytes })
}

/// The choice of a direction by the superstep, as on the processor.
struct Choice<'d> {
    fixed: &'d [Direction],
    pulling: bool,
    /// Arcs of vertices that have not pushed yet.
    unexplored: u64,
}

impl Choice<'_> {
    fn of(&mut self, stage: &Stage<'_>, vertices: u64, arcs: u64) -> Direction {
        if let [only] = self.fixed {
            return *only;
        }
        self.pulling = if !stage.once {
            vertices + arcs > stage.out.rows.arcs() as u64 / DENSE_SHARE
        } else if self.pulling {
            vertices >= stage.vertices() as u64 / PUSH_SHARE
        } else {
            arcs > self.unexplored / PULL_SHARE
        };
        if self.pulling {
            return Direction::Pull;
        }
        self.unexplored -= arcs.min(self.unexplored);
        Direction::Push
    }
}
