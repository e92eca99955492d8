//! Betweenness from one source after the other, each by two persistent kernels: the search of [`crate::bfs`], which
//! lists its frontiers, and a walk along these lists that counts paths on the way out and gathers dependencies on the
//! way back.
//!
//! Sums are added up in any order. Counts of paths are f64. Once a count passes 2^900, a second walk along the same lists
//! counts with exponents, and so do those from later sources. On a directed graph, where that walk does not find
//! predecessors, and if a search has more levels than there is room for, this form gives up, and the filters take over.
//! Memory: 48 bytes per vertex, and 16 per level for up to 2^20 levels.

use super::Task;
use crate::{
    arguments::Edges,
    bfs::{BfsArgs, Rows, scratch_words},
    machine::Machine,
    variants,
    walk::{LEVELS, OWN, WALK_BLOCK, Walker},
    waves::fetched,
};
use warpgraph_core::{Algorithm, Direction, Halted, Options, Plan, Result, Run, bc::Bc};
use warpgraph_device::{Address, arguments};
use warpgraph_graph::{Pages, Vertex};

arguments! {
    /// The arguments of the walk along listed frontiers.
    pub(crate) struct BcWalkArgs {
        targets: Edges,
        vertices: u64,
        distances: Address<u32>,
        /// Per vertex: paths, sums over successors, and the terms of these sums; or, with exponents, the factors of counts,
        /// dependencies, and exponents.
        counts: Address<f64>,
        sums: Address<f64>,
        shares: Address<f64>,
        scores: Address<f64>,
        items: Address<u32>,
        before: Address<u32>,
        begins: Address<u32>,
        levels: Address<u64>,
        control: Address<u64>,
        cancel: Address<u32>,
        source: u32,
        zero: u32,
    }
}

/// Control words beside that of the second barrier: whether some vertex has too many paths, and the arcs of all
/// vertices that were reached.
pub(crate) const MANY_PATHS: usize = OWN + 1;
pub(crate) const ARCS_WALKED: usize = OWN + 2;
/// Three words that end the walk.
pub(crate) const ENDED: usize = OWN + 3;
/// The barrier of the walk that counts with exponents, and the three words that end it.
pub(crate) const SCALED_ARRIVED: usize = OWN + 6;
pub(crate) const SCALED_ENDED: usize = OWN + 7;

/// The most levels; on a small device, such as the simulator, so few that a test can have more.
const MOST_LEVELS: usize = 1 << 20;
const SMALL_LEVELS: usize = 1 << 12;
/// Graphs with at least this many arcs keep a GPU busy from one source; smaller ones use this form only if there are
/// few sources.
const MANY_ARCS: u64 = 1 << 22;
const FEW_SOURCES: usize = 4;

/// Returns true if this many sources may run one by one on a graph of this many arcs that a walker can search by hops.
pub(super) fn suits(config: &Bc, arcs: u64, sources: usize, options: &Options) -> bool {
    !options.deterministic && !config.endpoints && (arcs >= MANY_ARCS || sources <= FEW_SOURCES)
}

/// Returns the sums of all scores, the arcs of all vertices reached, and the report; `None` if this form gives up.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub(super) fn scores(
    task: Task<'_>,
    machine: &Machine<'_>,
    sources: &[Vertex],
) -> Result<Option<(Pages<f64>, u64, Run)>> {
    let Task { device_graph, options, .. } = task;
    let graph = device_graph.graph();
    let transferred = device_graph.transfer_seconds();
    let rows = Rows::new(machine, device_graph)?;
    let search = machine.shaped(&*rows.module()?, "bfs_walk", WALK_BLOCK, 0)?;
    let module = variants::bc_walk()?;
    let walk = machine.shaped(&module, "bc_walk", WALK_BLOCK, 0)?;
    let scaled_walk = machine.shaped(&module, "bc_walk_scaled", WALK_BLOCK, 0)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);

    let n = graph.vertices();
    let most = n.min(if machine.is_small() { SMALL_LEVELS } else { MOST_LEVELS });
    let scores = machine.zeros::<f64>(n, "scores")?;
    let decimals = machine.array::<f64>(3 * n, "counts and dependencies")?;
    let scratch = machine.array::<u32>(n + scratch_words(n), "distances and frontiers")?;
    let levels = machine.array::<u64>(2 * most, "levels")?;
    let after_distances = Address::new(scratch.address().raw() + 4 * n as u64);
    let decimal = |at: usize| Address::new(decimals.address().raw() + 8 * (at * n) as u64);
    let (mut total, mut bytes) = (0, scores.bytes() + decimals.bytes() + scratch.bytes() + levels.bytes());
    let mut is_scaled = false;
    for (done, &source) in sources.iter().enumerate() {
        machine.check()?;
        let mut walker = Walker::new(machine, options)?;
        let find = BfsArgs {
            distances: scratch.address(),
            levels: levels.address(),
            source,
            limit: most as u32,
            ..rows.search(graph, &walker, after_distances)
        };
        let args = BcWalkArgs {
            targets: rows.out.targets(),
            vertices: n as u64,
            distances: find.distances,
            counts: decimal(0),
            sums: decimal(1),
            shares: decimal(2),
            scores: scores.address(),
            items: find.items,
            before: find.before,
            begins: find.begins,
            levels: levels.address(),
            control: walker.control(),
            cancel: find.cancel,
            source,
            zero: 0,
        };
        // SAFETY: arrays have n entries, bitmaps n bits, and `levels` two numbers for each of the most levels; every
        // vertex is listed at most once; the second kernel runs after the first; all arrays live until the wait.
        unsafe {
            walker.start(&search, &find)?;
            walker.start(if is_scaled { &scaled_walk } else { &walk }, &args)?;
        }
        walker.wait(|_| {})?;
        let has_many = !is_scaled && walker.word(MANY_PATHS) != 0;
        if has_many && graph.is_directed() || walker.word(LEVELS) == most as u64 && most < n {
            return Ok(None);
        }
        if has_many {
            is_scaled = true;
            // SAFETY: as above; the lists of the search are still there.
            unsafe { walker.start(&scaled_walk, &args)? };
            walker.wait(|_| {})?;
        }
        total += walker.word(ARCS_WALKED);
        let levels = walker.word(LEVELS);
        let exponents = if is_scaled { ", counts with exponents" } else { "" };
        recorder.step(n, Direction::Push, || format!("1 source, {levels} levels{exponents}"));
        options.control.report(Bc::NAME, done as u64 + 1, Some(sources.len() as u64));
        if done == 0 {
            bytes += walker.bytes();
        }
    }
    let mut run = recorder.finish(Plan::AUTO, Halted::Converged, bytes);
    run.device_bytes = machine.gpu().peak();
    Ok(Some((fetched(&scores, &mut run)?, total, run)))
}
