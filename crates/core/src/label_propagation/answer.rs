//! The answer of label propagation.

use super::LabelPropagation;
use crate::{Answer, Result, Run, Table, Violation, classes, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, Vertex, VertexId};

/// The label of each vertex.
#[derive(Debug)]
pub struct LabelPropagationAnswer {
    graph: Graph,
    pub(super) config: LabelPropagation,
    labels: Pages<Vertex>,
    run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelPropagationSummary {
    /// The number of labels in use.
    pub communities: u64,
    /// The number of vertices with the most frequent label.
    pub largest: u64,
    /// The number of rounds.
    pub iterations: u64,
}

impl LabelPropagationAnswer {
    /// Builds an answer from one label per vertex. Labels are *original* vertices.
    pub fn new(graph: &Graph, config: &LabelPropagation, labels: Pages<Vertex>, run: Run) -> Self {
        Self { graph: graph.clone(), config: config.clone(), labels, run }
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering. The labels are original vertices
    /// already.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self::new(graph, &self.config, map.restore(&self.labels)?, self.run))
    }

    /// Returns the label of a vertex, which is a vertex; `None` if the vertex is not in the graph.
    pub fn label(&self, id: impl Into<VertexId>) -> Option<VertexId> {
        let v = self.graph.ids().find(&id.into())?;
        Some(self.graph.ids().id(self.labels[v as usize]))
    }

    /// Returns the labels by internal vertex.
    pub fn labels(&self) -> &[Vertex] {
        &self.labels
    }

    /// Returns (label, size) of each community, in ascending order of labels.
    pub fn sizes(&self) -> Vec<(Vertex, u64)> {
        classes::sizes(&self.labels)
    }

    /// Returns the figures of the run.
    pub fn figures(&self) -> LabelPropagationSummary {
        let (communities, largest) = classes::figures(&self.labels);
        LabelPropagationSummary { communities, largest, iterations: self.run.rounds }
    }
}

impl Answer for LabelPropagationAnswer {
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
        Table::of_vertices(ids).with("label", Values::Vertices(ids, Cow::Borrowed(&self.labels)))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64 * self.run.rounds
    }
}
