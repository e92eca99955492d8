//! Near-far shortest paths \[1\] in one persistent kernel: delta-stepping with two buckets.
//!
//! Vertices nearer than a threshold are relaxed until none of them changes; all others wait on the far pile. Then the
//! threshold rises by delta. Distances do not depend on the order of relaxations: each is the least sum along a path,
//! added up from the source on.
//!
//! Memory: 40 bytes per vertex beside its distance.
//!
//! \[1\] A. Davidson, S. Baxter, M. Garland, J. Owens, Work-efficient parallel GPU methods for single-source shortest
//! paths, IPDPS 2014. Departures: one kernel runs all rounds; the threshold skips ranges of distances that contain no
//! vertex.

use super::Task;
use crate::{
    arguments::Edges,
    device_graph::Side,
    machine::Machine,
    program::arcs,
    variants,
    walk::{LEVELS, WALK_BLOCK, Walker},
    waves::fetched,
};
use warpgraph_core::{
    Algorithm, Halted, Plan, Residency, Result, Run,
    program::{Prepared, Scalar, ScalarType, library::Lengths},
    sssp::Sssp,
};
use warpgraph_device::{Address, arguments};
use warpgraph_graph::{Graph, Pages};

arguments! {
    /// The arguments of the shortest-path walker.
    pub(crate) struct SsspArgs {
        offsets: Address<()>,
        targets: Edges,
        weights: Edges,
        /// 0 if all arcs share the first weight.
        weight_mask: u64,
        vertices: u64,
        /// The bits of distances.
        distances: Address<()>,
        /// The round, and the epoch of the far pile, in which each vertex was last appended.
        stamps: Address<u32>,
        far_stamps: Address<u32>,
        /// Two frontiers that take turns, and two far piles.
        items: Address<u32>,
        before: Address<u32>,
        begins: Address<u32>,
        far: Address<u32>,
        /// A bit per vertex, for frontiers that are put in order.
        marks: Address<u32>,
        /// The step by which the threshold rises.
        delta: f64,
        control: Address<u64>,
        log: Address<u64>,
        progress: Address<u32>,
        cancel: Address<u32>,
        source: u32,
        logged: u32,
    }
}

/// The types of distances and weights that the kernel is compiled for.
pub(crate) const TYPES: [(ScalarType, ScalarType); 6] = [
    (ScalarType::U32, ScalarType::U32),
    (ScalarType::U64, ScalarType::U32),
    (ScalarType::U32, ScalarType::I32),
    (ScalarType::U64, ScalarType::I32),
    (ScalarType::F32, ScalarType::F32),
    (ScalarType::F64, ScalarType::F64),
];

/// Graphs with a mean degree below this are treated as meshes or road networks.
const FEW_ARCS: f64 = 8.0;
/// Delta is this factor times the greatest weight over the mean degree. Where frontiers are short, a round costs more
/// than relaxing some arcs twice, so delta is larger.
const MANY_ARCS_DELTA: f64 = 3.0;
const FEW_ARCS_DELTA: f64 = 100.0;
/// The same if edges cross the bus: there, relaxing an arc twice costs more than a round.
const MANY_FAR_ARCS_DELTA: f64 = 1.0;
const FEW_FAR_ARCS_DELTA: f64 = 20.0;

/// Returns the default delta.
fn delta(graph: &Graph, residency: Option<Residency>) -> f64 {
    let most = graph.weight_range().map_or(1.0, |(_, most)| most);
    let mean_degree = graph.arcs() as f64 / graph.vertices().max(1) as f64;
    let is_far = residency.is_some_and(|residency| !residency.is_on_device());
    let scale = match (mean_degree < FEW_ARCS, is_far) {
        (true, false) => FEW_ARCS_DELTA,
        (false, false) => MANY_ARCS_DELTA,
        (true, true) => FEW_FAR_ARCS_DELTA,
        (false, true) => MANY_FAR_ARCS_DELTA,
    };
    scale * most / mean_degree.max(1.0)
}

/// Computes the distances from the source of a task without negative weights.
///
/// # Errors
/// The errors of [`warpgraph_core::sssp::answer_by`].
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
    let scratch = machine.array::<u32>(10 * n + n.div_ceil(32), "frontiers")?;
    let part = |at: usize| Address::new(scratch.address().raw() + 4 * (at * n) as u64);
    let mut walker = Walker::new(&machine, options)?;
    let (log, logged) = walker.log();
    let args = SsspArgs {
        offsets: along.rows.offsets(),
        targets: along.rows.targets(),
        weights: along.weights.edges(),
        weight_mask: along.weight_mask,
        vertices: n as u64,
        distances: distances.address().cast(),
        stamps: part(0),
        far_stamps: part(1),
        items: part(2),
        before: part(4),
        begins: part(6),
        far: part(8),
        marks: part(10),
        delta: task.delta.unwrap_or_else(|| delta(graph, options.plan.residency)),
        control: walker.control(),
        log,
        progress: walker.progress(),
        cancel: walker.cancel(),
        source,
        logged,
    };
    options.control.report(Sssp::NAME, 0, None);
    machine.check()?;
    // SAFETY: all arrays have n entries, or 2 n where the kernel takes turns between two; no vertex is in a list twice
    // at a time; all arrays live until the wait.
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
