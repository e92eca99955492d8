//! One source after the other: forward by layers, counting paths, and back, gathering what depends on each vertex.

use super::{ENDPOINTS, OVERFLOWED, Task, VANISHED};
use crate::{
    advance::{Balancer, Expand, Expansion, Queue, Work},
    arguments::{Along, BcArgs},
    frontier::Members,
    machine::{Grid, Launch, Machine},
    program::{Arcs, Ended, Stage},
    resident::Side,
    variants,
};
use bytemuck::Zeroable;
use warpgraph_core::{Error, Result};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::Vertex;

/// Counters: problems first, then the length of the queue, and arcs of all reached.
const LENGTH: usize = 2;
const ARCS: usize = 3;
const COUNTERS: usize = 4;

/// Why a source was not finished.
pub(super) enum Trouble {
    Vanished,
    Other(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl Expand for BcArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }
}

/// The filters.
struct Filters {
    expect: Expansion<BcArgs>,
    forward: Expansion<BcArgs>,
    count: Expansion<BcArgs>,
    backward: Expansion<BcArgs>,
}

/// What sources share: kernels, arrays, and the scores.
pub(super) struct Walk<'m, 'a> {
    task: Task<'a>,
    machine: &'m Machine<'a>,
    filters: Filters,
    clear: Launch<BcArgs>,
    start: Launch<BcArgs>,
    score: Launch<BcArgs>,
    check: Launch<BcArgs>,
    balancer: Balancer,
    pending: Array<u32>,
    counts: Array<f64>,
    dependencies: Array<f64>,
    pub(super) scores: Array<f64>,
    queue: Array<Vertex>,
    counters: Array<u64>,
    seen: Pinned<u64>,
    /// Vertices reached from the last source.
    pub(super) reached: usize,
    /// Arcs of the vertices reached, over all sources.
    pub(super) arcs_reached: u64,
}

impl<'m, 'a> Walk<'m, 'a> {
    pub(super) fn new(task: Task<'a>, machine: &'m Machine<'a>) -> Result<Self> {
        let (n, wide) = (task.resident.graph().vertices(), task.resident.is_wide());
        let (asked, one_order) = (task.options.plan.balance(), task.options.deterministic);
        let sides = [Side::Out, Side::In];
        let balancer = Balancer::new(machine, task.resident, asked, one_order, &sides, 1)?;
        let vertices = variants::betweenness(wide, task.types, None)?;
        let source = |scheme| variants::betweenness(wide, task.types, Some(scheme));
        let filter = |name| balancer.expansion(machine, source, name);
        let vertex = |name| machine.kernel(&vertices, name);
        Ok(Self {
            task,
            machine,
            filters: Filters {
                expect: filter("bc_expect")?,
                forward: filter("bc_forward")?,
                count: filter("bc_count")?,
                backward: filter("bc_backward")?,
            },
            clear: vertex("bc_clear")?,
            start: vertex("bc_begin")?,
            score: vertex("bc_score")?,
            check: vertex("bc_check")?,
            balancer,
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

    pub(super) fn bytes(&self) -> u64 {
        let decimals = [&self.counts, &self.dependencies, &self.scores].map(|array| array.bytes());
        decimals.iter().sum::<u64>() + self.pending.bytes() + self.queue.bytes()
    }

    /// Bytes that the balance takes.
    pub(super) fn extra_bytes(&self) -> u64 {
        self.balancer.extra_bytes()
    }

    /// No scores yet.
    pub(super) fn begin(&mut self) -> Result<()> {
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
        which: fn(&Filters) -> &Expansion<BcArgs>,
        args: BcArgs,
        (side, arcs): (Side, &Arcs),
        members: Members,
    ) -> Result<()> {
        let args = BcArgs {
            weights: if self.task.config.weighted { arcs.weights.address().cast() } else { Address::NULL },
            weight_mask: arcs.weight_mask,
            ..args
        };
        // Layers are not measured before they are walked.
        let next = Queue { items: self.queue.address(), size: self.counter(LENGTH) };
        let (work, filter) = (Work { members, arcs: None, next }, which(&self.filters));
        // SAFETY: members are vertices without duplicates; all arrays have an entry a vertex and live until the run has ended;
        // a vertex is appended to the queue once, with the last of its arcs.
        unsafe { self.balancer.run(self.machine, filter, side, &arcs.rows, work, args).map(drop) }
    }

    /// Adds what depends on everyone to the scores, for paths from one source; gives the number of layers.
    pub(super) fn source(
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
            along: Along { next: self.queue.address(), next_size: self.counter(LENGTH), ..Along::zeroed() },
            problems: self.counter(OVERFLOWED),
            source,
            flags: if self.task.config.endpoints { ENDPOINTS } else { 0 },
            ..BcArgs::zeroed()
        };
        // SAFETY: all arrays have an entry a vertex, and live until the run has ended.
        unsafe {
            self.machine.start(&self.clear, Grid::For(n), &args)?;
            self.machine.start(&self.start, Grid::One, &args)?;
        }
        self.expand(|f| &f.expect, args, (Side::Out, &stage.out), Members::all(n as usize))?;
        let mut ends = vec![0, 1];
        loop {
            self.machine.check()?;
            let [.., start, end] = ends[..] else { unreachable!("two at least") };
            self.expand(|f| &f.forward, args, (Side::Out, &stage.out), self.layer(start..end))?;
            let counters = self.read_counters()?;
            if counters[VANISHED] != 0 {
                return Err(Trouble::Vanished);
            }
            if counters[LENGTH] == end {
                break;
            }
            ends.push(counters[LENGTH]);
            self.expand(|f| &f.count, args, (Side::In, incoming), self.layer(end..counters[LENGTH]))?;
        }
        for layer in ends.windows(2).rev().skip(1) {
            self.expand(|f| &f.backward, args, (Side::Out, &stage.out), self.layer(layer[0]..layer[1]))?;
        }
        let all = self.layer(0..ends[ends.len() - 1]);
        let along = Along { items: all.items, count: all.count, ..args.along };
        let scored = BcArgs { along, ..args };
        // SAFETY: as above.
        unsafe {
            self.machine.start(&self.score, Grid::For(all.count), &scored)?;
            self.machine.start(&self.check, Grid::For(all.count), &scored)?;
        }
        self.balancer.frontiers.count_arcs(self.machine, all, &stage.out.rows, self.counter(ARCS))?;
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
