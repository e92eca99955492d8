//! The kernels of a run, and when the host launches them.

use super::{
    PullArgs,
    places::{KeptPlaces, Places},
    state::State,
};
use crate::{
    DeviceGraph,
    device_graph::{DeviceRows, Side},
    edges::hot::PAGE,
    machine::{self, Grid, Launch, Machine},
    variants,
};
use std::{fmt::Write as _, sync::Arc};
use warpgraph_core::{Algorithm, Code, Direction, Options, Recorder, Residency, Result, pagerank::PageRank};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::Graph;

/// The most arcs of a row for a thread, for a few lanes, and for a warp. Longer rows are cut into chunks of the last
/// size.
const SHORT: u32 = 8;
pub(super) const MEDIUM: u32 = 128;
pub(super) const CHUNK: u32 = 2048;
/// Lanes per row of at most [`MEDIUM`] arcs.
const LANES_A_GROUP: u32 = 8;
/// Work per ticket: a few thousand arcs, so that few warps ask for tickets at once and the last warp does not delay the
/// others.
const CHUNKS_A_TICKET: u32 = 2;
const WARP_ROWS_A_TICKET: u32 = 8;
const GROUP_ROWS_A_TICKET: u32 = 64;
/// Loads that a lane has in flight.
const UNROLL: u32 = 4;
/// The fewest blocks of a sweep per multiprocessor; the compiler limits registers accordingly.
const SWEEP_BLOCKS: u32 = 5;
/// Threads per block if blocks keep shares: one block uses all the shared memory of its multiprocessor.
const HOT_BLOCK: u32 = 1024;
/// Cache hot shares in shared memory when at least 1 in this many arcs starts at a hot vertex.
pub(super) const HOT_ARCS: u64 = 4;
/// Sweeps that are launched before the host looks at their results.
pub(super) const BATCH: usize = 8;

/// [`PullArgs::words`]: tickets given out and blocks that have ended; three sums of whole numbers; 1 when the tolerance
/// is met; sweeps made; as decimals, the teleported rank and the sum of ranks; the rows of each class. The changes of
/// the last sweeps follow.
const NAMED: [&str; 14] = [
    "NEXT",
    "ENDED",
    "KEPT",
    "SUNK",
    "CHANGED",
    "DONE",
    "SWEEPS",
    "BASE",
    "MASS",
    "THREAD_ROWS",
    "GROUP_ROWS",
    "WARP_ROWS",
    "HUGE_ROWS",
    "CHUNKS",
];
const DONE: usize = 5;
const MADE: usize = 6;
const HISTORY: usize = NAMED.len();
pub(super) const WORDS: usize = HISTORY + BATCH;

/// The type of shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shares {
    /// 32 bits.
    Coarse,
    /// 32 bits, and every block keeps some of them in shared memory.
    Hot,
    /// 64 bits.
    Fine,
}

/// Returns the definitions that the kernels need for a type of shares, and the name of their module.
pub(crate) fn module(form: Shares) -> (String, &'static str) {
    let (name, share, rounding) = match form {
        Shares::Coarse => ("pagerank-coarse", "f32", "5.9604644775390625e-8"),
        Shares::Hot => ("pagerank-hot", "f32", "5.9604644775390625e-8"),
        Shares::Fine => ("pagerank-fine", "f64", "0.0"),
    };
    let is_hot = form == Shares::Hot;
    let (block, blocks) = if is_hot { (HOT_BLOCK, 1) } else { (machine::BLOCK, SWEEP_BLOCKS) };
    let mut text = format!("typedef {share} Share;\n#define ROUNDING {rounding}\n");
    let _ = writeln!(text, "#define HOT {}\n#define SWEEP_BLOCK {block}", u32::from(is_hot));
    for (name, number) in [
        ("SWEEP_BLOCKS", blocks),
        ("SHORT", SHORT),
        ("MEDIUM", MEDIUM),
        ("CHUNK", CHUNK),
        ("LANES_A_GROUP", LANES_A_GROUP),
        ("CHUNKS_A_TICKET", CHUNKS_A_TICKET),
        ("WARP_ROWS_A_TICKET", WARP_ROWS_A_TICKET),
        ("GROUP_ROWS_A_TICKET", GROUP_ROWS_A_TICKET),
        ("UNROLL", UNROLL),
        ("BATCH", BATCH as u32),
        ("HISTORY", HISTORY as u32),
    ] {
        let _ = writeln!(text, "#define {name} {number}u");
    }
    for (word, name) in NAMED.iter().enumerate() {
        let _ = writeln!(text, "#define {name} {word}u");
    }
    (text, name)
}

/// The kernels for one type of shares.
struct Kernels {
    begin: Launch<PullArgs>,
    sweep: Launch<PullArgs>,
    /// Settles the rows that cross pages, if sweeps go by pages.
    joins: Option<Launch<PullArgs>>,
    widen: Launch<PullArgs>,
    ranks: Launch<PullArgs>,
}

impl Kernels {
    /// Compiles kernels that sweep by pages of arcs.
    fn by_pages(machine: &Machine<'_>, wide: bool, form: Shares) -> Result<Self> {
        let source = variants::pagerank_pages(wide, form)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            begin: kernel("pagerank_first")?,
            sweep: kernel("pagerank_pages")?,
            joins: Some(kernel("pagerank_joins")?),
            widen: kernel("pagerank_widen")?,
            ranks: kernel("pagerank_ranks")?,
        })
    }

    fn new(machine: &Machine<'_>, wide: bool, form: Shares, hot: usize) -> Result<Self> {
        let source = variants::pagerank(wide, form)?;
        let kernel = |name| machine.kernel(&source, name);
        let (block, shared) = match form {
            Shares::Hot => (HOT_BLOCK, (4 * hot).next_multiple_of(16) as u32),
            _ => (machine::BLOCK, 0),
        };
        Ok(Self {
            begin: kernel("pagerank_begin")?,
            sweep: machine.shaped(&source, "pagerank_sweep", block, shared)?,
            joins: None,
            widen: kernel("pagerank_widen")?,
            ranks: kernel("pagerank_ranks")?,
        })
    }
}

/// A graph on a device, and sweeps over it.
pub(super) struct Sweeps<'m, 'a> {
    machine: &'m Machine<'a>,
    options: &'m Options,
    limit: u64,
    incoming: Arc<DeviceRows>,
    teleport: Option<Array<f64>>,
    /// The arguments that all launches share, except the arrays of the run.
    base: PullArgs,
    // `base` holds the addresses of its offsets.
    _out: Arc<DeviceRows>,
    coarse: Kernels,
    /// `None` unless the tolerance needs them from the start.
    fine: Option<Kernels>,
    is_wide: bool,
    /// Sweeps go by pages of arcs.
    by_pages: bool,
    /// Where shares lie, if not in the order of vertices.
    places: Option<KeptPlaces>,
    /// The number of sweeps that had been made when sweeps with this type of shares began.
    first: u64,
    seen: Pinned<u64>,
    residual: f64,
}

impl<'m, 'a> Sweeps<'m, 'a> {
    /// Copies the graph to the device and compiles the kernels.
    pub(super) fn new(
        device_graph: &DeviceGraph,
        config: &PageRank,
        options: &'m Options,
        machine: &'m Machine<'a>,
    ) -> Result<Self> {
        let (graph, wide) = (device_graph.graph(), device_graph.is_wide());
        let (incoming, out) = (device_graph.rows(Side::In)?, device_graph.rows(Side::Out)?);
        let teleport = config.teleport(graph)?;
        let guess = Guess::of(graph, config.damping, teleport.is_none());
        let teleport = teleport
            .map(|teleport| machine.gpu().array_of(&teleport, "teleports").map_err(crate::lift))
            .transpose()?;
        let by_pages = is_by_pages(options.plan.residency);
        let (hot, places) = match by_pages {
            true => (0, None),
            false => hot(device_graph, machine)?,
        };
        let form = if hot > 0 { Shares::Hot } else { Shares::Coarse };
        let is_fine = config.target() < super::COARSE;
        let base = PullArgs {
            offsets: incoming.offsets(),
            targets: incoming.targets(),
            out_offsets: out.offsets(),
            vertices: graph.vertices() as u64,
            teleport: teleport.as_ref().map_or(Address::NULL, Array::address),
            uniform: 1.0 / graph.vertices().max(1) as f64,
            damping: config.damping,
            guess: guess.teleports,
            guess_with_arcs: guess.with_arcs,
            guess_an_arc: guess.an_arc,
            hot: hot as u64,
            cancel: machine.gpu().cancel_address(),
            ..bytemuck::Zeroable::zeroed()
        };
        Ok(Self {
            machine,
            options,
            limit: config.max_iterations,
            incoming,
            teleport,
            base,
            _out: out,
            coarse: match by_pages {
                true => Kernels::by_pages(machine, wide, Shares::Coarse)?,
                false => Kernels::new(machine, wide, form, hot)?,
            },
            is_wide: wide,
            by_pages,
            places,
            fine: is_fine.then(|| fine(machine, wide, by_pages)).transpose()?,
            first: 0,
            seen: machine.gpu().pinned(WORDS, "sums").map_err(crate::lift)?,
            residual: 0.0,
        })
    }

    /// Returns the change of the last sweep, plus what rounding may hide.
    pub(super) fn residual(&self) -> f64 {
        self.residual
    }

    pub(super) fn teleport_bytes(&self) -> u64 {
        self.teleport.as_ref().map_or(0, Array::bytes)
    }

    /// Sorts rows into classes, and computes a first guess.
    pub(super) fn begin(&mut self, state: &State) -> Result<()> {
        let args = PullArgs { into: state.coarse(0), ..self.args(state) };
        self.over_vertices(&self.coarse.begin, &args)
    }

    /// Sweeps until the tolerance or the limit is reached, or until changes no longer shrink, which only rounding can
    /// cause.
    pub(super) fn sweep(
        &mut self,
        state: &State,
        form: Shares,
        tolerance: f64,
        recorder: &mut Recorder,
    ) -> Result<()> {
        self.first = recorder.rounds();
        let vertices = self.base.vertices as usize;
        // A traced run waits after each sweep, to measure how long it took.
        let at_once = if self.options.trace { 1 } else { BATCH as u64 };
        let mut least = f64::INFINITY;
        loop {
            let made = recorder.rounds();
            self.report(made)?;
            for sweep in made..self.limit.min(made + at_once) {
                let [from, into] = [sweep, sweep + 1].map(|sweep| self.shares(state, form, sweep));
                let args = PullArgs { from, into, tolerance, ..self.args(state) };
                let size = Grid::Shares(self.base.vertices + self.incoming.arcs() as u64);
                // SAFETY: as for `over_vertices`; every row is in the list of its class, which has room for all; every page has
                // room for its parts.
                unsafe { self.machine.start(&self.kernels(form).sweep, size, &args)? };
                if let Some(joins) = &self.kernels(form).joins {
                    let pages = Grid::For(32 * (self.incoming.arcs() / PAGE + 1) as u64);
                    // SAFETY: as above.
                    unsafe { self.machine.start(joins, pages, &args)? };
                }
            }
            self.machine.fetch(&mut self.seen, &state.words)?;
            for sweep in made..self.seen.get(MADE) {
                self.residual = f64::from_bits(self.seen.get(HISTORY + (sweep % BATCH as u64) as usize));
                recorder.step(vertices, Direction::Pull, || format!("changed by {:.3e}", self.residual));
                self.report(recorder.rounds())?;
            }
            if self.seen.get(DONE) != 0 || recorder.rounds() >= self.limit {
                return Ok(());
            }
            if form != Shares::Fine && recorder.rounds().is_multiple_of(BATCH as u64) {
                if self.residual >= least {
                    return Ok(());
                }
                least = self.residual;
            }
        }
    }

    /// Reports progress, and returns an error if the run must stop.
    fn report(&self, made: u64) -> Result<()> {
        self.options.control.report(PageRank::NAME, made, Some(self.limit));
        self.machine.check()
    }

    /// Converts 32-bit shares to 64-bit shares.
    pub(super) fn widen(&mut self, state: &State) -> Result<()> {
        if self.fine.is_none() {
            self.fine = Some(fine(self.machine, self.is_wide, self.by_pages)?);
        }
        let from = state.coarse(self.seen.get(MADE) % 2);
        let args = PullArgs { from, into: state.fine(0), ..self.args(state) };
        self.over_vertices(&self.kernels(Shares::Fine).widen, &args)
    }

    /// Computes ranks from shares, and waits.
    pub(super) fn rank(&mut self, state: &mut State, form: Shares) -> Result<()> {
        let from = self.shares(state, form, self.seen.get(MADE));
        let args = PullArgs { from, ..self.args(state) };
        // Shares in another order than ranks are not overwritten in place.
        let apart = match form == Shares::Fine && self.places.is_some() {
            true => Some(self.machine.array(self.base.vertices as usize, "ranks")?),
            false => None,
        };
        let ranks = apart.as_ref().map_or(args.ranks, Array::address);
        self.over_vertices(&self.kernels(form).ranks, &PullArgs { ranks, ..args })?;
        self.machine.wait()?;
        if let Some(apart) = apart {
            state.ranks = apart;
        }
        Ok(())
    }

    fn kernels(&self, form: Shares) -> &Kernels {
        match form {
            Shares::Fine => self.fine.as_ref().unwrap_or(&self.coarse),
            _ => &self.coarse,
        }
    }

    /// Returns the shares before a sweep.
    fn shares(&self, state: &State, form: Shares, sweep: u64) -> Address<()> {
        match form {
            Shares::Fine => state.fine((sweep - self.first) % 2),
            _ => state.coarse(sweep % 2),
        }
    }

    fn over_vertices(&self, kernel: &Launch<PullArgs>, args: &PullArgs) -> Result<()> {
        // SAFETY: shares, ranks and lists have room for all vertices, in the type that the kernel was compiled for, and
        // live until the next wait.
        unsafe { self.machine.start(kernel, Grid::For(self.base.vertices), args) }
    }

    fn args(&self, state: &State) -> PullArgs {
        let arrays = state.args();
        let base = self.places.as_ref().map_or(self.base, |places| places.args(self.base));
        PullArgs {
            ranks: arrays.ranks,
            words: arrays.words,
            chunks: arrays.chunks,
            gathered: arrays.gathered,
            missing: arrays.missing,
            huge: arrays.huge,
            warp_rows: arrays.warp_rows,
            rows: arrays.rows,
            first_rows: arrays.first_rows,
            parts: arrays.parts,
            ..base
        }
    }
}

/// Returns the kernels for 64-bit shares.
fn fine(machine: &Machine<'_>, wide: bool, by_pages: bool) -> Result<Kernels> {
    match by_pages {
        true => Kernels::by_pages(machine, wide, Shares::Fine),
        false => Kernels::new(machine, wide, Shares::Fine, 0),
    }
}

/// Returns true if sweeps go by pages of arcs: edges are in host or managed memory, or in code.
fn is_by_pages(residency: Option<Residency>) -> bool {
    residency.is_some_and(|residency| !residency.is_on_device() || residency.code() != Code::Plain)
}

/// If at least one vertex in this many is isolated, small components are likely too.
const ISOLATED_SHARE: f64 = 100.0;

/// The first guess: a multiple of the teleports, an amount per vertex with arcs, and an amount per outgoing arc.
struct Guess {
    teleports: f64,
    with_arcs: f64,
    an_arc: f64,
}

impl Guess {
    /// Guesses the ranks of an undirected graph with uniform teleports. Within a component, the walk visits vertices
    /// about in proportion to their degrees. The total rank of a component is in proportion to its number of vertices,
    /// and an error there shrinks only by the damping per sweep. So if small components are likely, all vertices with
    /// arcs get the same guess, and isolated vertices get their final rank.
    fn of(graph: &Graph, damping: f64, is_uniform: bool) -> Self {
        if graph.is_directed() || !is_uniform || graph.arcs() == 0 {
            return Self { teleports: 1.0, with_arcs: 0.0, an_arc: 0.0 };
        }
        let n = graph.vertices() as f64;
        let isolated = graph.counts().isolated as f64;
        if isolated * ISOLATED_SHARE < n {
            let an_arc = damping * (1.0 - isolated / n) / graph.arcs() as f64;
            return Self { teleports: 1.0 - damping, with_arcs: 0.0, an_arc };
        }
        let teleports = (1.0 - damping) / (1.0 - damping * isolated / n);
        let with_arcs = (1.0 - teleports * isolated / n) / (n - isolated) - teleports / n;
        Self { teleports, with_arcs, an_arc: 0.0 }
    }
}

/// Returns the number of vertices whose shares every block keeps, 0 if too few arcs start there, and where shares lie:
/// `None` if in the order of vertices. The vertices are the first ones in the order of shares.
fn hot(device_graph: &DeviceGraph, machine: &Machine<'_>) -> Result<(usize, Option<KeptPlaces>)> {
    let graph = device_graph.graph();
    let hot = (hot_bytes(machine) / 4).min(graph.vertices());
    let arcs = graph.out().csr.offsets().get(hot) as u64;
    if arcs > 0 && arcs >= graph.arcs() as u64 / HOT_ARCS {
        return Ok((hot, None));
    }
    let places = Places::of(machine, device_graph, hot)?.filter(KeptPlaces::pay_off);
    Ok((if places.is_some() { hot } else { 0 }, places))
}

/// The fewest vertices whose shares a block keeps, on any device, if the graph has as many.
pub(crate) const LEAST_HOT: usize = (1 << 10) / 4;
/// The most vertices whose shares a block keeps, on any GPU.
pub(super) const MOST_HOT: usize = (192 << 10) / 4;

/// Returns the bytes of shares that a block can keep: the shared memory of a multiprocessor, less what caches need.
fn hot_bytes(machine: &Machine<'_>) -> usize {
    if machine.is_small() {
        return 1 << 10;
    }
    match machine.gpu().properties().capability {
        (9 | 10, _) => 192 << 10,
        (8, 0 | 7) => 128 << 10,
        (7, 0) | (8 | 12, _) => 80 << 10,
        _ => 40 << 10,
    }
}
