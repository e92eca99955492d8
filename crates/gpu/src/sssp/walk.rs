//! Near and far \[1\] by one persistent kernel: delta-stepping with two buckets.
//!
//! Whoever is nearer than a threshold is walked from until nobody is; all others wait on a pile. Then the threshold is raised by delta. Distances
//! are the same whatever the order: the least sums along paths, each added up from the source on.
//!
//! Memory: 40 bytes a vertex beside its distance.
//!
//! \[1\] A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for single-source shortest paths, IPDPS 2014.
//! Departures: one kernel for all rounds; the threshold skips over distances that nobody has.

use super::{Lengths, Task};
use crate::{
    device_graph::Side,
    machine::Machine,
    program::arcs,
    variants,
    walk::{LEVELS, WALK_BLOCK, Walker},
    waves::fetched,
};
use warpgraph_core::{
    Algorithm, Halted, Plan, Result, Run,
    program::{Prepared, Scalar, ScalarType},
    sssp::Sssp,
};
use warpgraph_device::{Address, arguments};
use warpgraph_graph::{Graph, Pages};

arguments! {
    /// Of the walk along shortest paths.
    pub(crate) struct SsspArgs {
        offsets: Address<()>,
        targets: Address<u32>,
        weights: Address<()>,
        /// 0: all arcs share the first weight.
        weight_mask: u64,
        vertices: u64,
        /// Bits of distances.
        distances: Address<()>,
        /// Rounds, and epochs of the pile, in which a vertex was lined up last.
        stamps: Address<u32>,
        far_stamps: Address<u32>,
        /// Two frontiers, one after the other, and two piles.
        items: Address<u32>,
        before: Address<u32>,
        begins: Address<u32>,
        far: Address<u32>,
        /// How far the threshold is raised.
        delta: f64,
        control: Address<u64>,
        log: Address<u64>,
        progress: Address<u32>,
        cancel: Address<u32>,
        source: u32,
        logged: u32,
    }
}

/// The types of distances and weights that kernels are compiled for.
pub(crate) const TYPES: [(ScalarType, ScalarType); 6] = [
    (ScalarType::U32, ScalarType::U32),
    (ScalarType::U64, ScalarType::U32),
    (ScalarType::U32, ScalarType::I32),
    (ScalarType::U64, ScalarType::I32),
    (ScalarType::F32, ScalarType::F32),
    (ScalarType::F64, ScalarType::F64),
];

/// A mean degree below this is that of a mesh or a road network.
const FEW_ARCS: f64 = 8.0;
/// Delta, in greatest weights over mean degrees: rounds cost more than arcs looked at twice where frontiers are short.
const MANY_ARCS_DELTA: f64 = 3.0;
const FEW_ARCS_DELTA: f64 = 100.0;

/// How far the threshold is raised if nobody says.
fn delta(graph: &Graph) -> f64 {
    let most = graph.weight_range().map_or(1.0, |(_, most)| most);
    let mean_degree = graph.arcs() as f64 / graph.vertices().max(1) as f64;
    let scale = if mean_degree < FEW_ARCS { FEW_ARCS_DELTA } else { MANY_ARCS_DELTA };
    scale * most / mean_degree.max(1.0)
}

/// Distances from the source of a task, whose weights are not negative.
///
/// # Errors
/// As [`super::sssp`].
pub(super) fn run<T: Scalar, W: Scalar>(
    task: &Task<'_>,
    prepared: &Prepared<'_, Lengths<T, W>>,
) -> Result<(Pages<T>, Run)> {
    let Task { device_graph, options, source, .. } = *task;
    let (graph, machine) = (device_graph.graph(), Machine::new(device_graph.gpu(), options, "searching"));
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let along = arcs(device_graph, prepared, Side::Out)?;
    let kernel = machine.shaped(&*variants::sssp(T::TYPE, W::TYPE)?, "sssp_walk", WALK_BLOCK, 0)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);

    let n = graph.vertices();
    let distances = machine.array::<T>(n, "distances")?;
    let scratch = machine.array::<u32>(10 * n, "frontiers")?;
    let part = |at: usize| Address::new(scratch.address().raw() + 4 * (at * n) as u64);
    let mut walker = Walker::new(&machine, options)?;
    let (log, logged) = walker.log();
    let args = SsspArgs {
        offsets: along.rows.offsets(),
        targets: along.rows.targets(),
        weights: along.weights.address().cast(),
        weight_mask: along.weight_mask,
        vertices: n as u64,
        distances: distances.address().cast(),
        stamps: part(0),
        far_stamps: part(1),
        items: part(2),
        before: part(4),
        begins: part(6),
        far: part(8),
        delta: task.delta.unwrap_or_else(|| delta(graph)),
        control: walker.control(),
        log,
        progress: walker.progress(),
        cancel: walker.cancel(),
        source,
        logged,
    };
    options.control.report(Sssp::NAME, 0, None);
    machine.check()?;
    // SAFETY: arrays of n entries, two of them where the kernel takes turns; nobody is lined up twice at a time; all live until the wait.
    unsafe { walker.start(&kernel, &args)? };
    let report = |round| options.control.report(Sssp::NAME, round, None);
    walker.wait(report)?;
    report(walker.word(LEVELS));
    recorder.walked(walker.word(LEVELS));
    let bytes = distances.bytes() + scratch.bytes() + walker.bytes();
    let mut run = recorder.finish(Plan::AUTO, Halted::Converged, bytes);
    run.device_bytes = machine.gpu().peak();
    run.trace = walker.steps(|arcs| if arcs > 0 { "the near pile" } else { "the far pile" }.to_owned())?;
    Ok((fetched(&distances, &mut run)?, run))
}
