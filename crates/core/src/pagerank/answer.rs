//! The answer of PageRank.

use super::PageRank;
use crate::{Accuracy, Answer, Judged, Result, Run, Table, Violation, table::Values, top::top};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Csr, Graph, NodeMap, Pages, Vertex, VertexId, par};

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
/// What errors are of, and how they are known.
const OF: &str = "L1 distance of all ranks";
const BECAUSE: &str = "the residual over 1 - damping bounds it";

/// Returns a bound on what rounding in f64 adds to the residual: an ulp per addition along the longest row, and ranks that
/// are whole multiples of 2^-63 on a GPU.
fn rounding(graph: &Graph) -> f64 {
    let n = graph.vertices();
    let longest = match graph.has_incoming().then(|| graph.incoming()) {
        Some(Ok(incoming)) => {
            let longest = |range| longest(&incoming.csr, range);
            par::reduce(n, par::FINE, longest, usize::max).unwrap_or(0)
        }
        _ => n,
    };
    f64::EPSILON * ((longest + 64) as f64 + n as f64 / 2048.0)
}

fn longest(csr: &Csr, range: std::ops::Range<usize>) -> usize {
    range.map(|v| csr.degree(v as Vertex)).max().unwrap_or(0)
}

impl PageRankAnswer {
    /// Builds an answer; `residual` is the total change of the last sweep, and bounds that of an exact one. If the question
    /// allows an error, the report gets the one that follows.
    pub fn new(graph: &Graph, config: &PageRank, ranks: Pages<f64>, residual: f64, mut run: Run) -> Self {
        if let Some(asked) = config.max_error {
            let achieved = (residual + rounding(graph)) / (1.0 - config.damping);
            run.accuracy = Some(Accuracy::proved(OF, asked, achieved, BECAUSE));
        }
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
