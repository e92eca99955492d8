//! Rewrites a graph on a device in another order of its vertices: offsets by prefix sums of the degrees, targets by a
//! radix sort of the arcs. The host gets the same graph.
//!
//! Undirected rows without weights need half of the sort. Their arcs are the same in both directions: if every arc is
//! written in the new order of its source, a stable sort by the new target alone leaves the sources of each target in
//! order, which are its row.
//!
//! Memory: 24 bytes per arc beside both graphs while sorting. Sorting numbers the arcs with 32 bits, so larger graphs are
//! not renumbered here.

mod arcs;

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{DeviceRows, Side},
    error::lift,
    machine::{Grid, Launch, Machine},
    sort::{self, Sort},
    variants,
};
use bytemuck::Zeroable;
use std::collections::HashMap;
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{Graph, Ids, NodeMap, Pages, Vertex};

arguments! {
    /// The arguments of the kernels that halve intervals (the order `sampled`) and renumber.
    pub(crate) struct RenumberArgs {
        pub(crate) vertices: u64,
        pub(crate) arcs: u64,
        /// Per vertex: mates in its own sector; votes, or mates in its candidate; and the candidate.
        pub(crate) locality: Address<i32>,
        pub(crate) gain: Address<i32>,
        pub(crate) candidates: Address<u32>,
        /// Counts the vertices that move.
        pub(crate) moved: Address<u64>,
        /// The pairs to sort.
        pub(crate) keys: Address<u64>,
        pub(crate) values: Address<u32>,
        /// The vertices in their new order, and the new number of each vertex.
        pub(crate) originals: Address<u32>,
        pub(crate) masters: Address<u32>,
        /// The old rows, and the new ones.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        pub(crate) offsets_out: Address<()>,
        pub(crate) targets_out: Address<u32>,
        /// Halves of intervals have 2^shift sectors.
        pub(crate) shift: u64,
        pub(crate) cancel: Address<u32>,
    }
}

/// The kernels and arrays of a renumbering.
pub(crate) struct Renumbering<'m, 'a> {
    machine: &'m Machine<'a>,
    device_graph: &'m DeviceGraph,
    sort: &'m Sort,
    /// The vertices in their new order, and the new number of each vertex.
    originals: Array<Vertex>,
    masters: Array<Vertex>,
}

/// Returns the most bytes that renumbering a graph takes beside its rows, those of the new graph included.
pub(crate) fn bytes(graph: &Graph) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let sides = if graph.is_directed() && graph.has_incoming() { 2 } else { 1 };
    (8 + 8 * sides) * (n + 1) + (4 * sides + 24) * m + sort::bytes(m)
}

fn kernel(
    machine: &Machine<'_>,
    device_graph: &DeviceGraph,
    name: &'static str,
) -> Result<Launch<RenumberArgs>> {
    machine.kernel(&*variants::renumber(device_graph.is_wide())?, name)
}

impl<'m, 'a> Renumbering<'m, 'a> {
    /// Takes the vertices of a graph in their new order.
    pub(crate) fn new(
        machine: &'m Machine<'a>,
        device_graph: &'m DeviceGraph,
        sort: &'m Sort,
        originals: Array<Vertex>,
    ) -> Result<Self> {
        let masters = machine.array(originals.len(), "new numbers")?;
        let renumbering = Self { machine, device_graph, sort, originals, masters };
        let args = renumbering.args();
        renumbering.start("renumber_masters", args.vertices, &args)?;
        Ok(renumbering)
    }

    fn args(&self) -> RenumberArgs {
        RenumberArgs {
            vertices: self.originals.len() as u64,
            originals: self.originals.address(),
            masters: self.masters.address(),
            cancel: self.machine.gpu().cancel_address(),
            ..RenumberArgs::zeroed()
        }
    }

    /// Launches a kernel with one thread per item. The owners of the arrays in `args` must wait before they free them.
    fn start(&self, name: &'static str, items: u64, args: &RenumberArgs) -> Result<()> {
        let kernel = kernel(self.machine, self.device_graph, name)?;
        // SAFETY: arrays of vertices have an entry per vertex, and arrays of arcs one per arc; callers keep them alive,
        // as required above.
        unsafe { self.machine.start(&kernel, Grid::For(items), args) }
    }

    /// Returns the map to the new order.
    pub(crate) fn map(&self) -> Result<NodeMap> {
        let mut order: Pages<Vertex> = Pages::scratch(self.originals.len())?;
        self.machine.wait()?;
        self.originals.read(&mut order).map_err(lift)?;
        Ok(NodeMap::of_order(order)?)
    }

    /// Returns the graph in the new order, on the host and on the device: its outgoing rows, and the incoming ones if they
    /// were there.
    pub(crate) fn graph(&self) -> Result<DeviceGraph> {
        let (graph, rows) = self.rows()?;
        Ok(DeviceGraph::with_rows(self.device_graph.gpu(), &graph, rows))
    }

    fn rows(&self) -> Result<(Graph, HashMap<Side, DeviceRows>)> {
        let old = self.device_graph.graph();
        let (out, rows) = arcs::rewrite(self, Side::Out)?;
        let mut all = HashMap::from([(Side::Out, rows)]);
        let ids = Ids::zero_based(old.vertices());
        // SAFETY: there are as many ids as vertices and as many weights as arcs; these are the arcs of a consistent
        // graph under new names.
        let mut graph = unsafe { Graph::new_unchecked(out, old.is_directed(), ids, old.origin().clone()) };
        if old.is_directed() && self.device_graph.has_rows(Side::In) {
            let (incoming, rows) = arcs::rewrite(self, Side::In)?;
            // SAFETY: this is the transpose of the old arcs under the same new names, with parallel arcs in the same
            // order.
            graph = unsafe { graph.with_incoming(incoming) };
            all.insert(Side::In, rows);
        }
        Ok((graph, all))
    }
}
