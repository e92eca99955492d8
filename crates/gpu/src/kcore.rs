//! Core numbers by peeling, level by level: by one persistent kernel ([`persistent`]), or as filters if the plan names
//! anything.
//!
//! `degrees[v]` counts v's arcs to vertices that remain, and never falls below the level. A level begins with a look at
//! all remaining vertices: the least degree among them is the level, so no level is empty, and the vertices of this
//! degree are removed. A wave takes one arc from every neighbour of the removed vertices; neighbours that fall to the
//! level form the next wave. A vertex keeps the degree at which it was removed: its core number.
//!
//! As filters, all looks together visit at most `n + sum of core[v] <= n + 2 m` vertices, and all waves together go
//! along every arc once. The host waits once per level and once per wave; a long chain has half as many waves as
//! vertices. Memory: 16 bytes per vertex.

mod persistent;

pub(crate) use persistent::{DEFINES, PersistentArgs};

use crate::{
    DeviceGraph, OnGpu, Outline,
    advance::{Expand, Expansion},
    arguments::{Along, Edges},
    device_graph::Side,
    form::choose,
    machine::{Grid, Launch, Machine},
    memory::{Extent, Footprint, Needs},
    variants,
    variants::Filters,
    waves::{self, NEXT, OWN, Wave, Waves},
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{
    Algorithm, Direction, Form, Halted, Options, Plan, Result,
    kcore::{Kcore, KcoreAnswer, too_many_arcs},
};
use warpgraph_device::{Address, Arguments as _, Array, Source, arguments};
use warpgraph_graph::Vertex;

/// Greater than any degree.
const NO_DEGREE: u32 = u32::MAX;

/// Counters: the number of vertices kept, and the least degree among them, counted down from [`NO_DEGREE`], or a degree
/// that is too great.
const KEPT: usize = OWN;
const LEAST: usize = OWN + 1;

/// The kernels.
pub(crate) const FILTERS: Filters = Filters {
    name: "kcore",
    arguments: KcoreArgs::cuda,
    constants: &[("NO_DEGREE", NO_DEGREE)],
    headers: &["rows.cuh"],
    of_vertices: &["kcore_degrees", "kcore_look", "kcore_take"],
    along_arcs: &["kcore_peel"],
};

arguments! {
    /// The arguments of the kernels of core numbers.
    struct KcoreArgs {
        along: Along,
        /// Offsets of outgoing arcs with their targets, and of incoming arcs; the last is null if they are the same.
        out: Address<()>,
        targets: Edges,
        incoming: Address<()>,
        vertices: u64,
        /// Arcs to vertices that remain; for a removed vertex, its core number.
        degrees: Address<u32>,
        /// Vertices that may still remain; null if that is all vertices.
        left: Address<u32>,
        count: u64,
        /// Receive the vertices that remain, and those that are removed.
        kept: Address<u32>,
        kept_size: Address<u64>,
        taken: Address<u32>,
        taken_size: Address<u64>,
        /// Receives the least degree, or one that is too great.
        least: Address<u64>,
        level: u32,
        /// One of `LOOPS_` in `kernels/rows.cuh`.
        loops: u32,
    }
}

impl Expand for KcoreArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }
}

impl OnGpu for Kcore {
    fn form(&self, _: &dyn Extent, options: &Options) -> Form {
        choose::<Self>(options, "persistent", true)
    }

    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint {
        let fixed = if matches!(form, Form::Fast(_)) { persistent::bytes(graph) } else { 0 };
        Needs { vertex: 4, both_ways: true, fixed, ..Needs::default() }.bytes(graph, options)
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<KcoreAnswer> {
        match form {
            Form::Fast(_) => persistent::kcore(device_graph, options),
            _ => by_filters(device_graph, options),
        }
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        match choose::<Self>(options, "persistent", true) {
            Form::Fast(_) => Ok(vec![variants::cores(outline.wide)?]),
            _ => FILTERS.ahead(outline, options),
        }
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        let mut all = FILTERS.modules()?;
        all.extend(variants::of_both_widths(variants::cores)?);
        Ok(all)
    }
}

/// Returns the core number of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, when a vertex has 2^32 - 1 arcs or more, or when the device fails.
fn by_filters(device_graph: &DeviceGraph, options: &Options) -> Result<KcoreAnswer> {
    let (graph, machine) = (device_graph.graph(), Machine::new(device_graph.gpu(), options, "peeling"));
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let waves = Waves::new(&machine, device_graph, options.plan.balance())?;
    let kernels = Kernels::new(&waves, device_graph)?;
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let mut peeling = Peeling::new(device_graph, waves, kernels)?;
    let all = graph.vertices() as u64;
    let report = |gone| options.control.report(Kcore::NAME, gone, Some(all));
    while let Some(level) = peeling.level(&report)? {
        let seen = peeling.waves.seen()?;
        let note = || format!("core number {}, {} waves{seen}", level.number, level.waves);
        recorder.step_by(level.gone as usize, seen.arcs(), Direction::Push, seen.balance(), note);
    }
    let plan = Plan::bsp(None).by(options.plan.balance());
    let mut run = peeling.waves.finish(recorder, plan, Halted::Converged, peeling.bytes())?;
    let cores = waves::fetched(&peeling.degrees, &mut run)?;
    Ok(KcoreAnswer::new(graph, cores, run))
}

struct Kernels {
    degrees: Launch<KcoreArgs>,
    look: Launch<KcoreArgs>,
    take: Launch<KcoreArgs>,
    peel: Expansion<KcoreArgs>,
}

impl Kernels {
    fn new(waves: &Waves<'_, '_>, device_graph: &DeviceGraph) -> Result<Self> {
        let (machine, wide) = (waves.machine, device_graph.is_wide());
        let vertices = FILTERS.vertices(wide)?;
        let kernel = |name| machine.kernel(&vertices, name);
        let filters = |scheme| FILTERS.along(wide, scheme);
        Ok(Self {
            degrees: kernel("kcore_degrees")?,
            look: kernel("kcore_look")?,
            take: kernel("kcore_take")?,
            peel: waves.balancer.expansion(machine, filters, "kcore_peel")?,
        })
    }
}

/// A level that was peeled off.
struct Level {
    number: u32,
    gone: u64,
    waves: u64,
}

/// A peeling in progress.
struct Peeling<'m, 'a> {
    waves: Waves<'m, 'a>,
    kernels: Kernels,
    args: KcoreArgs,
    degrees: Array<u32>,
    /// All removed vertices, in the order of their removal.
    queue: Array<Vertex>,
    gone: u64,
    /// The vertices that may still remain, and room for the next such list.
    left: [Array<Vertex>; 2],
    count: u64,
}

impl<'m, 'a> Peeling<'m, 'a> {
    /// Allocates the state and counts degrees.
    fn new(device_graph: &DeviceGraph, mut waves: Waves<'m, 'a>, kernels: Kernels) -> Result<Self> {
        let (graph, machine) = (device_graph.graph(), waves.machine);
        let n = graph.vertices();
        let degrees = machine.array(n, "degrees")?;
        let queue = || machine.array::<Vertex>(n, "a queue");
        let out = waves.rows(Side::Out);
        let loops = device_graph.loops(out)?;
        let args = KcoreArgs {
            out: out.offsets(),
            targets: loops.targets,
            incoming: waves.in_offsets(),
            vertices: n as u64,
            degrees: degrees.address(),
            kept_size: waves.counter(KEPT),
            taken_size: waves.counter(NEXT),
            least: waves.counter(LEAST),
            loops: u32::from(loops.are),
            ..KcoreArgs::zeroed()
        };
        // SAFETY: there is one degree per vertex, and the rows belong to the graph; all arrays live until the run has
        // ended.
        unsafe { machine.start(&kernels.degrees, Grid::For(n as u64), &args)? };
        waves.read()?;
        match waves.last(LEAST) {
            0 => {}
            degree => return Err(too_many_arcs(degree)),
        }
        let left = [queue()?, queue()?];
        Ok(Self { waves, kernels, args, degrees, queue: queue()?, gone: 0, left, count: n as u64 })
    }

    fn bytes(&self) -> u64 {
        let lists = self.left.iter().map(Array::bytes).sum::<u64>();
        self.degrees.bytes() + self.queue.bytes() + lists
    }

    /// Removes all vertices of the next core number; returns `None` if no vertex remains. Calls `report` after every
    /// wave with the number of removed vertices.
    fn level(&mut self, report: &impl Fn(u64)) -> Result<Option<Level>> {
        let Some((number, mut wave)) = self.look()? else { return Ok(None) };
        self.args.level = number;
        let (before, mut waves) = (self.gone, 0);
        while wave.members.count > 0 {
            self.gone += wave.members.count;
            report(self.gone);
            if wave.arcs == Some(0) {
                break;
            }
            wave = self.peel(wave)?;
            waves += 1;
        }
        self.args.level = number + 1;
        Ok(Some(Level { number, gone: self.gone - before, waves }))
    }

    /// Returns the least degree of all remaining vertices, and the vertices that have it.
    fn look(&mut self) -> Result<Option<(u32, Wave)>> {
        let machine = self.waves.machine;
        machine.check()?;
        self.waves.clear()?;
        let is_first = self.gone == 0;
        let args = KcoreArgs {
            left: if is_first { Address::NULL } else { self.left[0].address() },
            count: self.count,
            kept: self.left[1].address(),
            taken: waves::from(&self.queue, self.gone),
            ..self.args
        };
        // SAFETY: lists hold vertices without duplicates, so there is room for all that are kept or removed; all arrays
        // live until the run has ended.
        unsafe {
            machine.start(&self.kernels.look, Grid::For(self.count), &args)?;
            machine.start(&self.kernels.take, Grid::For(self.count), &args)?;
        }
        let wave = self.joined(args.taken)?;
        self.left.swap(0, 1);
        self.count = self.waves.last(KEPT);
        let least = self.waves.last(LEAST);
        Ok((least > 0).then(|| (NO_DEGREE - least as u32, wave)))
    }

    fn joined(&mut self, items: Address<Vertex>) -> Result<Wave> {
        let (room, sides) = (self.args.vertices - self.gone, self.waves.sides());
        self.waves.joined(items, room, sides)
    }

    /// Removes the arcs of a wave, in both directions.
    fn peel(&mut self, wave: Wave) -> Result<Wave> {
        self.waves.machine.check()?;
        self.waves.clear()?;
        let next = waves::from(&self.queue, self.gone);
        for &side in self.waves.sides() {
            // SAFETY: a vertex joins once in total, when its degree falls to the level, so the queue has room; all
            // arrays live until the run has ended.
            unsafe { self.waves.expand(&self.kernels.peel, side, wave, next, self.args)? };
        }
        self.joined(next)
    }
}
