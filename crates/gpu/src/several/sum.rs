//! `Sum` on a part, by sweeps that pull: own vertices read the values of their in-neighbours, and after every sweep ghosts get
//! the new values of their owners. The rules of ends are those of a run on one device.

use super::{Waiting, link::Link, member::Member, spread::Done};
use crate::{
    advance::Queue,
    arguments::{ADDS_TO_INIT, FROM_START, ProgramArgs},
    machine::{Grid, Launch},
    program::{Ended, Expansions, Stage, total},
};
use warpgraph_core::{
    Direction, Halted,
    program::{Scalar, Watch},
};
use warpgraph_device::Array;
use warpgraph_parts::{Error, Exchange as _, Reduce};

type Result<T, E = Error> = std::result::Result<T, E>;

/// Runs until one of the program's own rules ends it; collective.
pub(super) fn run<T: Scalar>(
    stage: &mut Stage<'_>,
    member: &Member,
    exchange: &mut Waiting<'_>,
) -> Result<Done> {
    let n = stage.vertices() as u64;
    let expansions = Expansions::new(stage, &[Direction::Pull], stage.options.deterministic)?;
    let init = stage.vertex_kernel("program_init")?;
    let apply: Launch<ProgramArgs> = stage.vertex_kernel("program_sweep")?;
    let mut link = Link::new::<T>(stage, member)?;
    exchange.barrier()?;
    exchange.restart();
    stage.start_clock();
    let (mut values, mut other) = (stage.values("values")?, stage.values("values")?);
    let into = stage.gathering()?;
    let blocks = apply.blocks(Grid::For(n)).max(1);
    let sums = stage.machine.zeros::<f64>(blocks as usize, "sums of blocks")?;
    let mut flags = stage.args().flags;
    if stage.distributes {
        flags |= ADDS_TO_INIT | FROM_START;
    }
    let base = ProgramArgs { into: into.address().cast(), sums: sums.address(), flags, ..stage.args() };
    let mut sweeper = Sweeper { expansions, apply, base, sums };
    if n > 0 {
        // SAFETY: all arrays have an entry per place, and live until the run has ended.
        unsafe { stage.machine.start(&init, Grid::For(n), &sweeper.args(&values, &other))? };
        stage.check_start()?;
    }
    let vertices = member.part().whole().vertices as u64;
    let arcs = super::spread::collective_arcs(member, exchange)?;
    let mut watch = Watch::new(stage.functor.name, stage.halt);
    let (residual, halted) = loop {
        stage.machine.check()?;
        let change = sweeper.sweep::<T>(stage, &mut link, exchange, &values, &other)?;
        let seen = sweeper.expansions.balancer.seen(&stage.machine)?;
        let mut all = stage.everyone();
        (all.members.count, all.arcs) = (vertices, arcs);
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
            let change = sweeper.sweep::<T>(stage, &mut link, exchange, &values, &other)?;
            break (change, Halted::MaxIterations);
        }
    };
    stage.stop_clock();
    let seconds = exchange.busy();
    let state_bytes = values.bytes() + other.bytes() + into.bytes() + sweeper.sums.bytes() + link.bytes();
    let spent = sweeper.expansions.balancer.spent(&stage.machine)?;
    let inner = Ended { values, residual: Some(residual), halted, state_bytes, spent };
    Ok(Done { inner, seconds })
}

/// Sweeps from one array into another.
struct Sweeper {
    expansions: Expansions,
    apply: Launch<ProgramArgs>,
    base: ProgramArgs,
    /// The total change of each block.
    sums: Array<f64>,
}

impl Sweeper {
    fn args(&self, values: &Array<u8>, other: &Array<u8>) -> ProgramArgs {
        ProgramArgs {
            values: values.address().cast(),
            spoken: values.address().cast(),
            other: other.address().cast(),
            ..self.base
        }
    }

    /// Runs a sweep from `values` into `other`, whose ghosts then have the new values; returns the total change of all parts.
    fn sweep<T: Scalar>(
        &mut self,
        stage: &Stage<'_>,
        link: &mut Link<'_>,
        exchange: &mut Waiting<'_>,
        values: &Array<u8>,
        other: &Array<u8>,
    ) -> Result<f64> {
        let (n, args) = (stage.vertices() as u64, self.args(values, other));
        let mut change = 0.0;
        if n > 0 {
            self.expansions.run(stage, Direction::Pull, args, stage.everyone(), Queue::NONE)?;
            // SAFETY: all arrays have an entry per place, `sums` one per block, and they live until the run has ended.
            unsafe { stage.machine.start(&self.apply, Grid::For(n), &args)? };
            stage.machine.wait()?;
            change = total(&self.sums, self.sums.len() as u32)?;
        }
        link.publish::<T>(stage, exchange, (args, args.other))?;
        let mut words = [change.to_bits()];
        exchange.all_reduce(&mut words, Reduce::SumF64)?;
        Ok(f64::from_bits(words[0]))
    }
}
