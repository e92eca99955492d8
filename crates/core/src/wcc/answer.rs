//! What components answer.

use crate::{Answer, Result, Run, Table, Violation, classes, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, Vertex, VertexId};

/// The component of every vertex.
#[derive(Debug)]
pub struct WccAnswer {
    pub(super) graph: Graph,
    pub(super) components: Pages<Vertex>,
    run: Run,
}

/// The figures of a graph's components.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WccSummary {
    /// How many there are.
    pub components: u64,
    /// Vertices of the largest.
    pub largest: u64,
}

impl WccAnswer {
    /// Puts an answer together; one entry a vertex, the smallest vertex of its component.
    pub fn new(graph: &Graph, components: Pages<Vertex>, run: Run) -> Self {
        Self { graph: graph.clone(), components, run }
    }

    /// The same answer about the graph that was renumbered by `map`.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self::new(graph, map.restore_classes(&self.components)?, self.run))
    }

    /// The component of a vertex, named by its smallest id; `None` if it is not in the graph.
    pub fn component(&self, id: impl Into<VertexId>) -> Option<VertexId> {
        let v = self.graph.ids().find(&id.into())?;
        Some(self.graph.ids().id(self.components[v as usize]))
    }

    /// All components by inner vertex.
    pub fn components(&self) -> &[Vertex] {
        &self.components
    }

    /// The size of every component, by its smallest vertex, in increasing order of that.
    pub fn sizes(&self) -> Vec<(Vertex, u64)> {
        classes::sizes(&self.components)
    }

    /// The figures.
    pub fn figures(&self) -> WccSummary {
        let (components, largest) = classes::figures(&self.components);
        WccSummary { components, largest }
    }
}

impl Answer for WccAnswer {
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

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64
    }
}
