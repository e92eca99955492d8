//! Afforest \[1\] on a device.
//!
//! Invariants: `components[v]` is a vertex of v's component and not greater than v, so the pointers form a forest. Only
//! roots are hooked, below a smaller vertex and by compare-and-exchange. At the end every tree is a star below the
//! smallest vertex of its component. A thread may read an outdated value, but that value is still an ancestor.
//!
//! First, every vertex is pointed to its first neighbour and hooked along another arc. A sample then finds the tree
//! that most vertices are in, the giant, and only vertices outside it look at their other arcs. One thread walks a
//! short row, a warp a longer one; rows longer than a chunk are listed, and a warp walks each chunk. The host waits
//! once, at the end.
//!
//! Departures from the paper: the first hook is a plain store, and it also notes the vertex for the second hook, so the
//! second hook reads no rows; the compression after the second hook is part of the search for vertices outside the
//! giant. A directed graph looks at its arcs from both ends if its incoming arcs exist; otherwise it hooks along all
//! its arcs.
//!
//! O(m) work in the worst case, O(n) if there is a giant. Memory: 8 bytes per vertex, and 16 bytes per [`CHUNK`] arcs.
//!
//! \[1\] M. Sutton, T. Ben-Nun, A. Barak, Optimizing parallel graph connectivity computation via subgraph sampling,
//! IPDPS 2018.

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{DeviceRows, Side},
    edges::heads::{Heads, KeptHeads},
    machine::{Grid, Launch, Machine},
    memory::Extent,
    variants, waves,
};
use std::sync::Arc;
use warpgraph_core::{Algorithm, Direction, Halted, Options, Plan, Recorder, Result, Run, wcc::Wcc};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{Pages, Vertex};

arguments! {
    /// The arguments of the kernels of Afforest.
    pub(crate) struct WccArgs {
        /// The rows that the kernel reads.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        pub(crate) vertices: u64,
        pub(crate) components: Address<u32>,
        /// The vertex that each vertex is hooked to in the second round; the vertex itself if there is none.
        pub(crate) others: Address<u32>,
        pub(crate) counters: Address<u64>,
        /// Parts of long rows: a vertex and the number of a chunk.
        pub(crate) chunks: Address<u64>,
        /// Arcs at the beginning of each row that are already hooked along.
        pub(crate) skip: u32,
        /// Index in `counters` of the number of chunks.
        pub(crate) count: u32,
        pub(crate) cancel: Address<u32>,
        /// The heads of outgoing rows; null if the module uses none.
        pub(crate) heads: Address<u32>,
        /// Not 0: the rows that the kernel reads are those that have the heads.
        pub(crate) by_heads: u64,
    }
}

/// Indices into [`WccArgs::counters`]: the name of the giant; the chunks listed from outgoing rows and from incoming
/// rows.
pub(crate) const GIANT: usize = 0;
pub(crate) const CHUNKS: usize = 1;
pub(crate) const NEXT_CHUNKS: usize = 2;
const COUNTERS: usize = 3;

/// First two arcs of each vertex, then the rest.
const ROUNDS: u64 = 2;
/// Vertices in the sample, and slots of the table that counts their trees: a power of 2, twice as many.
pub(crate) const SAMPLES: u32 = 1024;
pub(crate) const SLOTS: u32 = 2 * SAMPLES;
/// The longest row that one thread walks alone.
pub(crate) const SHORT: u32 = 8;
/// The most arcs of a row that a warp walks at a time.
pub(crate) const CHUNK: u32 = 2048;

/// Returns the most chunks there can be: a row is cut only if it is longer than a chunk, so it has fewer than two
/// chunks per [`CHUNK`] arcs.
fn most_chunks(arcs: usize) -> usize {
    2 * arcs / CHUNK as usize
}

/// The graph on the device, and the kernels.
struct Afforest<'m, 'a> {
    machine: &'m Machine<'a>,
    vertices: usize,
    out: Arc<DeviceRows>,
    /// `None` if the outgoing arcs suffice, because the graph is undirected or all arcs are hooked along.
    incoming: Option<Arc<DeviceRows>>,
    /// True if every vertex hooks along all its outgoing arcs.
    takes_all: bool,
    heads: Option<KeptHeads>,
    begin: Launch<WccArgs>,
    compress: Launch<WccArgs>,
    second: Launch<WccArgs>,
    sample: Launch<WccArgs>,
    rest: Launch<WccArgs>,
    chunks: Launch<WccArgs>,
}

/// The arrays of a run.
struct State {
    components: Array<Vertex>,
    /// Counters, chunks and `others`, in this order.
    scratch: Array<u64>,
}

/// Returns the component of every vertex, named by its smallest vertex, and the report of the run.
pub(crate) fn components(device_graph: &DeviceGraph, options: &Options) -> Result<(Pages<Vertex>, Run)> {
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
    Ok((components, run))
}

impl<'m, 'a> Afforest<'m, 'a> {
    /// Copies the graph to the device and compiles the kernels.
    fn new(device_graph: &DeviceGraph, machine: &'m Machine<'a>) -> Result<Self> {
        let graph = device_graph.graph();
        let both = looks_both_ways(graph);
        let out = device_graph.rows(Side::Out)?;
        let heads = Heads::of(machine, device_graph, Side::Out)?;
        let size = heads.as_ref().map_or(0, KeptHeads::size);
        let source = variants::afforest(device_graph.is_wide(), size)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            machine,
            vertices: graph.vertices(),
            out,
            heads,
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

    /// Hooks along two arcs of each vertex, and compresses the trees after the first.
    fn hook_two(&self, state: &State) -> Result<()> {
        let args = self.args(state);
        for kernel in [&self.begin, &self.compress, &self.second] {
            self.over_vertices(kernel, &args)?;
        }
        Ok(())
    }

    /// Hooks all vertices outside the giant along their other arcs, and gives every vertex its component.
    fn hook_rest(&self, state: &State) -> Result<()> {
        let args = self.args(state);
        if !self.takes_all && self.vertices > 0 {
            // SAFETY: as for `over_vertices`.
            unsafe { self.machine.start(&self.sample, Grid::One, &args)? };
        }
        self.hook_outside(&args)?;
        if let Some(rows) = &self.incoming {
            let (offsets, targets) = (rows.offsets(), rows.targets());
            let (skip, count, by_heads) = (0, NEXT_CHUNKS as u32, 0);
            self.hook_outside(&WccArgs { offsets, targets, skip, count, by_heads, ..args })?;
        }
        self.over_vertices(&self.compress, &args)
    }

    fn hook_outside(&self, args: &WccArgs) -> Result<()> {
        self.over_vertices(&self.rest, args)?;
        let chunks = most_chunks(self.out.arcs()) as u64;
        if chunks == 0 {
            return Ok(());
        }
        // SAFETY: as for `over_vertices`; there is room for all chunks, and the kernel reads only those that were
        // listed.
        unsafe { self.machine.start(&self.chunks, Grid::For(32 * chunks), args) }
    }

    fn over_vertices(&self, kernel: &Launch<WccArgs>, args: &WccArgs) -> Result<()> {
        if self.vertices == 0 {
            return Ok(());
        }
        // SAFETY: `components` and `others` have an entry per vertex and live until the next wait; they hold vertices
        // only.
        unsafe { self.machine.start(kernel, Grid::For(self.vertices as u64), args) }
    }

    /// Ends a round. A traced run waits here, to measure how long the round took.
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
            // The first hook was along the first arc, or along the first head, which may be any arc.
            skip: u32::from(self.heads.is_none()),
            count: CHUNKS as u32,
            cancel: self.machine.gpu().cancel_address(),
            heads: self.heads.as_ref().map_or(Address::NULL, KeptHeads::address),
            by_heads: 1,
        }
    }
}

/// Returns true if arcs are looked at from both ends. Building the incoming arcs would take longer than hooking along
/// all outgoing ones.
fn looks_both_ways(graph: &dyn Extent) -> bool {
    graph.is_directed() && graph.has_incoming()
}

/// Returns whether a run needs rows of both directions, and the bytes of device memory that it takes beside them.
pub(crate) fn bytes(graph: &dyn Extent) -> (bool, u64) {
    let n = graph.vertices() as u64;
    let words = (COUNTERS + most_chunks(graph.arcs())) as u64 + n.div_ceil(2);
    (looks_both_ways(graph), 4 * n + 8 * words)
}
