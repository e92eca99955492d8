//! The parts of the JSON form that more than one command has. `docs/cli.md` lists every field.

use crate::machine;
use serde::Serialize;
use warpgraph::Graph;

/// The version of the JSON form.
pub(crate) const SCHEMA: u32 = 1;
/// The version of the program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The graph that was worked on.
#[derive(Serialize)]
pub(crate) struct GraphReport {
    name: String,
    hash: String,
    vertices: u64,
    edges: u64,
    arcs: u64,
    directed: bool,
    weighted: bool,
    weight_type: Option<&'static str>,
    self_loops: u64,
    merged: u64,
    isolated: u64,
}

impl GraphReport {
    pub(crate) fn new(graph: &Graph) -> Self {
        let weight_type = graph.weight_type().map(|t| t.name());
        Self {
            name: graph.origin().name.clone(),
            hash: format!("{:016x}", graph.hash()),
            vertices: graph.vertices() as u64,
            edges: graph.edges(),
            arcs: graph.arcs() as u64,
            directed: graph.is_directed(),
            weighted: weight_type.is_some(),
            weight_type,
            self_loops: graph.counts().self_loops,
            merged: graph.origin().merged,
            isolated: graph.counts().isolated,
        }
    }
}

/// Bytes held; fields of devices that did not take part are null.
#[derive(Serialize)]
pub(crate) struct Memory {
    pub(crate) host_peak: Option<u64>,
    device_peak: Option<u64>,
    pub(crate) graph: u64,
    pub(crate) state: Option<u64>,
    extra: Option<u64>,
    budget: Option<u64>,
}

impl Memory {
    pub(crate) fn new(graph: &Graph, state: Option<u64>) -> Self {
        let host_peak = machine::peak_memory();
        Self { host_peak, device_peak: None, graph: graph.bytes(), state, extra: None, budget: None }
    }

    /// With what is held beside the graph.
    pub(crate) fn with_extra(self, extra: Option<u64>) -> Self {
        Self { extra, ..self }
    }
}
