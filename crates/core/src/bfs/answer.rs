//! The answer of breadth-first search.

use super::UNREACHED;
use crate::{Answer, Path, Result, Run, Table, Violation, answer::follow, table::Values};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NO_VERTEX, NodeMap, Pages, Vertex, VertexId, par};

/// Distances and parents from one source.
#[derive(Debug)]
pub struct BfsAnswer {
    pub(super) graph: Graph,
    pub(super) source: Vertex,
    pub(super) max_depth: Option<u32>,
    pub(super) distances: Pages<u32>,
    pub(super) parents: Pages<Vertex>,
    run: Run,
}

/// The figures of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BfsSummary {
    /// The source's original id.
    pub source: VertexId,
    /// Vertices reached, the source included.
    pub reached: u64,
    /// The largest distance.
    pub depth: u32,
    /// The sum of all distances.
    pub sum: u64,
}

impl BfsAnswer {
    /// Builds an answer. Both arrays have one entry per vertex, encoded as the module head of [`crate::bfs`] says.
    pub fn new(
        graph: &Graph,
        source: Vertex,
        max_depth: Option<u32>,
        distances: Pages<u32>,
        parents: Pages<Vertex>,
        run: Run,
    ) -> Self {
        Self { graph: graph.clone(), source, max_depth, distances, parents, run }
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    pub(super) fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self {
            graph: graph.clone(),
            source: map.original(self.source),
            distances: map.restore(&self.distances)?,
            parents: map.restore_vertices(&self.parents)?,
            ..self
        })
    }

    /// Returns the hops from the source to a vertex; `None` if it was not reached or is not in the graph.
    pub fn distance(&self, id: impl Into<VertexId>) -> Option<u32> {
        let v = self.graph.ids().find(&id.into())?;
        Some(self.distances[v as usize]).filter(|&d| d != UNREACHED)
    }

    /// Returns the vertex before this one on a shortest path; the source is its own parent.
    pub fn parent(&self, id: impl Into<VertexId>) -> Option<VertexId> {
        let v = self.graph.ids().find(&id.into())?;
        Some(self.parents[v as usize]).filter(|&p| p != NO_VERTEX).map(|p| self.graph.ids().id(p))
    }

    /// Returns a shortest path to a vertex, both ends included.
    pub fn path_to(&self, id: impl Into<VertexId>) -> Option<Vec<VertexId>> {
        self.path(self.graph.ids().find(&id.into())?).map(|path| path.vertices)
    }

    /// Returns the hops by internal vertex, in the order of the original ids.
    pub fn distances(&self) -> &[u32] {
        &self.distances
    }

    /// Returns the parents by internal vertex.
    pub fn parents(&self) -> &[Vertex] {
        &self.parents
    }

    /// Returns the figures of the search.
    pub fn figures(&self) -> BfsSummary {
        let join = |a: (u64, u32, u64), b: (u64, u32, u64)| (a.0 + b.0, a.1.max(b.1), a.2 + b.2);
        // Without a branch per vertex, the compiler handles several at a time.
        let block = |range: std::ops::Range<usize>| {
            self.distances[range].iter().fold((0, 0, 0), |(reached, depth, sum), &d| {
                let (is, hops) = if d == UNREACHED { (0, 0) } else { (1, d) };
                (reached + is, depth.max(hops), sum + u64::from(hops))
            })
        };
        let figures = par::reduce(self.distances.len(), par::FINE, block, join);
        let (reached, depth, sum) = figures.unwrap_or_default();
        BfsSummary { source: self.graph.ids().id(self.source), reached, depth, sum }
    }
}

impl Answer for BfsAnswer {
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
        Table::of_vertices(ids)
            .with("distance", Values::U32(Cow::Borrowed(&self.distances)))
            .with("parent", Values::Vertices(ids, Cow::Borrowed(&self.parents)))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs_where(|v| self.distances[v as usize] != UNREACHED)
    }

    fn levels(&self) -> Option<&[u32]> {
        Some(&self.distances)
    }

    fn path(&self, target: Vertex) -> Option<Path> {
        let hops = Some(self.distances[target as usize]).filter(|&d| d != UNREACHED)?;
        let vertices = follow(&self.parents, target).into_iter().map(|v| self.graph.ids().id(v)).collect();
        Some(Path { vertices, length: hops.into() })
    }
}
