//! Closeness, harmonic centrality and eccentricity: one batch of searches after another, against the direction of the
//! arcs.
//!
//! All three follow from the number of vertices at each distance from a source, so that is all that the device counts.
//! The host computes the same results from these counts as the CPU engine, bit for bit. If the question allows an error,
//! searches along the arcs from some vertices estimate the values of all ([`sampled`]).

mod sampled;

use crate::{
    DeviceGraph, OnGpu, Outline, ahead,
    batch::{Batch, Sums, words_for},
    device_graph::Side,
    form::general,
    machine::Machine,
    memory::{Extent, Footprint, Needs},
    variants,
};
use std::sync::Arc;
use warpgraph_core::{
    Accuracy, Algorithm, Answer as _, Direction, Form, Halted, Options, Plan, Result,
    closeness::{
        Closeness, ClosenessAnswer, Distances,
        sampling::{NO_FEWER, OF, Sampling},
    },
};
use warpgraph_device::Source;
use warpgraph_graph::Vertex;

impl OnGpu for Closeness {
    fn form(&self, _: &dyn Extent, _: &Options) -> Form {
        general::<Self>()
    }

    fn bytes(&self, graph: &dyn Extent, _: Form, options: &Options) -> Footprint {
        // Three sets of sources per vertex; a number and a count per source.
        let sampling = Sampling::new(self, graph.vertices());
        let searches = sampling.as_ref().map_or(graph.vertices(), |sampling| sampling.searches() as usize);
        let words = words_for(searches) as u64;
        let sums = if sampling.is_some() { Sums::BYTES } else { 0 };
        Needs { vertex: 3 * 8 * words + sums, both_ways: true, fixed: 12 * 64 * words, ..Needs::default() }
            .bytes(graph, options)
    }

    fn answer(&self, device_graph: &DeviceGraph, _: Form, options: &Options) -> Result<ClosenessAnswer> {
        match (self.max_error, Sampling::new(self, device_graph.graph().vertices())) {
            (None, _) => closeness(device_graph, self, options),
            (Some(_), Some(sampling)) => sampled::closeness(device_graph, &sampling, options),
            (Some(asked), None) => {
                let mut answer = closeness(device_graph, self, options)?;
                answer.run_mut().accuracy = Some(Accuracy::exact(OF, asked, NO_FEWER));
                Ok(answer)
            }
        }
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        let sampling = Sampling::new(self, outline.vertices as usize);
        let all = ahead::sources(&self.source, self.sources, outline.vertices);
        let words = words_for(sampling.map_or(all, |sampling| sampling.searches() as usize));
        let mut all = vec![variants::batch(outline.wide, words, None)?];
        let module = |scheme| variants::batch(outline.wide, words, Some(scheme));
        all.extend(ahead::expansion(outline, options, false, |_| true, module)?);
        Ok(all)
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        variants::all_batches()
    }
}

/// Returns how near every source is to the vertices that reach it.
///
/// # Errors
/// When interrupted, when memory is short, when a source is not in the graph, or when the device fails.
fn closeness(device_graph: &DeviceGraph, config: &Closeness, options: &Options) -> Result<ClosenessAnswer> {
    let graph = device_graph.graph();
    let chosen = config.resolve(graph, options.seed, options.run)?;
    let machine = Machine::new(device_graph.gpu(), options, "searching");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let n = graph.vertices();
    let mut sources: Vec<Vertex> = chosen.clone().unwrap_or_else(|| (0..n as Vertex).collect());
    let mut distances = Distances::none(n)?;
    sources.iter().for_each(|&s| distances.add(s, 0, 0));
    let incoming = graph.incoming()?;
    // No vertex reaches a source without incoming arcs.
    sources.retain(|&s| incoming.csr.degree(s) > 0);
    let balance = options.plan.balance();
    let mut batch = Batch::new(device_graph, &machine, balance, Side::In, words_for(sources.len()))?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let report =
        |done: usize| options.control.report(Closeness::NAME, done as u64, Some(sources.len() as u64));
    let mut done = 0;
    for together in sources.chunks(batch.at_once()) {
        let depth = batch.run(together, |level| {
            together.iter().zip(level.counts).for_each(|(&s, &count)| distances.add(s, level.depth, count));
            report(done);
            Ok(())
        })?;
        done += together.len();
        report(done);
        let seen = batch.balancer.seen(&machine)?;
        let note = || format!("{} sources at once, {depth} levels{seen}", together.len());
        recorder.step_by(together.len(), seen.arcs(), Direction::Pull, seen.balance(), note);
    }
    recorder.hold_on_device(machine.gpu().peak());
    batch.balancer.spent(&machine)?.tell(&mut recorder);
    let run = recorder.finish(Plan::bsp(None).by(balance), Halted::Converged, batch.bytes());
    Ok(ClosenessAnswer::new(graph, chosen, distances, run))
}
