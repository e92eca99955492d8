//! Core numbers by a persistent kernel: a coresident grid runs the waves of all levels, with a barrier between two
//! waves instead of a launch and a wait. A launch runs about a thousand phases, so that the host can report progress; a
//! long chain needs few phases, since one block runs its short waves alone.
//!
//! The algorithm is that of the filters, with three differences. A look takes the vertices of the next level at once,
//! and looks again only if there are none. The list of remaining vertices is rebuilt when a quarter of its vertices are
//! gone. One block alone runs waves of a few vertices. The kernel logs each level for the host. There are at most
//! sqrt(2 * arcs) + 1 levels, since core numbers add up to at most the number of arcs. Memory: 16 bytes per vertex, and
//! 16 per level.

use super::NO_DEGREE;
use crate::{
    DeviceGraph, arguments::Edges, device_graph::Side, machine::Machine, memory::Extent, variants, waves,
};
use warpgraph_core::{
    Algorithm, Direction, Halted, Options, Plan, Result,
    kcore::{Kcore, KcoreAnswer, too_many_arcs},
};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::Vertex;

/// Threads per block: a multiprocessor should contribute only one or two arrivals to each barrier.
const THREADS: u32 = 1024;
/// The sizes that divide the work.
struct Sizes {
    /// A block shares rows of at least `hub` arcs; one block alone runs waves of about `alone` arcs.
    hub: u64,
    alone: u64,
    /// The most waves that one block runs in a phase, and the most phases per launch.
    news: u64,
    phases: u64,
}

const SIZES: Sizes = Sizes { hub: 1024, alone: 2048, news: 256, phases: 1024 };
/// The sizes on small devices, whose graphs are small too.
const SMALL_SIZES: Sizes = Sizes { hub: 48, alone: 64, news: 4, phases: 1 };

/// Constants of the kernel: no degree, threads per block, blocks per multiprocessor, the rows that a block shares at a
/// time, and the arcs that a lane has in flight.
pub(crate) const DEFINES: &[(&str, u32)] = &[
    ("NO_DEGREE", NO_DEGREE),
    ("PERSISTENT_THREADS", THREADS),
    ("PERSISTENT_BLOCKS", 1),
    ("HUBS", 64),
    ("WINDOWS", 4),
];

/// Counters of phases: three slots of six numbers, then the arrivals at the barrier.
const ARRIVED: usize = 18;
const PHASES: usize = 19;
/// Indices into the ten numbers of progress: a degree that is too great, the vertices removed before this level, all
/// vertices removed, and the levels done.
const TOO_GREAT: usize = 1;
const GONE: usize = 2;
const PEELED: usize = 3;
const LEVELS: usize = 7;
const PROGRESS: usize = 10;

arguments! {
    /// The arguments of the kernel that peels.
    pub(crate) struct PersistentArgs {
        /// Outgoing rows, and incoming rows; the latter are null if they are the same.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        pub(crate) in_offsets: Address<()>,
        pub(crate) in_targets: Edges,
        pub(crate) vertices: u64,
        /// Arcs to vertices that remain; for a removed vertex, its core number.
        pub(crate) degrees: Address<u32>,
        /// All removed vertices, in the order of their removal.
        pub(crate) queue: Address<u32>,
        /// Receive the vertices that may still remain, in turn.
        pub(crate) left: Address<u32>,
        pub(crate) spare: Address<u32>,
        /// Counters of phases, zero at first; the barrier; and the most phases per launch.
        pub(crate) phases: Address<u64>,
        pub(crate) arrived: Address<u32>,
        pub(crate) phases_at_most: u64,
        /// Progress of the grid, zero at first.
        pub(crate) progress: Address<u64>,
        /// Receives two numbers per level: its number with its waves << 32, and the vertices removed.
        pub(crate) log: Address<u64>,
        pub(crate) cancel: Address<u32>,
        /// One of `LOOPS_` in `kernels/rows.cuh`.
        pub(crate) loops: u64,
        /// The shortest row that a block shares, and the most arcs of a wave that one block runs alone.
        pub(crate) hub: u64,
        pub(crate) alone: u64,
        /// The most waves that one block runs before it returns to the barrier.
        pub(crate) news: u64,
    }
}

/// Returns the core number of every vertex, for an open plan.
pub(super) fn kcore(device_graph: &DeviceGraph, options: &Options) -> Result<KcoreAnswer> {
    let (graph, machine) = (device_graph.graph(), Machine::new(device_graph.gpu(), options, "peeling"));
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let out = device_graph.rows(Side::Out)?;
    let incoming = if graph.is_directed() { Some(device_graph.rows(Side::In)?) } else { None };
    let source = variants::cores(device_graph.is_wide())?;
    let kernel = machine.shaped::<PersistentArgs>(&source, "kcore_persistent", THREADS, 0)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);

    let n = graph.vertices();
    let queue = || machine.array::<Vertex>(n, "a queue");
    let (degrees, lists) = (machine.array(n, "degrees")?, [queue()?, queue()?, queue()?]);
    let log = machine.array::<u64>(2 * levels(graph) as usize, "levels")?;
    let mut phases = machine.array::<u64>(PHASES, "what phases count")?;
    let progress = machine.zeros::<u64>(PROGRESS, "progress")?;
    let sizes = if machine.is_small() { SMALL_SIZES } else { SIZES };
    let args = PersistentArgs {
        offsets: out.offsets(),
        targets: out.targets(),
        in_offsets: incoming.as_ref().map_or(Address::NULL, |rows| rows.offsets()),
        in_targets: incoming.as_ref().map_or(Edges::NONE, |rows| rows.targets()),
        vertices: n as u64,
        degrees: degrees.address(),
        queue: lists[0].address(),
        left: lists[1].address(),
        spare: lists[2].address(),
        phases: phases.address(),
        arrived: Address::new(phases.address().raw() + 8 * ARRIVED as u64),
        phases_at_most: sizes.phases,
        progress: progress.address(),
        log: log.address(),
        cancel: machine.gpu().cancel_address(),
        loops: u64::from(graph.counts().self_loops > 0),
        hub: sizes.hub,
        alone: sizes.alone,
        news: sizes.news,
    };
    let mut seen = machine.gpu().pinned::<u64>(PROGRESS, "progress").map_err(crate::lift)?;
    loop {
        machine.check()?;
        phases.fill_bytes(0).map_err(crate::lift)?;
        // SAFETY: the rows belong to the graph; each vertex joins the queue once, and lists hold no duplicates, so
        // there is room for all; there are no more levels than the log has room for; all arrays live until the wait.
        unsafe { machine.start_coresident(&kernel, u32::MAX, &args)? };
        machine.fetch(&mut seen, &progress)?;
        match seen.get(TOO_GREAT) {
            0 => {}
            degree => return Err(too_many_arcs(degree)),
        }
        options.control.report(Kcore::NAME, seen.get(PEELED), Some(args.vertices));
        if seen.get(GONE) == args.vertices {
            break;
        }
    }
    let mut levels = vec![0; 2 * seen.get(LEVELS) as usize];
    log.read(&mut levels).map_err(crate::lift)?;
    for level in levels.chunks_exact(2) {
        let note = || format!("core number {}, {} waves", level[0] as u32, level[0] >> 32);
        recorder.step(level[1] as usize, Direction::Push, note);
    }
    recorder.hold_on_device(machine.gpu().peak());
    let bytes = degrees.bytes() + lists.iter().map(Array::bytes).sum::<u64>() + log.bytes();
    let mut run = recorder.finish(Plan::AUTO, Halted::Converged, bytes);
    let cores = waves::fetched(&degrees, &mut run)?;
    Ok(KcoreAnswer::new(graph, cores, run))
}

/// Returns the most levels there can be.
fn levels(graph: &dyn Extent) -> u64 {
    let arcs = graph.arcs() as u64 * if graph.is_directed() { 2 } else { 1 };
    ((2 * arcs).isqrt() + 1).min(graph.vertices() as u64)
}

/// Returns the bytes of the log of levels and of the arrays of fixed size.
pub(crate) fn bytes(graph: &dyn Extent) -> u64 {
    16 * levels(graph) + 8 * (PHASES + PROGRESS) as u64
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::testing::{generated, simt};
    use warpgraph_core::Answer;

    /// Covers waves of all lengths, rows longer than a block, and levels without vertices.
    #[test]
    fn the_grid_finds_what_filters_find_in_the_same_levels() {
        let gpu = simt();
        for spec in ["kron:10", "kron:9,directed", "uniform:9,degree=12"] {
            let graph = generated(spec);
            let device_graph = DeviceGraph::new(&gpu, &graph);
            let run = |plan: &str| {
                let options = Options { plan: plan.parse().unwrap(), trace: true, ..Options::default() };
                crate::kcore(&device_graph, &Kcore {}, &options).unwrap()
            };
            let (by_grid, by_filters) = (run("auto"), run("node"));
            assert_eq!(by_grid.cores(), by_filters.cores(), "{spec}");
            assert_eq!(by_grid.run().rounds, by_filters.run().rounds, "{spec}");
            let gone = |answer: &KcoreAnswer| {
                answer.run().trace.iter().map(|step| step.frontier).collect::<Vec<_>>()
            };
            assert_eq!(gone(&by_grid), gone(&by_filters), "{spec}");
        }
    }
}
