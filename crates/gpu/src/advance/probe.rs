//! Measures what balances cost: each goes over frontiers of a made-up graph as a superstep does, from its start until the host has
//! seen its end, and the [`Costs`] are those that explain the times.
//!
//! The graph has a stretch of equal rows for every [`Shape`]; targets lie scattered. It takes about 40 MiB, on the host and on the
//! device, while the measurement runs.

use super::{
    Balancer, Expand, Expansion, Queue, Scheme, Sides, Work,
    model::{Cost, Costs, Load, Price, priced},
};
use crate::{
    DeviceGraph,
    arguments::Along,
    counters::Counters,
    device_graph::Side,
    error::lift,
    frontier::{Members, Tally},
    machine::{Grid, Machine},
    variants,
};
use bytemuck::Zeroable;
use std::time::Instant;
use warpgraph_core::{Options, Result};
use warpgraph_device::{Address, Array, Gpu, arguments};
use warpgraph_graph::{Arcs, Csr, Graph, Ids, Offsets, Origin, Vertex, Weights, par};

/// Every balance goes over its shapes so many times, after once to warm up; the least time of each counts.
const TURNS: usize = 12;
/// A balance goes over a shape so many times in a row: the first time brings the shape into the cache.
const IN_A_ROW: usize = 3;
/// So many launches in a row, to see what one of them takes.
const LAUNCHES: usize = 9;

/// How many joined the next frontier, their arcs, and those of the longest row.
const NEXT: usize = 0;
const ARCS: usize = 1;
const LONGEST: usize = 2;
const COUNTERS: usize = 3;

arguments! {
    /// What the kernel takes that balances are measured by.
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

/// A frontier that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A vertex of one arc.
    One,
    /// Many rows of two arcs.
    Pairs,
    /// Many rows of eight.
    Short,
    /// Rows of hundreds of arcs.
    Long,
    /// A row that one thread walks.
    Walk,
    /// A row that a block walks.
    Hub,
    /// As many short rows as one block still sums up.
    Turns,
}

const SHAPES: usize = Shape::Turns as usize + 1;

/// Where the rows of every shape lie.
#[derive(Debug, Clone, Copy)]
struct Shapes([Stretch; SHAPES]);

impl Shapes {
    /// Lays them out at full size, or with all large numbers of rows and arcs divided by two so many times.
    fn new(smaller: u32) -> Self {
        let mut first = 0;
        let next = |(rows, arcs): (usize, usize)| {
            let stretch = Stretch { first, rows, arcs };
            first += rows;
            stretch
        };
        let sizes = [
            (1, 1),
            ((1 << 18) >> smaller, 2),
            ((1 << 18) >> smaller, 8),
            (((1 << 13) >> smaller).max(1), 512),
            (1, 1024 >> smaller.min(4)),
            (1, (1 << 16) >> smaller),
            ((1 << 11) >> smaller.min(5), 12),
        ];
        Self(sizes.map(next))
    }

    fn of(&self, shape: Shape) -> Stretch {
        self.0[shape as usize]
    }

    /// Returns the steps that a row of a shape takes beyond one arc: one per arc by a thread, one per block's arcs by a block.
    fn steps(&self, shape: Shape, block: u32) -> f64 {
        let arcs = self.of(shape).arcs;
        let steps = if shape == Shape::Hub { arcs.div_ceil(block as usize) } else { arcs - 1 };
        steps.max(1) as f64
    }

    /// Returns the graph that has them all, and as many vertices without arcs beside.
    fn graph(&self) -> Result<Graph> {
        let last = self.0.iter().map(|stretch| stretch.rows).sum::<usize>();
        let n = (2 * last).next_power_of_two();
        let (mut offsets, mut targets) = (vec![0u32], Vec::new());
        for stretch in self.0 {
            // One target in each of as many equal parts, so that rows are in order.
            let (part, before) = ((n / stretch.arcs).max(1), targets.len());
            let target = |i: usize| {
                let (row, arc) = (i / stretch.arcs, i % stretch.arcs);
                ((arc * part + scattered(stretch.first + row, arc) % part) % n) as Vertex
            };
            targets.extend(par::map(stretch.rows * stretch.arcs, target));
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

/// Returns a number that looks random.
fn scattered(row: usize, arc: usize) -> usize {
    let x = (row as u64) << 32 | arc as u64;
    (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize
}

impl Stretch {
    fn load(&self) -> Load {
        let (rows, arcs) = (self.rows as u64, self.arcs as u64);
        Load { vertices: rows, arcs: rows * arcs, longest: arcs, is_all: false, is_listed: true }
    }
}

/// A device with the graph on it.
struct Bench<'a> {
    machine: Machine<'a>,
    device_graph: DeviceGraph,
    values: Array<u32>,
    stamps: Array<u32>,
    queue: Array<Vertex>,
    next: Array<Vertex>,
    counters: Counters,
    round: u64,
}

/// A balance on it.
struct Measured {
    scheme: Scheme,
    price: Price,
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
            device_graph: DeviceGraph::new(gpu, graph),
            values: array("values")?,
            stamps: machine.zeros(n, "stamps")?,
            queue: array("a queue")?,
            next: machine.array(n, "a queue")?,
            counters: Counters::new(&machine, COUNTERS)?,
            machine,
            round: 0,
        })
    }

    fn scheme(&self, scheme: Scheme, price: Price) -> Result<Measured> {
        let (asked, sides) = (Some(scheme.balance()), Sides::of(&[Side::Out]));
        let balancer = Balancer::new(&self.machine, &self.device_graph, asked, false, sides, 1)?;
        let expansion = balancer.expansion(&self.machine, variants::probe, "probe")?;
        Ok(Measured { scheme, price, balancer, expansion })
    }

    /// Every balance that has a price.
    fn schemes(&self) -> Result<Vec<Measured>> {
        priced().into_iter().map(|(scheme, price)| self.scheme(scheme, price)).collect()
    }

    fn members(&self, stretch: Stretch) -> Members {
        let items = Address::new(self.queue.address().raw() + 4 * stretch.first as u64);
        Members::of(items, stretch.rows as u64)
    }

    /// Runs one superstep, and returns how many vertices joined the next frontier.
    fn step(&mut self, scheme: &mut Measured, stretch: Stretch) -> Result<u64> {
        self.round += 1;
        let (load, rows) = (stretch.load(), self.device_graph.rows(Side::Out)?);
        let next = Queue { items: self.next.address(), size: self.counters.at(NEXT) };
        let (arcs, longest) = (Some(load.arcs), Some(load.longest));
        let work = Work { members: self.members(stretch), arcs, longest, next };
        let args = ProbeArgs {
            values: self.values.address(),
            stamps: self.stamps.address(),
            round: self.round,
            ..ProbeArgs::zeroed()
        };
        let Measured { balancer, expansion, .. } = scheme;
        // SAFETY: members are vertices, each once; arrays have an entry for each and live until the wait below; a vertex joins once a
        // round, by its stamp.
        unsafe { balancer.run(&self.machine, expansion, Side::Out, &rows, work, args)? };
        let most = load.arcs.min(self.values.len() as u64);
        let joined = Members::counted(next.items, next.size, most);
        let (arcs, longest) = (self.counters.at(ARCS), self.counters.at(LONGEST));
        let tally = Tally { arcs, longest, tell: self.counters.telling(true) };
        balancer.frontiers.count_arcs(&self.machine, joined, &rows, tally)?;
        self.counters.read(&self.machine)?;
        Ok(self.counters.last(NEXT))
    }

    /// Returns the nanoseconds of a superstep by each balance over each of its shapes, the least of a few. The balances take turns, so
    /// that what disturbs one disturbs the others.
    fn times(&mut self, schemes: &mut [Measured], shapes: &Shapes, turns: usize) -> Result<Vec<Times>> {
        let mut times = vec![Times::default(); schemes.len()];
        for _ in 0..=turns {
            for (scheme, times) in schemes.iter_mut().zip(&mut times) {
                for &shape in scheme.price.shapes.iter().flat_map(|shape| [shape; IN_A_ROW]) {
                    let start = Instant::now();
                    self.step(scheme, shapes.of(shape))?;
                    times.note(shape, start.elapsed().as_secs_f64() * 1e9);
                }
            }
        }
        Ok(times)
    }

    /// Returns the nanoseconds of one launch more.
    fn launch(&mut self, scheme: &Measured, stretch: Stretch, turns: usize) -> Result<f64> {
        let rows = self.device_graph.rows(Side::Out)?;
        let mut least = [f64::INFINITY; 2];
        for _ in 0..=turns {
            for (least, launches) in least.iter_mut().zip([1, LAUNCHES]) {
                let (start, members) = (Instant::now(), self.members(stretch));
                let mut tally = Tally::of(self.counters.at(ARCS));
                for launched in 1..=launches {
                    if launched == launches {
                        tally.tell = self.counters.telling(true);
                    }
                    scheme.balancer.frontiers.count_arcs(&self.machine, members, &rows, tally)?;
                }
                self.counters.read(&self.machine)?;
                *least = least.min(start.elapsed().as_secs_f64() * 1e9);
            }
        }
        Ok(((least[1] - least[0]) / (LAUNCHES - 1) as f64).max(0.0))
    }
}

/// Nanoseconds of supersteps by one balance, over each shape.
#[derive(Debug, Clone, Copy)]
struct Times([f64; SHAPES]);

impl Default for Times {
    fn default() -> Self {
        Self([f64::INFINITY; SHAPES])
    }
}

impl Times {
    fn note(&mut self, shape: Shape, nanoseconds: f64) {
        let least = &mut self.0[shape as usize];
        *least = least.min(nanoseconds);
    }

    /// Returns how much longer a shape takes than one vertex of one arc.
    fn beyond_one(&self, shape: Shape) -> f64 {
        (self.0[shape as usize] - self.0[Shape::One as usize]).max(0.0)
    }

    /// Returns what a balance costs but for turns, by two shapes of many vertices and arcs.
    fn cost(&self, shapes: &Shapes, many: [Shape; 2], step: f64) -> Cost {
        let times = many.map(|shape| self.beyond_one(shape));
        let (vertex, arc) = explained(times, many.map(|shape| shapes.of(shape).load()));
        Cost { first: self.0[Shape::One as usize], vertex, arc, step, row: 0.0 }
    }
}

/// Measures what balances cost on a device.
///
/// # Errors
/// When memory is short; those of compiling; what happens to the device.
pub(super) fn costs(gpu: &Gpu) -> Result<Costs> {
    measured(gpu, &Shapes::new(0), TURNS)
}

fn measured(gpu: &Gpu, shapes: &Shapes, turns: usize) -> Result<Costs> {
    let (options, graph) = (Options::default(), shapes.graph()?);
    let mut bench = Bench::new(gpu, &options, &graph)?;
    let mut schemes = bench.schemes()?;
    let times = bench.times(&mut schemes, shapes, turns)?;
    let first = &schemes[0];
    let launch = bench.launch(first, shapes.of(Shape::One), turns)?;
    let blocks = first.expansion.kernels.iter().map(|(_, launch)| launch.blocks(Grid::Shares(u64::MAX)));
    let threads = f64::from(bench.machine.block()) * f64::from(blocks.max().unwrap_or(1));
    let mut costs = Costs { launch, threads, ..Costs::assumed() };
    // One balance goes over this shape, and shows how long a step is.
    let step = |shape: Shape| {
        let shown = schemes.iter().zip(&times).find(|(measured, _)| measured.price.shapes.contains(&shape));
        shown.map_or(0.0, |(_, times)| times.beyond_one(shape) / shapes.steps(shape, bench.machine.block()))
    };
    for (Measured { scheme, price, .. }, times) in schemes.iter().zip(&times) {
        costs.set(*scheme, times.cost(shapes, price.many, step(price.step)));
        if price.shapes.contains(&Shape::Turns) {
            let turns = times.0[Shape::Turns as usize];
            costs.explain_turns(*scheme, price, shapes.of(Shape::Turns).load(), turns);
        }
    }
    Ok(costs)
}

/// Returns what a vertex and an arc take, if frontiers took so long; neither takes less than nothing.
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
        for mut scheme in bench.schemes().unwrap() {
            let name = scheme.scheme;
            for stretch in shapes.0 {
                let rows = stretch.first as Vertex..(stretch.first + stretch.rows) as Vertex;
                let arcs = rows.flat_map(|u| graph.out().csr.neighbors(u).iter().map(move |&v| (u, v)));
                let met: BTreeSet<_> = arcs.filter(|(u, v)| u % 4 == v % 4).map(|(_, v)| v).collect();
                let joined = bench.step(&mut scheme, stretch).unwrap();
                assert_eq!(joined, met.len() as u64, "{name} {stretch:?}");
            }
        }
    }

    #[test]
    fn what_is_measured_can_be_reckoned_with() {
        let costs = measured(&simt(), &Shapes::new(SMALL), 1).unwrap();
        assert!(costs.is_sound(), "{costs:?}");
        assert!(costs.threads > 1.0 && costs.all().all(|(_, cost)| cost.first > 0.0), "{costs:?}");
    }

    #[test]
    fn stretches_have_the_rows_they_say() {
        for smaller in [0, SMALL] {
            let shapes = Shapes::new(smaller);
            let graph = shapes.graph().unwrap();
            for stretch in shapes.0 {
                let rows = stretch.first..stretch.first + stretch.rows;
                assert!(rows.clone().all(|row| graph.degree(row as Vertex) == stretch.arcs), "{stretch:?}");
            }
        }
    }

    #[test]
    fn times_are_explained_by_vertices_and_arcs() {
        let load = |vertices, arcs| Load { vertices, arcs, longest: 1, is_all: false, is_listed: true };
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
