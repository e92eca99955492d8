//! What memory and time follow from: the size and kind of a graph, whether it is there or only announced.

use serde::Serialize;
use warpgraph::{Graph, graph::WeightType};

/// The size and kind of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Shape {
    /// Vertices.
    pub vertices: u64,
    /// Arcs: an undirected edge is two.
    pub arcs: u64,
    /// Do arcs have one direction only?
    pub directed: bool,
    /// The type of the weights, if there are any.
    pub weights: Option<WeightType>,
    /// The largest weight, where it is known.
    pub largest_weight: Option<f64>,
    /// Bytes of original ids; 0 where they are a range of numbers.
    pub id_bytes: u64,
}

impl Shape {
    /// Of a graph that is there; looks at its weights once.
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

    /// Bytes of an offset: 4 while arcs can be numbered with them.
    pub fn offset_bytes(&self) -> u64 {
        if u32::try_from(self.arcs).is_ok() { 4 } else { 8 }
    }

    /// Bytes of a weight; 0 without.
    pub fn weight_bytes(&self) -> u64 {
        match self.weights {
            None => 0,
            Some(WeightType::U32 | WeightType::I32 | WeightType::F32) => 4,
            Some(WeightType::F64) => 8,
        }
    }

    /// Bytes of a shortest distance: as wide as a sum of n weights may become (`i32` weights are there for negative
    /// ones). A largest weight that is not known may be any.
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
