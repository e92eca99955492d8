//! [`Stage`]: a program with everything that a run along paths needs on the device.

use super::{
    BLOCK, LOG_ENTRY, LOGGED, WORDS,
    chunks::{Chunks, LEAST_PLACES, PLACES, SlotWeights, identity, is_shared},
    is_ordered, rounds,
};
use crate::{
    DeviceGraph,
    arguments::ProgramArgs,
    device_graph::{Made, Prepare as _},
    error::lift,
    machine::{Grid, Launch, Machine},
    program::width,
    variants::Functor,
};
use bytemuck::Zeroable;
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Halt, Options, Result,
    program::{
        AlongPaths, Combine, Prepared, Ran, Runs, Scalar, VertexProgram, Ways, Weight, starts_with_nan,
    },
};
use warpgraph_device::{Address, Array, Source, arguments};
use warpgraph_graph::{
    NodeMap, Pages, Paths, Vertex,
    paths::{LANES, SLOTS},
};

arguments! {
    /// The arguments of all kernels of the model `paths`.
    pub(crate) struct PathArgs {
        /// What vertices show, the parameters, and where masters are: `values`, or `into` for a sum.
        pub(crate) program: ProgramArgs,
        /// The vertex of every slot, and the word of every lane.
        pub(crate) vertices: Address<u32>,
        pub(crate) joined: Address<u32>,
        /// The weight of the edge below every slot; all share the first where the mask is 0.
        pub(crate) weights: Address<()>,
        pub(crate) weight_mask: u64,
        /// The chunks of every vertex.
        pub(crate) home_offsets: Address<u32>,
        pub(crate) homes: Address<u32>,
        /// A word per chunk.
        pub(crate) states: Address<u32>,
        /// The queues of hub chunks and of cold chunks, and how many places they have.
        pub(crate) hot: Address<u32>,
        pub(crate) cold: Address<u32>,
        pub(crate) hot_room: u64,
        pub(crate) cold_room: u64,
        /// Per slot: the value that was last sent everywhere; for a sum, what was sent to the row below.
        pub(crate) seen: Address<()>,
        /// Per slot: what was sent to the row above; null if nothing is sent there, or if values improve.
        pub(crate) sent_back: Address<()>,
        /// A bit per vertex that sends first; null if all do.
        pub(crate) seeds: Address<u32>,
        pub(crate) control: Address<u64>,
        /// Gets what each round did; null if the run is not traced.
        pub(crate) log: Address<u64>,
        pub(crate) cancel: Address<u32>,
        pub(crate) chunks: u64,
        pub(crate) hub_chunks: u64,
        /// The launch ends when this round begins.
        pub(crate) until: u64,
        /// For tests: one of so many wake-ups is lost; 0 if none is.
        pub(crate) lost: u64,
        /// A sum sends changes that exceed this; `Min` and `Max` send values up to this, in the order from the best.
        pub(crate) least: f64,
        /// How often a hub chunk is walked each time it is handled.
        pub(crate) passes: u32,
        /// Warps that prefer hub chunks.
        pub(crate) hub_workers: u32,
        /// Not 0: paths are walked back as well.
        pub(crate) backward: u32,
        pub(crate) unused: u32,
    }
}

/// Runs a program along the paths of the options, and copies its values to the host.
///
/// # Errors
/// When the program or the graph does not suit; when interrupted, when memory is short, when a sum does not converge, or when
/// the device fails.
pub(crate) fn run<P: VertexProgram>(
    device_graph: &DeviceGraph,
    prepared: &Prepared<'_, P>,
    options: &Options,
    ways: Ways,
) -> Result<Ran<P::Value>> {
    run_losing(device_graph, prepared, options, ways, 0)
}

/// Does the same as [`run`], and loses one of `lost` wake-ups unless it is 0: for tests.
pub(super) fn run_losing<P: VertexProgram>(
    device_graph: &DeviceGraph,
    prepared: &Prepared<'_, P>,
    options: &Options,
    ways: Ways,
    lost: u64,
) -> Result<Ran<P::Value>> {
    let along = prepared.along_paths(options, &Runs::label(device_graph))?;
    let mut stage = Stage::new(device_graph, prepared, options, &along, ways)?;
    stage.args.lost = lost;
    let ended = rounds::run(&mut stage, &along)?;
    let (residual, mut run) = (ended.residual, ended.run);
    let start = Instant::now();
    let mut values = Pages::<P::Value>::scratch(stage.vertices())?;
    stage.arrays.values.read(bytemuck::cast_slice_mut(&mut values)).map_err(lift)?;
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(Ran { values, residual, run })
}

/// A program on a device, with its paths and arrays.
pub(super) struct Stage<'a> {
    pub(super) machine: Machine<'a>,
    pub(super) options: &'a Options,
    pub(super) name: &'static str,
    pub(super) halt: Halt,
    pub(super) is_sum: bool,
    pub(super) args: PathArgs,
    pub(super) kernels: Kernels,
    pub(super) arrays: Arrays,
    /// Messages that a superstep over all edges would send.
    pub(super) arcs: u64,
    /// Bytes of graph data that handling a chunk reads.
    pub(super) chunk_bytes: u64,
    vertices: usize,
    map: Option<&'a NodeMap>,
    held: Held,
}

/// What later runs use again.
struct Held {
    chunks: Arc<Made<Chunks>>,
    weights: Arc<Made<SlotWeights>>,
    originals: Option<Arc<Array<Vertex>>>,
}

/// The kernels of a run.
pub(super) struct Kernels {
    pub(super) begin: Launch<PathArgs>,
    pub(super) line_up: Launch<PathArgs>,
    pub(super) collect: Launch<PathArgs>,
    pub(super) walk: Launch<PathArgs>,
    /// Those of sums: adds up what was not sent, and writes values.
    pub(super) sums: Option<(Launch<PathArgs>, Launch<PathArgs>)>,
    /// That of `Min` and `Max`: wakes the chunks in which a value is due, and finds the best one that waits.
    pub(super) awaits: Option<Launch<PathArgs>>,
}

impl Kernels {
    fn new(machine: &Machine<'_>, source: &Source, combine: Combine, shared: u32) -> Result<Self> {
        let over_chunks = |name| machine.shaped(source, name, BLOCK, shared);
        let sums = match combine {
            Combine::Sum => Some((over_chunks("paths_weigh")?, machine.kernel(source, "paths_end")?)),
            _ => None,
        };
        let awaits = is_ordered(combine).then(|| over_chunks("paths_await")).transpose()?;
        Ok(Self {
            begin: machine.kernel(source, "paths_begin")?,
            line_up: machine.kernel(source, "paths_line_up")?,
            collect: machine.kernel(source, "paths_collect")?,
            walk: over_chunks("paths_walk")?,
            sums,
            awaits,
        })
    }

    /// Returns the most blocks that add up what was not sent.
    fn sums_of_blocks(&self) -> u32 {
        self.sums.as_ref().map_or(0, |(weigh, _)| weigh.blocks(Grid::Shares(u64::MAX / 2)))
    }
}

/// The widths and directions that sizes depend on.
#[derive(Clone, Copy)]
struct Shape {
    vertices: usize,
    slots: usize,
    is_sum: bool,
    /// True if paths are walked back as well.
    backward: bool,
    /// Bytes of a value, and of what is kept per slot.
    value: usize,
    kept: usize,
    /// Bytes of the weight of a slot; 0 if all share one.
    weight: usize,
}

impl Shape {
    fn of<P: VertexProgram>(
        device_graph: &DeviceGraph,
        functor: &Functor,
        paths: &Paths,
        ways: Ways,
    ) -> Self {
        let (graph, is_sum) = (device_graph.graph(), P::COMBINE == Combine::Sum);
        let (value, gathered) = (width(P::Value::TYPE), width(functor.gathered()));
        Self {
            vertices: graph.vertices(),
            slots: paths.vertices().len(),
            is_sum,
            // On paths with both arcs of every edge, forward walks are enough.
            backward: if graph.is_directed() { ways == Ways::Both } else { !paths.recipe().both_arcs },
            value,
            kept: if is_sum { gathered } else { value },
            weight: if is_shared::<P>(device_graph) { 0 } else { width(<P::Weight as Weight>::Scalar::TYPE) },
        }
    }

    /// Returns the bytes of shared memory of a block: the mirrors of its warps, and what they gained in a sum.
    fn shared(&self) -> u32 {
        (BLOCK / 32) * (SLOTS * self.kept * if self.is_sum { 2 } else { 1 }) as u32
    }

    /// Returns true if what was sent back is kept apart.
    fn keeps_back(&self) -> bool {
        self.is_sum && self.backward
    }

    /// Returns the bytes that handling a chunk reads: vertices, weights, masters, what was sent, and the words of lanes.
    fn chunk_bytes(&self) -> u64 {
        let per_slot = 4 + self.weight + self.kept * if self.keeps_back() { 3 } else { 2 };
        (SLOTS * per_slot + 4 * LANES) as u64
    }
}

/// The arrays of one run.
pub(super) struct Arrays {
    pub(super) values: Array<u8>,
    pub(super) queues: [Array<u32>; 2],
    pub(super) control: Array<u64>,
    pub(super) log: Option<Array<u64>>,
    columns: Array<u8>,
    totals: Array<u8>,
    seen: Array<u8>,
    sent_back: Array<u8>,
    states: Array<u32>,
    seeds: Option<Array<u32>>,
    /// One number per block.
    sums: Array<f64>,
}

impl Arrays {
    fn new<P: VertexProgram>(
        machine: &Machine<'_>,
        prepared: &Prepared<'_, P>,
        (shape, paths): (Shape, &Paths),
        sums: u32,
        trace: bool,
    ) -> Result<Self> {
        let (n, slots, gpu) = (shape.vertices, shape.slots, machine.gpu());
        let all: Vec<_> = prepared.columns().flatten().copied().collect();
        let seeds = prepared.seeds.as_ref().map(|seeds| gpu.array_of(&bits(seeds, n), "seeds"));
        let queue = |chunks: usize| machine.array::<u32>(room(chunks) as usize, "a queue of chunks");
        let (hubs, chunks) = (paths.hub_chunks(), paths.chunks());
        let back = if shape.keeps_back() { slots * shape.kept } else { 0 };
        Ok(Self {
            values: machine.array(n * shape.value, "values")?,
            queues: [queue(hubs)?, queue(chunks - hubs)?],
            control: machine.zeros(WORDS.len(), "counters")?,
            log: trace.then(|| machine.zeros(LOGGED * LOG_ENTRY + 1, "a log of rounds")).transpose()?,
            columns: gpu.array_of(bytemuck::cast_slice(&all), "columns").map_err(lift)?,
            totals: machine.array(if shape.is_sum { n * shape.kept } else { 0 }, "totals")?,
            seen: machine.array(slots * shape.kept, "what was sent")?,
            sent_back: machine.array(back, "what was sent back")?,
            states: machine.zeros(chunks, "states of chunks")?,
            seeds: seeds.transpose().map_err(lift)?,
            sums: machine.zeros(sums as usize, "sums of blocks")?,
        })
    }

    /// Returns the bytes of all arrays.
    pub(super) fn bytes(&self) -> u64 {
        let bytes =
            [&self.values, &self.columns, &self.totals, &self.seen, &self.sent_back].map(Array::bytes);
        let words = [&self.queues[0], &self.queues[1], &self.states].map(Array::bytes);
        bytes.iter().chain(&words).sum::<u64>() + self.control.bytes() + self.sums.bytes()
    }
}

/// Returns the places of the queue of so many chunks.
fn room(chunks: usize) -> u64 {
    if chunks == 0 { 0 } else { PLACES * chunks as u64 + LEAST_PLACES }
}

impl<'a> Stage<'a> {
    fn new<P: VertexProgram>(
        device_graph: &'a DeviceGraph,
        prepared: &Prepared<'_, P>,
        options: &'a Options,
        along: &AlongPaths<'_>,
        ways: Ways,
    ) -> Result<Self> {
        let paths = along.paths;
        let machine = Machine::new(device_graph.gpu(), options, "walking along paths");
        machine.check()?;
        let functor = Functor::new::<P>(&prepared.traced)?;
        let shape = Shape::of::<P>(device_graph, &functor, paths, ways);
        let map = options.map.as_ref().filter(|_| prepared.originals().is_some());
        let held = Held {
            chunks: device_graph.prepared((), identity(paths), || Chunks::new(device_graph, paths))?,
            weights: device_graph.prepared(<P::Weight as Weight>::Scalar::TYPE, identity(paths), || {
                SlotWeights::new(device_graph, prepared, paths)
            })?,
            originals: map.map(|map| device_graph.originals(map)).transpose()?,
        };
        let module = functor.paths(device_graph.is_wide())?;
        let kernels = Kernels::new(&machine, &module, P::COMBINE, shape.shared())?;
        let arrays =
            Arrays::new(&machine, prepared, (shape, paths), kernels.sums_of_blocks(), options.trace)?;
        let program = ProgramArgs { params: functor.printed.slots(), ..arrays.of_program(&held, shape) };
        let args = PathArgs {
            passes: along.plan.np.get(),
            cancel: machine.gpu().cancel_address(),
            ..arrays.args(&held, paths, shape, program)
        };
        Ok(Self {
            options,
            name: P::NAME,
            halt: prepared.program.halt(),
            is_sum: shape.is_sum,
            args,
            kernels,
            arrays,
            arcs: paths.found().edges() * if shape.backward { 2 } else { 1 },
            chunk_bytes: shape.chunk_bytes(),
            vertices: shape.vertices,
            map,
            held,
            machine,
        })
    }

    /// Returns the bytes of the paths on the device, weights included.
    pub(super) fn held_bytes(&self) -> u64 {
        self.held.chunks.bytes() + self.held.weights.bytes()
    }

    /// Returns the number of vertices.
    pub(super) fn vertices(&self) -> usize {
        self.vertices
    }

    /// Returns the sum of one number per block.
    pub(super) fn total_of_blocks(&self) -> Result<f64> {
        Ok(self.arrays.sums.to_vec().map_err(lift)?.iter().sum())
    }

    /// Returns the error for the first vertex that starts with NaN.
    pub(super) fn starts_with_nan(&self, v: Vertex) -> warpgraph_core::Error {
        starts_with_nan(self.name, self.map.map_or(v, |map| map.original(v)))
    }
}

impl Arrays {
    /// Returns the arguments by which kernels see vertices and masters.
    fn of_program(&self, held: &Held, shape: Shape) -> ProgramArgs {
        ProgramArgs {
            out_offsets: held.chunks.offsets.address().cast(),
            originals: held.originals.as_ref().map_or(Address::NULL, |originals| originals.address()),
            columns: self.columns.address().cast(),
            vertices: shape.vertices as u64,
            values: self.values.address().cast(),
            into: self.totals.address().cast(),
            sums: self.sums.address(),
            ..ProgramArgs::zeroed()
        }
    }

    /// Returns the arguments by which kernels see chunks and queues.
    fn args(&self, held: &Held, paths: &Paths, shape: Shape, program: ProgramArgs) -> PathArgs {
        let (hubs, chunks) = (paths.hub_chunks(), paths.chunks());
        PathArgs {
            program,
            vertices: held.chunks.vertices.address(),
            joined: held.chunks.joined.address(),
            weights: held.weights.weights.address().cast(),
            weight_mask: if shape.weight == 0 { 0 } else { u64::MAX },
            home_offsets: held.chunks.home_offsets.address(),
            homes: held.chunks.homes.address(),
            states: self.states.address(),
            hot: self.queues[0].address(),
            cold: self.queues[1].address(),
            hot_room: room(hubs),
            cold_room: room(chunks - hubs),
            seen: self.seen.address().cast(),
            sent_back: self.sent_back.address().cast(),
            seeds: self.seeds.as_ref().map_or(Address::NULL, Array::address),
            control: self.control.address(),
            log: self.log.as_ref().map_or(Address::NULL, Array::address),
            chunks: chunks as u64,
            hub_chunks: hubs as u64,
            backward: u32::from(shape.backward),
            ..PathArgs::zeroed()
        }
    }
}

/// Returns a bit for each of these vertices.
fn bits(vertices: &[Vertex], all: usize) -> Vec<u32> {
    let mut words = vec![0; all.div_ceil(32)];
    vertices.iter().for_each(|&v| words[v as usize / 32] |= 1 << (v % 32));
    words
}
