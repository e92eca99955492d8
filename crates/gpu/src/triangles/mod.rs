//! Triangles: intersections of ordered lists \[1\], by binary search \[2\].
//!
//! Vertices are ordered by (arcs, number), and every vertex has the list of its neighbours above it ([`lists`]), which bounds lists
//! by sqrt(2 m). A triangle u < v < w is found once: at the entry v of u's list, as a w that is in the lists of both. Entries are
//! dealt to warps by 32; a thread looks up a short list in the other one, a warp a long one. With counts for every vertex,
//! each triangle is added at w by an atomic, and at u and v once an entry.
//!
//! Directions, self-loops and parallel edges take no part. O(m^1.5 log m) work. Memory: 4 bytes an edge for the lists, as much
//! again while those of both directions of a directed graph are merged; 12 a vertex for its counts.
//!
//! \[1\] T. Schank, D. Wagner, Finding, counting and listing all triangles in large graphs, WEA 2005. \[2\] Y. Hu, H. Liu, H. H. Huang,
//! TriCore: parallel triangle counting on GPUs, SC 2018. Departure: lists stay sorted by number, since they are parts of sorted rows.

mod lists;

use crate::{
    Resident,
    machine::{Grid, Machine},
    variants,
};
use bytemuck::Zeroable;
use lists::{Lists, Maker};
use std::time::Instant;
use warpgraph_core::{
    Algorithm, Direction, Halted, Options, Plan, Result,
    triangles::{Local, Triangles, TrianglesAnswer},
};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{Graph, Pages};

arguments! {
    /// Of the kernels of triangles.
    pub(crate) struct TrianglesArgs {
        /// Rows, or lists.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Address<u32>,
        /// Those of the other direction; null: the graph has one.
        pub(crate) other_offsets: Address<()>,
        pub(crate) other_targets: Address<u32>,
        pub(crate) vertices: u64,
        /// 1: what the other rows have is left out.
        pub(crate) unless_there: u64,
        /// A bit an arc: is it kept? And how many are, before each 32 of them.
        pub(crate) kept: Address<u32>,
        pub(crate) ranks: Address<()>,
        /// Get lists.
        pub(crate) first: Address<()>,
        pub(crate) list: Address<u32>,
        /// Gets the number of triangles.
        pub(crate) total: Address<u64>,
        /// Get those at every vertex, and its neighbours; null: nobody asks.
        pub(crate) counts: Address<u64>,
        pub(crate) degrees: Address<u32>,
        pub(crate) cancel: Address<u32>,
    }
}

/// A warp takes four words of 32 entries at a time: enough to make finding their rows cheap, and few, since lists differ in length.
const ENTRIES_A_THREAD: usize = 4;
/// The steps of a count, for who watches.
const STEPS: u64 = 2;

/// How many triangles there are, and where if that is asked.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub fn triangles(resident: &Resident, config: &Triangles, options: &Options) -> Result<TrianglesAnswer> {
    let machine = Machine::new(resident.gpu(), options, "counting triangles");
    machine.check()?;
    let transferred = resident.transfer_seconds();
    let mut maker = Maker::new(resident, &machine)?;
    let source = variants::triangles(resident.is_wide())?;
    let intersect = machine.kernel::<TrianglesArgs>(&source, "triangles_intersect")?;
    let mut recorder = machine.recorder(resident.transfer_seconds() - transferred);

    let n = resident.graph().vertices();
    let lists = maker.lists()?;
    recorder.step(n, Direction::Push, || format!("listed {} edges", lists.len()));
    options.control.report(Triangles::NAME, 1, Some(STEPS));
    machine.check()?;

    let total = machine.zeros::<u64>(1, "the number of triangles")?;
    let local = if config.local { Some(OnDevice::new(&machine, n)?) } else { None };
    let args = TrianglesArgs {
        total: total.address(),
        counts: local.as_ref().map_or(Address::NULL, |local| local.counts.address()),
        degrees: local.as_ref().map_or(Address::NULL, |local| local.degrees.address()),
        cancel: machine.gpu().cancel_address(),
        ..lists.args(n)
    };
    // SAFETY: entries of lists are vertices, and there is a count and a degree for each; all arrays live until the wait below.
    unsafe { machine.start(&intersect, Grid::For(lists.len().div_ceil(ENTRIES_A_THREAD) as u64), &args)? };
    let mut seen = machine.gpu().pinned::<u64>(1, "the number of triangles").map_err(crate::lift)?;
    machine.fetch(&mut seen, &total)?;
    recorder.step(n, Direction::Push, || format!("intersected lists: {} triangles", seen.get(0)));
    options.control.report(Triangles::NAME, STEPS, Some(STEPS));

    let state = lists.bytes() + local.as_ref().map_or(0, OnDevice::bytes);
    recorder.hold_on_device(machine.gpu().memory().map_or(0, |memory| memory.peak));
    let mut run = recorder.finish(Plan::bsp(None), Halted::Converged, state);
    let start = Instant::now();
    let local = local.map(|local| local.read(n)).transpose()?;
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(TrianglesAnswer::new(resident.graph(), seen.get(0), local, run))
}

/// Bytes of device memory that a count takes beside the graph's rows, at most.
pub(crate) fn bytes(graph: &Graph, offset: u64) -> u64 {
    lists::bytes(graph, offset) + 12 * graph.vertices() as u64
}

/// What is counted at every vertex.
struct OnDevice {
    counts: Array<u64>,
    degrees: Array<u32>,
}

impl OnDevice {
    fn new(machine: &Machine<'_>, vertices: usize) -> Result<Self> {
        let counts = machine.zeros(vertices, "triangles at vertices")?;
        Ok(Self { counts, degrees: machine.zeros(vertices, "neighbours of vertices")? })
    }

    fn bytes(&self) -> u64 {
        self.counts.bytes() + self.degrees.bytes()
    }

    fn read(&self, vertices: usize) -> Result<Local> {
        let mut local = Local { triangles: Pages::scratch(vertices)?, degrees: Pages::scratch(vertices)? };
        self.counts.read(&mut local.triangles).map_err(crate::lift)?;
        self.degrees.read(&mut local.degrees).map_err(crate::lift)?;
        Ok(local)
    }
}

impl Lists {
    /// What a kernel that goes along them is given.
    fn args(&self, vertices: usize) -> TrianglesArgs {
        TrianglesArgs {
            offsets: self.first.address().cast(),
            targets: self.entries.address(),
            vertices: vertices as u64,
            ..TrianglesArgs::zeroed()
        }
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use warpgraph_device::{
        Settings,
        simt::{Simt, SimtOptions},
    };

    /// Fixtures that a simulator is asked about have short lists; here most are longer than what one thread looks up.
    #[test]
    fn lists_that_are_too_long_for_a_thread_are_looked_up_by_its_warp() {
        let gpu = Simt::open(&Settings::default(), SimtOptions::default()).unwrap();
        let n = 100;
        let pairs = || (0..n).flat_map(|u| (u..n).map(move |v| (u, v)));
        // Every third edge points back, every fifth points both ways.
        let turned = pairs().map(|(u, v)| if (u + v) % 3 == 0 { (v, u) } else { (u, v) });
        let edges: Vec<_> = turned.chain(pairs().filter(|(u, v)| (u + v) % 5 == 0)).collect();
        for directed in [false, true] {
            let graph = Graph::from_edges(n as usize, &edges, directed).unwrap();
            let resident = Resident::new(&gpu, &graph);
            let answer = triangles(&resident, &Triangles::local(), &Options::default()).unwrap();
            assert_eq!(answer.triangles(), 100 * 99 * 98 / 6, "directed: {directed}");
            let local = answer.local().unwrap();
            assert!(local.triangles.iter().all(|&at| at == 99 * 98 / 2), "directed: {directed}");
            assert!(local.degrees.iter().all(|&degree| degree == 99), "directed: {directed}");
        }
    }
}
