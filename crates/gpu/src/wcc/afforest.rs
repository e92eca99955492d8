//! Afforest \[1\] on a device.
//!
//! Invariants: `components[v]` is a vertex of v's component and not greater than v, so pointers form a forest; only roots are hooked,
//! below a smaller vertex and by a compare-and-exchange. In the end every tree is a star below the smallest vertex of its
//! component. What a thread reads may be older than what is there: it is an ancestor still.
//!
//! Every vertex is pointed to its first neighbour and hooked along another; a sample finds the tree that most are in by then, the
//! giant; only vertices outside of it look at their other arcs. Short rows are walked by a thread, others by a warp, and those
//! longer than a chunk are listed and walked by a warp a chunk. The host waits once, at the end.
//!
//! Departures from the paper: the first hook is a store, and notes whom the second hook is for, so that it reads no rows; the
//! compression after the second hook is part of the search for those outside. A directed graph is looked at from both ends of its
//! arcs if its incoming arcs are there; otherwise all its arcs are hooked along.
//!
//! O(m) work at worst, O(n) where a giant is. Memory: 8 bytes a vertex, and 8 for every [`CHUNK`] arcs.
//!
//! \[1\] M. Sutton, T. Ben-Nun, A. Barak, Optimizing parallel graph connectivity computation via subgraph sampling, IPDPS 2018.

use crate::{
    DeviceGraph,
    device_graph::{DeviceRows, Side},
    machine::{Grid, Launch, Machine},
    variants, waves,
};
use std::sync::Arc;
use warpgraph_core::{
    Algorithm, Direction, Halted, Options, Plan, Recorder, Result,
    wcc::{Wcc, WccAnswer},
};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{Graph, Vertex};

arguments! {
    /// Of the kernels of Afforest.
    pub(crate) struct WccArgs {
        /// The rows that are looked at.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Address<u32>,
        pub(crate) vertices: u64,
        pub(crate) components: Address<u32>,
        /// Whom each vertex is hooked to in the second round; itself: nobody.
        pub(crate) others: Address<u32>,
        pub(crate) counters: Address<u64>,
        /// Parts of long rows: a vertex and the number of a chunk.
        pub(crate) chunks: Address<u64>,
        /// Arcs at the beginning of each row that were hooked along already.
        pub(crate) skip: u32,
        /// Where the chunks are counted, in `counters`.
        pub(crate) count: u32,
        pub(crate) cancel: Address<u32>,
    }
}

/// [`WccArgs::counters`]: the name of the giant; chunks listed, of outgoing and of incoming rows.
pub(crate) const GIANT: usize = 0;
pub(crate) const CHUNKS: usize = 1;
pub(crate) const NEXT_CHUNKS: usize = 2;
const COUNTERS: usize = 3;

/// Two arcs of each vertex, and what is left.
const ROUNDS: u64 = 2;
/// Vertices in the sample, and places of the table that counts their trees: a power of 2, twice as many.
pub(crate) const SAMPLES: u32 = 1024;
pub(crate) const SLOTS: u32 = 2 * SAMPLES;
/// Arcs of a row that a thread walks alone at most.
pub(crate) const SHORT: u32 = 8;
/// Arcs of a row that a warp walks at a time at most.
pub(crate) const CHUNK: u32 = 2048;

/// Chunks there can be: rows that are cut are longer than one.
fn most_chunks(arcs: usize) -> usize {
    2 * arcs / CHUNK as usize
}

/// The graph on the device, and the kernels.
struct Afforest<'m, 'a> {
    machine: &'m Machine<'a>,
    vertices: usize,
    out: Arc<DeviceRows>,
    /// None: arcs are seen from both ends without, or hooked along all.
    incoming: Option<Arc<DeviceRows>>,
    /// Is every arc hooked along by whoever it leaves?
    takes_all: bool,
    begin: Launch<WccArgs>,
    compress: Launch<WccArgs>,
    second: Launch<WccArgs>,
    sample: Launch<WccArgs>,
    rest: Launch<WccArgs>,
    chunks: Launch<WccArgs>,
}

/// What a run works on.
struct State {
    components: Array<Vertex>,
    /// Counters, chunks and others, in this order.
    scratch: Array<u64>,
}

/// The component of every vertex.
pub(super) fn wcc(device_graph: &DeviceGraph, options: &Options) -> Result<WccAnswer> {
    let machine = Machine::new(device_graph.gpu(), options, "joining components");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let afforest = Afforest::new(device_graph, &machine)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let state = afforest.state()?;
    options.control.report(Wcc::NAME, 0, Some(ROUNDS));
    machine.check()?;
    afforest.hook_two(&state)?;
    afforest.step(&mut recorder, options, "hooked two arcs of each")?;
    options.control.report(Wcc::NAME, 1, Some(ROUNDS));
    machine.check()?;
    afforest.hook_rest(&state)?;
    machine.wait()?;
    afforest.step(&mut recorder, options, "hooked what was left outside the giant")?;
    let bytes = state.components.bytes() + state.scratch.bytes();
    let mut run = recorder.finish(Plan::AUTO, Halted::Converged, bytes);
    run.device_bytes = machine.gpu().peak();
    let components = waves::fetched(&state.components, &mut run)?;
    Ok(WccAnswer::new(device_graph.graph(), components, run))
}

impl<'m, 'a> Afforest<'m, 'a> {
    /// Brings the graph to the device and compiles.
    fn new(device_graph: &DeviceGraph, machine: &'m Machine<'a>) -> Result<Self> {
        let graph = device_graph.graph();
        let both = looks_both_ways(graph);
        let source = variants::afforest(device_graph.is_wide())?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            machine,
            vertices: graph.vertices(),
            out: device_graph.rows(Side::Out)?,
            incoming: both.then(|| device_graph.rows(Side::In)).transpose()?,
            takes_all: graph.is_directed() && !both,
            begin: kernel("wcc_begin")?,
            compress: kernel("wcc_compress")?,
            second: kernel("wcc_second")?,
            sample: kernel("wcc_sample")?,
            rest: kernel("wcc_rest")?,
            chunks: kernel("wcc_chunks")?,
        })
    }

    fn state(&self) -> Result<State> {
        let words = COUNTERS + most_chunks(self.out.arcs()) + self.vertices.div_ceil(2);
        Ok(State {
            components: self.machine.array(self.vertices, "components")?,
            scratch: self.machine.array(words, "chunks and neighbours")?,
        })
    }

    /// Hooks along two arcs of each vertex; the trees of the first are compressed.
    fn hook_two(&self, state: &State) -> Result<()> {
        let args = self.args(state);
        for kernel in [&self.begin, &self.compress, &self.second] {
            self.over_vertices(kernel, &args)?;
        }
        Ok(())
    }

    /// Hooks along the other arcs of all outside the giant, and names all vertices.
    fn hook_rest(&self, state: &State) -> Result<()> {
        let args = self.args(state);
        if !self.takes_all && self.vertices > 0 {
            // SAFETY: as for `over_vertices`.
            unsafe { self.machine.start(&self.sample, Grid::One, &args)? };
        }
        self.hook_outside(&args)?;
        if let Some(rows) = &self.incoming {
            let (offsets, targets) = (rows.offsets(), rows.targets());
            self.hook_outside(&WccArgs { offsets, targets, skip: 0, count: NEXT_CHUNKS as u32, ..args })?;
        }
        self.over_vertices(&self.compress, &args)
    }

    fn hook_outside(&self, args: &WccArgs) -> Result<()> {
        self.over_vertices(&self.rest, args)?;
        let chunks = most_chunks(self.out.arcs()) as u64;
        if chunks == 0 {
            return Ok(());
        }
        // SAFETY: as for `over_vertices`; there is room for all chunks, and those counted have been listed.
        unsafe { self.machine.start(&self.chunks, Grid::For(32 * chunks), args) }
    }

    fn over_vertices(&self, kernel: &Launch<WccArgs>, args: &WccArgs) -> Result<()> {
        if self.vertices == 0 {
            return Ok(());
        }
        // SAFETY: components and others have an entry a vertex and live until the next wait; all they hold are vertices.
        unsafe { self.machine.start(kernel, Grid::For(self.vertices as u64), args) }
    }

    /// Ends a round; whoever traces wants to know how long it took.
    fn step(&self, recorder: &mut Recorder, options: &Options, note: &str) -> Result<()> {
        if options.trace {
            self.machine.wait()?;
        }
        recorder.step(self.vertices, Direction::Push, || note.to_owned());
        Ok(())
    }

    fn args(&self, state: &State) -> WccArgs {
        let scratch = state.scratch.address().raw();
        let chunks = scratch + 8 * COUNTERS as u64;
        WccArgs {
            offsets: self.out.offsets(),
            targets: self.out.targets(),
            vertices: self.vertices as u64,
            components: state.components.address(),
            others: Address::new(chunks + 8 * most_chunks(self.out.arcs()) as u64),
            counters: Address::new(scratch),
            chunks: Address::new(chunks),
            skip: 1,
            count: CHUNKS as u32,
            cancel: self.machine.gpu().cancel_address(),
        }
    }
}

/// Are arcs looked at from both ends? Making incoming arcs would take longer than hooking along all outgoing ones.
fn looks_both_ways(graph: &Graph) -> bool {
    graph.is_directed() && graph.has_incoming()
}

/// Directions whose rows a run needs, and bytes of device memory that it takes beside them.
pub(crate) fn bytes(graph: &Graph) -> (bool, u64) {
    let n = graph.vertices() as u64;
    let words = (COUNTERS + most_chunks(graph.arcs())) as u64 + n.div_ceil(2);
    (looks_both_ways(graph), 4 * n + 8 * words)
}
