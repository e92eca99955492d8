//! The answer of betweenness centrality.

use super::Bc;
use crate::{Answer, Judged, Result, Run, Table, Violation, table::Values, top::top};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, Vertex, VertexId};

/// The score of each vertex.
#[derive(Debug)]
pub struct BcAnswer {
    pub(super) graph: Graph,
    pub(super) config: Bc,
    pub(super) sources: Option<Vec<Vertex>>,
    pub(super) scores: Pages<f64>,
    arcs_reached: u64,
    run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BcSummary {
    /// Number of sources that the scores sum over.
    pub sources: u64,
    /// The vertices with the highest scores, smallest id first on ties.
    pub top: Vec<Scored>,
}

/// A vertex and its score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scored {
    /// The vertex.
    pub vertex: VertexId,
    /// Its score.
    pub score: f64,
}

const TOP: usize = 10;

impl BcAnswer {
    /// Builds an answer from unscaled sums of dependencies (with endpoints, if asked for), and scales them.
    /// `arcs_reached` is the sum over all sources; `sources` is `None` if every vertex is a source.
    pub fn new(
        graph: &Graph,
        config: &Bc,
        sources: Option<Vec<Vertex>>,
        mut sums: Pages<f64>,
        arcs_reached: u64,
        run: Run,
    ) -> Self {
        let scales = config.scales(graph, sources.as_ref().map(Vec::len));
        let of_sources: Vec<(Vertex, f64)> =
            sources.iter().flatten().map(|&s| (s, sums[s as usize] * scales.source)).collect();
        sums.iter_mut().for_each(|sum| *sum *= scales.other);
        of_sources.into_iter().for_each(|(s, score)| sums[s as usize] = score);
        Self { graph: graph.clone(), config: config.clone(), sources, scores: sums, arcs_reached, run }
    }

    /// Maps the answer back to the original `graph`, as the answer to `config`; `map` is the renumbering.
    pub(super) fn restore(self, config: &Bc, graph: &Graph, map: &NodeMap) -> Result<Self> {
        let mut sources = self.sources;
        if let Some(sources) = &mut sources {
            sources.iter_mut().for_each(|s| *s = map.original(*s));
            sources.sort_unstable();
        }
        let scores = map.restore(&self.scores)?;
        Ok(Self { graph: graph.clone(), config: config.clone(), sources, scores, ..self })
    }

    /// Returns the score of a vertex; `None` if it is not in the graph, NaN if no source can estimate it.
    pub fn score(&self, id: impl Into<VertexId>) -> Option<f64> {
        Some(self.scores[self.graph.ids().find(&id.into())? as usize])
    }

    /// Returns the scores by internal vertex.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// Returns the sources as internal vertices, in ascending order; `None` if every vertex is a source.
    pub fn sources(&self) -> Option<&[Vertex]> {
        self.sources.as_deref()
    }

    /// Returns the `count` vertices with the highest scores, smallest id first on ties.
    pub fn top(&self, count: usize) -> Vec<Scored> {
        let scored = |v: Vertex| Scored { vertex: self.graph.ids().id(v), score: self.scores[v as usize] };
        top(&self.scores, count).into_iter().map(scored).collect()
    }

    /// Returns the figures of the run.
    pub fn figures(&self) -> BcSummary {
        let sources = self.sources.as_ref().map_or(self.graph.vertices(), Vec::len) as u64;
        BcSummary { sources, top: self.top(TOP) }
    }
}

impl Answer for BcAnswer {
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
        Table::of_vertices(self.graph.ids()).with("score", Values::F64(Cow::Borrowed(&self.scores)))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn judged(&self) -> Option<Judged<'_>> {
        Some(Judged::Values(Cow::Borrowed(&self.scores)))
    }

    fn arcs_reached(&self) -> u64 {
        self.arcs_reached
    }
}
