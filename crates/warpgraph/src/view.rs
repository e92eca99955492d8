//! [`View`]: a graph as one run sees it.

use std::sync::{Arc, OnceLock};
use warpgraph_device::Gpu;
use warpgraph_gpu::DeviceGraph;
use warpgraph_graph::{Graph, NodeMap};

/// A graph in the order it is held in, and what it has on a GPU. A run keeps the view it began with; clones share all of it.
#[derive(Debug, Clone)]
pub(crate) struct View {
    graph: Graph,
    /// How it came to its order; `None` in the original one.
    map: Option<NodeMap>,
    /// The graph on the engine's GPU; made by the first run there.
    device_graph: Arc<OnceLock<DeviceGraph>>,
}

impl View {
    /// A graph in the original order, or in the one that the map leads to; nothing of it is on a GPU yet.
    pub(crate) fn new(graph: &Graph, map: Option<NodeMap>) -> Self {
        Self { graph: graph.clone(), map, device_graph: Arc::default() }
    }

    /// What is on a GPU already.
    pub(crate) fn of(device_graph: DeviceGraph, map: NodeMap) -> Self {
        let graph = device_graph.graph().clone();
        Self { graph, map: Some(map), device_graph: Arc::new(OnceLock::from(device_graph)) }
    }

    /// The same graph in the same order, with nothing on a GPU.
    pub(crate) fn off_device(&self) -> Self {
        Self::new(&self.graph, self.map.clone())
    }

    /// The graph that runs see.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The graph in another order than the original one, and the map to it.
    pub(crate) fn renumbered(&self) -> Option<(&Graph, &NodeMap)> {
        self.map.as_ref().map(|map| (&self.graph, map))
    }

    /// What it has on a GPU.
    pub(crate) fn device_graph(&self) -> Option<&DeviceGraph> {
        self.device_graph.get()
    }

    /// [`View::resident`], made now if it is not there; `sampled` for an order that learns from runs.
    pub(crate) fn device_graph_on(&self, gpu: &Gpu, sampled: bool) -> &DeviceGraph {
        self.device_graph.get_or_init(|| {
            let device_graph = DeviceGraph::new(gpu, &self.graph);
            if sampled { device_graph.sampled() } else { device_graph }
        })
    }

    /// Do both speak of the same memory of a GPU?
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.device_graph, &other.device_graph)
    }
}
