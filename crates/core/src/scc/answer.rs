//! The answer of strongly connected components.

use crate::{Answer, Judged, Result, Run, Table, Violation, classes, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, Vertex, VertexId};

/// The strongly connected component of each vertex.
#[derive(Debug)]
pub struct SccAnswer {
    graph: Graph,
    components: Pages<Vertex>,
    run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SccSummary {
    /// The number of components.
    pub components: u64,
    /// The number of vertices in the largest component.
    pub largest: u64,
}

impl SccAnswer {
    /// Builds an answer from one entry per vertex: the smallest vertex of its component.
    pub fn new(graph: &Graph, components: Pages<Vertex>, run: Run) -> Self {
        Self { graph: graph.clone(), components, run }
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self::new(graph, map.restore_classes(&self.components)?, self.run))
    }

    /// Returns the component of a vertex, named by its smallest id; `None` if the vertex is not in the graph.
    pub fn component(&self, id: impl Into<VertexId>) -> Option<VertexId> {
        let v = self.graph.ids().find(&id.into())?;
        Some(self.graph.ids().id(self.components[v as usize]))
    }

    /// Returns the components by internal vertex.
    pub fn components(&self) -> &[Vertex] {
        &self.components
    }

    /// Returns (smallest vertex, size) of each component, in ascending order of smallest vertices.
    pub fn sizes(&self) -> Vec<(Vertex, u64)> {
        classes::sizes(&self.components)
    }

    /// Returns the figures of the run.
    pub fn figures(&self) -> SccSummary {
        let (components, largest) = classes::figures(&self.components);
        SccSummary { components, largest }
    }
}

impl Answer for SccAnswer {
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
        let ids = self.graph.ids();
        Table::of_vertices(ids).with("component", Values::Vertices(ids, Cow::Borrowed(&self.components)))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn judged(&self) -> Option<Judged<'_>> {
        Some(Judged::Total(self.figures().components as f64))
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64
    }
}
