//! What a count of triangles answers.

use crate::{Answer, Result, Run, Table, Violation, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, Vertex, VertexId, par};

/// How many triangles there are, and where.
#[derive(Debug)]
pub struct TrianglesAnswer {
    pub(super) graph: Graph,
    pub(super) triangles: u64,
    pub(super) local: Option<Local>,
    run: Run,
}

/// What is known of every vertex.
#[derive(Debug)]
pub struct Local {
    /// Triangles it is part of.
    pub triangles: Pages<u64>,
    /// Its neighbours in the simple undirected graph: other vertices, each once.
    pub degrees: Pages<u32>,
}

/// The figures of a count; those that need every vertex only when asked for them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrianglesSummary {
    /// How many there are.
    pub triangles: u64,
    /// The share of pairs of neighbours that are joined, over all pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitivity: Option<f64>,
    /// The mean clustering coefficient over all vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_clustering: Option<f64>,
}

impl Local {
    /// The share of v's pairs of neighbours that are joined; 0 if it has no two neighbours.
    pub fn clustering(&self, v: usize) -> f64 {
        match pairs(self.degrees[v]) {
            0 => 0.0,
            pairs => self.triangles[v] as f64 / pairs as f64,
        }
    }

    /// All clustering coefficients.
    fn clusterings(&self) -> Vec<f64> {
        par::map(self.degrees.len(), |v| self.clustering(v))
    }

    fn transitivity(&self, triangles: u64) -> f64 {
        let all: u128 = self.degrees.iter().map(|&d| u128::from(pairs(d))).sum();
        if all == 0 { 0.0 } else { 3.0 * triangles as f64 / all as f64 }
    }

    /// Summed in one order, so that the last bit does not depend on the threads.
    fn average_clustering(&self) -> f64 {
        let n = self.degrees.len();
        if n == 0 { 0.0 } else { self.clusterings().iter().sum::<f64>() / n as f64 }
    }
}

/// Pairs among `degree` neighbours.
pub(super) fn pairs(degree: u32) -> u64 {
    u64::from(degree) * u64::from(degree.saturating_sub(1)) / 2
}

impl TrianglesAnswer {
    /// Puts an answer together; `local` has one entry a vertex.
    pub fn new(graph: &Graph, triangles: u64, local: Option<Local>, run: Run) -> Self {
        Self { graph: graph.clone(), triangles, local, run }
    }

    /// The same answer about the graph that was renumbered by `map`.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        let back = |l: Local| -> Result<Local> {
            Ok(Local { triangles: map.restore(&l.triangles)?, degrees: map.restore(&l.degrees)? })
        };
        Ok(Self::new(graph, self.triangles, self.local.map(back).transpose()?, self.run))
    }

    /// How many there are in all.
    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// What is known of every vertex, by inner vertex, if it was asked for.
    pub fn local(&self) -> Option<&Local> {
        self.local.as_ref()
    }

    /// The triangles at a vertex; `None` if it is not in the graph, or only the total was asked for.
    pub fn triangles_at(&self, id: impl Into<VertexId>) -> Option<u64> {
        Some(self.local.as_ref()?.triangles[self.find(id)?])
    }

    /// The clustering coefficient of a vertex; `None` as with [`TrianglesAnswer::triangles_at`].
    pub fn clustering(&self, id: impl Into<VertexId>) -> Option<f64> {
        Some(self.local.as_ref()?.clustering(self.find(id)?))
    }

    fn find(&self, id: impl Into<VertexId>) -> Option<usize> {
        self.graph.ids().find(&id.into()).map(|v: Vertex| v as usize)
    }

    /// The figures.
    pub fn figures(&self) -> TrianglesSummary {
        TrianglesSummary {
            triangles: self.triangles,
            transitivity: self.local.as_ref().map(|local| local.transitivity(self.triangles)),
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

    /// The vertices, with their counts if those were asked for.
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
