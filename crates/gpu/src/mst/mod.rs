//! Minimum spanning forest: Borůvka \[1\] with atomics, on a device \[2\].
//!
//! In a round every tree finds its least edge in two passes over the arcs between trees: first the least weight, then
//! the least ends among edges of this weight. Then the tree is hooked to the tree at the other end, and every vertex is
//! pointed at its root. Edges are compared by (weight, smaller end, larger end), with ends by their original numbers,
//! so the forest is the same as on the CPU. Each round at least halves the number of trees that still have an edge. At
//! the end the edges are sorted by their ends.
//!
//! Invariants: between rounds, `roots[v]` is the root of v's tree. A root holds its least edge (`keys`, `ends`), and a
//! vertex that was hooked keeps the edge along which it was hooked: these edges are the forest. `alive` has one bit per
//! arc, which is 1 while its ends may lie in two trees.
//!
//! A graph may have copies of vertices. A copy starts in the tree of its master, so the edges in its row are edges of that
//! tree, and nothing else has to be reflected: the forest is that of the graph in which copies are merged.
//!
//! O(m log n) work at most; arcs within trees are never looked at again. Memory: one bit per arc; 16 to 24 bytes per
//! vertex while trees grow, 8 more if the graph is in another order, 32 to 44 while the forest is sorted.
//!
//! \[1\] O. Borůvka, O jistém problému minimálním, 1926. \[2\] V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, Fast
//! minimum spanning tree for large graphs on the GPU, HPG 2009. Departures: the bitmap replaces the sorting and
//! building of smaller graphs between rounds; ties are unique, so there are no cycles of more than two trees.

mod forest;
mod rounds;

use crate::{
    DeviceGraph, OnGpu, Outline,
    arguments::Edges,
    copies::{self, CopyArgs},
    form::general,
    machine::Machine,
    memory::{Extent, FIXED, Footprint, offset, rows, weight},
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
use warpgraph_graph::WeightType;

arguments! {
    /// The arguments of the kernels of spanning forests.
    pub(crate) struct MstArgs {
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        /// Weights of the arcs; null if all are equal.
        pub(crate) weights: Edges,
        pub(crate) copies: CopyArgs,
        /// Original numbers of vertices, and the map back; null if they are the same.
        pub(crate) originals: Address<u32>,
        pub(crate) inner: Address<u32>,
        pub(crate) vertices: u64,
        /// 1 if an edge is in the rows of both its ends.
        pub(crate) is_undirected: u64,
        /// One bit per arc: 1 if its ends may lie in two trees.
        pub(crate) alive: Address<u32>,
        /// Per vertex; see the module head.
        pub(crate) roots: Address<u32>,
        pub(crate) keys: Address<()>,
        pub(crate) ends: Address<u64>,
        /// The tree at the other end of a tree's edge.
        pub(crate) links: Address<u32>,
        pub(crate) counters: Address<u64>,
        /// The vertices that were hooked, their number, and the ends of their edges.
        pub(crate) slots: Address<u32>,
        pub(crate) count: u64,
        pub(crate) sorted: Address<u64>,
        /// Receive the columns of the answer.
        pub(crate) sources: Address<u32>,
        pub(crate) others: Address<u32>,
        pub(crate) column: Address<()>,
        pub(crate) cancel: Address<u32>,
    }
}

/// Indices into [`MstArgs::counters`]: the trees hooked in a round; whether some vertex is still far from its root; the
/// vertices listed.
pub(crate) const HOOKED: usize = 0;
pub(crate) const FAR: usize = 1;
pub(crate) const LISTED: usize = 2;
const COUNTERS: usize = 3;
/// The most pointers that one launch follows towards a root.
pub(crate) const JUMPS: u32 = 16;

/// The types of weights that kernels are compiled for. Graphs without weights use the first, and read none.
pub(crate) const WEIGHTS: [ScalarType; 4] =
    [ScalarType::U32, ScalarType::I32, ScalarType::F32, ScalarType::F64];

/// Returns the type whose kernels a graph's weights need.
fn weight_kind(kind: Option<WeightType>) -> ScalarType {
    match kind {
        None | Some(WeightType::U32) => ScalarType::U32,
        Some(WeightType::I32) => ScalarType::I32,
        Some(WeightType::F32) => ScalarType::F32,
        Some(WeightType::F64) => ScalarType::F64,
    }
}

impl OnGpu for Mst {
    fn form(&self, _: &dyn Extent, _: &Options) -> Form {
        general::<Self>()
    }

    fn bytes(&self, graph: &dyn Extent, _: Form, options: &Options) -> Footprint {
        let copies = copies::bytes(options, offset(graph));
        rows(graph, false, weight(graph)) + bytes(graph) + copies + FIXED
    }

    fn answer(&self, device_graph: &DeviceGraph, _: Form, options: &Options) -> Result<MstAnswer> {
        mst(device_graph, options)
    }

    fn ahead(&self, outline: &Outline, _: &Options) -> Result<Vec<Arc<Source>>> {
        Ok(vec![
            variants::spanning(outline.wide, weight_kind(outline.weights))?,
            variants::sort()?,
            variants::scan(false)?,
        ])
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        WEIGHTS
            .iter()
            .flat_map(|&weight| [(false, weight), (true, weight)])
            .map(|(wide, weight)| variants::spanning(wide, weight))
            .collect()
    }
}

/// Returns a minimum spanning forest: the lightest edges that connect each component.
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

/// Returns the most bytes of device memory that a run takes beside rows and weights.
fn bytes(graph: &dyn Extent) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let weight = match graph.weight_type() {
        None => 0,
        Some(WeightType::F64) => 8,
        Some(_) => 4,
    };
    // Roots, keys, ends and links; the list of hooked vertices.
    let growing = 4 * m.div_ceil(32) + (4 + weight + 8 + 4) * n + 4 * n;
    // Keys and ends as before; then two arrays of pairs to sort, or one and the columns.
    let sorting = (weight + 8) * n + (2 * 12 * n + sort::bytes(n)).max(12 * n + (8 + weight) * n);
    // Original numbers, and the map back.
    8 * n + growing.max(sorting)
}
