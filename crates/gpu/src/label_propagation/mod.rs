//! Synchronous label propagation, as filters over tables in device memory.
//!
//! Two arrays of labels take turns, so every vertex reads the labels of the round before. A vertex counts the labels
//! around it in a table of its own, with two places per arc. The balance may give its row to many threads: each finds
//! the place of a label by its hash, claims it by compare-and-exchange and counts by atomic addition. Counts only rise,
//! so the thread that raises a count compares it with the best so far, and no pass over the tables is needed to find
//! the winner. This works with every balance, also `edge`, because no thread needs the whole row. After a round in
//! which few labels changed, only vertices next to a change count again.
//!
//! Sums of whole weights are counts as well, as long as no row's sum passes 2^32. Weights that round need another
//! *form* (`Sums::Ordered`): the sum of a label adds its weights in increasing order, so it has the same bits
//! everywhere. In this form the balance only finds places for labels, and one warp per row adds the weights up, in an
//! order of the arcs that is computed once and kept with the graph.
//!
//! A round that restores the labels of two rounds before ends the run; see [`warpgraph_core::label_propagation`].
//!
//! Expected work O(m) per round. Memory: 28 bytes per vertex and 16 bytes per arc around a vertex, or 36 if weights
//! round; an arc of a directed graph is around two vertices.

mod form;
mod rounds;

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::general,
    machine::Machine,
    memory::{Extent, Footprint, Needs},
    waves::{self, Waves},
};
pub(crate) use rounds::FILTERS;
use rounds::{Kernels, Rounds};
use std::sync::Arc;
use warpgraph_core::{
    Direction, Form, Halted, Options, Plan, Recorder, Result,
    label_propagation::{LabelPropagation, LabelPropagationAnswer},
};
use warpgraph_device::Source;

/// All vertices count again if more than one in this many changed.
const DENSE_SHARE: u64 = 16;

impl OnGpu for LabelPropagation {
    fn form(&self, _: &dyn Extent, _: &Options) -> Form {
        general::<Self>()
    }

    fn bytes(&self, graph: &dyn Extent, _: Form, options: &Options) -> Footprint {
        let (arc, weight) = form::bytes_an_arc(graph);
        Needs { vertex: 16, arc, weight, both_ways: true, ..Needs::default() }.bytes(graph, options)
    }

    fn answer(
        &self,
        device_graph: &DeviceGraph,
        _: Form,
        options: &Options,
    ) -> Result<LabelPropagationAnswer> {
        label_propagation(device_graph, self, options)
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        FILTERS.ahead(outline, options)
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        FILTERS.modules()
    }
}

/// Returns the label of every vertex, which is an original vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
fn label_propagation(
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
    let plan = Plan::bsp(direction).by(balance);
    let mut run = rounds.waves.finish(recorder, plan, halted, rounds.bytes())?;
    let labels = waves::fetched(rounds.labels(), &mut run)?;
    Ok(LabelPropagationAnswer::new(device_graph.graph(), config, labels, run))
}

/// Runs rounds until no label changes, or returns the result that `limit` rounds would have.
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
        let seen = rounds.waves.seen()?;
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
        if swaps {
            return Ok(Halted::Alternates);
        }
        if left == 0 {
            return Ok(Halted::MaxIterations);
        }
        let is_dense = changed > all.members.count / DENSE_SHARE;
        awake = if is_dense { all } else { rounds.wake(done.changed)? };
    }
    Ok(Halted::MaxIterations)
}
