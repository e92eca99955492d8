//! Direction-optimising search \[1\] in one persistent kernel over bitmaps.
//!
//! Short frontiers push, from lists and with the walker's own balance. Once the frontier's arcs exceed a share of the
//! unexplored arcs, every unvisited vertex pulls. On a directed graph the search only pulls if the incoming arcs
//! already exist. Distances are the same in every run; the parent of a vertex is whichever neighbour claims it first.
//!
//! Work O(n + m). Memory: 20 bytes and 2 bits per vertex.
//!
//! \[1\] S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012. Departures: pulling
//! looks for visited neighbours instead of neighbours in the frontier, which finds the same vertices; the kernel lists
//! a frontier only when it needs the list.

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{DeviceRows, Side},
    edges::heads::{Heads, KeptHeads},
    machine::Machine,
    variants,
    walk::{LEVELS, WALK_BLOCK, Walker},
    waves::fetched,
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{
    Algorithm, Halted, Options, Plan, Result,
    bfs::{Bfs, BfsAnswer},
};
use warpgraph_device::{Address, Source, arguments};
use warpgraph_graph::Graph;

arguments! {
    /// The arguments of the searching walker.
    pub(crate) struct BfsArgs {
        pub(crate) out_offsets: Address<()>,
        pub(crate) out_targets: Edges,
        /// Null if the search must not pull.
        pub(crate) in_offsets: Address<()>,
        pub(crate) in_targets: Edges,
        /// The heads of incoming rows; null if the module uses none.
        pub(crate) heads: Address<u32>,
        pub(crate) vertices: u64,
        pub(crate) arcs: u64,
        pub(crate) distances: Address<u32>,
        /// Null if the caller does not want parents.
        pub(crate) parents: Address<u32>,
        /// Two bitmaps, one after the other.
        pub(crate) visited: Address<u32>,
        /// Lists of all frontiers, one after the other.
        pub(crate) items: Address<u32>,
        pub(crate) before: Address<u32>,
        pub(crate) begins: Address<u32>,
        /// Receives two numbers per frontier: its tally; its first entry and whether it has a long row. Null if the
        /// caller does not want levels.
        pub(crate) levels: Address<u64>,
        pub(crate) control: Address<u64>,
        pub(crate) log: Address<u64>,
        pub(crate) progress: Address<u32>,
        pub(crate) cancel: Address<u32>,
        pub(crate) source: u32,
        /// The most levels.
        pub(crate) limit: u32,
        /// The number of levels that fit into the log.
        pub(crate) logged: u32,
        pub(crate) zero: u32,
    }
}

/// The rows that a search goes along.
pub(crate) struct Rows {
    pub(crate) out: Arc<DeviceRows>,
    incoming: Option<Arc<DeviceRows>>,
    heads: Option<KeptHeads>,
}

impl Rows {
    /// Copies the rows to the device, the incoming ones only if they are available at no extra cost.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(machine: &Machine<'_>, device_graph: &DeviceGraph) -> Result<Self> {
        let (mut incoming, mut heads) = (None, None);
        if device_graph.has_incoming() {
            incoming = Some(device_graph.rows(Side::In)?);
            heads = Heads::of(machine, device_graph, Side::In)?;
        }
        Ok(Self { out: device_graph.rows(Side::Out)?, incoming, heads })
    }

    /// Returns the module of searches along these rows.
    ///
    /// # Errors
    /// None that a user can cause.
    pub(crate) fn module(&self) -> Result<Arc<Source>> {
        variants::bfs(self.heads.as_ref().map_or(0, KeptHeads::size))
    }

    /// Returns the arguments of a search that do not depend on its question. Places frontiers and bitmaps in `scratch`,
    /// which must have [`scratch_words`] words.
    pub(crate) fn search(&self, graph: &Graph, walker: &Walker<'_, '_>, scratch: Address<u32>) -> BfsArgs {
        let n = graph.vertices();
        let part = |at: usize| Address::new(scratch.raw() + 4 * at as u64);
        BfsArgs {
            out_offsets: self.out.offsets(),
            out_targets: self.out.targets(),
            in_offsets: self.incoming.as_ref().map_or(Address::NULL, |rows| rows.offsets()),
            in_targets: self.incoming.as_ref().map_or(Edges::NONE, |rows| rows.targets()),
            heads: self.heads.as_ref().map_or(Address::NULL, KeptHeads::address),
            vertices: n as u64,
            arcs: graph.arcs() as u64,
            items: part(0),
            before: part(n),
            begins: part(2 * n),
            visited: part(3 * n),
            control: walker.control(),
            progress: walker.progress(),
            cancel: walker.cancel(),
            limit: u32::MAX,
            ..BfsArgs::zeroed()
        }
    }
}

/// Returns the words that the frontiers and bitmaps of a search take.
pub(crate) fn scratch_words(vertices: usize) -> usize {
    3 * vertices + 2 * vertices.div_ceil(32)
}

/// Returns the hops from a source, and a tree of shortest paths.
///
/// # Errors
/// When the source is not in the graph, when interrupted, when memory is short, or when the device fails.
pub(super) fn bfs(device_graph: &DeviceGraph, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    let (graph, machine) = (device_graph.graph(), Machine::new(device_graph.gpu(), options, "searching"));
    machine.check()?;
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let transferred = device_graph.transfer_seconds();
    let rows = Rows::new(&machine, device_graph)?;
    let kernel = machine.shaped(&*rows.module()?, "bfs_walk", WALK_BLOCK, 0)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);

    let n = graph.vertices();
    let (distances, parents) = (machine.array::<u32>(n, "distances")?, machine.array::<u32>(n, "parents")?);
    let scratch = machine.array::<u32>(scratch_words(n), "frontiers and bitmaps")?;
    let mut walker = Walker::new(&machine, options)?;
    let (log, logged) = walker.log();
    let args = BfsArgs {
        distances: distances.address(),
        parents: parents.address(),
        log,
        logged,
        source,
        limit: config.max_depth.unwrap_or(u32::MAX),
        ..rows.search(graph, &walker, scratch.address())
    };
    options.control.report(Bfs::NAME, 0, None);
    machine.check()?;
    // SAFETY: all arrays have n entries, and the bitmaps n bits; every vertex is listed at most once; all arrays live
    // until the wait.
    unsafe { walker.start(&kernel, &args)? };
    let report = |level| options.control.report(Bfs::NAME, level, None);
    walker.wait(report)?;
    report(walker.word(LEVELS));
    recorder.walked(walker.word(LEVELS));
    let bytes = distances.bytes() + parents.bytes() + scratch.bytes() + walker.bytes();
    let mut run = recorder.finish(Plan::AUTO, Halted::Converged, bytes);
    run.device_bytes = machine.gpu().peak();
    run.trace = walker.steps(|_| "in one kernel with all others".to_owned())?;
    let (distances, parents) = (fetched(&distances, &mut run)?, fetched(&parents, &mut run)?);
    Ok(BfsAnswer::new(graph, source, config.max_depth, distances, parents, run))
}
