//! Core numbers by one grid that runs at once: all waves of all levels, with a barrier between two waves instead of a launch and a wait.
//!
//! As in filters, but a look takes those of the next level at once, and goes again only if there are none; the list of those left is
//! made anew when a quarter of it has gone; and waves of a few vertices are gone through by one block alone. What each level took is
//! logged for the host. There are sqrt(2 * arcs) + 1 levels at most, since core numbers add up to no more than arcs.
//! Memory: 16 bytes a vertex, and 16 a level.

use super::NO_DEGREE;
use crate::{Resident, machine::Machine, resident::Side, variants, waves};
use warpgraph_core::{
    Algorithm, Direction, Halted, Options, Plan, Result,
    kcore::{Kcore, KcoreAnswer, too_many_arcs},
};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{Graph, Vertex};

/// Threads a block: a multiprocessor's share of one barrier should be one arrival or two.
const THREADS: u32 = 1024;
/// A row of so many arcs is shared by a block, and a wave of so many is left to one.
const HUB: u64 = 1024;
const ALONE: u64 = 2048;
/// On small devices, whose graphs are small too.
const SMALL_HUB: u64 = 48;
const SMALL_ALONE: u64 = 64;

/// What kernels know by name: degrees, blocks a multiprocessor at least, and how many rows a block shares at a time.
pub(crate) const DEFINES: &[(&str, u32)] =
    &[("NO_DEGREE", NO_DEGREE), ("RESIDENT_THREADS", THREADS), ("RESIDENT_BLOCKS", 1), ("HUBS", 64)];

/// Counters: three phases of six numbers, a degree that is too great, how many levels there were, and how often blocks arrived.
const TOO_GREAT: usize = 18;
const LEVELS: usize = 19;
const ARRIVED: usize = 20;
const COUNTERS: usize = 21;

arguments! {
    /// Of the kernel that peels.
    pub(crate) struct ResidentArgs {
        /// Rows out, and in; null: they are the same.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Address<u32>,
        pub(crate) in_offsets: Address<()>,
        pub(crate) in_targets: Address<u32>,
        pub(crate) vertices: u64,
        /// Arcs to vertices that are still there, or the core number of one that is not.
        pub(crate) degrees: Address<u32>,
        /// All that went, in the order of their going.
        pub(crate) queue: Address<u32>,
        /// Get those that may still be there, in turn.
        pub(crate) left: Address<u32>,
        pub(crate) spare: Address<u32>,
        /// What phases count, zeros first.
        pub(crate) phases: Address<u64>,
        pub(crate) arrived: Address<u32>,
        /// Gets a degree that is too great.
        pub(crate) too_great: Address<u64>,
        /// Get the number of levels, and of each its number, waves << 32, and how many went.
        pub(crate) levels: Address<u64>,
        pub(crate) log: Address<u64>,
        pub(crate) cancel: Address<u32>,
        pub(crate) has_loops: u64,
        /// Arcs of a row that a block shares, and of a wave that is left to one.
        pub(crate) hub: u64,
        pub(crate) alone: u64,
    }
}

/// The core number of every vertex, by plan `auto`.
pub(super) fn kcore(resident: &Resident, options: &Options) -> Result<KcoreAnswer> {
    let (graph, machine) = (resident.graph(), Machine::new(resident.gpu(), options, "peeling"));
    machine.check()?;
    let transferred = resident.transfer_seconds();
    let out = resident.rows(Side::Out)?;
    let incoming = if graph.is_directed() { Some(resident.rows(Side::In)?) } else { None };
    let source = variants::cores(resident.is_wide())?;
    let kernel = machine.shaped::<ResidentArgs>(&source, "kcore_resident", THREADS, 0)?;
    let mut recorder = machine.recorder(resident.transfer_seconds() - transferred);

    let n = graph.vertices();
    let queue = || machine.array::<Vertex>(n, "a queue");
    let (degrees, lists) = (machine.array(n, "degrees")?, [queue()?, queue()?, queue()?]);
    let log = machine.array::<u64>(2 * levels(graph) as usize, "levels")?;
    let counters = machine.zeros::<u64>(COUNTERS, "counters")?;
    let counter = |which: usize| Address::new(counters.address().raw() + 8 * which as u64);
    let (hub, alone) = if machine.is_small() { (SMALL_HUB, SMALL_ALONE) } else { (HUB, ALONE) };
    let args = ResidentArgs {
        offsets: out.offsets(),
        targets: out.targets(),
        in_offsets: incoming.as_ref().map_or(Address::NULL, |rows| rows.offsets()),
        in_targets: incoming.as_ref().map_or(Address::NULL, |rows| rows.targets()),
        vertices: n as u64,
        degrees: degrees.address(),
        queue: lists[0].address(),
        left: lists[1].address(),
        spare: lists[2].address(),
        phases: counters.address(),
        arrived: counter(ARRIVED).cast(),
        too_great: counter(TOO_GREAT),
        levels: counter(LEVELS),
        log: log.address(),
        cancel: machine.gpu().cancel_address(),
        has_loops: u64::from(graph.counts().self_loops > 0),
        hub,
        alone,
    };
    // SAFETY: rows are the graph's; each vertex joins the queue once, and lists hold no duplicates, so that all find room; there are no more
    // levels than the log has room for; all arrays live until the wait.
    unsafe { machine.start_resident(&kernel, u32::MAX, &args)? };
    let mut seen = machine.gpu().pinned::<u64>(COUNTERS, "counters").map_err(crate::lift)?;
    machine.fetch(&mut seen, &counters)?;
    match seen.get(TOO_GREAT) {
        0 => {}
        degree => return Err(too_many_arcs(degree)),
    }
    let mut levels = vec![0; 2 * seen.get(LEVELS) as usize];
    log.read(&mut levels).map_err(crate::lift)?;
    for level in levels.chunks_exact(2) {
        let note = || format!("core number {}, {} waves", level[0] as u32, level[0] >> 32);
        recorder.step(level[1] as usize, Direction::Push, note);
    }
    options.control.report(Kcore::NAME, n as u64, Some(n as u64));
    recorder.hold_on_device(machine.gpu().memory().map_or(0, |memory| memory.peak));
    let bytes = degrees.bytes() + lists.iter().map(Array::bytes).sum::<u64>() + log.bytes();
    let mut run = recorder.finish(Plan::Auto, Halted::Converged, bytes);
    let cores = waves::fetched(&degrees, &mut run)?;
    Ok(KcoreAnswer::new(graph, cores, run))
}

/// How many levels there are at most.
fn levels(graph: &Graph) -> u64 {
    let arcs = graph.arcs() as u64 * if graph.is_directed() { 2 } else { 1 };
    ((2 * arcs).isqrt() + 1).min(graph.vertices() as u64)
}

/// Bytes of the log of levels and of counters.
pub(crate) fn bytes(graph: &Graph) -> u64 {
    16 * levels(graph) + 8 * COUNTERS as u64
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use warpgraph_core::Answer;
    use warpgraph_device::{
        Settings,
        simt::{Simt, SimtOptions},
    };
    use warpgraph_graph::{Control, generate::Spec};

    /// Waves of all lengths, rows longer than a block, levels that nobody has.
    #[test]
    fn the_grid_finds_what_filters_find_in_the_same_levels() {
        let gpu = Simt::open(&Settings::default(), SimtOptions::default()).unwrap();
        for spec in ["kron:10", "kron:9,directed", "uniform:9,degree=12"] {
            let graph = Spec::parse(spec).unwrap().generate(&Control::new()).unwrap();
            let resident = Resident::new(&gpu, &graph);
            let run = |plan: &str| {
                let options = Options { plan: plan.parse().unwrap(), trace: true, ..Options::default() };
                crate::kcore(&resident, &Kcore {}, &options).unwrap()
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
