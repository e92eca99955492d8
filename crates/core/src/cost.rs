//! Lower bounds on the cost of an algorithm, known before it runs: the memory it holds and the memory traffic it cannot
//! avoid.
//!
//! Each algorithm carries its models as [`Cost`]. A traffic model for the CPU counts bytes read or written in order,
//! and random reads, each with its 4-byte index read in order. It counts nothing that a better algorithm could avoid,
//! so a measured run reaches a low share of the limit if much of its work is not memory traffic. A GPU model has up to
//! four terms ([`Bound`]). Each term takes time on its own; the largest is the limit.

use crate::Order;
use serde::Serialize;
use warpgraph_graph::{Graph, WeightType};

/// Bytes per cache line of the CPU.
pub const LINE: u64 = 64;
/// Bytes per sector, the unit in which a GPU reads its memory.
pub const SECTOR: f64 = 32.0;

/// The models of an algorithm. `None` means that there is no model.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The least memory traffic of a run on the CPU.
    pub traffic: Option<fn(&Shape, &Work) -> Traffic>,
    /// The share of the limit that runs usually reach, about the median over the default suite. Used for guesses.
    pub usual_share: f64,
    /// Bytes of state that a run on the CPU holds.
    pub state: Option<fn(&Shape) -> u64>,
    /// The terms of the least time on a GPU.
    pub on_gpu: Option<fn(&GpuWork) -> Vec<Term>>,
}

impl Cost {
    /// No model: `estimate` extrapolates the state from small runs and guesses no time.
    pub const UNKNOWN: Self = Self { traffic: None, usual_share: 1.0, state: None, on_gpu: None };
}

/// The size and kind of a graph, loaded or not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shape {
    /// Vertices.
    pub vertices: u64,
    /// Arcs; an undirected edge counts as two.
    pub arcs: u64,
    /// True if arcs have one direction only.
    pub directed: bool,
    /// The type of the weights, if there are any.
    pub weights: Option<WeightType>,
    /// The largest weight, if it is known.
    pub largest_weight: Option<f64>,
    /// Bytes of the original ids; 0 if they are a range of numbers.
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

    /// Returns the bytes per offset: 4 if a u32 can number all arcs, else 8.
    pub fn offset_bytes(&self) -> u64 {
        if u32::try_from(self.arcs).is_ok() { 4 } else { 8 }
    }

    /// Returns the bytes per weight; 0 without weights.
    pub fn weight_bytes(&self) -> u64 {
        match self.weights {
            None => 0,
            Some(WeightType::U32 | WeightType::I32 | WeightType::F32) => 4,
            Some(WeightType::F64) => 8,
        }
    }

    /// Returns the bytes per shortest distance: wide enough for a sum of n weights. `i32` counts as 8 bytes because it
    /// holds negative weights; an unknown largest weight counts as unbounded.
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

/// What a run on the CPU does, as far as the models need it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    /// Supersteps or sweeps.
    pub rounds: u64,
    /// Arcs of the vertices reached.
    pub arcs: u64,
}

impl Work {
    /// Returns a guess before a run: it reaches every vertex, and PageRank takes the sweeps that it usually takes to
    /// 10^-6.
    pub fn guess(shape: &Shape) -> Self {
        Self { rounds: 12, arcs: shape.arcs }
    }
}

/// The memory traffic that a run on the CPU cannot avoid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Traffic {
    /// Bytes read or written in order.
    pub streamed: u64,
    /// Random reads.
    pub gathers: u64,
    /// Bytes of the memory that the random reads hit.
    pub footprint: u64,
}

impl Traffic {
    /// Returns all bytes: streamed ones, and per gather its index and 4 bytes of data.
    pub fn bytes(&self) -> u64 {
        self.streamed + 8 * self.gathers
    }
}

/// What a run on a GPU does, as far as the models need it.
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
    /// Returns the bytes of one 4-byte value per vertex. In `degree` order, vertices without arcs come last and are not
    /// read.
    pub fn values(&self) -> u64 {
        4 * if self.order == Order::Degree { self.with_arcs } else { self.vertices }
    }
}

/// What bounds a run on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Bytes read or written in order.
    Bandwidth,
    /// Random reads.
    Gather,
    /// One read per arc, whose cost depends on the locality of the graph's arcs.
    Along,
    /// Atomics at random addresses.
    Atomic,
    /// Supersteps that cannot overlap.
    Barrier,
}

/// One term of the least time on a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// What the term counts.
    pub bound: Bound,
    /// The amount: bytes, accesses or barriers.
    pub amount: f64,
    /// Bytes of the memory that the accesses hit; 0 for other terms.
    pub footprint: u64,
}

impl Term {
    /// Returns the term of bytes moved in order.
    pub fn bytes(amount: f64) -> Self {
        Self { bound: Bound::Bandwidth, amount, footprint: 0 }
    }

    /// Returns the term of random reads.
    pub fn gathers(amount: f64, footprint: u64) -> Self {
        Self { bound: Bound::Gather, amount, footprint }
    }

    /// Returns the term of one read per arc.
    pub fn along(amount: f64, footprint: u64) -> Self {
        Self { bound: Bound::Along, amount, footprint }
    }

    /// Returns the term of atomics at random addresses.
    pub fn atomics(amount: f64, footprint: u64) -> Self {
        Self { bound: Bound::Atomic, amount, footprint }
    }

    /// Returns the term of barriers over the grid.
    pub fn barriers(amount: f64) -> Self {
        Self { bound: Bound::Barrier, amount, footprint: 0 }
    }
}
