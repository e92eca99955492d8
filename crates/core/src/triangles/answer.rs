//! The answer of triangle counting.

use crate::{Answer, Result, Run, Table, Violation, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, Vertex, VertexId, par};

/// The number of triangles, in total and optionally per vertex.
#[derive(Debug)]
pub struct TrianglesAnswer {
    pub(super) graph: Graph,
    pub(super) triangles: u64,
    pub(super) local: Option<Local>,
    pub(super) estimate: Option<Estimate>,
    run: Run,
}

/// A count that was estimated from sampled pairs of neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// All pairs of neighbours.
    pub wedges: u64,
    /// The share of connected pairs, and the least and the greatest one that the samples allow.
    pub shares: [f64; 3],
}

impl Estimate {
    /// Returns the number of triangles, and the least and the greatest one that the samples allow.
    pub fn triangles(&self) -> [u64; 3] {
        let [share, low, high] = self.shares.map(|share| share * self.wedges as f64 / 3.0);
        [share.round() as u64, low.floor() as u64, high.ceil() as u64]
    }
}

/// The counts of each vertex.
#[derive(Debug)]
pub struct Local {
    /// Triangles that the vertex is part of.
    pub triangles: Pages<u64>,
    /// Neighbours in the simple undirected graph: other vertices, each once.
    pub degrees: Pages<u32>,
}

/// The figures of a count. Those that need counts per vertex are present only if these were asked for; the transitivity also
/// if it was estimated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrianglesSummary {
    /// The number of triangles.
    pub triangles: u64,
    /// The least number that the samples allow, if the count is estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u64>,
    /// The greatest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u64>,
    /// The share of connected pairs among all pairs of neighbours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitivity: Option<f64>,
    /// The mean clustering coefficient over all vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_clustering: Option<f64>,
}

impl Local {
    /// Returns the share of connected pairs among v's neighbours; 0 below two neighbours.
    pub fn clustering(&self, v: usize) -> f64 {
        match pairs(self.degrees[v]) {
            0 => 0.0,
            pairs => self.triangles[v] as f64 / pairs as f64,
        }
    }

    /// Returns all clustering coefficients.
    fn clusterings(&self) -> Vec<f64> {
        par::map(self.degrees.len(), |v| self.clustering(v))
    }

    fn transitivity(&self, triangles: u64) -> f64 {
        let all: u128 = self.degrees.iter().map(|&d| u128::from(pairs(d))).sum();
        if all == 0 { 0.0 } else { 3.0 * triangles as f64 / all as f64 }
    }

    /// Returns the mean, summed in a fixed order so that its last bit does not depend on the threads.
    fn average_clustering(&self) -> f64 {
        let n = self.degrees.len();
        if n == 0 { 0.0 } else { self.clusterings().iter().sum::<f64>() / n as f64 }
    }
}

/// Returns the number of pairs among `degree` neighbours.
pub(super) fn pairs(degree: u32) -> u64 {
    u64::from(degree) * u64::from(degree.saturating_sub(1)) / 2
}

impl TrianglesAnswer {
    /// Builds an answer; `local` has one entry per vertex.
    pub fn new(graph: &Graph, triangles: u64, local: Option<Local>, run: Run) -> Self {
        Self { graph: graph.clone(), triangles, local, estimate: None, run }
    }

    /// Builds an estimated answer.
    pub fn estimated(graph: &Graph, estimate: Estimate, run: Run) -> Self {
        Self { estimate: Some(estimate), ..Self::new(graph, estimate.triangles()[0], None, run) }
    }

    /// Returns from what the count was estimated; `None` if it is exact.
    pub fn estimate(&self) -> Option<Estimate> {
        self.estimate
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        let back = |l: Local| -> Result<Local> {
            Ok(Local { triangles: map.restore(&l.triangles)?, degrees: map.restore(&l.degrees)? })
        };
        let local = self.local.map(back).transpose()?;
        Ok(Self { estimate: self.estimate, ..Self::new(graph, self.triangles, local, self.run) })
    }

    /// Returns the number of triangles.
    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// Returns the counts by internal vertex, if they were asked for.
    pub fn local(&self) -> Option<&Local> {
        self.local.as_ref()
    }

    /// Returns the triangles at a vertex; `None` if it is not in the graph, or only the total was asked for.
    pub fn triangles_at(&self, id: impl Into<VertexId>) -> Option<u64> {
        Some(self.local.as_ref()?.triangles[self.find(id)?])
    }

    /// Returns the clustering coefficient of a vertex; `None` as in [`TrianglesAnswer::triangles_at`].
    pub fn clustering(&self, id: impl Into<VertexId>) -> Option<f64> {
        Some(self.local.as_ref()?.clustering(self.find(id)?))
    }

    fn find(&self, id: impl Into<VertexId>) -> Option<usize> {
        self.graph.ids().find(&id.into()).map(|v: Vertex| v as usize)
    }

    /// Returns the figures of the count.
    pub fn figures(&self) -> TrianglesSummary {
        let [at_least, at_most] = [1, 2].map(|end| self.estimate.map(|estimate| estimate.triangles()[end]));
        let exact = self.local.as_ref().map(|local| local.transitivity(self.triangles));
        TrianglesSummary {
            triangles: self.triangles,
            at_least,
            at_most,
            transitivity: exact.or(self.estimate.map(|estimate| estimate.shares[0])),
            average_clustering: self.local.as_ref().map(Local::average_clustering),
        }
    }
}

impl Answer for TrianglesAnswer {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn summary(&self) -> serde_json::Value {
        serde_json::to_value(self.figures()).unwrap_or_default()
    }

    /// Returns the vertices, with their counts if these were asked for.
    fn table(&self) -> Table<'_> {
        let table = Table::of_vertices(self.graph.ids());
        match &self.local {
            None => table,
            Some(local) => table
                .with("triangles", Values::U64(Cow::Borrowed(&local.triangles)))
                .with("clustering", Values::F64(Cow::Owned(local.clusterings()))),
        }
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64
    }
}
