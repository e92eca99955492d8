//! The end of a round: vertices that gain move, and the graph is rewritten on the device.

use super::{SECTOR, arcs};
use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::Side,
    error::lift,
    machine::{Grid, Launch, Machine},
    sort::{DIGIT_BITS, Pairs, Sort},
    variants,
};
use bytemuck::Zeroable;
use std::{collections::HashMap, time::Instant};
use warpgraph_core::{Error, Options, Result};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{Graph, Ids, NodeMap, Pages, Vertex};

arguments! {
    /// The arguments of the kernels that halve intervals and renumber.
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
    }
}

/// A graph in the order that sampling found.
#[derive(Debug)]
pub struct Renumbered {
    /// The graph, on the device and on the host. No accesses are sampled in this order yet.
    pub device_graph: DeviceGraph,
    /// Maps vertices of the old order to those of the new one.
    pub map: NodeMap,
    /// Vertices that moved to another sector.
    pub moved: u64,
    /// Seconds that the round's end took.
    pub seconds: f64,
}

/// The kernels and arrays of a renumbering.
pub(super) struct Renumbering<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) device_graph: &'a DeviceGraph,
    pub(super) sort: Sort,
    /// The vertices in their new order, and the new number of each vertex.
    pub(super) originals: Array<Vertex>,
    pub(super) masters: Array<Vertex>,
}

/// Ends a round: builds the graph in the order that sampling found. The old graph stays as it is, except that its
/// balances drop what they keep.
///
/// # Errors
/// When sampling is not ready, when interrupted, when memory is short, or when the device fails.
pub fn renumber(device_graph: &DeviceGraph, options: &Options) -> Result<Renumbered> {
    let start = Instant::now();
    let machine = Machine::new(device_graph.gpu(), options, "renumbering the graph");
    machine.check()?;
    device_graph.forget_prepared();
    let sort = Sort::new(&machine)?;
    let (originals, moved) = order(&machine, device_graph, &sort)?;
    let masters = machine.array(originals.len(), "new numbers")?;
    let renumbering = Renumbering { machine: &machine, device_graph, sort, originals, masters };
    let args = renumbering.args();
    renumbering.start("renumber_masters", args.vertices, &args)?;
    let map = renumbering.map()?;
    let (graph, rows) = renumbering.graph()?;
    let device_graph = DeviceGraph::with_rows(device_graph.gpu(), &graph, rows).sampled();
    Ok(Renumbered { device_graph, map, moved, seconds: start.elapsed().as_secs_f64() })
}

/// Returns the vertices ordered by their new sectors, and how many of them move.
fn order(machine: &Machine<'_>, device_graph: &DeviceGraph, sort: &Sort) -> Result<(Array<Vertex>, u64)> {
    let Some(tallies) = device_graph.sampler().and_then(|sampler| sampler.ready()) else {
        return Err(Error::Refused {
            what: "no order is known: not enough accesses were sampled".to_owned(),
            help: "run with --plan tiled or --plan resident until enough were".to_owned(),
        });
    };
    let n = device_graph.graph().vertices();
    let (mut pairs, mut spare) = (Pairs::new(machine, n)?, Pairs::new(machine, n)?);
    let moved = machine.zeros::<u64>(1, "a counter")?;
    let args = RenumberArgs {
        vertices: n as u64,
        locality: tallies.locality.address(),
        gain: tallies.gain.address(),
        candidates: tallies.candidates.address(),
        moved: moved.address(),
        keys: pairs.keys.address(),
        values: pairs.values.address(),
        ..RenumberArgs::zeroed()
    };
    let keys = kernel(machine, device_graph, "renumber_keys")?;
    // SAFETY: all arrays have an entry per vertex, and live until sorting has waited.
    unsafe { machine.start(&keys, Grid::For(args.vertices), &args)? };
    sort.run(machine, &mut pairs, &mut spare, digits(n.div_ceil(SECTOR as usize), 0))?;
    Ok((pairs.values, moved.to_vec().map_err(lift)?[0]))
}

pub(super) fn kernel(
    machine: &Machine<'_>,
    device_graph: &DeviceGraph,
    name: &'static str,
) -> Result<Launch<RenumberArgs>> {
    machine.kernel(&*variants::renumber(device_graph.is_wide())?, name)
}

/// Returns the first bits of all digits that numbers below `most` have, from bit `first` on.
pub(super) fn digits(most: usize, first: u32) -> impl Iterator<Item = u32> {
    let bits = usize::BITS - most.saturating_sub(1).leading_zeros();
    (0..bits.div_ceil(DIGIT_BITS)).map(move |digit| first + digit * DIGIT_BITS)
}

impl Renumbering<'_> {
    pub(super) fn args(&self) -> RenumberArgs {
        RenumberArgs {
            vertices: self.originals.len() as u64,
            originals: self.originals.address(),
            masters: self.masters.address(),
            ..RenumberArgs::zeroed()
        }
    }

    /// Launches a kernel with one thread per item. The owners of the arrays in `args` must wait before they free them.
    pub(super) fn start(&self, name: &'static str, items: u64, args: &RenumberArgs) -> Result<()> {
        let kernel = kernel(self.machine, self.device_graph, name)?;
        // SAFETY: arrays of vertices have an entry per vertex, and arrays of arcs one per arc; callers keep them alive,
        // as required above.
        unsafe { self.machine.start(&kernel, Grid::For(items), args) }
    }

    /// Returns the map to the new order.
    fn map(&self) -> Result<NodeMap> {
        let mut order: Pages<Vertex> = Pages::scratch(self.originals.len())?;
        self.machine.wait()?;
        self.originals.read(&mut order).map_err(lift)?;
        Ok(NodeMap::of_order(order)?)
    }

    /// Returns the graph in the new order and its rows on the device: the outgoing rows, and the incoming ones if they
    /// were there.
    fn graph(&self) -> Result<(Graph, HashMap<Side, arcs::DeviceRows>)> {
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
