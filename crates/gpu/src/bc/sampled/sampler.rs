//! [`Sampler`]: counts how many sampled shortest paths pass through each vertex. A block of `kernels/bc_paths.cu` takes
//! one sample after another, with a state of its own.
//!
//! Memory: 8 bytes per vertex for the counts, and 16 per vertex and block. There are as many blocks as run at a time, or as
//! free memory has room for.

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{DeviceRows, Side},
    error::lift,
    machine::{Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use std::{sync::Arc, time::Instant};
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, Pinned, arguments};
use warpgraph_graph::{Vertex, hash};

/// Threads per block: most levels of a search have few arcs.
const THREADS: u32 = 256;
/// Indices of counters: the samples taken, the pairs with a path, and the work in units of arcs.
const TAKEN: usize = 0;
const CONNECTED: usize = 1;
const WORK: usize = 2;
const COUNTERS: usize = 3;

/// Constants of the kernel. Levels from `STARTS` on are not listed in shared memory.
pub(crate) const DEFINES: &[(&str, u32)] = &[
    ("PATHS_THREADS", THREADS),
    ("PATHS_BLOCKS", 4),
    ("STARTS", 64),
    ("TAKEN", TAKEN as u32),
    ("CONNECTED", CONNECTED as u32),
    ("WORK", WORK as u32),
];

/// Blocks leave this part of the free memory to others.
const SPARED: u64 = 8;
/// Bytes of the state of a block per vertex: a mark, a number of paths, and an entry of the queue.
const STATE: u64 = 4 + 8 + 4;
/// The samples of the first launch, per block. Later launches take about [`LAUNCH`] seconds, so that the host hears of the
/// progress.
const FIRST: u64 = 4;
const LAUNCH: f64 = 0.2;

/// The sizes at which the kernel changes its ways.
struct Sizes {
    /// Frontiers of more arcs are looked at for arcs that meet before they are expanded.
    look_from: u64,
    /// Numbers of paths of more bits are wide.
    narrow: u64,
}

const SIZES: Sizes = Sizes { look_from: 2048, narrow: 62 };
/// The sizes on small devices, whose graphs are small too.
const SMALL_SIZES: Sizes = Sizes { look_from: 12, narrow: 8 };

arguments! {
    /// The arguments of the kernel that samples paths.
    pub(crate) struct BcPathsArgs {
        /// Outgoing rows, and incoming rows; they are the same in undirected graphs.
        offsets: Address<()>,
        targets: Edges,
        in_offsets: Address<()>,
        in_targets: Edges,
        vertices: u64,
        /// Original numbers of vertices, and vertices by their original numbers; null if they are the same.
        originals: Address<u32>,
        inners: Address<u32>,
        /// The state of each block, `vertices` entries per block; marks and numbers of paths are 0 at first.
        marks: Address<u32>,
        paths: Address<u64>,
        queues: Address<u32>,
        /// Per block: the least mark of its next sample, 0 at first.
        bases: Address<u32>,
        /// Receives how many samples count for each vertex.
        hits: Address<u64>,
        counters: Address<u64>,
        cancel: Address<u32>,
        /// The samples to take: their first number, and how many. `key` is what makes them random.
        first: u64,
        samples: u64,
        key: u64,
        /// No vertex has more arcs in the direction against a search.
        longest: u64,
        /// As in the sizes of the host.
        look_from: u64,
        narrow: u64,
    }
}

/// What a sampler has done so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) samples: u64,
    /// Seconds of drawing.
    pub(super) seconds: f64,
    /// Pairs with a path.
    pub(super) connected: u64,
    /// Arcs that were looked at, where a search in a row counts as one.
    pub(super) work: u64,
}

/// Draws samples on a device.
pub(super) struct Sampler<'m, 'a> {
    machine: &'m Machine<'a>,
    kernel: Launch<BcPathsArgs>,
    args: BcPathsArgs,
    blocks: u32,
    hits: Array<u64>,
    counters: Array<u64>,
    seen: Pinned<u64>,
    /// The samples of the next launch.
    launch: u64,
    found: Found,
    bytes: u64,
    _held: Held,
}

/// What the arguments point to.
struct Held {
    _rows: [Arc<DeviceRows>; 2],
    _state: (Array<u32>, Array<u64>, Array<u32>, Array<u32>),
    _numbers: Option<(Arc<Array<Vertex>>, Array<Vertex>)>,
}

impl<'m, 'a> Sampler<'m, 'a> {
    /// Prepares for samples of this run, with all counts 0.
    ///
    /// # Errors
    /// When memory is short on the host, or on the device even for one block; when the device fails.
    pub(super) fn new(machine: &'m Machine<'a>, device_graph: &DeviceGraph) -> Result<Self> {
        let (graph, options) = (device_graph.graph(), machine.options());
        let n = graph.vertices();
        let rows = [device_graph.rows(Side::Out)?, device_graph.rows(Side::In)?];
        let source = variants::bc_paths(device_graph.is_wide())?;
        let kernel = machine.shaped::<BcPathsArgs>(&source, "bc_paths", THREADS, 0)?;
        let map = options.map.as_ref();
        let originals = map.map(|map| device_graph.originals(map)).transpose()?;
        let inners = map.map(|map| machine.gpu().array_of(map.masters(), "inner numbers").map_err(lift));
        let numbers = originals.zip(inners.transpose()?);

        let hits = machine.zeros::<u64>(n, "counts of paths")?;
        let counters = machine.zeros::<u64>(COUNTERS, "counters")?;
        let blocks = blocks(machine, n, kernel.coresident())?;
        let slots = n * blocks as usize;
        let marks = machine.zeros::<u32>(slots, "marks")?;
        let paths = machine.zeros::<u64>(slots, "numbers of paths")?;
        let queues = machine.array::<u32>(slots, "queues")?;
        let bases = machine.zeros::<u32>(blocks as usize, "marks of blocks")?;
        let sizes = if machine.is_small() { SMALL_SIZES } else { SIZES };
        let args = BcPathsArgs {
            offsets: rows[0].offsets(),
            targets: rows[0].targets(),
            in_offsets: rows[1].offsets(),
            in_targets: rows[1].targets(),
            vertices: n as u64,
            originals: numbers.as_ref().map_or(Address::NULL, |(originals, _)| originals.address()),
            inners: numbers.as_ref().map_or(Address::NULL, |(_, inners)| inners.address()),
            marks: marks.address(),
            paths: paths.address(),
            queues: queues.address(),
            bases: bases.address(),
            hits: hits.address(),
            counters: counters.address(),
            cancel: machine.gpu().cancel_address(),
            key: hash::mix(options.seed, options.run),
            longest: if graph.is_directed() { u64::MAX } else { graph.counts().max_degree },
            look_from: sizes.look_from,
            narrow: sizes.narrow,
            ..BcPathsArgs::zeroed()
        };
        let bytes = hits.bytes() + marks.bytes() + paths.bytes() + queues.bytes() + bases.bytes();
        let _held = Held { _rows: rows, _state: (marks, paths, queues, bases), _numbers: numbers };
        let seen = machine.gpu().pinned(COUNTERS, "counters").map_err(lift)?;
        let launch = u64::from(blocks) * FIRST;
        Ok(Self {
            machine,
            kernel,
            args,
            blocks,
            hits,
            counters,
            seen,
            launch,
            found: Found::default(),
            bytes,
            _held,
        })
    }

    /// Draws some samples: those from number `first` on, at most `most` of them. Returns how many it has drawn.
    ///
    /// # Errors
    /// When interrupted, or when the device fails.
    pub(super) fn draw(&mut self, first: u64, most: u64) -> Result<u64> {
        let samples = self.launch.min(most);
        let start = Instant::now();
        self.launch(first, samples)?;
        let seconds = start.elapsed().as_secs_f64();
        self.found.samples += samples;
        self.found.seconds += seconds;
        self.pace(samples, seconds);
        Ok(samples)
    }

    /// Launches the kernel once and waits for it.
    fn launch(&mut self, first: u64, samples: u64) -> Result<()> {
        self.machine.check()?;
        self.counters.fill_bytes(0).map_err(lift)?;
        let args = BcPathsArgs { first, samples, ..self.args };
        // SAFETY: the rows belong to the graph, and the numbers to its map; each block has arrays with an entry per vertex,
        // and a search reaches a vertex once, so the queue of a block has room for all; there are not more blocks than
        // states; all arrays live until the wait.
        unsafe { self.machine.start_coresident(&self.kernel, self.blocks, &args)? };
        self.machine.fetch(&mut self.seen, &self.counters)?;
        self.found.connected += self.seen.get(CONNECTED);
        self.found.work += self.seen.get(WORK);
        Ok(())
    }

    /// Chooses the samples of the next launch, given how long the last one took.
    fn pace(&mut self, samples: u64, seconds: f64) {
        let (least, most) = (u64::from(self.blocks), 8 * self.launch);
        let wanted = samples as f64 * LAUNCH / seconds.max(1e-6);
        self.launch = (wanted as u64).clamp(least.min(most), most);
    }

    /// Copies the counts to the host.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn read(&self, counts: &mut [u64]) -> Result<()> {
        self.hits.read(counts).map_err(lift)
    }

    /// Sets all counts to 0.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn reset(&mut self) -> Result<()> {
        self.hits.fill_bytes(0).map_err(lift)
    }

    /// Returns what it has done so far.
    pub(super) fn found(&self) -> Found {
        self.found
    }

    /// Returns how many samples are drawn at a time.
    pub(super) fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Returns the bytes of its state on the device.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Returns how many blocks to run: as many as can run at a time, or as memory has room for, at least one.
fn blocks(machine: &Machine<'_>, vertices: usize, coresident: u32) -> Result<u32> {
    let free = machine.gpu().memory().map_err(lift)?.free;
    let room = (free - free / SPARED) / (STATE * vertices.max(1) as u64 + 4);
    Ok(u32::try_from(room).unwrap_or(u32::MAX).clamp(1, coresident.max(1)))
}
