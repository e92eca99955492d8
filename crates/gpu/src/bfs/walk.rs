//! Direction-optimising search \[1\] by one persistent kernel over bitmaps.
//!
//! Short frontiers push, by lists and the walker's balance; once the frontier's arcs are a share of those not yet looked at, everyone not yet
//! visited pulls. On a directed graph it pulls only if incoming arcs are there already. Distances are the same run after run, parents are
//! those who came first.
//!
//! Work O(n + m). Memory: 16 bytes and 2 bits a vertex.
//!
//! \[1\] S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012. Departures: pulling looks for visited
//! neighbours, not for those of the frontier, which comes to the same; the frontier is listed when it is needed.

use crate::{
    Resident,
    machine::Machine,
    resident::Side,
    variants,
    walk::{LEVELS, WALK_BLOCK, Walker},
    waves::fetched,
};
use warpgraph_core::{
    Algorithm, Halted, Options, Plan, Result,
    bfs::{Bfs, BfsAnswer},
};
use warpgraph_device::{Address, arguments};

arguments! {
    /// Of the walking search.
    pub(crate) struct BfsArgs {
        pub(crate) out_offsets: Address<()>,
        pub(crate) out_targets: Address<u32>,
        /// Null: no pulling.
        pub(crate) in_offsets: Address<()>,
        pub(crate) in_targets: Address<u32>,
        pub(crate) vertices: u64,
        pub(crate) arcs: u64,
        pub(crate) distances: Address<u32>,
        /// Null: nobody asks.
        pub(crate) parents: Address<u32>,
        /// Two bitmaps, one after the other.
        pub(crate) visited: Address<u32>,
        /// Lists of all frontiers, one after the other.
        pub(crate) items: Address<u32>,
        pub(crate) before: Address<u32>,
        /// Gets two numbers a frontier: its tally; where it begins, and whether it has a long row. Null: nobody asks.
        pub(crate) levels: Address<u64>,
        pub(crate) control: Address<u64>,
        pub(crate) log: Address<u64>,
        pub(crate) progress: Address<u32>,
        pub(crate) cancel: Address<u32>,
        pub(crate) source: u32,
        /// Levels at most.
        pub(crate) limit: u32,
        /// Levels that have room in the log.
        pub(crate) logged: u32,
        pub(crate) zero: u32,
    }
}

/// Hops from a source, and a tree.
///
/// # Errors
/// As [`super::bfs`].
pub(super) fn bfs(resident: &Resident, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    let (graph, machine) = (resident.graph(), Machine::new(resident.gpu(), options, "searching"));
    machine.check()?;
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let transferred = resident.transfer_seconds();
    let out = resident.rows(Side::Out)?;
    let incoming = if resident.has_incoming() { Some(resident.rows(Side::In)?) } else { None };
    let kernel = machine.shaped(&*variants::bfs()?, "bfs_walk", WALK_BLOCK, 0)?;
    let mut recorder = machine.recorder(resident.transfer_seconds() - transferred);

    let n = graph.vertices();
    let words = n.div_ceil(32);
    let (distances, parents) = (machine.array::<u32>(n, "distances")?, machine.array::<u32>(n, "parents")?);
    let scratch = machine.array::<u32>(2 * (n + words), "frontiers and bitmaps")?;
    let part = |at: usize| Address::new(scratch.address().raw() + 4 * at as u64);
    let mut walker = Walker::new(&machine, options)?;
    let (log, logged) = walker.log();
    let args = BfsArgs {
        out_offsets: out.offsets(),
        out_targets: out.targets(),
        in_offsets: incoming.as_ref().map_or(Address::NULL, |rows| rows.offsets()),
        in_targets: incoming.as_ref().map_or(Address::NULL, |rows| rows.targets()),
        vertices: n as u64,
        arcs: graph.arcs() as u64,
        distances: distances.address(),
        parents: parents.address(),
        items: part(0),
        before: part(n),
        visited: part(2 * n),
        levels: Address::NULL,
        control: walker.control(),
        log,
        progress: walker.progress(),
        cancel: machine.gpu().cancel_address(),
        source,
        limit: config.max_depth.unwrap_or(u32::MAX),
        logged,
        zero: 0,
    };
    // SAFETY: arrays of n entries, and bitmaps of n bits; every vertex is listed once at most; all live until the wait.
    unsafe { walker.start(&kernel, &args)? };
    walker.wait(|level| options.control.report(Bfs::NAME, level, None))?;
    recorder.walked(walker.word(LEVELS));
    let bytes = distances.bytes() + parents.bytes() + scratch.bytes() + walker.bytes();
    let mut run = recorder.finish(Plan::Auto, Halted::Converged, bytes);
    run.device_bytes = machine.gpu().memory().map_or(0, |memory| memory.peak);
    run.trace = walker.steps(|arcs| format!("{arcs} arcs"))?;
    let (distances, parents) = (fetched(&distances, &mut run)?, fetched(&parents, &mut run)?);
    Ok(BfsAnswer::new(graph, source, config.max_depth, distances, parents, run))
}
