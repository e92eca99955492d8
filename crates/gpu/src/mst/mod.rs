//! Minimum spanning forest: Borůvka \[1\] by atomics, on a device \[2\].
//!
//! In a round every tree finds its least edge, in two passes over the arcs between trees, the least weight and then the least
//! ends of that weight, and is hooked to the tree at the other end; then everyone is pointed at its root. Edges are compared by
//! (weight, smaller end, larger end), ends by their original numbers, so the forest is that of the processor. Each round halves
//! the trees at least. In the end the edges are sorted by their ends.
//!
//! Invariants: `roots[v]` is the root of v's tree between rounds; a root holds its least edge, (`keys`, `ends`), and whoever was
//! hooked keeps that along which it was for good: the forest. `alive` has a bit an arc, 1 while its ends may lie in two trees.
//!
//! O(m log n) work at most; arcs within trees are never looked at again. Memory: a bit an arc; 16 to 24 bytes a vertex while trees
//! grow, 8 more if the graph is in another order, 32 to 44 while the forest is sorted.
//!
//! \[1\] O. Borůvka, O jistém problému minimálním, 1926. \[2\] V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, Fast minimum spanning tree
//! for large graphs on the GPU, HPG 2009. Departures: no sorting or building of smaller graphs between rounds, the bitmap takes
//! their place; unique ties, so that cycles of more than two trees cannot be.

mod forest;
mod rounds;

use crate::{
    DeviceGraph, OnGpu,
    form::general,
    machine::Machine,
    memory::{FIXED, rows, weight},
    sort, variants,
};
use rounds::Rounds;
use std::sync::Arc;
use std::time::Instant;
use warpgraph_core::{
    Algorithm, Direction, Form, Halted, Options, Plan, Result,
    mst::{Mst, MstAnswer},
    program::ScalarType,
};
use warpgraph_device::{Address, Source, arguments};
use warpgraph_graph::{Graph, WeightType};

arguments! {
    /// Of the kernels of spanning forests.
    pub(crate) struct MstArgs {
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Address<u32>,
        /// Of the arcs; null: all weigh the same.
        pub(crate) weights: Address<()>,
        /// Original numbers of vertices, and back; null: they are the same.
        pub(crate) originals: Address<u32>,
        pub(crate) inner: Address<u32>,
        pub(crate) vertices: u64,
        /// 1: an edge is in the rows of both its ends.
        pub(crate) is_undirected: u64,
        /// A bit an arc: may its ends lie in two trees?
        pub(crate) alive: Address<u32>,
        /// Of vertices; see the module head.
        pub(crate) roots: Address<u32>,
        pub(crate) keys: Address<()>,
        pub(crate) ends: Address<u64>,
        /// The tree at the other end of a tree's edge.
        pub(crate) links: Address<u32>,
        pub(crate) counters: Address<u64>,
        /// The vertices that were hooked, how many there are, and their edges' ends.
        pub(crate) slots: Address<u32>,
        pub(crate) count: u64,
        pub(crate) sorted: Address<u64>,
        /// Get the columns of the answer.
        pub(crate) sources: Address<u32>,
        pub(crate) others: Address<u32>,
        pub(crate) column: Address<()>,
        pub(crate) cancel: Address<u32>,
    }
}

/// [`MstArgs::counters`]: trees that were hooked in a round; is somebody still far from its root? Vertices listed.
pub(crate) const HOOKED: usize = 0;
pub(crate) const FAR: usize = 1;
pub(crate) const LISTED: usize = 2;
const COUNTERS: usize = 3;
/// How far a launch looks for the root.
pub(crate) const JUMPS: u32 = 16;

/// The types of weights that kernels are compiled for. Without weights none is read.
pub(crate) const WEIGHTS: [ScalarType; 4] =
    [ScalarType::U32, ScalarType::I32, ScalarType::F32, ScalarType::F64];

/// The type whose kernels a graph's weights need.
fn weight_kind(kind: Option<WeightType>) -> ScalarType {
    match kind {
        None | Some(WeightType::U32) => ScalarType::U32,
        Some(WeightType::I32) => ScalarType::I32,
        Some(WeightType::F32) => ScalarType::F32,
        Some(WeightType::F64) => ScalarType::F64,
    }
}

impl OnGpu for Mst {
    fn form(&self, _: &Graph, _: &Options) -> Form {
        general::<Self>()
    }

    fn bytes(&self, graph: &Graph, _: Form, _: &Options) -> u64 {
        rows(graph, false, weight(graph)) + bytes(graph) + FIXED
    }

    fn answer(&self, device_graph: &DeviceGraph, _: Form, options: &Options) -> Result<MstAnswer> {
        mst(device_graph, options)
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        WEIGHTS
            .iter()
            .flat_map(|&weight| [(false, weight), (true, weight)])
            .map(|(wide, weight)| variants::spanning(wide, weight))
            .collect()
    }
}

/// The lightest edges that hold together what hangs together.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
fn mst(device_graph: &DeviceGraph, options: &Options) -> Result<MstAnswer> {
    let machine = Machine::new(device_graph.gpu(), options, "growing trees");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let mut rounds = Rounds::new(device_graph, options, &machine)?;
    let finish = forest::Finish::new(device_graph, &machine)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let n = device_graph.graph().vertices();
    let (mut state, mut edges) = (rounds.begin()?, 0);
    loop {
        machine.check()?;
        let hooked = rounds.round(&mut state)?;
        if hooked == 0 {
            break;
        }
        recorder.step(n - edges, Direction::Push, || format!("{} trees left", n - edges - hooked));
        edges += hooked;
        options.control.report(Mst::NAME, edges as u64, Some(n as u64));
    }
    let state_bytes = state.bytes();
    let columns = finish.columns(&mut rounds, state, edges)?;
    recorder.hold_on_device(machine.gpu().peak());
    let mut run = recorder.finish(Plan::bsp(None), Halted::Converged, state_bytes);
    let start = Instant::now();
    let (sources, targets, weights) = columns.read()?;
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(MstAnswer::new(device_graph.graph(), sources, targets, weights, run))
}

/// Bytes of device memory that a run takes beside rows and weights, at most.
fn bytes(graph: &Graph) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let weight = match graph.weight_type() {
        None => 0,
        Some(WeightType::F64) => 8,
        Some(_) => 4,
    };
    // Roots, keys, ends, links; who was hooked.
    let growing = 4 * m.div_ceil(32) + (4 + weight + 8 + 4) * n + 4 * n;
    // Keys and ends as before, then pairs to be sorted twice, or once and the columns.
    let sorting = (weight + 8) * n + (2 * 12 * n + sort::bytes(n)).max(12 * n + (8 + weight) * n);
    // Original numbers, and back.
    8 * n + growing.max(sorting)
}
