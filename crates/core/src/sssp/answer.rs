//! The answer of single-source shortest paths.

use super::{Distance, Distances, overflow, parents, with_distances};
use crate::{Answer, Judged, Path, Result, Run, Table, Violation, answer::follow, table::Values};
use serde::Serialize;
use serde_json::Number;
use std::{borrow::Cow, sync::OnceLock};
use warpgraph_graph::{Graph, NO_VERTEX, NodeMap, Vertex, VertexId, par};

/// Distances from one source. The tree of paths is computed when first needed.
#[derive(Debug)]
pub struct SsspAnswer {
    pub(super) graph: Graph,
    pub(super) source: Vertex,
    pub(super) distances: Distances,
    parents: OnceLock<Vec<Vertex>>,
    run: Run,
}

/// The figures of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SsspSummary {
    /// The source's original id.
    pub source: VertexId,
    /// Vertices reached, the source included.
    pub reached: u64,
    /// The largest distance.
    pub farthest: Option<Number>,
    /// The sum of all distances.
    pub sum: Option<Number>,
}

impl SsspAnswer {
    /// Builds an answer from distances that an engine found.
    ///
    /// # Errors
    /// [`crate::Error::Overflow`] if a floating-point distance is beyond the range of its type.
    pub fn found(graph: &Graph, source: Vertex, distances: Distances, run: Run) -> Result<Self> {
        overflow::refuse(graph, &distances)?;
        Ok(Self::new(graph, source, distances, run))
    }

    /// Builds an answer from any distances, without a check. Engines call [`SsspAnswer::found`].
    pub fn new(graph: &Graph, source: Vertex, distances: Distances, run: Run) -> Self {
        Self { graph: graph.clone(), source, distances, parents: OnceLock::new(), run }
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        let distances = with_distances!(&self.distances, |d| Distance::wrap(map.restore(d)?));
        Ok(Self::new(graph, map.original(self.source), distances, self.run))
    }

    /// Returns the distance of a vertex; `None` if it was not reached or is not in the graph.
    pub fn distance(&self, id: impl Into<VertexId>) -> Option<f64> {
        let v = self.graph.ids().find(&id.into())?;
        Some(self.distances.get(v as usize)).filter(|d| d.is_finite())
    }

    /// Returns the distances by internal vertex.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    /// Returns the parents by internal vertex; the source is its own parent, unreached vertices have `NO_VERTEX`. They
    /// depend on the distances only. The first call computes them in O(n + m).
    pub fn parents(&self) -> &[Vertex] {
        self.parents.get_or_init(|| {
            // Fails only when memory for a transpose runs out; then there are distances but no paths.
            let none = |_| vec![NO_VERTEX; self.graph.vertices()];
            parents::parents(&self.graph, self.source, &self.distances).unwrap_or_else(none)
        })
    }

    /// Returns a shortest path to a vertex, both ends included.
    pub fn path_to(&self, id: impl Into<VertexId>) -> Option<Vec<VertexId>> {
        self.path(self.graph.ids().find(&id.into())?).map(|path| path.vertices)
    }

    /// Returns the figures of the search.
    pub fn figures(&self) -> SsspSummary {
        let n = self.distances.len();
        let is_reached = |&v: &usize| self.distances.is_reached(v);
        let reached = par::sum(n, par::FINE, |range| range.filter(is_reached).count() as u64);
        SsspSummary {
            source: self.graph.ids().id(self.source),
            reached,
            farthest: with_distances!(&self.distances, |d| farthest(d)),
            sum: self.sum(),
        }
    }

    /// Returns the sum of all distances: exact for integers; floating point is added in a fixed order, so every run
    /// returns the same sum.
    fn sum(&self) -> Option<Number> {
        fn integers<T: Copy + Into<i128> + PartialEq + Sync + Send>(d: &[T], none: T) -> Option<Number> {
            let block = |range: std::ops::Range<usize>| -> i128 {
                d[range].iter().filter(|&&x| x != none).map(|&x| x.into()).sum()
            };
            let sum = par::reduce(d.len(), par::FINE, block, |a, b| a + b).unwrap_or(0);
            i64::try_from(sum).map(Number::from).or_else(|_| u64::try_from(sum).map(Number::from)).ok()
        }
        match &self.distances {
            Distances::U32(d) => integers(d, u32::MAX),
            Distances::U64(d) => integers(d, u64::MAX),
            Distances::I64(d) => integers(d, i64::MAX),
            Distances::F32(d) => {
                Number::from_f64(d.iter().filter(|x| x.is_finite()).map(|&x| f64::from(x)).sum())
            }
            Distances::F64(d) => Number::from_f64(d.iter().filter(|x| x.is_finite()).sum()),
        }
    }
}

/// Returns the largest distance, compared in the type of the distances: f64 cannot tell large integers apart.
fn farthest<D: Distance>(distances: &[D]) -> Option<Number> {
    let later = |a: D, b: D| if b > a { b } else { a };
    let block = |range: std::ops::Range<usize>| {
        distances[range].iter().copied().filter(|&d| d < D::UNREACHED).reduce(later)
    };
    let join = |a: Option<D>, b: Option<D>| a.into_iter().chain(b).reduce(later);
    par::reduce(distances.len(), par::FINE, block, join)??.number()
}

impl Answer for SsspAnswer {
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
        let values = match &self.distances {
            Distances::U32(d) => Values::U32(Cow::Borrowed(d)),
            Distances::U64(d) => Values::U64(Cow::Borrowed(d)),
            Distances::I64(d) => Values::I64(Cow::Borrowed(d)),
            Distances::F32(d) => Values::F32(Cow::Borrowed(d)),
            Distances::F64(d) => Values::F64(Cow::Borrowed(d)),
        };
        Table::of_vertices(ids)
            .with("distance", values)
            .with("parent", Values::Vertices(ids, Cow::Borrowed(self.parents())))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn judged(&self) -> Option<Judged<'_>> {
        let values = par::map(self.distances.len(), |v| self.distances.get(v));
        Some(Judged::Values(values.into()))
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs_where(|v| self.distances.is_reached(v as usize))
    }

    fn path(&self, target: Vertex) -> Option<Path> {
        let length = self.distances.number(target as usize)?;
        if self.parents()[target as usize] == NO_VERTEX {
            return None;
        }
        let vertices = follow(self.parents(), target).into_iter().map(|v| self.graph.ids().id(v)).collect();
        Some(Path { vertices, length })
    }
}
