//! How much device memory a run takes, before it is tried: never less than it does, and not much more. Left out are the tiles that an open
//! balance keeps where an eighth of what is free holds them: it does without.

use crate::{
    advance::{Sizes, host},
    batch::words_for,
    kcore, label_propagation, mst, pagerank,
    print::Types,
    program::width,
    triangles, walk, wcc,
};
use warpgraph_core::{
    Direction, Plan,
    program::{Combine, VertexProgram},
};
use warpgraph_graph::{Graph, Offsets, WeightType};

/// What is not of a graph's size: counters, and arrays that must be there and are empty.
const FIXED: u64 = 256;
/// The fewest threads a block: a number is kept for each block.
pub(crate) const LEAST_BLOCK: u64 = 64;

/// What a run keeps on the device, in bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Shape {
    /// Of the weight of an arc; 0: it reads none.
    weight: u64,
    /// Beside every arc of a direction that is gone along: tables.
    arc: u64,
    /// Of all values and columns of a vertex.
    vertex: u64,
    /// Sums pull, unless they are told to push.
    is_sum: bool,
    /// Goes along arcs of both directions in any case.
    both_ways: bool,
    /// Whatever the size of the graph.
    fixed: u64,
}

/// Bytes of device memory that an algorithm takes on a graph at most, the graph included.
pub fn bytes_needed(graph: &Graph, algorithm: &str, plan: Plan) -> u64 {
    let narrow = if graph.weight_type() == Some(WeightType::F64) { 8 } else { 4 };
    let words = words_for(graph.vertices()) as u64;
    let shape = match algorithm {
        "triangles" => {
            return rows(graph, graph.is_directed(), 0) + triangles::bytes(graph, offset(graph)) + FIXED;
        }
        "mst" => return rows(graph, false, narrow) + mst::bytes(graph) + FIXED,
        // A tree, lists of frontiers, two bitmaps.
        "bfs" if walks(graph, plan) => {
            // Who asks for the same parents gets the program.
            let program = Shape { vertex: 8, ..Shape::default() }.bytes(graph, plan);
            return walked(graph, 5 * 4, 0, 2, graph.has_incoming()).max(program);
        }
        // A distance, stamps, frontiers and piles; weights as wide as distances.
        "sssp" if walks(graph, plan) && graph.weight_range().is_none_or(|(least, _)| least >= 0.0) => {
            return walked(graph, 8 + 10 * 4, narrow, 0, false);
        }
        "bfs" => Shape { vertex: 8, ..Shape::default() },
        "sssp" => Shape { vertex: 8, weight: narrow, ..Shape::default() },
        "wcc" if plan == Plan::Auto => {
            let (both, state) = wcc::bytes(graph);
            return rows(graph, both, 0) + state + FIXED;
        }
        "wcc" => Shape { vertex: 4, both_ways: true, ..Shape::default() },
        // From one source at a time: a distance, a count, a dependency and a score; more at once only take what is free.
        "bc" => {
            // One by one, levels are kept beside.
            let levels = if walks(graph, plan) { 16 } else { 0 };
            Shape { vertex: 4 * 8 + levels, weight: narrow, both_ways: true, ..Shape::default() }
        }
        // Three sets of sources a vertex; a number and a count for each source.
        "closeness" => {
            Shape { vertex: 3 * 8 * words, both_ways: true, fixed: 12 * 64 * words, ..Shape::default() }
        }
        // Three sets, and the list of those found.
        "traverse" => Shape { vertex: 4 * 8, both_ways: true, fixed: 12 * 64, ..Shape::default() },
        "scc" if graph.is_directed() => Shape { vertex: 24, both_ways: true, ..Shape::default() },
        "scc" => Shape { vertex: 4, both_ways: true, ..Shape::default() },
        "kcore" => Shape { vertex: 4, both_ways: true, fixed: kcore::bytes(graph), ..Shape::default() },
        "label-propagation" => {
            let (arc, weight) = label_propagation::bytes_an_arc(graph);
            Shape { vertex: 16, arc, weight, both_ways: true, ..Shape::default() }
        }
        // Weights would be followed by the program, which takes more.
        "pagerank" if plan == Plan::Auto && graph.weight_type().is_none() => {
            return rows(graph, graph.is_directed(), 0) + pagerank::bytes(graph) + FIXED;
        }
        // Two columns, two values and what arrives.
        _ => Shape { vertex: 2 * 8 + 3 * 8, weight: 8, is_sum: true, ..Shape::default() },
    };
    shape.bytes(graph, plan)
}

/// Is this graph walked through by one kernel, where the plan is open?
fn walks(graph: &Graph, plan: Plan) -> bool {
    plan == Plan::Auto && matches!(graph.out().csr.offsets(), Offsets::Narrow(_))
}

/// What a walker takes that has so many bytes and bits a vertex, and goes back along arcs or not.
fn walked(graph: &Graph, bytes: u64, weight: u64, bits: u64, both: bool) -> u64 {
    let n = graph.vertices() as u64;
    rows(graph, both && graph.is_directed(), weight)
        + bytes * n
        + bits * 4 * n.div_ceil(32)
        + FIXED
        + walk::BYTES
}

/// [`bytes_needed`] for a program.
pub fn program_bytes_needed<P: VertexProgram>(graph: &Graph, plan: Plan) -> u64 {
    let types = Types::of::<P>();
    let (value, columns) = (width(types.value) as u64, (types.columns * width(types.column)) as u64);
    let is_sum = types.combine == Combine::Sum;
    let shape = Shape {
        weight: width(types.weight) as u64,
        // What arrives is gathered in up to 8 bytes; who was told waits in a queue of its own.
        vertex: columns + if is_sum { 2 * value + 8 } else { value + 8 + 4 },
        is_sum,
        ..Shape::default()
    };
    shape.bytes(graph, plan)
}

/// Bytes of an offset.
fn offset(graph: &Graph) -> u64 {
    if matches!(graph.out().csr.offsets(), Offsets::Wide(_)) { 8 } else { 4 }
}

/// Bytes of the rows of one direction or both, with weights of so many bytes if the graph has any.
fn rows(graph: &Graph, both: bool, weight: u64) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let weight = if graph.weight_type().is_some() { weight } else { 0 };
    let sides = if both { 2 } else { 1 };
    sides * (offset(graph) * (n + 1) + (4 + weight) * m)
}

impl Shape {
    fn bytes(self, graph: &Graph, plan: Plan) -> u64 {
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
