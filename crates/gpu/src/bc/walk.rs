//! One batch of sources after the other: forward by layers, counting paths, and backward, gathering dependencies.

use super::{
    Task,
    copies::{Reflect, Sources, Step, marks},
    kernels::{ARCS, Filters, LENGTH, MANY, NEXT, Scaled, VANISHED, Vertices},
    state::{State, at_once},
};
use crate::{
    advance::{Balancer, Expansion, Queue, Sides, Work},
    arguments::{BcArgs, Edges},
    copies::CopyArgs,
    device_graph::{DeviceRows, Side},
    edges::Stored,
    frontier::Members,
    machine::{Grid, Launch, Machine},
};
use std::{ops::Range, sync::Arc};
use warpgraph_core::{Algorithm, Error, Result, bc::Bc, program::ScalarType};
use warpgraph_device::Address;
use warpgraph_graph::{Vertex, Weights};

/// Layers between two waits on the way back. The way back needs no wait, but the host keeps a record of every launch
/// until the next one.
const PATIENCE: usize = 1 << 10;

/// Why a batch did not finish.
pub(super) enum Trouble {
    /// A weight vanished beside the distance; this copy is the first where one did.
    Vanished {
        copy: usize,
    },
    Other(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// The work of a batch, over all its sources.
pub(super) struct Walked {
    pub(super) layers: usize,
    pub(super) reached: usize,
    /// Arcs of the vertices reached.
    pub(super) arcs: u64,
}

/// A part of the queue, and its outgoing arcs.
#[derive(Debug, Clone)]
struct Layer {
    range: Range<u64>,
    arcs: u64,
}

/// Arcs of one direction.
struct Arcs {
    side: Side,
    rows: Arc<DeviceRows>,
    weights: Option<Arc<Stored>>,
}

impl Arcs {
    fn new(task: Task<'_>, side: Side) -> Result<Self> {
        let (device_graph, kind) = (task.device_graph, task.types.weight);
        let copied = |kind| match &device_graph.host(side)?.weights {
            Weights::U32(w) => device_graph.weights(side, kind, |give| give(&w[..])),
            Weights::I32(w) => device_graph.weights(side, kind, |give| give(&w[..])),
            Weights::F32(w) => device_graph.weights(side, kind, |give| give(&w[..])),
            Weights::F64(w) => device_graph.weights(side, kind, |give| give(&w[..])),
            Weights::None => device_graph.no_weights(),
        };
        let rows = device_graph.rows(side)?;
        Ok(Self { side, rows, weights: kind.map(|kind: ScalarType| copied(kind)).transpose()? })
    }
}

/// The state that batches share.
pub(super) struct Walk<'m, 'a> {
    task: Task<'a>,
    machine: &'m Machine<'a>,
    pub(super) balancer: Balancer,
    vertices: Vertices,
    filters: Filters,
    out: Arcs,
    incoming: Arcs,
    /// Copies of vertices: those of sources, and the kernels that reflect them.
    known: Sources,
    reflect: Option<Reflect>,
    replicas: CopyArgs,
    pub(super) at_once: usize,
    pub(super) state: State,
    /// Sources that are done, and all sources.
    done: usize,
    total: usize,
}

impl<'m, 'a> Walk<'m, 'a> {
    /// Prepares for this many sources in total, whose copies are `known`.
    pub(super) fn new(
        task: Task<'a>,
        machine: &'m Machine<'a>,
        sources: usize,
        known: Sources,
    ) -> Result<Self> {
        let (out, incoming) = (Arcs::new(task, Side::Out)?, Arcs::new(task, Side::In)?);
        let (asked, one_order) = (task.options.plan.balance(), task.options.deterministic);
        let sides = [Side::Out, Side::In];
        let balancer = Balancer::new(machine, task.device_graph, asked, one_order, Sides::of(&sides), 1)?;
        let vertices = Vertices::new(task, machine)?;
        let filters = Filters::new(task, machine, &balancer)?;
        let at_once = at_once(task, machine, &balancer, &out.rows, sources)?;
        let state = State::new(task, machine, at_once)?;
        let balancer = balancer.with_copies(machine, at_once)?;
        let (reflect, replicas) = (Reflect::new(task, machine)?, marks(task)?);
        Ok(Self {
            task,
            machine,
            balancer,
            vertices,
            filters,
            out,
            incoming,
            known,
            reflect,
            replicas,
            at_once,
            state,
            done: 0,
            total: sources,
        })
    }

    /// Adds the dependencies on paths from these sources to the scores.
    pub(super) fn batch(&mut self, sources: &[Vertex]) -> Result<Walked, Trouble> {
        self.state.begin(sources)?;
        let (offsets, replicas) = (self.out.rows.offsets(), self.replicas);
        let args = BcArgs { offsets, replicas, ..self.state.args(sources.len()) };
        self.start(|v| &v.clear, Grid::For(self.slots(&args)), &args)?;
        let first = self.first(sources);
        if self.task.types.weight.is_some() {
            self.find_distances(args, &first)?;
            self.expect(args)?;
        }
        let (layers, is_scaled) = self.forward(args, first)?;
        self.backward(args, &layers, is_scaled)?;
        self.score(args)?;
        self.done += sources.len();
        self.report();
        Ok(Walked {
            layers: layers.len(),
            reached: layers.last().map_or(0, |layer| layer.range.end as usize),
            arcs: layers.iter().map(|layer| layer.arcs).sum(),
        })
    }

    /// Returns the layer of the sources and their copies.
    fn first(&self, sources: &[Vertex]) -> Layer {
        let sum = |of: &dyn Fn(Vertex) -> u64| sources.iter().map(|&s| of(s)).sum::<u64>();
        let copies = sum(&|s| self.known.copies(self.task, s));
        let arcs = sum(&|s| self.known.arcs(self.task, s));
        Layer { range: 0..sources.len() as u64 + copies, arcs }
    }

    /// Runs a step over copies of vertices, if there are any.
    fn reflect(&self, step: Step, args: &BcArgs) -> Result<()> {
        let Some(reflect) = &self.reflect else { return Ok(()) };
        // SAFETY: as for `start`; a queue has room for all vertices, and a copy joins it at most once per round.
        unsafe { reflect.start(self.machine, step, args) }
    }

    /// Reports progress.
    fn report(&self) {
        self.task.options.control.report(Bc::NAME, self.done as u64, Some(self.total as u64));
    }

    /// Returns the number of vertices of all copies.
    fn slots(&self, args: &BcArgs) -> u64 {
        u64::from(args.copies) * args.vertices
    }

    fn start(&self, which: impl Fn(&Vertices) -> &Launch<BcArgs>, grid: Grid, args: &BcArgs) -> Result<()> {
        // SAFETY: all arrays have an entry for every vertex of every copy, or for every copy, and live until the run
        // has ended; queues hold vertices, at most once each.
        unsafe { self.machine.start(which(&self.vertices), grid, args) }
    }

    /// Runs a filter over rows.
    fn expand(
        &mut self,
        which: impl Fn(&Filters) -> Option<&Expansion<BcArgs>>,
        side: Side,
        work: Work,
        args: BcArgs,
    ) -> Result<()> {
        let arcs = if side == Side::Out { &self.out } else { &self.incoming };
        let weights = arcs.weights.as_ref().map_or(Edges::NONE, |weights| weights.edges());
        let Some(filter) = which(&self.filters) else { unreachable!("compiled before it is needed") };
        let args = BcArgs { weights, ..args };
        // SAFETY: members are vertices of the copies without duplicates; all arrays have an entry for each and live
        // until the run has ended; a vertex joins a queue once per round, and the queue of layers once.
        unsafe { self.balancer.run(self.machine, filter, arcs.side, &arcs.rows, work, args) }
    }

    /// Returns the work on a part of the queue, with its outgoing arcs if they are known.
    fn work(&self, range: &Range<u64>, arcs: Option<u64>) -> Work {
        let queue = self.state.queue.address();
        let items = Address::new(queue.raw() + 4 * range.start);
        let next = Queue { items: queue, size: self.state.counter(LENGTH) };
        Work { members: Members::of(items, range.end - range.start), arcs, longest: None, next }
    }

    /// Puts the sources into an empty queue, then, in a step, their copies.
    fn plant(&self, args: BcArgs, queue: Address<Vertex>, length: usize, step: Step) -> Result<()> {
        let args = BcArgs { queue, length: self.state.counter(length), ..args };
        self.start(|v| &v.begin, Grid::For(u64::from(args.copies)), &args)?;
        self.reflect(step, &args)
    }

    /// Finds distances by weights: vertices whose distance falls relax their neighbours, until no distance falls.
    fn find_distances(&mut self, args: BcArgs, first: &Layer) -> Result<()> {
        self.plant(args, self.state.front.address(), NEXT, Step::Wake)?;
        let (mut count, mut arcs, mut round) = (first.range.end, first.arcs, 0);
        while count > 0 {
            self.machine.check()?;
            self.state.clear_counters()?;
            round += 1;
            let next = Queue { items: self.state.queue.address(), size: self.state.counter(NEXT) };
            let members = Members::of(self.state.front.address(), count);
            let work = Work { members, arcs: Some(arcs), longest: None, next };
            self.expand(|f| f.relax.as_ref(), Side::Out, work, BcArgs { round, ..args })?;
            let measured = BcArgs { queue: next.items, length: next.size, ..args };
            self.reflect(Step::Wake, &measured)?;
            self.start(|v| &v.arcs, Grid::For(arcs.min(self.slots(&args))), &measured)?;
            let counters = self.state.read_counters(self.machine)?;
            (count, arcs) = (counters[NEXT], counters[ARCS]);
            std::mem::swap(&mut self.state.queue, &mut self.state.front);
            self.report();
        }
        Ok(())
    }

    /// Counts the tight arcs that lead to each vertex.
    fn expect(&mut self, args: BcArgs) -> Result<()> {
        self.state.clear_pending()?;
        let (queue, length) = (self.state.front.address(), self.state.counter(NEXT));
        let slots = Grid::For(self.slots(&args));
        self.start(|v| &v.collect, slots, &BcArgs { queue, length, ..args })?;
        let count = self.state.read_counters(self.machine)?[NEXT];
        let members = Members::of(queue, count);
        let work = Work { members, arcs: None, longest: None, next: Queue::NONE };
        self.expand(|f| f.expect.as_ref(), Side::Out, work, args)?;
        self.reflect(Step::Await, &args)
    }

    /// Builds all layers and counts paths. Returns the layers, and whether counts have an exponent.
    fn forward(&mut self, args: BcArgs, first: Layer) -> Result<(Vec<Layer>, bool), Trouble> {
        let (mut layers, mut is_scaled, mut measured) = (vec![first], false, 0);
        let args = BcArgs { queue: self.state.queue.address(), length: self.state.counter(LENGTH), ..args };
        self.plant(args, args.queue, LENGTH, Step::Place)?;
        self.reflect(Step::Reflect, &args)?;
        loop {
            self.machine.check()?;
            let Layer { range, arcs } = layers[layers.len() - 1].clone();
            let args = BcArgs { round: layers.len() as u32, from: range.end, ..args };
            self.expand(|f| Some(&f.forward), Side::Out, self.work(&range, Some(arcs)), args)?;
            self.reflect(Step::Place, &args)?;
            self.start(|v| &v.arcs, Grid::For(arcs.min(self.slots(&args))), &args)?;
            let counters = self.state.read_counters(self.machine)?;
            if counters[VANISHED] != 0 {
                let copy = args.copies as usize - counters[VANISHED] as usize;
                return Err(Trouble::Vanished { copy });
            }
            if counters[LENGTH] == range.end {
                return Ok((layers, is_scaled));
            }
            if counters[MANY] != 0 && !is_scaled {
                is_scaled = true;
                self.use_exponents(args, range.end)?;
            }
            let layer = Layer { range: range.end..counters[LENGTH], arcs: counters[ARCS] - measured };
            measured = counters[ARCS];
            self.count(args, &layer, is_scaled)?;
            self.reflect(Step::Reflect, &args)?;
            layers.push(layer);
            self.report();
        }
    }

    /// Switches to counts with exponents, also for the layers so far.
    fn use_exponents(&mut self, args: BcArgs, end: u64) -> Result<()> {
        if self.filters.scaled.is_none() {
            self.filters.scaled = Some(Scaled::new(self.task, self.machine, &self.balancer)?);
        }
        self.start(|v| &v.normalise, Grid::For(end), &BcArgs { from: 0, upto: end, ..args })
    }

    /// Counts the paths to a layer.
    fn count(&mut self, args: BcArgs, layer: &Layer, is_scaled: bool) -> Result<()> {
        let is_symmetric = !self.task.device_graph.graph().is_directed();
        let work = self.work(&layer.range, Some(layer.arcs).filter(|_| is_symmetric));
        if !is_scaled {
            return self.expand(|f| Some(&f.count), Side::In, work, args);
        }
        self.expand(|f| f.scaled.as_ref().map(|s| &s.exponent), Side::In, work, args)?;
        self.expand(|f| f.scaled.as_ref().map(|s| &s.count), Side::In, work, args)?;
        let (from, upto) = (layer.range.start, layer.range.end);
        self.start(|v| &v.normalise, Grid::For(upto - from), &BcArgs { from, upto, ..args })
    }

    /// Gathers the dependencies of all vertices except the sources. Those of the last layer are 0.
    fn backward(&mut self, args: BcArgs, layers: &[Layer], is_scaled: bool) -> Result<()> {
        let Some((_, nearer)) = layers.split_last() else { return Ok(()) };
        for (i, layer) in nearer.iter().enumerate().skip(1).rev() {
            self.machine.check()?;
            if i.is_multiple_of(PATIENCE) {
                self.machine.wait()?;
            }
            let work = self.work(&layer.range, Some(layer.arcs));
            if is_scaled {
                self.expand(|f| f.scaled.as_ref().map(|s| &s.backward), Side::Out, work, args)?;
            } else {
                self.expand(|f| Some(&f.backward), Side::Out, work, args)?;
            }
            self.reflect(Step::Combine, &args)?;
        }
        Ok(())
    }

    /// Adds the dependencies to the scores.
    fn score(&mut self, args: BcArgs) -> Result<()> {
        if args.reached.raw() != 0 {
            self.state.clear_reached()?;
            self.start(|v| &v.ends, Grid::For(self.slots(&args)), &args)?;
        }
        self.start(|v| &v.score, Grid::For(args.vertices), &args)?;
        self.machine.wait()
    }
}
