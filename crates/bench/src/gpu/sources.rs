//! Where searches start: vertices of the largest component, drawn from a seed, another one a run.
//!
//! On an undirected graph such a search reaches that whole component; on a directed one it may reach less.

use serde::Serialize;
use warpgraph::{
    Graph, VertexId,
    graph::{Vertex, hash},
};

/// Draws after which the next vertex of the component is taken.
const DRAWS: u64 = 1000;

/// The largest component of a graph.
#[derive(Debug, Clone, Serialize)]
pub struct Giant {
    /// The name of the component: its smallest vertex.
    #[serde(skip)]
    name: Vertex,
    #[serde(skip)]
    components: Vec<Vertex>,
    /// Its vertices.
    pub vertices: u64,
    /// Those over all vertices with arcs.
    pub share: f64,
}

impl Giant {
    /// Of a graph by the components of its vertices; `None` if it has no vertex.
    pub fn of(graph: &Graph, components: &[Vertex], sizes: &[(Vertex, u64)]) -> Option<Self> {
        let &(name, vertices) = sizes.iter().max_by_key(|(name, size)| (*size, std::cmp::Reverse(*name)))?;
        let with_arcs = graph.vertices() as u64 - graph.counts().isolated;
        let share = vertices as f64 / with_arcs.max(1) as f64;
        Some(Self { name, components: components.to_vec(), vertices, share })
    }

    /// Does a search from it reach over half of the vertices that have arcs?
    pub fn is_most(&self) -> bool {
        self.share > 0.5
    }

    /// The source of a run, by its id.
    pub fn source(&self, graph: &Graph, seed: u64, run: u64) -> VertexId {
        let n = self.components.len() as u64;
        let pick = |attempt: u64| (hash::mix(hash::mix(seed, run), attempt) % n) as Vertex;
        let is_in = |&v: &Vertex| self.components[v as usize] == self.name;
        let start = pick(0);
        let next = || (start..n as Vertex).chain(0..start).find(is_in).unwrap_or(self.name);
        graph.ids().id((0..DRAWS).map(pick).find(is_in).unwrap_or_else(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Engine, Order, Wcc};

    #[test]
    fn sources_are_of_the_largest_component_and_differ_by_run() {
        // A path of 40, another of 5, and vertices alone.
        let edges: Vec<(u32, u32)> = (50..89).map(|v| (v, v + 1)).chain((0..4).map(|v| (v, v + 1))).collect();
        let graph = Graph::from_edges(200, &edges, false).unwrap();
        let wcc = Engine::auto().unwrap().load(&graph, Order::Natural).unwrap().wcc(Wcc {}).run().unwrap();
        let giant = Giant::of(&graph, wcc.components(), &wcc.sizes()).unwrap();
        assert_eq!((giant.vertices, giant.is_most()), (40, true));
        assert!((giant.share - 40.0 / 45.0).abs() < 1e-12);
        let sources: Vec<VertexId> = (0..20).map(|run| giant.source(&graph, 1, run)).collect();
        let number = |id: &VertexId| id.to_string().parse::<u32>().unwrap();
        assert!(sources.iter().all(|id| (50..90).contains(&number(id))), "{sources:?}");
        assert!(sources.iter().any(|id| *id != sources[0]));
        assert_eq!(giant.source(&graph, 1, 7), sources[7], "the same seed gives the same source");
    }
}
