//! The answer of k-core decomposition.

use crate::{Answer, Result, Run, Table, Violation, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, VertexId};

/// The core number of each vertex.
#[derive(Debug)]
pub struct KcoreAnswer {
    pub(super) graph: Graph,
    pub(super) cores: Pages<u32>,
    run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KcoreSummary {
    /// The largest core number.
    pub degeneracy: u32,
    /// The number of vertices that have it.
    pub innermost: u64,
}

impl KcoreAnswer {
    /// Builds an answer from one core number per vertex.
    pub fn new(graph: &Graph, cores: Pages<u32>, run: Run) -> Self {
        Self { graph: graph.clone(), cores, run }
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self::new(graph, map.restore(&self.cores)?, self.run))
    }

    /// Returns the core number of a vertex; `None` if it is not in the graph.
    pub fn core(&self, id: impl Into<VertexId>) -> Option<u32> {
        Some(self.cores[self.graph.ids().find(&id.into())? as usize])
    }

    /// Returns the core numbers by internal vertex.
    pub fn cores(&self) -> &[u32] {
        &self.cores
    }

    /// Returns the largest core number; 0 in an empty graph.
    pub fn degeneracy(&self) -> u32 {
        self.cores.iter().copied().max().unwrap_or(0)
    }

    /// Returns the figures of the run.
    pub fn figures(&self) -> KcoreSummary {
        let degeneracy = self.degeneracy();
        let innermost = self.cores.iter().filter(|&&c| c == degeneracy).count();
        KcoreSummary { degeneracy, innermost: innermost as u64 }
    }
}

impl Answer for KcoreAnswer {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn summary(&self) -> serde_json::Value {
        serde_json::to_value(self.figures()).unwrap_or_default()
    }

    fn table(&self) -> Table<'_> {
        Table::of_vertices(self.graph.ids()).with("core", Values::U32(Cow::Borrowed(&self.cores)))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64
    }
}
