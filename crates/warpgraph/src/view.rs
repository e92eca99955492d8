//! [`View`]: a graph as one run sees it.

use crate::paths::Kept;
use std::sync::{Arc, OnceLock};
use warpgraph_device::Gpu;
use warpgraph_gpu::DeviceGraph;
use warpgraph_graph::{Graph, NodeMap};

/// A graph in one order, with its copy on a GPU. A run keeps the view it started with. Clones share all of it.
#[derive(Debug, Clone)]
pub(crate) struct View {
    graph: Graph,
    /// The map from the original order to this one; `None` in the original order.
    map: Option<NodeMap>,
    /// The graph on the engine's GPU; the first run there creates it.
    device_graph: Arc<OnceLock<DeviceGraph>>,
    /// The paths of the graph; the first run along paths makes them.
    paths: Kept,
}

impl View {
    /// Returns a graph in the original order, or in the order given by `map`, with nothing on a GPU yet.
    pub(crate) fn new(graph: &Graph, map: Option<NodeMap>) -> Self {
        Self { graph: graph.clone(), map, device_graph: Arc::default(), paths: Kept::default() }
    }

    /// Returns the view of a graph that is on a GPU already.
    pub(crate) fn of(device_graph: DeviceGraph, map: NodeMap) -> Self {
        let graph = device_graph.graph().clone();
        let device_graph = Arc::new(OnceLock::from(device_graph));
        Self { graph, map: Some(map), device_graph, paths: Kept::default() }
    }

    /// Takes over the copy of the graph on a GPU, unless it is of another graph.
    pub(crate) fn is_on_device(&self, device_graph: DeviceGraph) {
        if device_graph.graph().is(&self.graph) {
            let _ = self.device_graph.set(device_graph);
        }
    }

    /// Returns the same graph in the same order, with nothing on a GPU.
    pub(crate) fn off_device(&self) -> Self {
        Self { paths: self.paths.clone(), ..Self::new(&self.graph, self.map.clone()) }
    }

    /// Returns where the paths of the graph are kept.
    pub(crate) fn paths(&self) -> &Kept {
        &self.paths
    }

    /// Returns the graph in the order that runs use.
    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the renumbered graph and the map to it; `None` in the original order.
    pub(crate) fn renumbered(&self) -> Option<(&Graph, &NodeMap)> {
        self.map.as_ref().map(|map| (&self.graph, map))
    }

    /// Returns the graph on the GPU, if a run has created it.
    pub(crate) fn device_graph(&self) -> Option<&DeviceGraph> {
        self.device_graph.get()
    }

    /// Returns [`View::device_graph`], and creates it on these GPUs if needed; `sampled` for an order that learns from runs.
    pub(crate) fn device_graph_on(&self, gpus: &[Gpu], sampled: bool) -> &DeviceGraph {
        self.device_graph.get_or_init(|| match gpus {
            [gpu] if sampled => DeviceGraph::new(gpu, &self.graph).sampled(),
            [gpu] => DeviceGraph::new(gpu, &self.graph),
            gpus => DeviceGraph::several(gpus, &self.graph),
        })
    }

    /// Returns true if both share the same graph on the GPU.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.device_graph, &other.device_graph)
    }
}
