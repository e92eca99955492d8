//! The parts of the JSON form that several commands share. `docs/cli.md` lists every field.

use crate::machine;
use serde::Serialize;
use warpgraph::Graph;

pub(crate) use warpgraph_bench::result::{GraphReport, SCHEMA};

/// The version of the program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Bytes of memory; fields of devices that did not take part are null.
#[derive(Serialize)]
pub(crate) struct Memory {
    pub(crate) host_peak: Option<u64>,
    pub(crate) device_peak: Option<u64>,
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

    /// Adds the peak on a GPU and the memory available there.
    pub(crate) fn on_gpu(self, device_peak: Option<u64>, budget: Option<u64>) -> Self {
        Self { device_peak, budget, ..self }
    }

    /// Adds the bytes held beside the graph.
    pub(crate) fn with_extra(self, extra: Option<u64>) -> Self {
        Self { extra, ..self }
    }
}
