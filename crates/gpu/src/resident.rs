//! [`Resident`]: a graph on a device. Arrays are copied there when they are first needed and stay.

use warpgraph_device::Gpu;
use warpgraph_graph::Graph;

/// A graph on a device.
#[derive(Debug)]
pub struct Resident {
    gpu: Gpu,
    graph: Graph,
}

impl Resident {
    /// Of a graph; nothing is copied yet.
    pub fn new(gpu: &Gpu, graph: &Graph) -> Self {
        Self { gpu: gpu.clone(), graph: graph.clone() }
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}
