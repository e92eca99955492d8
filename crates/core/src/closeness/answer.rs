//! The answer of closeness centrality.

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
    /// The vertices searched from in ascending order, if values are estimated from them.
    pub(super) drawn: Option<Vec<Vertex>>,
    run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClosenessSummary {
    /// Vertices asked about.
    pub sources: u64,
    /// The largest eccentricity among them.
    pub diameter: u32,
    /// The smallest eccentricity among those that any vertex reaches; 0 if there is none.
    pub radius: u32,
    /// The vertices with the highest closeness, smallest id first on ties.
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
    /// Builds an answer; `sources` is `None` if every vertex was asked about.
    pub fn new(graph: &Graph, sources: Option<Vec<Vertex>>, distances: Distances, run: Run) -> Self {
        let n = distances.reached.len();
        let closeness = (0..n).map(|v| distances.closeness(v, n as f64 - 1.0)).collect();
        Self { graph: graph.clone(), sources, distances, closeness, drawn: None, run }
    }

    /// Builds an estimated answer from sums over the `drawn` vertices, at least 2, which are in ascending order.
    pub fn estimated(graph: &Graph, drawn: Vec<Vertex>, mut distances: Distances, run: Run) -> Self {
        let n = distances.reached.len();
        let others =
            |v: usize| (drawn.len() - usize::from(drawn.binary_search(&(v as Vertex)).is_ok())) as f64;
        let closeness = (0..n).map(|v| distances.closeness(v, others(v))).collect();
        for v in 0..n {
            let scale = (n as f64 - 1.0) / others(v);
            distances.harmonic[v] *= scale;
            distances.total[v] = (distances.total[v] as f64 * scale).round() as u64;
            distances.reached[v] = (f64::from(distances.reached[v]) * scale).round() as u32;
        }
        Self { graph: graph.clone(), sources: None, distances, closeness, drawn: Some(drawn), run }
    }

    /// Returns the vertices searched from, if the values are estimated; `None` if they are exact.
    pub fn drawn(&self) -> Option<&[Vertex]> {
        self.drawn.as_deref()
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        let original = |mut list: Vec<Vertex>| {
            list.iter_mut().for_each(|v| *v = map.original(*v));
            list.sort_unstable();
            list
        };
        let (distances, closeness) = (self.distances.restore(map)?, map.restore(&self.closeness)?.to_vec());
        let (sources, drawn) = (self.sources.map(original), self.drawn.map(original));
        Ok(Self { graph: graph.clone(), sources, distances, closeness, drawn, run: self.run })
    }

    /// Returns the closeness by internal vertex; NaN for vertices not asked about.
    pub fn closeness(&self) -> &[f64] {
        &self.closeness
    }

    /// Returns the harmonic centrality by internal vertex; NaN for vertices not asked about.
    pub fn harmonic(&self) -> &[f64] {
        &self.distances.harmonic
    }

    /// Returns the eccentricity by internal vertex; `u32::MAX` for vertices not asked about. Lower bounds if values are
    /// estimated.
    pub fn eccentricity(&self) -> &[u32] {
        &self.distances.eccentricity
    }

    /// Returns how many other vertices reach each vertex, estimated if [`ClosenessAnswer::drawn`] is; 0 for vertices not asked about.
    pub fn reached(&self) -> &[u32] {
        &self.distances.reached
    }

    /// Returns the vertices asked about, by internal number in ascending order; `None` if they are all.
    pub fn sources(&self) -> Option<&[Vertex]> {
        self.sources.as_deref()
    }

    /// Returns the `count` vertices with the highest closeness, smallest id first on ties.
    pub fn top(&self, count: usize) -> Vec<Near> {
        let near = |v: Vertex| Near { vertex: self.graph.ids().id(v), closeness: self.closeness[v as usize] };
        top(&self.closeness, count).into_iter().map(near).collect()
    }

    /// Returns the figures of the run.
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

    /// Returns the arcs of the whole graph, once per search that reached another vertex.
    fn arcs_reached(&self) -> u64 {
        if let Some(drawn) = &self.drawn {
            return drawn.len() as u64 * self.graph.arcs() as u64;
        }
        let searches = self.distances.reached.iter().filter(|&&reached| reached > 0).count();
        searches as u64 * self.graph.arcs() as u64
    }
}
