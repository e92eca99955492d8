//! Betweenness by Brandes' algorithm \[1\], one source after the other, as filters over distances that a program found.
//!
//! For a source: distances (the program `hops`, or `sssp` by weights); how many arcs of shortest paths lead to each vertex; then forward,
//! taking a vertex with the last of these arcs, so that one queue holds all vertices in an order of layers; the paths to a
//! layer are counted over its incoming arcs. Backward by layer, what depends on a vertex is gathered over its outgoing arcs. Sums
//! over a row are one thread's under `node`, so that `--deterministic` gives the same bits.
//!
//! Counts of paths are f64. Where one leaves its range, the run ends with an error that says so.
//!
//! \[1\] U. Brandes, A faster algorithm for betweenness centrality, 2001.

use crate::{
    Resident,
    arguments::BcArgs,
    frontier::{Frontiers, Members},
    machine::{Grid, Launch, Machine},
    program::{Arcs, Ended, Stage, Ways, arcs, balances},
    resident::Side,
    sssp::Lengths,
    variants::{self, Functor},
};
use bytemuck::Zeroable;
use std::time::Instant;
use warpgraph_core::{
    Algorithm, Balance, Direction, Error, Halted, Options, Plan, Result,
    bc::{Bc, BcAnswer, vanishes},
    program::{Prepared, Scalar, ScalarType, VertexProgram, library::Hops},
};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::{Pages, Vertex, Weights};

/// [`BcArgs::flags`]: a path counts for its ends too.
pub(crate) const ENDPOINTS: u32 = 1;
/// [`BcArgs::problems`]: a count left the range of f64; a weight vanished beside a distance.
pub(crate) const OVERFLOWED: usize = 0;
pub(crate) const VANISHED: usize = 1;

/// Counters: problems first, then the length of the queue, arcs of all reached, and what nobody reads.
const LENGTH: usize = 2;
const ARCS: usize = 3;
const SCRATCH: usize = 4;
const COUNTERS: usize = 5;

/// The types of distances and weights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Types {
    pub(crate) distance: ScalarType,
    pub(crate) weight: ScalarType,
}

/// All that occur: hops, whole weights, decimals.
pub(crate) const TYPES: [Types; 4] = [
    Types { distance: ScalarType::U32, weight: ScalarType::U32 },
    Types { distance: ScalarType::U64, weight: ScalarType::U32 },
    Types { distance: ScalarType::U64, weight: ScalarType::I32 },
    Types { distance: ScalarType::F64, weight: ScalarType::F64 },
];

/// The score of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, when a source is not in the graph, when a weight vanishes beside a distance, when there
/// are more paths than f64 can count, or when the device fails.
pub fn bc(resident: &Resident, config: &Bc, options: &Options) -> Result<BcAnswer> {
    let [hops, by_u32, by_i32, by_f64] = TYPES;
    let task = |types| Task { resident, config, options, types };
    match &resident.graph().out().weights {
        _ if !config.weighted => task(hops).answer(Hops::from),
        Weights::U32(_) => task(by_u32).answer(Lengths::<u64, u32>::from),
        Weights::I32(_) => task(by_i32).answer(Lengths::<u64, i32>::from),
        _ => task(by_f64).answer(Lengths::<f64, f64>::from),
    }
}

/// What is asked.
#[derive(Clone, Copy)]
struct Task<'a> {
    resident: &'a Resident,
    config: &'a Bc,
    options: &'a Options,
    types: Types,
}

impl<'a> Task<'a> {
    /// `distances` is the program that finds distances from a vertex, by its original number.
    fn answer<P: VertexProgram>(self, distances: impl Fn(u32) -> P) -> Result<BcAnswer> {
        let (graph, options) = (self.resident.graph(), self.options);
        let chosen = self.config.resolve(graph, options.seed, options.run)?;
        let n = graph.vertices();
        let mut sources: Vec<Vertex> = chosen.clone().unwrap_or_else(|| (0..n as Vertex).collect());
        // Others reach nothing.
        sources.retain(|&s| graph.out().csr.degree(s) > 0);
        let machine = Machine::new(self.resident.gpu(), options, "counting paths");
        machine.check()?;
        let transferred = self.resident.transfer_seconds();
        let mut walk = Walk::new(self, &machine)?;
        let mut stage = match sources.first() {
            Some(&first) => Some(self.stage(&distances(options.original(first)))?),
            None => None,
        };
        let mut recorder = machine.recorder(self.resident.transfer_seconds() - transferred);
        let compiled = machine.gpu().compile_seconds();
        walk.begin()?;
        for (done, &source) in sources.iter().enumerate() {
            let program = distances(options.original(source));
            let prepared = Prepared::new(&program, graph, options.map.as_ref())?;
            let Some(stage) = &mut stage else { break };
            stage.renew(&prepared)?;
            let incoming = arcs(self.resident, &prepared, Side::In)?;
            let found = stage.run()?;
            let layers = walk.source(source, stage, &incoming, &found).map_err(|error| match error {
                Trouble::Vanished => self.find_vanished::<P::Value>(&found),
                Trouble::Other(error) => error,
            })?;
            recorder.step(walk.reached, Direction::Push, || format!("{layers} layers"));
            options.control.report(Bc::NAME, done as u64 + 1, Some(sources.len() as u64));
        }
        let start = Instant::now();
        let mut sums = Pages::<f64>::scratch(n)?;
        walk.scores.read(&mut sums).map_err(crate::lift)?;
        recorder.hold_on_device(machine.gpu().memory().map_or(0, |memory| memory.peak));
        let plan = Plan::Bsp { direction: None, balance: options.plan.balance() };
        let mut run = recorder.finish(plan, Halted::Converged, walk.bytes());
        run.fetch_seconds += start.elapsed().as_secs_f64();
        // The first search compiles its kernels after the clock was started.
        let late = machine.gpu().compile_seconds() - compiled;
        run.compile_seconds += late;
        run.seconds = (run.seconds - late).max(0.0);
        Ok(BcAnswer::new(graph, self.config, chosen, sums, walk.arcs_reached, run))
    }

    /// Everything that searches need, brought to the device.
    fn stage<P: VertexProgram>(self, program: &P) -> Result<Stage<'a>> {
        let prepared = Prepared::new(program, self.resident.graph(), self.options.map.as_ref())?;
        arcs(self.resident, &prepared, Side::In)?;
        let functor = Functor::new::<P>(&prepared.traced)?;
        Stage::new(self.resident, &prepared, functor, self.options, Ways::Out)
    }

    /// The arc whose weight vanished beside the distance.
    fn find_vanished<T: Scalar>(self, found: &Ended) -> Error {
        let graph = self.resident.graph();
        let distances = match found.read::<T>(graph.vertices()) {
            Ok(distances) => distances,
            Err(error) => return error,
        };
        let (out, is_reached) = (graph.out(), |d: T| d != T::GREATEST);
        let vertices = (0..graph.vertices() as Vertex).filter(|&u| is_reached(distances[u as usize]));
        for u in vertices {
            for arc in out.csr.arcs_of(u) {
                let (v, distance) = (out.csr.targets()[arc], distances[u as usize]);
                let longer = distance.plus(out.weights.get(arc).cast::<T>());
                if longer == distance && distances[v as usize] == distance {
                    return vanishes(graph, u, v, arc, distance.to_f64());
                }
            }
        }
        unreachable!("the device has met such an arc")
    }
}

enum Trouble {
    Vanished,
    Other(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// The kernels of a balance.
struct Filters {
    balance: Balance,
    expect: Launch<BcArgs>,
    forward: Launch<BcArgs>,
    count: Launch<BcArgs>,
    backward: Launch<BcArgs>,
}

/// What sources share: kernels, arrays, and the scores.
struct Walk<'m, 'a> {
    task: Task<'a>,
    machine: &'m Machine<'a>,
    filters: Filters,
    clear: Launch<BcArgs>,
    start: Launch<BcArgs>,
    score: Launch<BcArgs>,
    check: Launch<BcArgs>,
    frontiers: Frontiers,
    pending: Array<u32>,
    counts: Array<f64>,
    dependencies: Array<f64>,
    scores: Array<f64>,
    queue: Array<Vertex>,
    counters: Array<u64>,
    seen: Pinned<u64>,
    /// Vertices reached from the last source.
    reached: usize,
    /// Arcs of the vertices reached, over all sources.
    arcs_reached: u64,
}

impl<'m, 'a> Walk<'m, 'a> {
    fn new(task: Task<'a>, machine: &'m Machine<'a>) -> Result<Self> {
        let (n, wide) = (task.resident.graph().vertices(), task.resident.is_wide());
        // Layers are not measured before they are walked; what is even whatever comes is taken where there is a choice.
        let open = balances(task.options.plan.balance(), task.options.deterministic);
        let balance = *open.last().unwrap_or(&Balance::Node);
        let filters = variants::betweenness(wide, task.types, Some(balance))?;
        let vertices = variants::betweenness(wide, task.types, None)?;
        let filter = |name| machine.kernel(&filters, name);
        let vertex = |name| machine.kernel(&vertices, name);
        Ok(Self {
            task,
            machine,
            filters: Filters {
                balance,
                expect: filter("bc_expect")?,
                forward: filter("bc_forward")?,
                count: filter("bc_count")?,
                backward: filter("bc_backward")?,
            },
            clear: vertex("bc_clear")?,
            start: vertex("bc_begin")?,
            score: vertex("bc_score")?,
            check: vertex("bc_check")?,
            frontiers: Frontiers::new(machine, wide, n)?,
            pending: machine.array(n, "arcs to come")?,
            counts: machine.array(n, "counts of paths")?,
            dependencies: machine.array(n, "dependencies")?,
            scores: machine.array(n, "scores")?,
            queue: machine.array(n, "a queue")?,
            counters: machine.zeros(COUNTERS, "counters")?,
            seen: machine.gpu().pinned(COUNTERS, "counters").map_err(crate::lift)?,
            reached: 0,
            arcs_reached: 0,
        })
    }

    fn bytes(&self) -> u64 {
        let decimals = [&self.counts, &self.dependencies, &self.scores].map(|array| array.bytes());
        decimals.iter().sum::<u64>() + self.pending.bytes() + self.queue.bytes() + self.frontiers.bytes()
    }

    /// No scores yet.
    fn begin(&mut self) -> Result<()> {
        self.scores.fill_bytes(0).map_err(crate::lift)
    }

    fn counter(&self, which: usize) -> Address<u64> {
        Address::new(self.counters.address().raw() + 8 * which as u64)
    }

    fn read_counters(&mut self) -> Result<[u64; COUNTERS]> {
        self.machine.fetch(&mut self.seen, &self.counters)?;
        Ok(std::array::from_fn(|i| self.seen.get(i)))
    }

    /// A part of the queue.
    fn layer(&self, range: std::ops::Range<u64>) -> Members {
        let items = Address::new(self.queue.address().raw() + 4 * range.start);
        Members::of(items, range.end - range.start)
    }

    /// Runs a filter over the rows of some vertices.
    fn expand(
        &mut self,
        which: fn(&Filters) -> &Launch<BcArgs>,
        args: BcArgs,
        arcs: &Arcs,
        members: Members,
    ) -> Result<()> {
        let (first, grid) = match self.filters.balance {
            Balance::Node => (Address::NULL, Grid::For(members.count)),
            Balance::Workload => {
                let scratch = self.counter(SCRATCH);
                let first = self.frontiers.prefix(self.machine, members, &arcs.rows, scratch)?;
                (first, Grid::Shares(arcs.rows.arcs() as u64))
            }
        };
        let args = BcArgs {
            offsets: arcs.rows.offsets(),
            targets: arcs.rows.targets(),
            weights: if self.task.config.weighted { arcs.weights.address().cast() } else { Address::NULL },
            weight_mask: arcs.weight_mask,
            items: members.items,
            count: members.count,
            first,
            ..args
        };
        // SAFETY: members are vertices without duplicates; all arrays have an entry a vertex and live until the run has ended;
        // a vertex is appended to the queue once, with the last of its arcs.
        unsafe { self.machine.start(which(&self.filters), grid, &args) }
    }

    /// Adds what depends on everyone to the scores, for paths from one source; gives the number of layers.
    fn source(
        &mut self,
        source: Vertex,
        stage: &Stage<'_>,
        incoming: &Arcs,
        found: &Ended,
    ) -> Result<usize, Trouble> {
        let n = self.task.resident.graph().vertices() as u64;
        self.counters.fill_bytes(0).map_err(crate::lift)?;
        let args = BcArgs {
            vertices: n,
            distances: found.values.address().cast(),
            pending: self.pending.address(),
            counts: self.counts.address(),
            dependencies: self.dependencies.address(),
            scores: self.scores.address(),
            next: self.queue.address(),
            next_size: self.counter(LENGTH),
            problems: self.counter(OVERFLOWED),
            cancel: self.machine.gpu().cancel_address(),
            source,
            flags: if self.task.config.endpoints { ENDPOINTS } else { 0 },
            ..BcArgs::zeroed()
        };
        // SAFETY: all arrays have an entry a vertex, and live until the run has ended.
        unsafe {
            self.machine.start(&self.clear, Grid::For(n), &args)?;
            self.machine.start(&self.start, Grid::One, &args)?;
        }
        self.expand(|f| &f.expect, args, &stage.out, Members::all(n as usize))?;
        let mut ends = vec![0, 1];
        loop {
            self.machine.check()?;
            let [.., start, end] = ends[..] else { unreachable!("two at least") };
            self.expand(|f| &f.forward, args, &stage.out, self.layer(start..end))?;
            let counters = self.read_counters()?;
            if counters[VANISHED] != 0 {
                return Err(Trouble::Vanished);
            }
            if counters[LENGTH] == end {
                break;
            }
            ends.push(counters[LENGTH]);
            self.expand(|f| &f.count, args, incoming, self.layer(end..counters[LENGTH]))?;
        }
        for layer in ends.windows(2).rev().skip(1) {
            self.expand(|f| &f.backward, args, &stage.out, self.layer(layer[0]..layer[1]))?;
        }
        let all = self.layer(0..ends[ends.len() - 1]);
        let scored = BcArgs { items: all.items, count: all.count, ..args };
        // SAFETY: as above.
        unsafe {
            self.machine.start(&self.score, Grid::For(all.count), &scored)?;
            self.machine.start(&self.check, Grid::For(all.count), &scored)?;
        }
        self.frontiers.count_arcs(self.machine, all, &stage.out.rows, self.counter(ARCS))?;
        let counters = self.read_counters()?;
        if counters[OVERFLOWED] != 0 {
            return Err(self.overflowed(source).into());
        }
        self.reached = all.count as usize;
        self.arcs_reached += counters[ARCS];
        Ok(ends.len() - 1)
    }

    fn overflowed(&self, source: Vertex) -> Error {
        let (id, label) =
            (self.task.resident.graph().ids().id(source), &self.machine.gpu().properties().label);
        Error::Refused {
            what: format!(
                "bc on {label} cannot count the shortest paths from {id}: they are more than f64 can hold"
            ),
            help: "use --device cpu, which counts them with an exponent apart".to_owned(),
        }
    }
}
