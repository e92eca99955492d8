//! [`Stage`]: a program with everything it needs on the device, ready to run.

use super::{chunks::ChunkTable, staged::Staged};
use crate::{
    DeviceGraph,
    advance::{Seen, Spent},
    arguments::{ONCE, ProgramArgs, WORK_COUNTERS},
    copies::{self, CopyTable},
    counters::Counters,
    device_graph::{DeviceRows, Made, Side},
    edges::Stored,
    frontier::{Counted, Frontiers, Members, Tally},
    machine::{Launch, Machine},
    variants::Functor,
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{
    Direction, Halt, Halted, Options, Plan, Recorder, Result, Run, Work,
    program::{Combine, Prepared, Scalar, ScalarType, VertexProgram, Ways, Weight, starts_with_nan},
};
use warpgraph_device::{Address, Array};
use warpgraph_graph::{NodeMap, Vertex};

/// What the vertices of a part of a graph show to programs. Its vertices are *places*: of its own vertices, and of ghosts, which
/// are vertices of other parts.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The original number at every place, on the device and here.
    pub(crate) originals: Arc<Array<Vertex>>,
    pub(crate) numbers: Arc<Vec<Vertex>>,
    /// Offsets whose differences are the out-degrees in the whole graph.
    pub(crate) degrees: Arc<Array<u8>>,
    /// A bit for every ghost: no sweep computes its value.
    pub(crate) idle: Arc<Array<u32>>,
}

/// Arcs of one direction, with weights in the type that the program wants.
#[derive(Debug, Clone)]
pub(crate) struct Arcs {
    pub(crate) rows: Arc<DeviceRows>,
    pub(crate) weights: Arc<Stored>,
    /// 0 if all arcs share the first weight.
    pub(crate) weight_mask: u64,
}

/// The result of a run.
pub(crate) struct Ended {
    /// The values, on the device.
    pub(crate) values: Array<u8>,
    pub(crate) residual: Option<f64>,
    pub(crate) halted: Halted,
    /// Bytes of all arrays.
    pub(crate) state_bytes: u64,
    /// The time and memory that the balance took.
    pub(crate) spent: Spent,
}

/// Indices of counters that the host reads once per superstep: the size of the next frontier, the number of vertices
/// that received messages, the arcs of the next frontier, and the arcs of its longest row. A second counter for
/// incoming arcs follows each of the last two.
pub(crate) const NEXT: usize = 0;
pub(crate) const TOLD: usize = 1;
pub(crate) const ARCS: usize = 2;
pub(crate) const LONGEST: usize = 4;
/// The first vertex that starts with NaN.
const NOT_A_NUMBER: usize = 6;
/// The number of chunks that have a member in the frontier.
pub(crate) const LISTED: usize = 7;
/// On a part of a graph, the numbers of own vertices and of ghosts that received messages.
pub(crate) const OWN: usize = 8;
pub(crate) const GHOSTS: usize = 9;
pub(crate) const COUNTERS: usize = 10;

/// A program on a device, with the graph and the properties that the engine needs.
pub(crate) struct Stage<'a> {
    pub(crate) device_graph: &'a DeviceGraph,
    pub(crate) options: &'a Options,
    pub(crate) machine: Machine<'a>,
    pub(crate) functor: Functor,
    pub(crate) ways: Ways,
    pub(crate) out: Arcs,
    /// Incoming arcs, if the run may go along them.
    pub(crate) incoming: Option<Arcs>,
    pub(crate) seeds: Option<Vec<Vertex>>,
    pub(crate) halt: Halt,
    pub(crate) distributes: bool,
    pub(crate) once: bool,
    pub(crate) plain: bool,
    pub(crate) recorder: Option<Recorder>,
    /// The copies of the graph, if it has copies or holes.
    pub(crate) copies: Option<Arc<Made<CopyTable>>>,
    /// The chunks that the run iterates.
    pub(crate) chunks: Option<Arc<Made<ChunkTable>>>,
    columns: Array<u8>,
    originals: Option<Arc<Array<Vertex>>>,
    /// How vertices were renumbered, if the program uses original numbers.
    map: Option<&'a NodeMap>,
    /// What the vertices are, if the graph is a part of another one.
    places: Option<Places>,
    counters: Counters,
    /// Updates and edges in turn, if the run counts its work.
    work: Option<Array<u64>>,
    transferred: f64,
}

impl<'a> Stage<'a> {
    /// Copies everything to the device.
    ///
    /// # Errors
    /// When memory is short, on the host or on the device.
    pub(crate) fn new(
        device_graph: &'a DeviceGraph,
        program: &dyn Staged,
        functor: Functor,
        options: &'a Options,
        ways: Ways,
    ) -> Result<Self> {
        let machine = Machine::new(device_graph.gpu(), options, "running a program");
        let transferred = device_graph.transfer_seconds();
        let (out, kind) = (program.arcs(device_graph, Side::Out)?, program.kind());
        let fixed = options.direction();
        let pulls = match fixed {
            Some(direction) => direction == Direction::Pull,
            // Pull for sums that are not pushed, and for frontiers if incoming arcs are available at no extra cost.
            None => kind.combine == Combine::Sum || device_graph.has_incoming(),
        };
        let incoming =
            if pulls || ways == Ways::Both { Some(program.arcs(device_graph, Side::In)?) } else { None };
        let gpu = device_graph.gpu();
        let columns = gpu.array_of(&program.columns(), "columns").map_err(crate::lift)?;
        let copies = copies::table_of(device_graph, program.copies(), options)?;
        let chunks = program.chunks(device_graph, options, ways)?;
        let map = options.map.as_ref().filter(|_| program.is_renumbered());
        let originals = map.map(|map| device_graph.originals(map)).transpose()?;
        Ok(Self {
            device_graph,
            options,
            functor,
            ways,
            out,
            incoming,
            columns,
            originals,
            copies,
            chunks,
            seeds: seeds(program),
            halt: program.halt(),
            distributes: kind.distributes,
            once: kind.once,
            plain: program.is_plain(),
            map,
            places: program.places().cloned(),
            recorder: None,
            counters: Counters::new(&machine, COUNTERS)?,
            work: options
                .count_work
                .then(|| machine.zeros(2 * WORK_COUNTERS, "counters of work"))
                .transpose()?,
            machine,
            transferred,
        })
    }

    /// Returns the number of vertices.
    pub(crate) fn vertices(&self) -> usize {
        self.device_graph.graph().vertices()
    }

    /// Returns the number of directions that a superstep goes along.
    pub(crate) fn sides(&self) -> usize {
        if self.ways == Ways::Both && !self.device_graph.is_symmetric() { 2 } else { 1 }
    }

    /// Returns how messages are combined.
    pub(crate) fn combine(&self) -> Combine {
        self.functor.types.combine
    }

    /// Allocates one value per vertex.
    pub(crate) fn values(&self, what: &str) -> Result<Array<u8>> {
        self.machine.array(self.vertices() * width(self.functor.types.value), what)
    }

    /// Allocates one place per vertex to gather messages in.
    pub(crate) fn gathering(&self) -> Result<Array<u8>> {
        self.machine.array(self.vertices() * width(self.functor.gathered()), "what arrives")
    }

    /// Compiles a kernel that works on vertices between expansions.
    pub(crate) fn vertex_kernel(&self, name: &'static str) -> Result<Launch<ProgramArgs>> {
        let source = self.functor.vertices(self.device_graph.is_wide())?;
        self.machine.kernel(&source, name)
    }

    /// Starts the clock; everything is compiled and copied.
    pub(crate) fn start_clock(&mut self) {
        let seconds = self.device_graph.transfer_seconds() - self.transferred;
        self.recorder = Some(self.machine.recorder(seconds));
    }

    /// Stops the clock; the answer is complete.
    pub(crate) fn stop_clock(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.stop();
        }
    }

    /// Returns all vertices, with all their arcs.
    pub(crate) fn everyone(&self) -> Counted {
        let arcs = self.out.rows.arcs() as u64;
        Counted { members: Members::all(self.vertices()), arcs, longest: None, behind: None }
    }

    /// Launches the count of a frontier's arcs, including incoming arcs if the run goes along them. The kernel then
    /// tells the counters and resets them.
    pub(crate) fn count_arcs(&mut self, frontiers: &Frontiers, members: Members) -> Result<()> {
        let (arcs, longest) = (self.counter(ARCS), self.counter(LONGEST));
        let tally = Tally { arcs, longest, tell: self.counters.telling(true) };
        let out = &self.out.rows;
        match self.incoming.as_ref().filter(|_| self.sides() > 1) {
            Some(incoming) => frontiers.count_both(&self.machine, members, [out, &incoming.rows], tally),
            None => frontiers.count_arcs(&self.machine, members, out, tally),
        }
    }

    /// Returns a frontier with the arc counts that the counters hold.
    pub(crate) fn counted(&self, members: Members, counters: &[u64; COUNTERS]) -> Counted {
        let behind = [counters[ARCS + 1], counters[LONGEST + 1]];
        Counted {
            members,
            arcs: counters[ARCS],
            longest: Some(counters[LONGEST]),
            behind: Some(behind).filter(|_| self.sides() > 1),
        }
    }

    /// Ends a superstep and records what it expanded. Returns true if the rounds are used up.
    pub(crate) fn step(
        &mut self,
        frontier: Counted,
        direction: Direction,
        seen: &Seen,
        note: impl FnOnce() -> String,
    ) -> bool {
        let Some(recorder) = &mut self.recorder else { return false };
        let arcs = frontier.arcs + frontier.behind.map_or(0, |[arcs, _]| arcs);
        let vertices = frontier.members.count as usize;
        recorder.step_by(vertices, Some(arcs), direction, seen.balance(), note);
        let (limit, rounds) = (self.halt.limit(), recorder.rounds());
        self.options.control.report(self.functor.name, rounds, limit);
        limit.is_some_and(|limit| rounds >= limit)
    }

    /// Returns the number of supersteps so far.
    pub(crate) fn rounds(&self) -> u64 {
        self.recorder.as_ref().map_or(0, Recorder::rounds)
    }

    /// Returns the work that the run counted, if it counts.
    fn counted_work(&self) -> Result<Option<Work>> {
        let Some(work) = &self.work else { return Ok(None) };
        let counters = work.to_vec().map_err(crate::lift)?;
        let sum = |which: usize| counters.iter().skip(which).step_by(2).sum::<u64>();
        let (updates, edges) = (sum(0), sum(1));
        let weight = if self.out.weight_mask == 0 { 0 } else { width(self.functor.types.weight) };
        // Per edge its target, its weight, and the value at its end.
        let bytes = edges * (4 + weight + width(self.functor.types.value)) as u64;
        Ok(Some(Work { updates, merges: 0, edges, bytes }))
    }

    /// Returns the report. It leaves the balance open if each superstep chose its own.
    pub(crate) fn finish(&mut self, ended: &Ended) -> Result<Run> {
        if self.recorder.is_none() {
            self.start_clock();
        }
        let (peak, work) = (self.device_graph.gpu().peak(), self.counted_work()?);
        let recorder = self.recorder.take().map(|mut recorder| {
            work.into_iter().for_each(|work| recorder.work(work));
            recorder.hold_on_device(peak);
            ended.spent.tell(&mut recorder);
            recorder
        });
        let recorder = recorder.unwrap_or_else(|| unreachable!("the clock was started above"));
        let direction = match self.options.direction() {
            None if self.combine() == Combine::Sum => Some(Direction::Pull),
            direction => direction,
        };
        let plan = Plan::bsp(direction).by(self.options.plan.balance());
        Ok(recorder.finish(plan, ended.halted, ended.state_bytes))
    }

    /// Returns the arguments that all kernels of the program share, for outgoing arcs.
    pub(crate) fn args(&self) -> ProgramArgs {
        let (out_offsets, idle, originals) = match (&self.places, &self.copies) {
            (Some(places), _) => {
                (places.degrees.address().cast(), places.idle.address(), Some(&places.originals))
            }
            (None, Some(copies)) => (copies.degrees(), copies.idle(), self.originals.as_ref()),
            (None, None) => (self.out.rows.offsets(), Address::NULL, self.originals.as_ref()),
        };
        let args = ProgramArgs {
            out_offsets,
            idle,
            originals: originals.map_or(Address::NULL, |originals| originals.address()),
            columns: self.columns.address().cast(),
            vertices: self.vertices() as u64,
            not_a_number: self.counter(NOT_A_NUMBER),
            params: self.functor.printed.slots(),
            flags: if self.once { ONCE } else { 0 },
            work: self.work.as_ref().map_or(Address::NULL, Array::address),
            ..ProgramArgs::zeroed()
        };
        along(args, &self.out)
    }

    /// Returns the address of a counter.
    pub(crate) fn counter(&self, which: usize) -> Address<u64> {
        self.counters.at(which)
    }

    /// Sets all counters to 0; nothing may be running.
    pub(crate) fn clear_counters(&mut self) -> Result<()> {
        self.counters.clear()
    }

    /// Waits and reads the counters.
    pub(crate) fn read_counters(&mut self) -> Result<[u64; COUNTERS]> {
        self.counters.read(&self.machine)?;
        Ok(std::array::from_fn(|i| self.counters.last(i)))
    }

    /// Reads the counters after `program_init`; returns an error if a vertex starts with NaN. The kernel notes that
    /// vertex counted down from the greatest u64, so 0 means none.
    pub(crate) fn check_start(&mut self) -> Result<[u64; COUNTERS]> {
        let counters = self.read_counters()?;
        match counters[NOT_A_NUMBER] {
            0 => Ok(counters),
            first => {
                let v = (u64::MAX - first) as Vertex;
                let number = match &self.places {
                    Some(places) => places.numbers[v as usize],
                    None => self.map.map_or(v, |map| map.original(v)),
                };
                Err(starts_with_nan(self.functor.name, number))
            }
        }
    }
}

/// Returns the vertices that send first, with their copies; `None` for all.
fn seeds(program: &dyn Staged) -> Option<Vec<Vertex>> {
    let mut seeds = program.seeds()?;
    if let Some(copies) = program.copies() {
        let theirs: Vec<_> = seeds.iter().flat_map(|&seed| copies.of_master(seed)).copied().collect();
        seeds.extend(theirs);
    }
    Some(seeds)
}

/// Returns the bytes of a number.
pub(crate) fn width(kind: ScalarType) -> usize {
    match kind {
        ScalarType::U64 | ScalarType::F64 => 8,
        _ => 4,
    }
}

/// Fills in the arguments for these arcs, except those that the balance sets.
pub(crate) fn along(args: ProgramArgs, arcs: &Arcs) -> ProgramArgs {
    ProgramArgs { weights: arcs.weights.edges(), weight_mask: arcs.weight_mask, ..args }
}

pub(crate) fn arcs<P: VertexProgram>(
    device_graph: &DeviceGraph,
    prepared: &Prepared<'_, P>,
    side: Side,
) -> Result<Arcs> {
    let kind = P::Weight::USED.then_some(<P::Weight as Weight>::Scalar::TYPE);
    arcs_with(device_graph, side, kind, |give| give(&prepared.weights(device_graph.host(side)?)?))
}

/// Returns the arcs of a direction; `make` gives their weights in the type `kind`, if there is one.
pub(super) fn arcs_with<T: Scalar>(
    device_graph: &DeviceGraph,
    side: Side,
    kind: Option<ScalarType>,
    make: impl FnOnce(&mut dyn FnMut(&[T]) -> Result<()>) -> Result<()>,
) -> Result<Arcs> {
    let host = device_graph.host(side)?;
    let rows = device_graph.rows(side)?;
    let is_shared = kind.is_none() || host.weights.weight_type().is_none();
    let weights = match kind {
        Some(kind) => device_graph.weights(side, kind, make)?,
        None => device_graph.no_weights()?,
    };
    Ok(Arcs { rows, weights, weight_mask: if is_shared { 0 } else { u64::MAX } })
}
