//! What an algorithm costs at least, before it runs: the memory it holds and the memory traffic that it cannot avoid.
//!
//! An algorithm carries its models as [`Cost`]. A model of traffic on the processor counts bytes that are read or written in
//! order, and reads at random places, each with its 4-byte index read in order. Nothing is counted that a better algorithm could
//! leave out, so measured runs reach low shares of the limit where much work is not memory traffic. On a GPU a model has up to
//! four terms ([`Bound`]), each of which takes time on its own; the largest is the limit.

use crate::Order;
use serde::Serialize;
use warpgraph_graph::{Graph, WeightType};

/// Bytes of a cache line of the processor.
pub const LINE: u64 = 64;
/// Bytes that the memory of a GPU is read by.
pub const SECTOR: f64 = 32.0;

/// The models of an algorithm. `None` means that there is no model.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The least memory traffic of a run on the processor.
    pub traffic: Option<fn(&Shape, &Work) -> Traffic>,
    /// The share of the limit that runs usually reach by this model: about the middle of the default suite. For guesses.
    pub usual_share: f64,
    /// Bytes of state that a run on the processor holds.
    pub state: Option<fn(&Shape) -> u64>,
    /// The terms of the least time on a GPU.
    pub on_gpu: Option<fn(&GpuWork) -> Vec<Term>>,
}

impl Cost {
    /// No model: `estimate` scales the state from small runs and guesses no time.
    pub const UNKNOWN: Self = Self { traffic: None, usual_share: 1.0, state: None, on_gpu: None };
}

/// The size and kind of a graph, whether it is loaded or only announced.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shape {
    /// Vertices.
    pub vertices: u64,
    /// Arcs: an undirected edge is two.
    pub arcs: u64,
    /// True if arcs have one direction only.
    pub directed: bool,
    /// The type of the weights, if there are any.
    pub weights: Option<WeightType>,
    /// The largest weight, where it is known.
    pub largest_weight: Option<f64>,
    /// Bytes of original ids; 0 where they are a range of numbers.
    pub id_bytes: u64,
}

impl Shape {
    /// Returns the shape of a loaded graph. Reads its weights once.
    pub fn of(graph: &Graph) -> Self {
        Self {
            vertices: graph.vertices() as u64,
            arcs: graph.arcs() as u64,
            directed: graph.is_directed(),
            weights: graph.weight_type(),
            largest_weight: graph.weight_range().map(|(_, most)| most),
            id_bytes: graph.ids().bytes(),
        }
    }

    /// Returns the bytes of an offset: 4 while arcs can be numbered with them.
    pub fn offset_bytes(&self) -> u64 {
        if u32::try_from(self.arcs).is_ok() { 4 } else { 8 }
    }

    /// Returns the bytes of a weight; 0 without weights.
    pub fn weight_bytes(&self) -> u64 {
        match self.weights {
            None => 0,
            Some(WeightType::U32 | WeightType::I32 | WeightType::F32) => 4,
            Some(WeightType::F64) => 8,
        }
    }

    /// Returns the bytes of a shortest distance: as wide as a sum of n weights may become. `i32` weights count as 8 bytes
    /// because they hold negative weights; an unknown largest weight counts as any.
    pub fn distance_bytes(&self) -> u64 {
        let largest = self.largest_weight.unwrap_or(f64::INFINITY);
        match self.weights {
            None | Some(WeightType::F32) => 4,
            Some(WeightType::F64 | WeightType::I32) => 8,
            Some(WeightType::U32) if largest * (self.vertices as f64) < f64::from(u32::MAX) => 4,
            Some(WeightType::U32) => 8,
        }
    }
}

/// What a run on the processor does, as far as models ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    /// Supersteps or sweeps.
    pub rounds: u64,
    /// Arcs of the vertices reached.
    pub arcs: u64,
}

impl Work {
    /// Returns a guess before a run: every vertex is reached, and PageRank takes the sweeps it usually takes to 10^-6.
    pub fn guess(shape: &Shape) -> Self {
        Self { rounds: 12, arcs: shape.arcs }
    }
}

/// The memory traffic that a run on the processor cannot avoid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Traffic {
    /// Bytes read or written in order.
    pub streamed: u64,
    /// Reads at random places.
    pub gathers: u64,
    /// Bytes that the random reads are spread over.
    pub footprint: u64,
}

impl Traffic {
    /// Returns all bytes: streamed ones, and for each gather its index and 4 bytes of data.
    pub fn bytes(&self) -> u64 {
        self.streamed + 8 * self.gathers
    }
}

/// What a run on a GPU does, as far as models ask.
#[derive(Debug, Clone, PartialEq)]
pub struct GpuWork {
    /// Vertices.
    pub vertices: u64,
    /// Vertices with arcs.
    pub with_arcs: u64,
    /// Arcs.
    pub arcs: u64,
    /// Vertices that a search reaches.
    pub reached: u64,
    /// Arcs of the reached vertices.
    pub arcs_reached: u64,
    /// Supersteps of the run.
    pub rounds: u64,
    /// Supersteps of bfs on this graph, if it was measured.
    pub levels: Option<u64>,
    /// The order of the vertices.
    pub order: Order,
}

impl GpuWork {
    /// Returns the bytes of one 4-byte value per vertex. In `degree` order vertices without arcs come last and are not read.
    pub fn values(&self) -> u64 {
        4 * if self.order == Order::Degree { self.with_arcs } else { self.vertices }
    }
}

/// What bounds a run on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Bytes in order.
    Bandwidth,
    /// Reads at random places.
    Gather,
    /// Reads along all arcs, whose cost depends on where the arcs of the graph lead.
    Along,
    /// Atomics at random places.
    Atomic,
    /// Supersteps that cannot overlap.
    Barrier,
}

/// One term of the least time on a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// What it counts.
    pub bound: Bound,
    /// How many: bytes, accesses or barriers.
    pub amount: f64,
    /// Bytes that accesses are spread over; 0 for others.
    pub footprint: u64,
}

impl Term {
    /// Returns the term of bytes moved in order.
    pub fn bytes(amount: f64) -> Self {
        Self { bound: Bound::Bandwidth, amount, footprint: 0 }
    }

    /// Returns the term of reads at random places.
    pub fn gathers(amount: f64, footprint: u64) -> Self {
        Self { bound: Bound::Gather, amount, footprint }
    }

    /// Returns the term of reads along arcs.
    pub fn along(amount: f64, footprint: u64) -> Self {
        Self { bound: Bound::Along, amount, footprint }
    }

    /// Returns the term of atomics at random places.
    pub fn atomics(amount: f64, footprint: u64) -> Self {
        Self { bound: Bound::Atomic, amount, footprint }
    }

    /// Returns the term of barriers over the grid.
    pub fn barriers(amount: f64) -> Self {
        Self { bound: Bound::Barrier, amount, footprint: 0 }
    }
}
