//! Measuring what schemes cost: each goes over frontiers of a made-up graph as a superstep does, from its start until the host has seen
//! its end, and the [`Costs`] are those that explain the times.
//!
//! The graph has a stretch of equal rows for everything that is asked; targets lie scattered. It takes about 40 MiB, on the host and on
//! the device, for as long as it is measured.

use super::{
    Balancer, Expand, Expansion, Queue, Scheme, Sides, Work,
    model::{Cost, Costs, Load},
};
use crate::{
    Resident,
    arguments::Along,
    error::lift,
    frontier::Members,
    machine::{Grid, Machine},
    resident::Side,
    variants,
};
use bytemuck::Zeroable;
use rayon::prelude::*;
use std::time::Instant;
use warpgraph_core::{Balance, Options, Result, Tiles};
use warpgraph_device::{Address, Array, Gpu, Pinned, arguments};
use warpgraph_graph::{Arcs, Csr, Graph, Ids, Offsets, Origin, Vertex, Weights};

/// The least of so many times counts.
const TIMES: usize = 5;
/// So many launches in a row, to see what one of them takes.
const LAUNCHES: usize = 9;

arguments! {
    /// Of the kernel that balances are measured by.
    pub(crate) struct ProbeArgs {
        along: Along,
        values: Address<u32>,
        stamps: Address<u32>,
        round: u64,
    }
}

impl Expand for ProbeArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }
}

/// Rows of equal length that lie together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    first: usize,
    rows: usize,
    arcs: usize,
}

/// The frontiers that are measured.
#[derive(Debug, Clone, Copy)]
struct Shapes {
    /// A vertex of one arc.
    one: Stretch,
    /// Many rows of two arcs, and of eight.
    pairs: Stretch,
    short: Stretch,
    /// Rows of hundreds of arcs.
    long: Stretch,
    /// A row that one thread walks, and one that a block does.
    walk: Stretch,
    hub: Stretch,
    /// As many short rows as one block still sums up.
    turns: Stretch,
}

impl Shapes {
    /// At full size, or with all numbers of rows and arcs that are large divided by two so many times.
    fn new(smaller: u32) -> Self {
        let mut first = 0;
        let mut next = |rows: usize, arcs: usize| {
            let stretch = Stretch { first, rows, arcs };
            first += rows;
            stretch
        };
        Self {
            one: next(1, 1),
            pairs: next((1 << 18) >> smaller, 2),
            short: next((1 << 18) >> smaller, 8),
            long: next(((1 << 13) >> smaller).max(1), 512),
            walk: next(1, 1024 >> smaller.min(4)),
            hub: next(1, (1 << 16) >> smaller),
            turns: next((1 << 11) >> smaller.min(5), 12),
        }
    }

    fn all(&self) -> [Stretch; 7] {
        [self.one, self.pairs, self.short, self.long, self.walk, self.hub, self.turns]
    }

    /// The graph that has them all, and as many vertices without arcs beside.
    fn graph(&self) -> Result<Graph> {
        let last = self.turns.first + self.turns.rows;
        let n = (2 * last).next_power_of_two();
        let (mut offsets, mut targets) = (vec![0u32], Vec::new());
        for stretch in self.all() {
            // One target in each of as many equal parts, so that rows are in order.
            let (part, before) = ((n / stretch.arcs).max(1), targets.len());
            let target = |i: usize| {
                let (row, arc) = (i / stretch.arcs, i % stretch.arcs);
                ((arc * part + scattered(stretch.first + row, arc) % part) % n) as Vertex
            };
            targets.par_extend((0..stretch.rows * stretch.arcs).into_par_iter().map(target));
            offsets.extend((1..=stretch.rows).map(|rows| (before + rows * stretch.arcs) as u32));
        }
        offsets.resize(n + 1, targets.len() as u32);
        let name = "probe";
        let csr = Csr::new(Offsets::Narrow(offsets.into()), targets.into(), name)?;
        let arcs = Arcs { csr, weights: Weights::None };
        let origin = Origin { name: name.to_owned(), format: "memory".to_owned(), ..Origin::default() };
        Ok(Graph::new(arcs, true, Ids::Range { first: 0, len: n }, origin)?)
    }
}

/// A number that looks like chance.
fn scattered(row: usize, arc: usize) -> usize {
    let x = (row as u64) << 32 | arc as u64;
    (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize
}

impl Stretch {
    fn load(&self) -> Load {
        let (rows, arcs) = (self.rows as u64, self.arcs as u64);
        Load { vertices: rows, arcs: rows * arcs, longest: arcs, is_all: false }
    }
}

/// A device with the graph on it.
struct Bench<'a> {
    machine: Machine<'a>,
    resident: Resident,
    values: Array<u32>,
    stamps: Array<u32>,
    queue: Array<Vertex>,
    next: Array<Vertex>,
    counter: Array<u64>,
    seen: Pinned<u64>,
    round: u64,
}

/// A scheme on it.
struct Measured {
    balancer: Balancer,
    expansion: Expansion<ProbeArgs>,
}

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, options: &'a Options, graph: &Graph) -> Result<Self> {
        let machine = Machine::new(gpu, options, "measuring balances");
        let n = graph.vertices();
        let everyone: Vec<Vertex> = (0..n as Vertex).collect();
        let array = |what| gpu.array_of(&everyone, what).map_err(lift);
        Ok(Self {
            resident: Resident::new(gpu, graph),
            values: array("values")?,
            stamps: machine.zeros(n, "stamps")?,
            queue: array("a queue")?,
            next: machine.array(n, "a queue")?,
            counter: machine.zeros(1, "a counter")?,
            seen: gpu.pinned(1, "a counter").map_err(lift)?,
            machine,
            round: 0,
        })
    }

    fn scheme(&self, balance: Balance) -> Result<Measured> {
        let asked = Some(balance);
        let balancer =
            Balancer::new(&self.machine, &self.resident, asked, false, Sides::of(&[Side::Out]), 1)?;
        let expansion = balancer.expansion(&self.machine, variants::probe, "probe")?;
        Ok(Measured { balancer, expansion })
    }

    fn members(&self, stretch: Stretch) -> Members {
        let items = Address::new(self.queue.address().raw() + 4 * stretch.first as u64);
        Members::of(items, stretch.rows as u64)
    }

    /// One superstep; how many joined the next frontier.
    fn step(&mut self, scheme: &mut Measured, stretch: Stretch) -> Result<u64> {
        self.counter.fill_bytes(0).map_err(lift)?;
        self.round += 1;
        let (load, rows) = (stretch.load(), self.resident.rows(Side::Out)?);
        let next = Queue { items: self.next.address(), size: self.counter.address() };
        let (arcs, longest) = (Some(load.arcs), Some(load.longest));
        let work = Work { members: self.members(stretch), arcs, longest, next };
        let args = ProbeArgs {
            values: self.values.address(),
            stamps: self.stamps.address(),
            round: self.round,
            ..ProbeArgs::zeroed()
        };
        let Measured { balancer, expansion } = scheme;
        // SAFETY: members are vertices, each once; arrays have an entry for each and live until the wait below; a vertex joins once a
        // round, by its stamp.
        unsafe { balancer.run(&self.machine, expansion, Side::Out, &rows, work, args)? };
        self.machine.fetch(&mut self.seen, &self.counter)?;
        Ok(self.seen.get(0))
    }

    /// Nanoseconds of a superstep, the least of a few.
    fn nanoseconds(&mut self, scheme: &mut Measured, stretch: Stretch) -> Result<f64> {
        let mut least = f64::INFINITY;
        for _ in 0..=TIMES {
            let start = Instant::now();
            self.step(scheme, stretch)?;
            least = least.min(start.elapsed().as_secs_f64() * 1e9);
        }
        Ok(least)
    }

    /// Nanoseconds of a step, by a frontier of so many after another.
    fn step_cost(
        &mut self,
        scheme: &mut Measured,
        one: Stretch,
        (stretch, steps): (Stretch, usize),
    ) -> Result<f64> {
        let more = self.nanoseconds(scheme, stretch)? - self.nanoseconds(scheme, one)?;
        Ok((more / steps.max(1) as f64).max(0.0))
    }

    /// What a scheme costs but for turns, by two frontiers of many vertices and arcs.
    fn cost(&mut self, scheme: &mut Measured, one: Stretch, many: [Stretch; 2], step: f64) -> Result<Cost> {
        let first = self.nanoseconds(scheme, one)?;
        let times = [self.nanoseconds(scheme, many[0])? - first, self.nanoseconds(scheme, many[1])? - first];
        let (vertex, arc) = explained(times, many.map(|stretch| stretch.load()));
        Ok(Cost { first, vertex, arc, step, row: 0.0 })
    }

    /// Nanoseconds of one launch more.
    fn launch(&mut self, scheme: &Measured, stretch: Stretch) -> Result<f64> {
        let rows = self.resident.rows(Side::Out)?;
        let mut least = [f64::INFINITY; 2];
        for _ in 0..TIMES {
            for (least, launches) in least.iter_mut().zip([1, LAUNCHES]) {
                let (start, counter) = (Instant::now(), self.counter.address());
                for _ in 0..launches {
                    let frontiers = &scheme.balancer.frontiers;
                    frontiers.count_arcs(
                        &self.machine,
                        self.members(stretch),
                        &rows,
                        counter,
                        Address::NULL,
                    )?;
                }
                self.machine.fetch(&mut self.seen, &self.counter)?;
                *least = least.min(start.elapsed().as_secs_f64() * 1e9);
            }
        }
        Ok(((least[1] - least[0]) / (LAUNCHES - 1) as f64).max(0.0))
    }
}

/// What schemes cost on a device.
///
/// # Errors
/// When memory is short; those of compiling; what happens to the device.
pub(super) fn costs(gpu: &Gpu) -> Result<Costs> {
    measured(gpu, Shapes::new(0))
}

fn measured(gpu: &Gpu, shapes: Shapes) -> Result<Costs> {
    let (options, graph) = (Options::default(), shapes.graph()?);
    let mut bench = Bench::new(gpu, &options, &graph)?;
    let mut node = bench.scheme(Balance::Node)?;
    let launch = bench.launch(&node, shapes.one)?;
    let blocks = node.expansion.kernels.iter().map(|(_, launch)| launch.blocks(Grid::Shares(u64::MAX))).max();
    let threads = f64::from(bench.machine.block()) * f64::from(blocks.unwrap_or(1));
    let mut costs = Costs { launch, threads, ..Costs::ASSUMED };
    let walk = (shapes.walk, shapes.walk.arcs - 1);
    let step = bench.step_cost(&mut node, shapes.one, walk)?;
    costs.node = bench.cost(&mut node, shapes.one, [shapes.pairs, shapes.short], step)?;
    drop(node);
    let mut tiled = bench.scheme(Balance::Tiled(Tiles::DEFAULT))?;
    let hub = (shapes.hub, shapes.hub.arcs.div_ceil(bench.machine.block() as usize));
    let tiled_step = bench.step_cost(&mut tiled, shapes.one, hub)?;
    drop(tiled);
    // Where arcs are dealt out evenly nobody waits long enough to see what a step takes: it is as long as by the others.
    for (scheme, balance, step) in [
        (Scheme::Tiled, Balance::Tiled(Tiles::DEFAULT), tiled_step),
        (Scheme::Workload, Balance::Workload, step),
        (Scheme::Resident, Balance::Resident(Tiles::DEFAULT), tiled_step),
    ] {
        let mut measured = bench.scheme(balance)?;
        let cost = bench.cost(&mut measured, shapes.one, [shapes.short, shapes.long], step)?;
        let turns = bench.nanoseconds(&mut measured, shapes.turns)?;
        costs.set(scheme, cost);
        costs.explain_turns(scheme, shapes.turns.load(), turns);
    }
    Ok(costs)
}

/// What a vertex and an arc take, if frontiers took so long; neither takes less than nothing.
fn explained(nanoseconds: [f64; 2], loads: [Load; 2]) -> (f64, f64) {
    let [(v0, a0), (v1, a1)] = loads.map(|load| (load.vertices as f64, load.arcs as f64));
    let [t0, t1] = nanoseconds.map(|t| t.max(0.0));
    let vertex = ((t0 * a1 - t1 * a0) / (v0 * a1 - v1 * a0)).max(0.0);
    let arc = ((t1 - v1 * vertex) / a1).max(0.0);
    (vertex.min(t0 / v0), arc)
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::testing::simt;
    use std::collections::BTreeSet;

    const SMALL: u32 = 10;

    #[test]
    fn every_scheme_goes_over_all_arcs_of_a_stretch() {
        let (shapes, gpu, options) = (Shapes::new(SMALL), simt(), Options::default());
        let graph = shapes.graph().unwrap();
        let mut bench = Bench::new(&gpu, &options, &graph).unwrap();
        let (tiled, resident) = (Balance::Tiled(Tiles::DEFAULT), Balance::Resident(Tiles::DEFAULT));
        for balance in [Balance::Node, tiled, Balance::Workload, resident] {
            let mut scheme = bench.scheme(balance).unwrap();
            for stretch in shapes.all() {
                let rows = stretch.first as Vertex..(stretch.first + stretch.rows) as Vertex;
                let arcs = rows.flat_map(|u| graph.out().csr.neighbors(u).iter().map(move |&v| (u, v)));
                let met: BTreeSet<_> = arcs.filter(|(u, v)| u % 4 == v % 4).map(|(_, v)| v).collect();
                let joined = bench.step(&mut scheme, stretch).unwrap();
                assert_eq!(joined, met.len() as u64, "{balance} {stretch:?}");
            }
        }
    }

    #[test]
    fn what_is_measured_can_be_reckoned_with() {
        let costs = measured(&simt(), Shapes::new(SMALL)).unwrap();
        assert!(costs.is_sound(), "{costs:?}");
        assert!(costs.threads > 1.0 && costs.all().iter().all(|(_, cost)| cost.first > 0.0), "{costs:?}");
    }

    #[test]
    fn stretches_have_the_rows_they_say() {
        for smaller in [0, SMALL] {
            let shapes = Shapes::new(smaller);
            let graph = shapes.graph().unwrap();
            for stretch in shapes.all() {
                let rows = stretch.first..stretch.first + stretch.rows;
                assert!(rows.clone().all(|row| graph.degree(row as Vertex) == stretch.arcs), "{stretch:?}");
            }
        }
    }

    #[test]
    fn times_are_explained_by_vertices_and_arcs() {
        let load = |vertices, arcs| Load { vertices, arcs, longest: 1, is_all: false };
        let loads = [load(1000, 8000), load(10, 5000)];
        let time = |l: Load| 3.0 * l.vertices as f64 + 2.0 * l.arcs as f64;
        let (vertex, arc) = explained(loads.map(time), loads);
        assert!((vertex - 3.0).abs() < 1e-9 && (arc - 2.0).abs() < 1e-9, "{vertex} {arc}");
        // Times that say nothing.
        for times in [[0.0, 0.0], [-5.0, 10.0], [1.0, 1e6]] {
            let (vertex, arc) = explained(times, loads);
            assert!(vertex >= 0.0 && arc >= 0.0, "{times:?}");
        }
    }
}
