//! `Sum`: sweeps over all vertices, or pushed changes.
//!
//! | program | plan | form |
//! | --- | --- | --- |
//! | distributes | push | changes only: a value and a pending change per vertex, from `init` |
//! | distributes | pull, auto | sweeps from one array to another, `x[v] = init(v) + sum of messages`, from `start` |
//! | any other | pull, auto | sweeps from one array to another, from `init`, exactly as many as the program asks for |
//!
//! A run ends when the *residual*, `sum |F(x) - x|`, is below the tolerance. The answer is then what the last sweep
//! started from, since its residual is known. In the form that pushes, the pending changes are the residual.

use super::{
    expand::Expansions,
    reflect::Reflect,
    stage::{Ended, NEXT, Stage, TOLD},
};
use crate::{
    advance::{Queue, Spent},
    arguments::{ADDS_TO_INIT, Along, FROM_START, JOINS_LATER, ProgramArgs},
    frontier::Members,
    machine::{Grid, Launch},
};
use warpgraph_core::{Direction, Halted, Result, program::Watch};
use warpgraph_device::Array;

/// Runs until one of the program's own rules ends it.
pub(super) fn run(stage: &mut Stage<'_>) -> Result<Ended> {
    if stage.vertices() == 0 {
        let values = stage.values("values")?;
        let halted = Halted::Converged;
        return Ok(Ended { values, residual: Some(0.0), halted, state_bytes: 0, spent: Spent::default() });
    }
    match stage.options.direction() {
        Some(Direction::Push) => push(stage),
        _ => sweep(stage),
    }
}

/// Returns the sum of one number per block.
pub(crate) fn total(sums: &Array<f64>, blocks: u32) -> Result<f64> {
    let mut parts = vec![0.0; blocks as usize];
    sums.read(&mut parts).map_err(crate::lift)?;
    Ok(parts.iter().sum())
}

/// Sweeps from one array into another.
struct Sweeper {
    expansions: Expansions,
    apply: Launch<ProgramArgs>,
    reflect: Option<Reflect>,
    base: ProgramArgs,
    /// The total change of each block.
    sums: Array<f64>,
}

impl Sweeper {
    /// Returns the arguments of a sweep.
    fn args(&self, values: &Array<u8>, other: &Array<u8>) -> ProgramArgs {
        ProgramArgs {
            values: values.address().cast(),
            spoken: values.address().cast(),
            other: other.address().cast(),
            ..self.base
        }
    }

    /// Runs a sweep from `values` into `other`; returns the total change.
    fn sweep(&mut self, stage: &Stage<'_>, values: &Array<u8>, other: &Array<u8>) -> Result<f64> {
        let (n, args) = (stage.vertices(), self.args(values, other));
        self.expansions.run(stage, Direction::Pull, args, stage.everyone(), Queue::NONE)?;
        // SAFETY: all arrays have an entry per vertex, `sums` one per block, and they live until the run has ended.
        unsafe {
            stage.machine.start(&self.apply, Grid::For(n as u64), &args)?;
            if let Some(reflect) = &self.reflect {
                reflect.start(&stage.machine, args)?;
            }
        }
        stage.machine.wait()?;
        total(&self.sums, self.sums.len() as u32)
    }
}

fn sweep(stage: &mut Stage<'_>) -> Result<Ended> {
    let n = stage.vertices();
    let expansions = Expansions::new(stage, &[Direction::Pull], stage.options.deterministic)?;
    let init = stage.vertex_kernel("program_init")?;
    let apply: Launch<ProgramArgs> = stage.vertex_kernel("program_sweep")?;
    let reflect = Reflect::new(stage, "reflect_sweep")?;
    stage.start_clock();
    let (mut values, mut other) = (stage.values("values")?, stage.values("values")?);
    let into = stage.gathering()?;
    let blocks = apply.blocks(Grid::For(n as u64));
    let sums = stage.machine.array::<f64>(blocks as usize, "sums of blocks")?;
    let mut flags = stage.args().flags;
    if stage.distributes {
        flags |= ADDS_TO_INIT | FROM_START;
    }
    let base = ProgramArgs { into: into.address().cast(), sums: sums.address(), flags, ..stage.args() };
    let mut sweeper = Sweeper { expansions, apply, reflect, base, sums };
    // SAFETY: all arrays have an entry per vertex, and live until the run has ended.
    unsafe { stage.machine.start(&init, Grid::For(n as u64), &sweeper.args(&values, &other))? };
    stage.check_start()?;
    let mut watch = Watch::new(stage.functor.name, stage.halt);
    let (residual, halted) = loop {
        stage.machine.check()?;
        let change = sweeper.sweep(stage, &values, &other)?;
        let (all, seen) = (stage.everyone(), sweeper.expansions.balancer.seen(&stage.machine)?);
        let is_last = stage.step(all, Direction::Pull, &seen, || format!("changed by {change:.3e}{seen}"));
        watch.see(stage.rounds(), change)?;
        if stage.halt.tolerance().is_some_and(|t| change < t) {
            break (change, Halted::Tolerance);
        }
        if change == 0.0 {
            break (0.0, Halted::Converged);
        }
        std::mem::swap(&mut values, &mut other);
        if is_last {
            break (sweeper.sweep(stage, &values, &other)?, Halted::MaxIterations);
        }
    };
    stage.stop_clock();
    let state_bytes = values.bytes() + other.bytes() + into.bytes() + sweeper.sums.bytes();
    let spent = sweeper.expansions.balancer.spent(&stage.machine)?;
    Ok(Ended { values, residual: Some(residual), halted, state_bytes, spent })
}

fn push(stage: &mut Stage<'_>) -> Result<Ended> {
    let n = stage.vertices();
    let mut expansions = Expansions::new(stage, &[Direction::Push], false)?;
    let (init, commit) = (stage.vertex_kernel("program_init")?, stage.vertex_kernel("program_commit")?);
    let settle: Launch<ProgramArgs> = stage.vertex_kernel("program_settle")?;
    let reflect = Reflect::new(stage, "reflect_changes")?;
    stage.start_clock();
    let (values, pending) = (stage.values("values")?, stage.values("changes")?);
    let into = stage.gathering()?;
    let stamps = stage.machine.zeros::<u32>(n, "stamps")?;
    let told = stage.machine.array::<u32>(n, "a queue")?;
    let queue = stage.machine.array::<u32>(n, "a queue")?;
    let blocks = settle.blocks(Grid::For(n as u64));
    let sums = stage.machine.array::<f64>(blocks as usize, "sums of blocks")?;
    let mut args = ProgramArgs {
        values: values.address().cast(),
        spoken: pending.address().cast(),
        into: into.address().cast(),
        stamps: stamps.address(),
        sums: sums.address(),
        ..stage.args()
    };
    // SAFETY: all arrays have an entry per vertex, and live until the run has ended.
    unsafe { stage.machine.start(&init, Grid::For(n as u64), &args)? };
    stage.check_start()?;
    let tolerance = stage.halt.tolerance();
    let mut watch = Watch::new(stage.functor.name, stage.halt);
    let mut frontier = stage.everyone();
    let mut residual = 0.0;
    let mut halted = if tolerance.is_some() { Halted::Tolerance } else { Halted::Converged };
    while frontier.members.count > 0 {
        stage.machine.check()?;
        args.round += 1;
        // With more arcs than vertices, settling all vertices is cheaper than an atomic per arc that lists those told.
        let tells_all = frontier.arcs > n as u64;
        let to_told = Queue { items: told.address(), size: stage.counter(TOLD) };
        let flags = if tells_all { args.flags | JOINS_LATER } else { args.flags };
        expansions.run(stage, Direction::Push, ProgramArgs { flags, ..args }, frontier, to_told)?;
        let members = frontier.members;
        let next = Members::counted(queue.address(), stage.counter(NEXT), n as u64);
        let settled = if tells_all {
            Members::all(n)
        } else {
            Members::counted(told.address(), stage.counter(TOLD), n as u64)
        };
        let along = Along {
            items: settled.items,
            size: settled.size,
            count: settled.count,
            next: next.items,
            next_size: next.size,
            ..args.along
        };
        let settled = ProgramArgs { along, ..args };
        let along = Along { items: members.items, count: members.count, ..args.along };
        let committed = ProgramArgs { along, ..args };
        // SAFETY: as above; the queue holds each vertex that received a message once, and the frontier whose queue is
        // overwritten has already been expanded.
        unsafe {
            stage.machine.start(&commit, Grid::For(members.count), &committed)?;
            stage.machine.start(&settle, Grid::For(n as u64), &settled)?;
            if let Some(reflect) = &reflect {
                reflect.start(&stage.machine, settled)?;
            }
        }
        stage.count_arcs(&expansions.balancer.frontiers, next)?;
        let counters = stage.read_counters()?;
        residual = total(&sums, blocks)?;
        let (before, seen) = (frontier, expansions.balancer.seen(&stage.machine)?);
        let note = || format!("{residual:.3e} to be told{seen}");
        let is_last = stage.step(before, Direction::Push, &seen, note);
        frontier = stage.counted(Members::of(queue.address(), counters[NEXT]), &counters);
        watch.see(stage.rounds(), residual)?;
        if tolerance.is_some_and(|t| residual < t) {
            break;
        }
        if is_last && frontier.members.count > 0 {
            halted = Halted::MaxIterations;
            break;
        }
    }
    stage.stop_clock();
    let arrays = [&values, &pending, &into].map(|array| array.bytes()).iter().sum::<u64>();
    let queues = stamps.bytes() + told.bytes() + queue.bytes() + sums.bytes();
    let (state_bytes, spent) = (arrays + queues, expansions.balancer.spent(&stage.machine)?);
    Ok(Ended { values, residual: Some(residual), halted, state_bytes, spent })
}
