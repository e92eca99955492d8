//! Label propagation, all vertices at once, as filters over tables in device memory.
//!
//! Two arrays of labels take turns, so every vertex reads the round before. A vertex counts the labels around it in a table of its own,
//! two places an arc: the balance may deal its row to many threads, who find a label's place by its hash, claim it by a
//! compare-and-exchange and count by an atomic addition. Counts only rise, so whoever raises one compares it with the best so far, and
//! no pass over tables is needed to see who won. That works by every balance, `edge` too: no thread needs the whole row. After a round
//! in which few labels changed, only vertices next to a change count again.
//!
//! Sums of whole weights are counts as well, as long as that of no row passes 2^32. Weights that round are another *form*
//! (`Form::Ordered`): the sum of a label is of its weights in increasing order, the same bits everywhere, so the balance only finds
//! places for labels, and a warp a row adds up, in an order of the arcs that was made once and is kept with the graph.
//!
//! A round that brings back the labels of two rounds before ends the run; see [`warpgraph_core::label_propagation`].
//!
//! Work O(m) expected a round. Memory: 28 bytes a vertex and 16 an arc around a vertex, 36 where weights round; an arc of a
//! directed graph is around two.

mod form;
mod rounds;

use crate::{
    DeviceGraph,
    machine::Machine,
    waves::{self, Waves},
};
pub(crate) use form::bytes_an_arc;
pub(crate) use rounds::FILTERS;
use rounds::{Kernels, Rounds};
use warpgraph_core::{
    Direction, Halted, Options, Plan, Recorder, Result,
    label_propagation::{LabelPropagation, LabelPropagationAnswer},
};

/// All vertices count again when more than this share of them changed.
const DENSE_SHARE: u64 = 16;

/// The label of every vertex, an original vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub fn label_propagation(
    device_graph: &DeviceGraph,
    config: &LabelPropagation,
    options: &Options,
) -> Result<LabelPropagationAnswer> {
    let machine = Machine::new(device_graph.gpu(), options, "spreading labels");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let waves = Waves::new(&machine, device_graph, options.plan.balance())?;
    let kernels = Kernels::new(&waves, device_graph)?;
    let around = form::Around::new(device_graph, config.weighted)?;
    let originals = options.map.as_ref().map(|map| device_graph.originals(map)).transpose()?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let mut rounds = Rounds::new(device_graph, waves, kernels, around, originals)?;
    let halted = spread(&mut rounds, config.max_iterations, options, &mut recorder)?;
    // A plan whose balance only pushes names no direction.
    let balance = options.plan.balance();
    let direction = Some(Direction::Pull).filter(|_| !balance.is_some_and(|balance| balance.only_pushes()));
    let plan = Plan::Bsp { direction, balance };
    let mut run = rounds.waves.finish(recorder, plan, halted, rounds.bytes())?;
    let labels = waves::fetched(rounds.labels(), &mut run)?;
    Ok(LabelPropagationAnswer::new(device_graph.graph(), config, labels, run))
}

/// Makes rounds until nothing changes, or as if `limit` had been made.
fn spread(
    rounds: &mut Rounds<'_, '_>,
    limit: u64,
    options: &Options,
    recorder: &mut Recorder,
) -> Result<Halted> {
    let all = rounds.everyone();
    let mut awake = all;
    for round in 1.. {
        options.control.report("label propagation", round - 1, Some(limit));
        let done = rounds.round(awake)?;
        let (changed, counted) = (done.changed.members.count, awake.members.count);
        let seen = rounds.waves.seen();
        let note = || format!("{changed} labels changed{seen}");
        recorder.step_by(counted as usize, seen.arcs(), Direction::Pull, seen.balance(), note);
        if changed == 0 {
            return Ok(Halted::Converged);
        }
        let left = limit - round;
        let swaps = round > 1 && done.moved == 0;
        if swaps && left % 2 == 1 {
            rounds.step_back();
        }
        if left == 0 || swaps {
            return Ok(Halted::MaxIterations);
        }
        let is_dense = changed > all.members.count / DENSE_SHARE;
        awake = if is_dense { all } else { rounds.wake(done.changed)? };
    }
    Ok(Halted::MaxIterations)
}
