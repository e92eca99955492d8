//! What closeness answers.

use super::{Distances, distances::NOT_ASKED};
use crate::{Answer, Result, Run, Table, Violation, table::Values, top::top};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId};

/// Closeness, harmonic centrality and eccentricity of the vertices asked about.
#[derive(Debug)]
pub struct ClosenessAnswer {
    pub(super) graph: Graph,
    pub(super) sources: Option<Vec<Vertex>>,
    pub(super) distances: Distances,
    pub(super) closeness: Vec<f64>,
    run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClosenessSummary {
    /// Vertices asked about.
    pub sources: u64,
    /// The greatest eccentricity among them.
    pub diameter: u32,
    /// The least among those that any vertex reaches; 0 if there is none.
    pub radius: u32,
    /// The closest vertices, the smallest id first on ties.
    pub top: Vec<Near>,
}

/// A vertex and its closeness.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Near {
    /// The vertex.
    pub vertex: VertexId,
    /// Its closeness.
    pub closeness: f64,
}

const TOP: usize = 10;

impl ClosenessAnswer {
    /// Puts an answer together; `None` of the sources means every vertex.
    pub fn new(graph: &Graph, sources: Option<Vec<Vertex>>, distances: Distances, run: Run) -> Self {
        let n = distances.reached.len();
        let closeness = (0..n).map(|v| distances.closeness(v, n)).collect();
        Self { graph: graph.clone(), sources, distances, closeness, run }
    }

    /// The same answer about the graph that was renumbered by `map`.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        let mut sources = self.sources;
        if let Some(sources) = &mut sources {
            sources.iter_mut().for_each(|s| *s = map.original(*s));
            sources.sort_unstable();
        }
        Ok(Self::new(graph, sources, self.distances.restore(map)?, self.run))
    }

    /// The closeness of a vertex; `None` if it is not in the graph or was not asked about.
    pub fn closeness_of(&self, id: impl Into<VertexId>) -> Option<f64> {
        Some(self.closeness[self.graph.ids().find(&id.into())? as usize]).filter(|x| !x.is_nan())
    }

    /// Closeness by inner vertex; NaN for those not asked about.
    pub fn closeness(&self) -> &[f64] {
        &self.closeness
    }

    /// Harmonic centrality by inner vertex; NaN for those not asked about.
    pub fn harmonic(&self) -> &[f64] {
        &self.distances.harmonic
    }

    /// Eccentricity by inner vertex; `u32::MAX` for those not asked about.
    pub fn eccentricity(&self) -> &[u32] {
        &self.distances.eccentricity
    }

    /// How many other vertices reach each vertex; 0 for those not asked about.
    pub fn reached(&self) -> &[u32] {
        &self.distances.reached
    }

    /// The vertices asked about by inner number, in increasing order; `None` if they are all.
    pub fn sources(&self) -> Option<&[Vertex]> {
        self.sources.as_deref()
    }

    /// The `count` vertices of highest closeness, the smallest id first on ties.
    pub fn top(&self, count: usize) -> Vec<Near> {
        let near = |v: Vertex| Near { vertex: self.graph.ids().id(v), closeness: self.closeness[v as usize] };
        top(&self.closeness, count).into_iter().map(near).collect()
    }

    /// The figures of the run.
    pub fn figures(&self) -> ClosenessSummary {
        let asked = || self.eccentricity().iter().copied().filter(|&e| e != NOT_ASKED);
        ClosenessSummary {
            sources: asked().count() as u64,
            diameter: asked().max().unwrap_or(0),
            radius: asked().filter(|&e| e > 0).min().unwrap_or(0),
            top: self.top(TOP),
        }
    }
}

impl Answer for ClosenessAnswer {
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
        Table::of_vertices(self.graph.ids())
            .with("closeness", Values::F64(Cow::Borrowed(&self.closeness)))
            .with("harmonic", Values::F64(Cow::Borrowed(self.harmonic())))
            .with("eccentricity", Values::U32(Cow::Borrowed(self.eccentricity())))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    /// The arcs of the whole graph, once a search that reached anything.
    fn arcs_reached(&self) -> u64 {
        let searches = self.distances.reached.iter().filter(|&&reached| reached > 0).count();
        searches as u64 * self.graph.arcs() as u64
    }
}
