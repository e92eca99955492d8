//! `Min`, `Max` and `Or` on a part: a frontier of changed own vertices, until no vertex of any part changes.
//!
//! A ghost keeps the best value that was sent to it, so that nothing travels that does not improve on it. A program with its
//! own `apply` or `active` joins messages in an array of their own; there a ghost gives away what it received, and owners
//! apply what their vertices got in all parts.

use super::{
    Waiting,
    link::Link,
    member::{Member, lifted},
};
use crate::{
    advance::Queue,
    arguments::{Along, ProgramArgs},
    frontier::{Counted, Members},
    machine::{Grid, Launch},
    program::{Choice, Ended, Expansions, NEXT, OWN, Stage, TOLD},
};
use warpgraph_core::{Direction, Halted, Result as CoreResult, program::Scalar};
use warpgraph_device::{Address, Array};
use warpgraph_graph::Vertex;
use warpgraph_parts::{Error, Exchange as _, Reduce};

type Result<T, E = Error> = std::result::Result<T, E>;

/// How a part ended.
pub(super) struct Done {
    pub(super) inner: Ended,
    /// The seconds in which it did not wait for others.
    pub(super) seconds: f64,
}

/// Runs until no vertex changes; collective.
pub(super) fn run<T: Scalar>(
    stage: &mut Stage<'_>,
    member: &Member,
    exchange: &mut Waiting<'_>,
) -> Result<Done> {
    let directions: &[Direction] = match stage.options.direction() {
        Some(Direction::Push) => &[Direction::Push],
        Some(Direction::Pull) => &[Direction::Pull],
        None => &[Direction::Push, Direction::Pull],
    };
    let expansions = Expansions::new(stage, directions, false)?;
    let (init, apply) = (stage.vertex_kernel("program_init")?, stage.vertex_kernel("program_apply")?);
    let link = Link::new::<T>(stage, member)?;
    let mut steps = Supersteps::new(stage, member, (expansions, apply, link))?;
    // The clock starts when everything is compiled and copied in every part.
    exchange.barrier()?;
    exchange.restart();
    stage.start_clock();
    let mut frontier = steps.begin(stage, &init)?;
    let whole = member.part().whole();
    let arcs = collective_arcs(member, exchange)?;
    let mut choice = Choice::new(directions, stage.once, whole.vertices as u64, arcs);
    let halted = loop {
        stage.machine.check()?;
        let behind = frontier.behind.map_or(0, |[arcs, _]| arcs);
        let mut words = [frontier.members.count, frontier.arcs + behind];
        exchange.all_reduce(&mut words, Reduce::Sum)?;
        let [vertices, arcs] = words;
        if vertices == 0 {
            break Halted::Converged;
        }
        if stage.halt.limit().is_some_and(|limit| stage.rounds() >= limit) {
            break Halted::MaxIterations;
        }
        let direction = choice.of(vertices, arcs);
        let sent = exchange.traffic().0;
        let seen = steps.superstep::<T>(stage, exchange, direction, frontier)?;
        let (next, sent) = (steps.contracted(stage)?, exchange.traffic().0 - sent);
        let all = Counted {
            members: Members { count: vertices, ..frontier.members },
            arcs,
            longest: None,
            behind: None,
        };
        let note = || format!("part {} sent {sent} bytes{seen}", member.part().number());
        stage.step(all, direction, &seen, note);
        frontier = next;
    };
    stage.stop_clock();
    let seconds = exchange.busy();
    let (state_bytes, spent) = (steps.bytes(), steps.expansions.balancer.spent(&stage.machine)?);
    let inner = Ended { values: steps.values, residual: None, halted, state_bytes, spent };
    Ok(Done { inner, seconds })
}

/// Returns the arcs of all parts; collective.
pub(super) fn collective_arcs(member: &Member, exchange: &mut Waiting<'_>) -> Result<u64> {
    let mut words = [member.part().out().arcs() as u64];
    exchange.all_reduce(&mut words, Reduce::Sum)?;
    Ok(words[0])
}

/// The arrays of a run, and the kernels that work on them.
struct Supersteps<'m> {
    member: &'m Member,
    expansions: Expansions,
    apply: Launch<ProgramArgs>,
    link: Link<'m>,
    args: ProgramArgs,
    values: Array<u8>,
    _stamps: Array<u32>,
    /// The places that received messages, the own vertices among them, and the next frontier.
    met: Array<Vertex>,
    mine: Array<Vertex>,
    front: Array<Vertex>,
    /// Messages, if they are not joined into values at once.
    told: Option<Array<u8>>,
}

impl<'m> Supersteps<'m> {
    fn new(
        stage: &Stage<'_>,
        member: &'m Member,
        (expansions, apply, link): (Expansions, Launch<ProgramArgs>, Link<'m>),
    ) -> CoreResult<Self> {
        let queue = || stage.machine.array::<Vertex>(stage.vertices(), "a queue");
        let values = stage.values("values")?;
        let told = if stage.plain { None } else { Some(stage.gathering()?) };
        let stamps = stage.machine.zeros::<u32>(stage.vertices(), "stamps")?;
        let args = ProgramArgs {
            values: values.address().cast(),
            spoken: values.address().cast(),
            into: told.as_ref().unwrap_or(&values).address().cast(),
            stamps: stamps.address(),
            // The seeds are claimed in the first round.
            round: 1,
            ..stage.args()
        };
        let (met, mine, front) = (queue()?, queue()?, queue()?);
        Ok(Self { member, expansions, apply, link, args, values, _stamps: stamps, met, mine, front, told })
    }

    fn bytes(&self) -> u64 {
        let queues = [&self.met, &self.mine, &self.front].map(|queue| queue.bytes()).iter().sum::<u64>();
        let told = self.told.as_ref().map_or(0, Array::bytes);
        self.values.bytes()
            + self._stamps.bytes()
            + queues
            + told
            + self.link.bytes()
            + self.expansions.balancer.frontiers.bitmap_bytes()
    }

    /// Computes the first value at every place, and returns the own seeds with their arc counts.
    fn begin(&mut self, stage: &mut Stage<'_>, init: &Launch<ProgramArgs>) -> Result<Counted> {
        let seeds = stage.seeds.take().unwrap_or_default();
        self.front.write(&seeds).map_err(lifted)?;
        let members = Members::of(self.front.address(), seeds.len() as u64);
        if stage.vertices() == 0 {
            return Ok(nothing(members));
        }
        // SAFETY: all arrays have an entry per place, and live until the run has ended.
        unsafe { stage.machine.start(init, Grid::For(stage.vertices() as u64), &self.args)? };
        if !seeds.is_empty() {
            self.expansions.balancer.frontiers.stamp(
                &stage.machine,
                members,
                &self._stamps,
                self.args.round,
            )?;
            stage.count_arcs(&self.expansions.balancer.frontiers, members)?;
        }
        let counters = stage.check_start()?;
        Ok(stage.counted(members, &counters))
    }

    /// Expands the frontier and exchanges values, so that `mine` lists the own vertices that received messages; collective.
    fn superstep<T: Scalar>(
        &mut self,
        stage: &mut Stage<'_>,
        exchange: &mut Waiting<'_>,
        direction: Direction,
        frontier: Counted,
    ) -> Result<crate::advance::Seen> {
        self.args.round += 1;
        let size = if self.told.is_some() { TOLD } else { NEXT };
        let met = Queue { items: self.met.address(), size: stage.counter(size) };
        let is_there = stage.vertices() > 0;
        match direction {
            Direction::Push if frontier.members.count > 0 => {
                self.expansions.run(stage, direction, self.args, frontier, met)?;
            }
            Direction::Push => {}
            Direction::Pull => {
                let bitmap = match is_there {
                    true => self.expansions.balancer.frontiers.bitmap(&stage.machine, frontier.members)?,
                    false => Address::NULL,
                };
                let args = ProgramArgs { bitmap, ..self.args };
                self.link.tell_frontier::<T>(stage, exchange, args)?;
                if is_there {
                    self.expansions.run(stage, direction, args, stage.everyone(), met)?;
                }
            }
        }
        let seen = self.expansions.balancer.seen(&stage.machine)?;
        let along = Along { items: met.items, size: met.size, ..self.args.along };
        let args = ProgramArgs { along, ..self.args };
        let ghosts = self.link.split(stage, args, stage.vertices() as u64, &self.mine)?;
        if direction == Direction::Push {
            let (resets, into) = (self.told.is_some(), self.args.into);
            self.link.send::<T>(stage, exchange, (self.args, into), ghosts, resets)?;
            let mine = Queue { items: self.mine.address(), size: stage.counter(OWN) };
            self.link.receive::<T>(stage, exchange, (self.args, into), mine)?;
        }
        Ok(seen)
    }

    /// Contracts: own vertices that received messages apply them, or have joined them already. Returns the next frontier.
    fn contracted(&mut self, stage: &mut Stage<'_>) -> Result<Counted> {
        let own = self.member.part().vertices() as u64;
        if own == 0 {
            return Ok(nothing(Members::of(self.front.address(), 0)));
        }
        let (queue, size) = match &self.told {
            None => (&self.mine, OWN),
            Some(_) => {
                let along = Along {
                    items: self.mine.address(),
                    size: stage.counter(OWN),
                    next: self.front.address(),
                    next_size: stage.counter(NEXT),
                    ..self.args.along
                };
                let args = ProgramArgs { along, ..self.args };
                // SAFETY: all arrays have an entry per place and live until the run has ended; the queue holds each vertex
                // that received a message once.
                unsafe { stage.machine.start(&self.apply, Grid::For(own), &args)? };
                (&self.front, NEXT)
            }
        };
        let next = Members::counted(queue.address(), stage.counter(size), own);
        stage.count_arcs(&self.expansions.balancer.frontiers, next)?;
        let counters = stage.read_counters()?;
        if self.told.is_none() {
            std::mem::swap(&mut self.mine, &mut self.front);
        }
        Ok(stage.counted(Members::of(self.front.address(), counters[size]), &counters))
    }
}

/// Returns a frontier without arcs.
fn nothing(members: Members) -> Counted {
    Counted { members, arcs: 0, longest: Some(0), behind: None }
}
