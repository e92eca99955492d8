//! The answer of PageRank.

use super::PageRank;
use crate::{Answer, Judged, Result, Run, Table, Violation, table::Values, top::top};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, VertexId};

/// The rank of each vertex. Ranks sum to 1.
#[derive(Debug)]
pub struct PageRankAnswer {
    pub(super) graph: Graph,
    pub(super) config: PageRank,
    pub(super) ranks: Pages<f64>,
    pub(super) residual: f64,
    run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageRankSummary {
    /// Number of sweeps.
    pub iterations: u64,
    /// The total change of the last sweep.
    pub residual: f64,
    /// The vertices with the highest ranks, smallest id first on ties.
    pub top: Vec<Ranked>,
}

/// A vertex and its rank.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ranked {
    /// The vertex.
    pub vertex: VertexId,
    /// Its rank.
    pub rank: f64,
}

const TOP: usize = 10;

impl PageRankAnswer {
    /// Builds an answer; `residual` is the total change of the last sweep.
    pub fn new(graph: &Graph, config: &PageRank, ranks: Pages<f64>, residual: f64, run: Run) -> Self {
        Self { graph: graph.clone(), config: config.clone(), ranks, residual, run }
    }

    /// Maps the answer back to the original `graph`, as the answer to `config`; `map` is the renumbering.
    pub(super) fn restore(self, config: &PageRank, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self::new(graph, config, map.restore(&self.ranks)?, self.residual, self.run))
    }

    /// Returns the rank of a vertex; `None` if it is not in the graph.
    pub fn rank(&self, id: impl Into<VertexId>) -> Option<f64> {
        Some(self.ranks[self.graph.ids().find(&id.into())? as usize])
    }

    /// Returns the ranks by internal vertex.
    pub fn ranks(&self) -> &[f64] {
        &self.ranks
    }

    /// Returns the `count` vertices with the highest ranks, smallest id first on ties.
    pub fn top(&self, count: usize) -> Vec<Ranked> {
        top(&self.ranks, count)
            .into_iter()
            .map(|v| Ranked { vertex: self.graph.ids().id(v), rank: self.ranks[v as usize] })
            .collect()
    }

    /// Returns the figures of the run.
    pub fn figures(&self) -> PageRankSummary {
        PageRankSummary { iterations: self.run.rounds, residual: self.residual, top: self.top(TOP) }
    }
}

impl Answer for PageRankAnswer {
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
        Table::of_vertices(self.graph.ids()).with("rank", Values::F64(Cow::Borrowed(&self.ranks)))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn judged(&self) -> Option<Judged<'_>> {
        Some(Judged::Values(Cow::Borrowed(&self.ranks)))
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64 * self.run.rounds
    }
}
