//! How much device memory a run takes, before it is tried: never less than it does, and not much more. Left out are the tiles that an open
//! balance keeps where an eighth of what is free holds them, and the places of pagerank, where a quarter does: runs do without.

use crate::{
    Outline,
    advance::{Sizes, host},
    copies,
    edges::hot::table_bytes,
    paths,
    print::Types,
    program::{chunks, width},
    walk,
};
use warpgraph_core::{
    Direction, Options, Plan, Residency,
    program::{Combine, Recorded, VertexProgram},
};
use warpgraph_graph::{Graph, Offsets, WeightType};

/// A graph, as far as the memory of a run depends on it: one in memory, or an [`Outline`]. Methods have the names that
/// they have on [`Graph`].
pub trait Extent {
    /// Returns the number of vertices.
    fn vertices(&self) -> usize;
    /// Returns the number of arcs; an undirected edge is two.
    fn arcs(&self) -> usize;
    /// Returns true if arcs have a direction.
    fn is_directed(&self) -> bool;
    /// Returns true if offsets have 64 bits.
    fn is_wide(&self) -> bool;
    /// Returns the type of the weights; `None` if there are none.
    fn weight_type(&self) -> Option<WeightType>;
    /// Returns the least and the greatest weight; `None` if there are no weights or no arcs.
    fn weight_range(&self) -> Option<(f64, f64)>;
    /// Returns true if incoming arcs are available at no extra cost.
    fn has_incoming(&self) -> bool;
    /// Returns the largest degree, or the most that it can be.
    fn max_degree(&self) -> u64;
    /// Returns the graph if it is in memory.
    fn graph(&self) -> Option<&Graph>;
}

impl Extent for Graph {
    fn vertices(&self) -> usize {
        self.vertices()
    }

    fn arcs(&self) -> usize {
        self.arcs()
    }

    fn is_directed(&self) -> bool {
        self.is_directed()
    }

    fn is_wide(&self) -> bool {
        matches!(self.out().csr.offsets(), Offsets::Wide(_))
    }

    fn weight_type(&self) -> Option<WeightType> {
        self.weight_type()
    }

    fn weight_range(&self) -> Option<(f64, f64)> {
        self.weight_range()
    }

    fn has_incoming(&self) -> bool {
        self.has_incoming()
    }

    fn max_degree(&self) -> u64 {
        self.counts().max_degree
    }

    fn graph(&self) -> Option<&Graph> {
        Some(self)
    }
}

/// A graph that has just been read: without incoming arcs, unless it is undirected.
impl Extent for Outline {
    fn vertices(&self) -> usize {
        self.vertices as usize
    }

    fn arcs(&self) -> usize {
        self.arcs as usize
    }

    fn is_directed(&self) -> bool {
        self.directed
    }

    fn is_wide(&self) -> bool {
        self.wide
    }

    fn weight_type(&self) -> Option<WeightType> {
        self.weights
    }

    /// Weights of an unknown range may be as large as their type allows, and are taken as not negative.
    fn weight_range(&self) -> Option<(f64, f64)> {
        self.weight_range.or_else(|| self.weights.map(|_| (0.0, f64::INFINITY)))
    }

    fn has_incoming(&self) -> bool {
        !self.directed
    }

    fn max_degree(&self) -> u64 {
        self.vertices.min(self.arcs)
    }

    fn graph(&self) -> Option<&Graph> {
        None
    }
}

/// What is not of a graph's size: counters, and arrays that must be there and are empty.
pub(crate) const FIXED: u64 = 256;
/// The fewest threads a block: a number is kept for each block.
pub(crate) const LEAST_BLOCK: u64 = 64;

/// The most bytes of device memory that a run takes if all edges are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Footprint {
    /// Targets and weights, which need not be on the device.
    pub edges: u64,
    /// Everything else: offsets, the state of vertices, and what kernels work with.
    pub rest: u64,
    /// Directions whose arcs are gone along.
    pub sides: u64,
    /// Arcs per direction.
    pub side_arcs: u64,
    /// What makes a run faster and is left out if memory is short. All other figures leave it out.
    pub extra: u64,
}

impl Footprint {
    /// Returns all bytes.
    pub fn total(&self) -> u64 {
        self.edges + self.rest
    }

    /// Returns the arcs of all directions.
    pub fn arcs(&self) -> u64 {
        self.sides * self.side_arcs
    }

    /// Returns the least bytes with which a run under an open plan works: all edges are off the device, and the tables
    /// that find them are on it.
    pub fn least(&self) -> u64 {
        let tables = table_bytes(self.arcs()) + self.sides * 64;
        self.total().min(self.rest + tables)
    }

    /// Returns the residency that an open plan takes if this many bytes are free on the device, as far as sizes tell;
    /// `None` if it does not run. Coded edges, which only the arcs can tell the size of, may fit where plain ones do
    /// not: the run takes `device(code=ef)` then instead of `zero-copy`.
    pub fn residency(&self, free: u64) -> Option<Residency> {
        match free {
            _ if self.total() <= free => Some(Residency::DEVICE),
            _ if self.least() <= free => Some(Residency::ZERO_COPY),
            _ => None,
        }
    }
}

impl std::ops::Add<u64> for Footprint {
    type Output = Self;

    /// Adds bytes that must be on the device.
    fn add(self, bytes: u64) -> Self {
        Self { rest: self.rest + bytes, ..self }
    }
}

/// What a run keeps on the device, in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Needs {
    /// Of the weight of an arc; 0: it reads none.
    pub(crate) weight: u64,
    /// Beside every arc of a direction that is gone along: tables.
    pub(crate) arc: u64,
    /// Of all values and columns of a vertex.
    pub(crate) vertex: u64,
    /// Sums pull, unless they are told to push.
    pub(crate) is_sum: bool,
    /// Goes along arcs of both directions in any case.
    pub(crate) both_ways: bool,
    /// Whatever the size of the graph.
    pub(crate) fixed: u64,
    /// Iterates chunks, if the run is given some: a program that improves values in place.
    pub(crate) iterates: bool,
    /// Of a value; 0: 8 at most. Runs along paths keep one per slot.
    pub(crate) value: u64,
}

/// Returns the bytes of a weight where it is as wide as the graph's.
pub(crate) fn weight(graph: &dyn Extent) -> u64 {
    if graph.weight_type() == Some(WeightType::F64) { 8 } else { 4 }
}

/// Returns the bytes that searches from up to 64 sources at once take ([`crate::traverse`]): three sets and the list of those found.
pub fn traverse_bytes(graph: &Graph) -> Footprint {
    Needs { vertex: 4 * 8, both_ways: true, fixed: 12 * 64, ..Needs::default() }
        .bytes(graph, &Options::default())
}

/// What a walker takes that has so many bytes and bits a vertex, and goes back along arcs or not.
pub(crate) fn walked(graph: &dyn Extent, bytes: u64, weight: u64, bits: u64, both: bool) -> Footprint {
    let n = graph.vertices() as u64;
    rows(graph, both && graph.is_directed(), weight)
        + bytes * n
        + bits * 4 * n.div_ceil(32)
        + FIXED
        + walk::BYTES
}

/// Returns the bytes of device memory that a program takes on a graph at most, the graph included.
pub fn program_bytes_needed<P: VertexProgram>(graph: &Graph, options: &Options) -> Footprint {
    bytes_of_types(Types::of::<P>(), graph, options)
}

/// Returns the bytes of device memory that a recorded program needs at most on a graph.
pub fn recorded_bytes_needed(program: &Recorded, graph: &Graph, options: &Options) -> Footprint {
    bytes_of_types(Types::of_recorded(program), graph, options)
}

fn bytes_of_types(types: Types, graph: &Graph, options: &Options) -> Footprint {
    let (value, columns) = (width(types.value) as u64, (types.columns * width(types.column)) as u64);
    let is_sum = types.combine == Combine::Sum;
    let shape = Needs {
        weight: width(types.weight) as u64,
        // What arrives is gathered in up to 8 bytes; who was told waits in a queue of its own.
        vertex: columns + if is_sum { 2 * value + 8 } else { value + 8 + 4 },
        is_sum,
        iterates: !is_sum,
        value,
        ..Needs::default()
    };
    shape.bytes(graph, options)
}

/// Bytes of an offset.
pub(crate) fn offset(graph: &dyn Extent) -> u64 {
    if graph.is_wide() { 8 } else { 4 }
}

/// Bytes of the rows of one direction or both, with weights of so many bytes if the graph has any.
pub(crate) fn rows(graph: &dyn Extent, both: bool, weight: u64) -> Footprint {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let weight = if graph.weight_type().is_some() { weight } else { 0 };
    let sides = if both { 2 } else { 1 };
    Footprint {
        edges: sides * (4 + weight) * m,
        rest: sides * offset(graph) * (n + 1),
        sides,
        side_arcs: m,
        extra: 0,
    }
}

impl Needs {
    pub(crate) fn bytes(self, graph: &dyn Extent, options: &Options) -> Footprint {
        let plan = options.plan;
        if plan.paths().is_some() {
            return paths::bytes(graph, self, options);
        }
        let (n, m, offset) = (graph.vertices() as u64, graph.arcs() as u64, offset(graph));
        let pulls = match plan.fixed_direction() {
            Some(direction) => direction == Direction::Pull,
            None => self.is_sum || graph.has_incoming(),
        };
        let both = graph.is_directed() && (pulls || self.both_ways);
        let (sides, rows) = (if both { 2 } else { 1 }, rows(graph, both, self.weight));
        let blocks = n.div_ceil(LEAST_BLOCK);
        let prefix = offset * (n + 1 + blocks);
        // Two queues and a stamp; original numbers, where the graph is in another order.
        let state = (self.vertex + 2 * 4 + 4 + 4) * n + prefix + n.div_ceil(32) * 4 + 8 * blocks;
        let changed = copies::bytes(options, offset) + self.chunks(graph, options);
        rows + (sides * self.arc * m
            + state
            + changed
            + balance(graph, plan, sides, offset)
            + FIXED
            + self.fixed)
    }

    /// Returns the bytes of the chunks that a run iterates; 0 for an outline, because they depend on the arcs.
    fn chunks(&self, graph: &dyn Extent, options: &Options) -> u64 {
        let Some(in_memory) = graph.graph().filter(|_| self.iterates) else { return 0 };
        let sides = if self.both_ways && graph.is_directed() { 2 } else { 1 };
        chunks::bytes(in_memory, options, sides, if graph.weight_type().is_some() { self.weight } else { 0 })
    }
}

/// Returns the bytes of what a balance keeps of the rows it goes along, and of its lists; 0 for an outline, because they
/// depend on the degrees.
fn balance(graph: &dyn Extent, plan: Plan, sides: u64, offset: u64) -> u64 {
    let (Some(balance), Some(graph)) = (plan.balance(), graph.graph()) else { return 0 };
    host(balance).bytes(&Sizes { graph, sides, offset })
}
