//! `Min`, `Max` and `Or`: a frontier of changed vertices, until no vertex changes.
//!
//! A program that only joins messages improves values in place. A program with its own `apply` or `active` is strict:
//! the messages of a superstep are joined in a separate array, and afterwards every vertex that received one applies
//! the result to its value.

use super::{
    between::Between,
    expand::{Expansions, repeats},
    stage::{Ended, NEXT, Stage, TOLD},
};
use crate::{
    advance::Queue,
    arguments::{Along, ProgramArgs, REPEATS},
    frontier::{Counted, Members},
    machine::{Grid, Launch},
};
use warpgraph_core::{Direction, Halted, Result};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::Vertex;

/// Pull while the frontier's vertices and arcs exceed all arcs divided by this.
const DENSE_SHARE: u64 = 20;
/// For programs that change a vertex once: pull once the frontier's arcs exceed the unexplored arcs divided by this.
const PULL_SHARE: u64 = 15;
/// And push again once the frontier has fewer vertices than all vertices divided by this.
const PUSH_SHARE: u64 = 18;

/// Up to this many seeds are copied through pinned memory.
const FEW_SEEDS: usize = 1 << 14;

/// Runs until no vertex changes.
pub(super) fn run(stage: &mut Stage<'_>) -> Result<Ended> {
    let directions: &[Direction] = match stage.options.direction() {
        Some(Direction::Push) => &[Direction::Push],
        Some(Direction::Pull) => &[Direction::Pull],
        // A pull reads rows of all vertices, of which most find nothing. Over the bus, that costs more than it saves.
        None if !stage.device_graph.layout().residency.is_on_device() => &[Direction::Push],
        None if stage.incoming.is_some() && stage.device_graph.has_incoming() => {
            &[Direction::Push, Direction::Pull]
        }
        None => &[Direction::Push],
    };
    let expansions = Expansions::new(stage, directions, false)?;
    let (init, apply) = (stage.vertex_kernel("program_init")?, stage.vertex_kernel("program_apply")?);
    stage.start_clock();
    let mut supersteps = Supersteps::new(stage, expansions, apply)?;
    let mut frontier = supersteps.begin(stage, &init)?;
    let (vertices, arcs) = (stage.vertices() as u64, stage.out.rows.arcs() as u64);
    let mut choice = Choice::new(directions, stage.once, vertices, arcs);
    let mut halted = Halted::Converged;
    while frontier.members.count > 0 {
        stage.machine.check()?;
        let (before, direction) = (frontier, choice.of(frontier.members.count, frontier.arcs));
        supersteps.expand(stage, direction, before)?;
        // A push changes at most one vertex per arc; a pull can change any vertex.
        let most = match direction {
            Direction::Push => before.arcs + before.behind.map_or(0, |[arcs, _]| arcs),
            Direction::Pull => u64::MAX,
        };
        frontier = supersteps.contract(stage, most)?;
        let (seen, changed) = (supersteps.expansions.balancer.seen(&stage.machine)?, frontier.members.count);
        let is_last = stage.step(before, direction, &seen, || format!("{changed} vertices changed{seen}"));
        if is_last && changed > 0 {
            halted = Halted::MaxIterations;
            break;
        }
    }
    stage.stop_clock();
    let state_bytes = supersteps.bytes();
    let spent = supersteps.expansions.balancer.spent(&stage.machine)?;
    Ok(Ended { values: supersteps.values, residual: None, halted, state_bytes, spent })
}

/// The arrays of a run, and the kernels that work on them.
struct Supersteps {
    expansions: Expansions,
    apply: Launch<ProgramArgs>,
    args: ProgramArgs,
    values: Array<u8>,
    stamps: Array<u32>,
    /// The frontier, and the next one.
    queues: [Array<Vertex>; 2],
    /// The first frontier, if it is short.
    seeds: Option<Pinned<Vertex>>,
    /// Messages and the queue of their receivers, if messages are not joined into values at once.
    told: Option<(Array<u8>, Array<Vertex>)>,
    between: Between,
}

impl Supersteps {
    fn new(stage: &Stage<'_>, expansions: Expansions, apply: Launch<ProgramArgs>) -> Result<Self> {
        let repeats = repeats(stage);
        let queue = || stage.machine.array::<Vertex>(stage.vertices(), "a queue");
        let values = stage.values("values")?;
        let told = if stage.plain { None } else { Some((stage.gathering()?, queue()?)) };
        let stamps = stage.machine.zeros::<u32>(stage.vertices(), "stamps")?;
        let args = ProgramArgs {
            values: values.address().cast(),
            spoken: values.address().cast(),
            into: told.as_ref().map_or(&values, |(told, _)| told).address().cast(),
            stamps: stamps.address(),
            // The seeds are claimed in the first round.
            round: 1,
            flags: stage.args().flags | if repeats { REPEATS } else { 0 },
            ..stage.args()
        };
        let (queues, between) = ([queue()?, queue()?], Between::new(stage)?);
        Ok(Self { expansions, apply, args, values, stamps, queues, seeds: None, told, between })
    }

    fn bytes(&self) -> u64 {
        let told = self.told.as_ref().map_or(0, |(told, queue)| told.bytes() + queue.bytes());
        let queues = self.queues.iter().map(Array::bytes).sum::<u64>();
        self.values.bytes()
            + self.stamps.bytes()
            + queues
            + told
            + self.between.bytes()
            + self.expansions.balancer.frontiers.bitmap_bytes()
    }

    /// Copies seeds to the device. A copy from pageable memory waits, which is too slow for a few seeds; many seeds are
    /// not worth pinned memory.
    fn line_up(&mut self, stage: &Stage<'_>, seeds: &[Vertex]) -> Result<()> {
        if seeds.len() > FEW_SEEDS {
            return self.queues[0].write(seeds).map_err(crate::lift);
        }
        let mut pinned = stage.device_graph.gpu().pinned(seeds.len(), "seeds").map_err(crate::lift)?;
        seeds.iter().enumerate().for_each(|(at, &seed)| pinned.set(at, seed));
        self.queues[0].copy_from_pinned(&pinned).map_err(crate::lift)?;
        self.seeds = Some(pinned);
        Ok(())
    }

    /// Computes the first value of every vertex, and returns the seeds with their arc counts.
    fn begin(&mut self, stage: &mut Stage<'_>, init: &Launch<ProgramArgs>) -> Result<Counted> {
        let n = stage.vertices();
        let members = match stage.seeds.take() {
            None => Members::all(n),
            Some(seeds) => {
                self.line_up(stage, &seeds)?;
                Members::of(self.queues[0].address(), seeds.len() as u64)
            }
        };
        // SAFETY: all arrays have an entry per vertex, and live until the run has ended.
        unsafe { stage.machine.start(init, Grid::For(n as u64), &self.args)? };
        let frontiers = &self.expansions.balancer.frontiers;
        frontiers.stamp(&stage.machine, members, &self.stamps, self.args.round)?;
        let members = if self.between.iterates() { self.iterate_first(stage, members)? } else { members };
        stage.count_arcs(&self.expansions.balancer.frontiers, members)?;
        let counters = stage.check_start()?;
        Ok(stage.counted(members, &counters))
    }

    /// Iterates chunks before the first superstep. Returns the first frontier with the vertices that improved.
    fn iterate_first(&self, stage: &mut Stage<'_>, members: Members) -> Result<Members> {
        // Behind the seeds. If all vertices send, none joins them.
        let queue = &self.queues[usize::from(members.is_all())];
        let skipped = if members.is_all() { 0 } else { size_of::<Vertex>() as u64 * members.count };
        let next = Queue { items: Address::new(queue.address().raw() + skipped), size: stage.counter(NEXT) };
        let args = ProgramArgs { flags: self.args.flags & !REPEATS, ..self.args };
        // SAFETY: all arrays have an entry per vertex and live until the run has ended; seeds have the stamp of the round,
        // so the queue gets each vertex once.
        unsafe { self.between.start(stage, args, members, next)? };
        let joined = stage.check_start()?[NEXT];
        stage.clear_counters()?;
        Ok(if members.is_all() { members } else { Members::of(queue.address(), members.count + joined) })
    }

    /// Expands and filters: a vertex that a message improved joins the next frontier, or the queue of vertices that
    /// have something to apply.
    fn expand(&mut self, stage: &mut Stage<'_>, direction: Direction, frontier: Counted) -> Result<()> {
        let room = self.expansions.most_joining(stage, frontier)?;
        let room = if repeats(stage) { room + self.between.most() } else { room } as usize;
        if self.queues[1].len() < room {
            // Nothing is running: counting the frontier was the last launch.
            self.queues[1] = stage.machine.array::<Vertex>(0, "a queue")?;
            self.queues[1] = stage.machine.array::<Vertex>(room, "a queue")?;
        }
        self.args.round += 1;
        let (next, size) = match &self.told {
            None => (&self.queues[1], NEXT),
            Some((_, queue)) => (queue, TOLD),
        };
        let next = Queue { items: next.address(), size: stage.counter(size) };
        if direction == Direction::Push {
            return self.expansions.run(stage, direction, self.args, frontier, next);
        }
        let bitmap = self.expansions.balancer.frontiers.bitmap(&stage.machine, frontier.members)?;
        self.expansions.run(stage, direction, ProgramArgs { bitmap, ..self.args }, stage.everyone(), next)
    }

    /// Contracts: at most `most` vertices that received messages apply them. Returns the next frontier.
    fn contract(&mut self, stage: &mut Stage<'_>, most: u64) -> Result<Counted> {
        let n = stage.vertices() as u64;
        let (most, size) = (most.min(n), stage.counter(NEXT));
        let next = Members::counted(self.queues[1].address(), size, most);
        if let Some((_, queue)) = &self.told {
            let along = Along {
                items: queue.address(),
                size: stage.counter(TOLD),
                next: next.items,
                next_size: size,
                ..self.args.along
            };
            let args = ProgramArgs { along, ..self.args };
            // SAFETY: all arrays have an entry per vertex and live until the run has ended; the queue holds each vertex
            // that received a message once.
            unsafe { stage.machine.start(&self.apply, Grid::For(most), &args)? };
        }
        let joins = Queue { items: next.items, size };
        // SAFETY: as above; the queue has room for each vertex once, and for what joins beside if vertices may repeat.
        unsafe { self.between.start(stage, self.args, next, joins)? };
        let next = Members { count: most.saturating_add(self.between.most()).min(n), ..next };
        stage.count_arcs(&self.expansions.balancer.frontiers, next)?;
        let counters = stage.read_counters()?;
        self.queues.swap(0, 1);
        let members = Members::of(self.queues[0].address(), counters[NEXT]);
        Ok(stage.counted(members, &counters))
    }
}

/// Chooses the direction of each superstep, as on the CPU.
pub(crate) struct Choice<'d> {
    fixed: &'d [Direction],
    once: bool,
    vertices: u64,
    arcs: u64,
    pulling: bool,
    /// Arcs of vertices that have not pushed yet.
    unexplored: u64,
}

impl<'d> Choice<'d> {
    /// Chooses among these directions for a graph with so many vertices and arcs; `once`: the program changes a vertex once.
    pub(crate) fn new(fixed: &'d [Direction], once: bool, vertices: u64, arcs: u64) -> Self {
        Self { fixed, once, vertices, arcs, pulling: false, unexplored: arcs }
    }

    /// Returns the direction for a frontier with so many vertices and arcs.
    pub(crate) fn of(&mut self, vertices: u64, arcs: u64) -> Direction {
        if let [only] = self.fixed {
            return *only;
        }
        self.pulling = if !self.once {
            vertices + arcs > self.arcs / DENSE_SHARE
        } else if self.pulling {
            vertices >= self.vertices / PUSH_SHARE
        } else {
            arcs > self.unexplored / PULL_SHARE
        };
        if self.pulling {
            return Direction::Pull;
        }
        self.unexplored -= arcs.min(self.unexplored);
        Direction::Push
    }
}
