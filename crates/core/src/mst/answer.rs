//! The answer of minimum spanning forest.

use crate::{Answer, Judged, Result, Run, Table, Violation, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, Pages, Vertex, VertexId, Weights};

/// The edges of a forest, in ascending order of (smaller end, larger end).
#[derive(Debug)]
pub struct MstAnswer {
    graph: Graph,
    pub(super) sources: Pages<Vertex>,
    pub(super) targets: Pages<Vertex>,
    pub(super) weights: Weights,
    run: Run,
}

/// The figures of a forest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MstSummary {
    /// The number of edges.
    pub edges: u64,
    /// The sum of their weights: exact for integers; for floating point added in the order of the edges, and null if it
    /// overflows f64.
    pub weight: serde_json::Value,
    /// The number of trees; a vertex without edges is a tree.
    pub trees: u64,
}

impl MstAnswer {
    /// Builds an answer from the ends of the edges, smaller end first, as *original* vertices in ascending order, and
    /// their weights ([`Weights::None`] if each counts 1).
    pub fn new(
        graph: &Graph,
        sources: Pages<Vertex>,
        targets: Pages<Vertex>,
        weights: Weights,
        run: Run,
    ) -> Self {
        Self { graph: graph.clone(), sources, targets, weights, run }
    }

    /// Returns the same answer about the original graph. Its edges are original vertices already.
    pub(super) fn restore(self, graph: &Graph) -> Self {
        Self { graph: graph.clone(), ..self }
    }

    /// Returns the number of edges.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Returns true if there are no edges.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the edges by internal vertex: smaller end, larger end, weight.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (Vertex, Vertex, f64)> + '_ {
        (0..self.len()).map(|i| (self.sources[i], self.targets[i], self.weights.get(i)))
    }

    /// Iterates over the edges by id.
    pub fn edge_ids(&self) -> impl ExactSizeIterator<Item = (VertexId, VertexId, f64)> + '_ {
        let ids = self.graph.ids();
        self.edges().map(|(u, v, weight)| (ids.id(u), ids.id(v), weight))
    }

    /// Returns the figures of the forest.
    pub fn figures(&self) -> MstSummary {
        let edges = self.len() as u64;
        MstSummary { edges, weight: self.weight(), trees: self.graph.vertices() as u64 - edges }
    }

    /// Returns the sum of the weights. Fewer than 2^32 edges of 32-bit weights cannot overflow 64 bits.
    fn weight(&self) -> serde_json::Value {
        match &self.weights {
            Weights::None => self.len().into(),
            Weights::U32(w) => w.iter().map(|&w| u64::from(w)).sum::<u64>().into(),
            Weights::I32(w) => w.iter().map(|&w| i64::from(w)).sum::<i64>().into(),
            Weights::F32(w) => w.iter().map(|&w| f64::from(w)).sum::<f64>().into(),
            Weights::F64(w) => w.iter().sum::<f64>().into(),
        }
    }
}

impl Answer for MstAnswer {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn summary(&self) -> serde_json::Value {
        serde_json::to_value(self.figures()).unwrap_or_default()
    }

    /// Columns source, target, weight. Integer weights are widened, because the largest value of a type means "none".
    fn table(&self) -> Table<'_> {
        let weights = match &self.weights {
            Weights::None => Values::U64(Cow::Owned(vec![1; self.len()])),
            Weights::U32(w) => Values::U64(w.iter().map(|&w| w.into()).collect()),
            Weights::I32(w) => Values::I64(w.iter().map(|&w| w.into()).collect()),
            Weights::F32(w) => Values::F32(Cow::Borrowed(w)),
            Weights::F64(w) => Values::F64(Cow::Borrowed(w)),
        };
        Table::of_edges(self.graph.ids(), &self.sources, &self.targets).with("weight", weights)
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn judged(&self) -> Option<Judged<'_>> {
        Some(Judged::Total(self.edges().map(|(_, _, weight)| weight).sum()))
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64
    }
}
