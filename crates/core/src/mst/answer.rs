//! What a minimum spanning forest answers.

use crate::{Answer, Result, Run, Table, Violation, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, Pages, Vertex, VertexId, Weights};

/// The edges of a forest, in increasing order of (smaller end, larger end).
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
    /// Its edges.
    pub edges: u64,
    /// The sum of their weights: exact for whole ones, added in the order of the edges for decimals; null if that is beyond
    /// f64.
    pub weight: serde_json::Value,
    /// Its trees; a vertex without edges is one.
    pub trees: u64,
}

impl MstAnswer {
    /// Puts an answer together from the edges' ends, smaller ones first, as *original* vertices in increasing order, and
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

    /// The same answer about the original graph; its edges speak of that already.
    pub(super) fn restore(self, graph: &Graph) -> Self {
        Self { graph: graph.clone(), ..self }
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Are there no edges?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All edges by inner vertex: the smaller end, the larger end, the weight.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (Vertex, Vertex, f64)> + '_ {
        (0..self.len()).map(|i| (self.sources[i], self.targets[i], self.weights.get(i)))
    }

    /// All edges by id.
    pub fn edge_ids(&self) -> impl ExactSizeIterator<Item = (VertexId, VertexId, f64)> + '_ {
        let ids = self.graph.ids();
        self.edges().map(|(u, v, weight)| (ids.id(u), ids.id(v), weight))
    }

    /// The figures.
    pub fn figures(&self) -> MstSummary {
        let edges = self.len() as u64;
        MstSummary { edges, weight: self.weight(), trees: self.graph.vertices() as u64 - edges }
    }

    /// The sum of the weights. Fewer than 2^32 edges of 32-bit weights stay within 64 bits.
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

    /// Columns source, target, weight. Whole weights are widened, since the largest number of a type means "none".
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

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64
    }
}
