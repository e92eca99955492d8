//! Estimates closeness from searches along the arcs from drawn vertices, up to 256 at once.
//!
//! A batch tells at every level which vertices it reaches from how many sources, and the kernel that ends the level adds that
//! to the sums of each vertex. The vertices drawn, the batches and the order of all additions are those of the processor, so
//! the bits of the answer are too, and the proof is the same ([`warpgraph_core::closeness::sampling`]).

use crate::{
    DeviceGraph,
    batch::{Batch, words_for},
    device_graph::Side,
    machine::Machine,
    waves::fetched,
};
use std::time::Instant;
use warpgraph_core::{
    Algorithm, Direction, Halted, Options, Plan, Recorder, Result,
    closeness::{Closeness, ClosenessAnswer, Distances, sampling::Sampling},
};
use warpgraph_graph::Vertex;

/// Returns estimates for every vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub(super) fn closeness(
    device_graph: &DeviceGraph,
    sampling: &Sampling,
    options: &Options,
) -> Result<ClosenessAnswer> {
    let graph = device_graph.graph();
    let machine = Machine::new(device_graph.gpu(), options, "searching");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let drawn = sampling.drawn(options.seed, options.run);
    let csr = &graph.out().csr;
    // Others reach nothing.
    let sources: Vec<Vertex> = drawn.iter().copied().filter(|&s| csr.degree(s) > 0).collect();
    let balance = options.plan.balance();
    let words = words_for(sources.len());
    let mut batch = Batch::new(device_graph, &machine, balance, Side::Out, words)?.summing()?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let start = Instant::now();
    search(&mut batch, &sources, options, &mut recorder, &machine)?;
    let all = (0..graph.vertices() as Vertex).filter(|&v| csr.degree(v) > 0).count() as f64;
    let exact_seconds = start.elapsed().as_secs_f64() * all / sources.len().max(1) as f64;
    recorder.hold_on_device(machine.gpu().peak());
    batch.balancer.spent(&machine)?.tell(&mut recorder);
    let plan = Plan::bsp(None).by(balance);
    let mut run = recorder.finish(plan, Halted::Tolerance, batch.bytes());
    run.accuracy = Some(sampling.accuracy(Some(exact_seconds)));
    let sums = batch.sums();
    let (reached, total) = (fetched(&sums.reached, &mut run)?, fetched(&sums.total, &mut run)?);
    let (harmonic, farthest) = (fetched(&sums.harmonic, &mut run)?, fetched(&sums.farthest, &mut run)?);
    let distances = Distances::of(reached, total, harmonic, farthest);
    Ok(ClosenessAnswer::estimated(graph, drawn, distances, run))
}

/// Searches from all sources, a batch at a time.
fn search(
    batch: &mut Batch<'_, '_>,
    sources: &[Vertex],
    options: &Options,
    recorder: &mut Recorder,
    machine: &Machine<'_>,
) -> Result<()> {
    let mut done = 0;
    for together in sources.chunks(batch.at_once()) {
        let report =
            |done: usize| options.control.report(Closeness::NAME, done as u64, Some(sources.len() as u64));
        let depth = batch.run(together, |_| {
            report(done);
            Ok(())
        })?;
        done += together.len();
        report(done);
        let seen = batch.balancer.seen(machine)?;
        let note = || format!("{} sources at once, {depth} levels{seen}", together.len());
        recorder.step_by(together.len(), seen.arcs(), Direction::Push, seen.balance(), note);
    }
    Ok(())
}
