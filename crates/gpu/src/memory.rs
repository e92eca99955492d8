//! How much device memory a run takes, before it is tried: never less than it does, and not much more. Left out are the tiles that an open
//! balance keeps where an eighth of what is free holds them: it does without.

use crate::{
    advance::{Sizes, host},
    print::Types,
    program::width,
    walk,
};
use warpgraph_core::{
    Direction, Plan,
    program::{Combine, VertexProgram},
};
use warpgraph_graph::{Graph, Offsets, WeightType};

/// What is not of a graph's size: counters, and arrays that must be there and are empty.
pub(crate) const FIXED: u64 = 256;
/// The fewest threads a block: a number is kept for each block.
pub(crate) const LEAST_BLOCK: u64 = 64;

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
}

/// Returns the bytes of a weight where it is as wide as the graph's.
pub(crate) fn weight(graph: &Graph) -> u64 {
    if graph.weight_type() == Some(WeightType::F64) { 8 } else { 4 }
}

/// Returns the bytes that searches from up to 64 sources at once take ([`crate::traverse`]): three sets and the list of those found.
pub fn traverse_bytes(graph: &Graph) -> u64 {
    Needs { vertex: 4 * 8, both_ways: true, fixed: 12 * 64, ..Needs::default() }.bytes(graph, Plan::AUTO)
}

/// What a walker takes that has so many bytes and bits a vertex, and goes back along arcs or not.
pub(crate) fn walked(graph: &Graph, bytes: u64, weight: u64, bits: u64, both: bool) -> u64 {
    let n = graph.vertices() as u64;
    rows(graph, both && graph.is_directed(), weight)
        + bytes * n
        + bits * 4 * n.div_ceil(32)
        + FIXED
        + walk::BYTES
}

/// Returns the bytes of device memory that a program takes on a graph at most, the graph included.
pub fn program_bytes_needed<P: VertexProgram>(graph: &Graph, plan: Plan) -> u64 {
    let types = Types::of::<P>();
    let (value, columns) = (width(types.value) as u64, (types.columns * width(types.column)) as u64);
    let is_sum = types.combine == Combine::Sum;
    let shape = Needs {
        weight: width(types.weight) as u64,
        // What arrives is gathered in up to 8 bytes; who was told waits in a queue of its own.
        vertex: columns + if is_sum { 2 * value + 8 } else { value + 8 + 4 },
        is_sum,
        ..Needs::default()
    };
    shape.bytes(graph, plan)
}

/// Bytes of an offset.
pub(crate) fn offset(graph: &Graph) -> u64 {
    if matches!(graph.out().csr.offsets(), Offsets::Wide(_)) { 8 } else { 4 }
}

/// Bytes of the rows of one direction or both, with weights of so many bytes if the graph has any.
pub(crate) fn rows(graph: &Graph, both: bool, weight: u64) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let weight = if graph.weight_type().is_some() { weight } else { 0 };
    let sides = if both { 2 } else { 1 };
    sides * (offset(graph) * (n + 1) + (4 + weight) * m)
}

impl Needs {
    pub(crate) fn bytes(self, graph: &Graph, plan: Plan) -> u64 {
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
        rows + sides * self.arc * m + state + balance(graph, plan, sides, offset) + FIXED + self.fixed
    }
}

/// Returns the bytes of what a balance keeps of the rows it goes along, and of its lists.
fn balance(graph: &Graph, plan: Plan, sides: u64, offset: u64) -> u64 {
    plan.balance().map_or(0, |balance| host(balance).bytes(&Sizes { graph, sides, offset }))
}
