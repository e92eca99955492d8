//! Triangles: straight from the rows where these have few pairs of neighbours ([`tails`]), otherwise from lists of
//! neighbours, looked up in tables in shared memory \[1\].
//!
//! For lists, vertices are ranked by decreasing degree ([`order`]), and every vertex has the list of its neighbours before it
//! ([`lists`]), which bounds lists by sqrt(9/4 m). A triangle w < v < u is found once: v's list is put into a table,
//! and the lists of all neighbours u behind v are read up to v and looked up in it. So each pair of entries of a list
//! is looked at once; on skewed graphs this is a third to a quarter of the work of reading v's list for every u. And
//! since hubs have the least ranks, nearly all entries that are looked up have a bit of their own in the table, and few
//! are hashed.
//!
//! A block takes a vertex with many neighbours behind it, in shares of its arcs; a warp takes any other vertex. With
//! counts per vertex, each triangle is added at w by one atomic, at u once per list, and at v once per lane and 32
//! neighbours.
//!
//! Directions, self-loops and parallel edges are ignored. O(m^1.5) work. Memory: 4 bytes per edge for the lists; half a
//! byte per arc for shares and for building lists, one byte if the graph is directed; 8 bytes per vertex for ranks, 24
//! while they are computed; 12 bytes per vertex for its counts. Without lists, 8 bytes per vertex.
//!
//! \[1\] S. Pandey et al., TRUST: triangle counting reloaded on GPUs, IEEE TPDS 2021. Departure: the kernel reads the
//! list of the first end of an edge, up to the second end, and tables are bitmaps first.

mod lists;
mod order;
mod tails;

use crate::{
    DeviceGraph, OnGpu, Outline,
    arguments::Edges,
    device_graph::{DeviceRows, Side},
    form::general,
    machine::{BLOCK, Grid, Launch, Machine},
    memory::{Extent, FIXED, Footprint, offset, rows},
    variants,
};
use bytemuck::Zeroable;
use lists::Maker;
use order::Ranker;
use std::{sync::Arc, time::Instant};
use tails::{ByTails, Tails};
use warpgraph_core::{
    Algorithm, Code, Direction, Form, Halted, Options, Plan, Recorder, Residency, Result,
    triangles::{Local, Triangles, TrianglesAnswer},
};
use warpgraph_device::{Address, Array, Source, arguments};
use warpgraph_graph::Pages;

arguments! {
    /// The arguments of the kernels of triangles.
    pub(crate) struct TrianglesArgs {
        /// The rows.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        /// The rows of the other direction; null if the graph is undirected or the kernel does not need them.
        pub(crate) other_offsets: Address<()>,
        pub(crate) other_targets: Edges,
        pub(crate) vertices: u64,
        /// The keys that vertices are sorted by, the vertices in order, and the rank of each vertex.
        pub(crate) keys: Address<u64>,
        pub(crate) order: Address<u32>,
        pub(crate) rank: Address<u32>,
        /// One bit per arc: 1 if it is kept. And the number of kept arcs before each 32 arcs.
        pub(crate) kept: Address<u32>,
        pub(crate) before: Address<()>,
        /// The lists, and the number of their entries.
        pub(crate) first: Address<()>,
        pub(crate) list: Address<u32>,
        pub(crate) entries: Address<u64>,
        /// 1 if these arcs are listed behind those of the other direction.
        pub(crate) behind: u64,
        /// Shares of arcs, their number, and the next ticket for a portion of the work.
        pub(crate) shares: Address<u64>,
        pub(crate) shared: Address<u64>,
        pub(crate) next: Address<u64>,
        /// For each vertex, where its neighbours with greater numbers begin in its row, and above bit 40 how many there
        /// are. And what receives the number of pairs of such neighbours of a vertex, and the greatest of these numbers.
        pub(crate) tails: Address<u64>,
        pub(crate) pairs: Address<u64>,
        pub(crate) longest: Address<u64>,
        /// Receives the number of triangles.
        pub(crate) total: Address<u64>,
        /// Receive the triangles and the neighbours of every vertex; null if the caller does not want them.
        pub(crate) counts: Address<u64>,
        pub(crate) degrees: Address<u32>,
        pub(crate) cancel: Address<u32>,
        /// See [`Sizes`].
        pub(crate) sorted: u32,
        pub(crate) near: u32,
        pub(crate) piece: u32,
        pub(crate) heavy: u32,
        pub(crate) share: u64,
    }
}

/// The sizes that divide the work.
#[derive(Clone, Copy)]
struct Sizes {
    /// The longest list that is sorted, a power of two.
    sorted: u32,
    /// Ranks before this one have a bit in the table of a block.
    near: u32,
    /// Entries of a list that are hashed at a time.
    piece: u32,
    /// A block takes vertices with at least this many neighbours behind them.
    heavy: u32,
    /// Arcs that a block takes at a time.
    share: u64,
}

/// Sizes that fit into shared memory with six blocks per multiprocessor.
const SIZES: Sizes = Sizes { sorted: 4096, near: 1 << 17, piece: 1024, heavy: 64, share: 4096 };
/// Sizes for small devices, whose graphs are small too: small enough that tests cover all paths.
const SMALL_SIZES: Sizes = Sizes { sorted: 64, near: 32, piece: 16, heavy: 8, share: 64 };

/// The shared memory that kernels reserve for [`SIZES`]: tables have twice as many slots as entries.
pub(crate) const DEFINES: &[(&str, u32)] = &[
    ("SORTED", SIZES.sorted),
    ("NEAR", SIZES.near),
    ("SLOTS", 2 * SIZES.piece),
    ("WARP_SLOTS", 512),
    ("BLOCK_WARPS", BLOCK / 32),
    ("HEAVY_BLOCKS", 6),
    ("PLACE_BITS", tails::PLACE_BITS),
    ("WORDS_PER_TICKET", tails::WORDS_PER_TICKET),
];
/// The steps of a count, for the progress report.
const STEPS: u64 = 2;

/// Indices of counters: the number of shares, the next tickets of the two kernels, and the triangles.
const SHARED: usize = 0;
const NEXT: usize = 1;
const NEXT_LIGHT: usize = 2;
const TOTAL: usize = 3;
const COUNTERS: usize = 4;

impl OnGpu for Triangles {
    fn form(&self, _: &dyn Extent, _: &Options) -> Form {
        general::<Self>()
    }

    fn bytes(&self, graph: &dyn Extent, _: Form, _: &Options) -> Footprint {
        let local = if self.local { 12 * graph.vertices() as u64 } else { 0 };
        rows(graph, graph.is_directed(), 0) + bytes(graph, offset(graph), local) + FIXED
    }

    fn answer(&self, device_graph: &DeviceGraph, _: Form, options: &Options) -> Result<TrianglesAnswer> {
        triangles(device_graph, self, options)
    }

    fn ahead(&self, outline: &Outline, _: &Options) -> Result<Vec<Arc<Source>>> {
        Ok(vec![
            variants::triangles(outline.wide)?,
            variants::sort()?,
            variants::scan(false)?,
            variants::scan(outline.wide)?,
        ])
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        variants::of_both_widths(variants::triangles)
    }
}

/// Returns the number of triangles, and the number per vertex if the configuration asks for it.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
fn triangles(device_graph: &DeviceGraph, config: &Triangles, options: &Options) -> Result<TrianglesAnswer> {
    let machine = Machine::new(device_graph.gpu(), options, "counting triangles");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let rows = Rows::new(device_graph)?;
    let source = variants::triangles(device_graph.is_wide())?;
    let by_tails =
        if takes_tails(device_graph, options) { Some(ByTails::new(&machine, &source)?) } else { None };
    let by_lists = ByLists::new(&machine, &source, device_graph.is_wide())?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);

    let n = device_graph.graph().vertices();
    let args = rows.args(n, if machine.is_small() { SMALL_SIZES } else { SIZES });
    let args = TrianglesArgs { cancel: machine.gpu().cancel_address(), ..args };
    let mut count = Count { machine: &machine, config, rows: &rows, recorder: &mut recorder, local: None };
    let tails = by_tails.as_ref().map(|by| by.cut(rows.out.arcs(), args)).transpose()?.flatten();
    let (found, state) = match (by_tails, tails) {
        (Some(by), Some(tails)) => count.by_tails(&by, tails, args)?,
        _ => count.by_lists(by_lists, args)?,
    };
    let local = count.local;
    recorder.hold_on_device(machine.gpu().peak());
    let state = state + local.as_ref().map_or(0, OnDevice::bytes);
    let mut run = recorder.finish(Plan::bsp(None), Halted::Converged, state);
    let start = Instant::now();
    let local = local.map(|local| local.read(n)).transpose()?;
    run.fetch_seconds += start.elapsed().as_secs_f64();
    Ok(TrianglesAnswer::new(device_graph.graph(), found, local, run))
}

/// Returns true if a run may count from rows alone: they have both directions of every edge, and random reads of them
/// stay on the device.
fn takes_tails(device_graph: &DeviceGraph, options: &Options) -> bool {
    let plain = |residency: Residency| residency.is_on_device() && residency.code() == Code::Plain;
    !device_graph.graph().is_directed() && options.plan.residency.is_none_or(plain)
}

/// A count that is under way.
struct Count<'c, 'a> {
    machine: &'c Machine<'a>,
    config: &'c Triangles,
    rows: &'c Rows,
    recorder: &'c mut Recorder,
    /// The counts of every vertex, if the caller wants them.
    local: Option<OnDevice>,
}

impl Count<'_, '_> {
    /// Returns the number of triangles and the bytes that finding it took.
    fn by_tails(
        &mut self,
        by: &ByTails<'_, '_>,
        mut tails: Tails,
        args: TrianglesArgs,
    ) -> Result<(u64, u64)> {
        self.counting("cut rows".to_owned(), args.vertices)?;
        let found = by.count(&mut tails, self.rows.out.arcs(), self.args(args))?;
        self.counted(found, args.vertices);
        Ok((found, tails.bytes()))
    }

    /// Does the same from lists of neighbours.
    fn by_lists(&mut self, mut by: ByLists<'_, '_>, args: TrianglesArgs) -> Result<(u64, u64)> {
        let ranked = by.ranker.ranked(self.machine, args)?;
        let lists = by.maker.lists(&self.rows.out, self.rows.incoming.as_deref(), &ranked, args)?;
        self.counting(format!("listed {} edges", lists.len()), args.vertices)?;
        let shares = self.machine.array(self.rows.shares(args) as usize, "shares of arcs")?;
        let args = TrianglesArgs {
            order: ranked.order.address(),
            rank: ranked.rank.address(),
            first: lists.first.address().cast(),
            list: lists.entries.address(),
            ..self.args(args)
        };
        let found = by.counting.run(self.machine, &shares, lists.len(), args)?;
        self.counted(found, args.vertices);
        Ok((found, lists.bytes() + ranked.bytes() + shares.bytes()))
    }

    /// Ends the first step, and allocates the counts of every vertex.
    fn counting(&mut self, did: String, vertices: u64) -> Result<()> {
        let vertices = vertices as usize;
        self.recorder.step(vertices, Direction::Push, || did);
        self.machine.options().control.report(Triangles::NAME, 1, Some(STEPS));
        self.machine.check()?;
        self.local = if self.config.local { Some(OnDevice::new(self.machine, vertices)?) } else { None };
        Ok(())
    }

    fn counted(&mut self, found: u64, vertices: u64) {
        self.recorder
            .step(vertices as usize, Direction::Push, || format!("looked up lists: {found} triangles"));
        self.machine.options().control.report(Triangles::NAME, STEPS, Some(STEPS));
    }

    /// Adds the addresses of the counts of every vertex.
    fn args(&self, args: TrianglesArgs) -> TrianglesArgs {
        let local = self.local.as_ref();
        TrianglesArgs {
            counts: local.map_or(Address::NULL, |local| local.counts.address()),
            degrees: local.map_or(Address::NULL, |local| local.degrees.address()),
            ..args
        }
    }
}

/// The kernels that count from lists.
struct ByLists<'m, 'a> {
    ranker: Ranker,
    maker: Maker<'m, 'a>,
    counting: Counting,
}

impl<'m, 'a> ByLists<'m, 'a> {
    fn new(machine: &'m Machine<'a>, source: &Source, wide: bool) -> Result<Self> {
        Ok(Self {
            ranker: Ranker::new(machine, source)?,
            maker: Maker::new(machine, source, wide)?,
            counting: Counting::new(machine, source)?,
        })
    }
}

/// Returns the most bytes of device memory that a count takes beside the graph's rows; `local` are those of the counts
/// of every vertex.
fn bytes(graph: &dyn Extent, offset: u64, local: u64) -> u64 {
    let n = graph.vertices() as u64;
    let sides = if graph.is_directed() { 2 } else { 1 };
    let shares = [SIZES, SMALL_SIZES]
        .map(|sizes| shares(n, sides * graph.arcs() as u64, u64::from(sizes.heavy), sizes.share));
    let shares = shares[0].max(shares[1]);
    let counting = lists::bytes(graph, offset) + 8 * shares + local;
    order::bytes(n).max(8 * n + counting)
}

/// Returns the most shares of arcs there can be: a heavy vertex has at least `heavy` arcs, and one share that is not
/// full.
fn shares(vertices: u64, arcs: u64, heavy: u64, share: u64) -> u64 {
    (arcs / heavy).min(vertices) + arcs / share
}

/// The rows of a graph, on the device.
struct Rows {
    out: Arc<DeviceRows>,
    /// Only of a directed graph.
    incoming: Option<Arc<DeviceRows>>,
}

impl Rows {
    fn new(device_graph: &DeviceGraph) -> Result<Self> {
        let out = device_graph.rows(Side::Out)?;
        let incoming =
            if device_graph.graph().is_directed() { Some(device_graph.rows(Side::In)?) } else { None };
        Ok(Self { out, incoming })
    }

    /// Returns the most shares of arcs there can be, with the sizes of `args`.
    fn shares(&self, args: TrianglesArgs) -> u64 {
        let arcs = self.out.arcs() + self.incoming.as_ref().map_or(0, |rows| rows.arcs());
        shares(args.vertices, arcs as u64, u64::from(args.heavy), args.share)
    }

    /// Returns the arguments that describe the rows.
    fn args(&self, vertices: usize, sizes: Sizes) -> TrianglesArgs {
        let Sizes { sorted, near, piece, heavy, share } = sizes;
        TrianglesArgs {
            offsets: self.out.offsets(),
            targets: self.out.targets(),
            other_offsets: self.incoming.as_ref().map_or(Address::NULL, |rows| rows.offsets()),
            other_targets: self.incoming.as_ref().map_or(Edges::NONE, |rows| rows.targets()),
            vertices: vertices as u64,
            sorted,
            near,
            piece,
            heavy,
            share,
            ..TrianglesArgs::zeroed()
        }
    }
}

/// The kernels that count.
struct Counting {
    shares: Launch<TrianglesArgs>,
    heavy: Launch<TrianglesArgs>,
    light: Launch<TrianglesArgs>,
    degrees: Launch<TrianglesArgs>,
}

impl Counting {
    fn new(machine: &Machine<'_>, source: &Source) -> Result<Self> {
        let kernel = |name| machine.kernel(source, name);
        Ok(Self {
            shares: kernel("triangles_shares")?,
            heavy: kernel("triangles_heavy")?,
            light: kernel("triangles_light")?,
            degrees: kernel("triangles_degrees")?,
        })
    }

    /// Returns the number of triangles, for `args` of lists with this many entries, when the device is idle.
    fn run(
        &self,
        machine: &Machine<'_>,
        shares: &Array<u64>,
        entries: usize,
        args: TrianglesArgs,
    ) -> Result<u64> {
        let counters = machine.zeros::<u64>(COUNTERS, "counters")?;
        let mut seen = machine.gpu().pinned::<u64>(COUNTERS, "counters").map_err(crate::lift)?;
        let counter = |which: usize| Address::new(counters.address().raw() + 8 * which as u64);
        let args = TrianglesArgs {
            shares: shares.address(),
            shared: counter(SHARED),
            next: counter(NEXT),
            total: counter(TOTAL),
            ..args
        };
        let blocks = u64::from(machine.block()) * shares.len() as u64;
        let light = TrianglesArgs { next: counter(NEXT_LIGHT), ..args };
        // SAFETY: lists hold ranks of vertices; there is a count and a degree per vertex if the caller wants them;
        // `shares` has room for all shares; all arrays live until the wait below.
        unsafe {
            machine.start(&self.shares, Grid::For(args.vertices), &args)?;
            machine.start(&self.heavy, Grid::Shares(blocks), &args)?;
            machine.start(&self.light, Grid::Shares(args.vertices), &light)?;
            if args.degrees.raw() != 0 {
                machine.start(&self.degrees, Grid::For(args.vertices.max(entries as u64)), &args)?;
            }
        }
        machine.fetch(&mut seen, &counters)?;
        Ok(seen.get(TOTAL))
    }
}

/// The counts of every vertex.
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

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::testing::{generated, simt};
    use warpgraph_core::Answer;
    use warpgraph_graph::Graph;

    /// Covers hubs and short lists, ranks that have a bit and ranks that are hashed.
    #[test]
    fn skewed_graphs_are_counted_as_on_the_host() {
        let gpu = simt();
        for spec in ["kron:10", "kron:9,directed", "uniform:10,degree=20"] {
            let graph = generated(spec);
            let device_graph = DeviceGraph::new(&gpu, &graph);
            for config in [Triangles::default(), Triangles::local()] {
                let answer = triangles(&device_graph, &config, &Options::default()).unwrap();
                answer.verify(&graph).unwrap();
            }
        }
    }

    /// Rows with loops and parallel edges, tails that end at the first or last vertex, and both ends of an edge with the
    /// longer tail.
    #[test]
    fn rows_with_short_tails_are_counted_without_lists() {
        let gpu = simt();
        let n = 300u32;
        let near =
            (0..n).flat_map(|u| (u..n.min(u + 9)).filter(move |v| (u * v) % 5 != 2).map(move |v| (u, v)));
        let edges: Vec<_> = near.clone().chain(near.filter(|(u, v)| (u + v) % 3 == 0)).collect();
        for edges in [&edges[..], &[(0, 1), (1, 2), (2, 0), (2, 3)]] {
            let graph = Graph::from_edges(n as usize, edges, false).unwrap();
            let device_graph = DeviceGraph::new(&gpu, &graph);
            assert!(cuts(&device_graph), "the tails are short");
            let answer = triangles(&device_graph, &Triangles::local(), &Options::default()).unwrap();
            answer.verify(&graph).unwrap();
            let count = triangles(&device_graph, &Triangles::default(), &Options::default()).unwrap();
            assert_eq!(count.triangles(), answer.triangles());
        }
    }

    fn cuts(device_graph: &DeviceGraph) -> bool {
        let options = Options::default();
        let machine = Machine::new(device_graph.gpu(), &options, "counting triangles");
        let by = ByTails::new(&machine, &variants::triangles(device_graph.is_wide()).unwrap()).unwrap();
        let rows = Rows::new(device_graph).unwrap();
        let args = rows.args(device_graph.graph().vertices(), SMALL_SIZES);
        by.cut(rows.out.arcs(), args).unwrap().is_some()
    }

    /// The other fixtures for the simulator have short lists. These have all lengths up to 99: some are not sorted, and
    /// most are hashed in pieces, by blocks and by warps.
    #[test]
    fn lists_that_are_longer_than_tables_are_looked_up_in_pieces() {
        let gpu = simt();
        let n = 100;
        let pairs = || (0..n).flat_map(|u| (u..n).map(move |v| (u, v)));
        // Every third edge points back, every fifth points both ways.
        let turned = pairs().map(|(u, v)| if (u + v) % 3 == 0 { (v, u) } else { (u, v) });
        let edges: Vec<_> = turned.chain(pairs().filter(|(u, v)| (u + v) % 5 == 0)).collect();
        for directed in [false, true] {
            let graph = Graph::from_edges(n as usize, &edges, directed).unwrap();
            let device_graph = DeviceGraph::new(&gpu, &graph);
            let answer = triangles(&device_graph, &Triangles::local(), &Options::default()).unwrap();
            assert_eq!(answer.triangles(), 100 * 99 * 98 / 6, "directed: {directed}");
            let local = answer.local().unwrap();
            assert!(local.triangles.iter().all(|&at| at == 99 * 98 / 2), "directed: {directed}");
            assert!(local.degrees.iter().all(|&degree| degree == 99), "directed: {directed}");
        }
    }
}
