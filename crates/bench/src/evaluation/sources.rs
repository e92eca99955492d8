//! Vertices of the largest component that searches start at, drawn from a seed.
//!
//! On an undirected graph such a search reaches that whole component; on a directed one it may reach less.

use crate::result::Failure;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use warpgraph::{
    Control, Graph, Loaded, VertexId, Wcc, WccAnswer,
    graph::{Vertex, hash},
};

/// Draws after which the next vertex of the component is taken.
const DRAWS: u64 = 1000;

/// The largest component of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Giant {
    /// Its vertices.
    pub vertices: u64,
    /// Those over all vertices with arcs.
    pub share: f64,
}

impl Giant {
    /// Returns true if a search from it reaches over half of the vertices that have arcs.
    pub fn is_most(&self) -> bool {
        self.share > 0.5
    }
}

/// The vertices that searches start at.
#[derive(Debug)]
pub(super) struct Sources {
    /// The component they are of.
    pub(super) giant: Giant,
    /// Its name: its smallest vertex.
    name: Vertex,
    graph: Graph,
    wcc: WccAnswer,
}

impl Sources {
    /// Finds them by a run of wcc, or says why there are none.
    pub(super) fn find(loaded: &Loaded, control: &Control) -> Result<Self, Failure> {
        let wcc = loaded.wcc(Wcc {}).control(control).run().map_err(|error| Failure::from(&error))?;
        let (graph, sizes) = (loaded.graph().clone(), wcc.sizes());
        let largest = sizes.iter().max_by_key(|(name, size)| (*size, Reverse(*name)));
        let none = || Failure::new("refused", "the graph has no vertex to start at");
        let &(name, vertices) = largest.ok_or_else(none)?;
        let with_arcs = graph.vertices() as u64 - graph.counts().isolated;
        let share = vertices as f64 / with_arcs.max(1) as f64;
        Ok(Self { giant: Giant { vertices, share }, name, graph, wcc })
    }

    /// Returns the ids of so many different sources of a run; of fewer if the component is small.
    pub(super) fn draw_all(&self, seed: u64, run: u64, count: u64) -> Vec<VertexId> {
        let mut drawn: Vec<VertexId> = Vec::new();
        for nth in 0..count.saturating_mul(DRAWS) {
            if drawn.len() as u64 == count.min(self.giant.vertices) {
                break;
            }
            let id = self.draw(hash::mix(seed, nth), run);
            if !drawn.contains(&id) {
                drawn.push(id);
            }
        }
        drawn
    }

    /// Returns the id of the source of a run.
    pub(super) fn draw(&self, seed: u64, run: u64) -> VertexId {
        let components = self.wcc.components();
        let n = components.len() as u64;
        let pick = |attempt: u64| (hash::mix(hash::mix(seed, run), attempt) % n) as Vertex;
        let is_in = |&v: &Vertex| components[v as usize] == self.name;
        let start = pick(0);
        let next = || (start..n as Vertex).chain(0..start).find(is_in).unwrap_or(self.name);
        self.graph.ids().id((0..DRAWS).map(pick).find(is_in).unwrap_or_else(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::{Engine, Order};

    #[test]
    fn sources_are_of_the_largest_component_and_differ_by_run() {
        // A path of 40, another of 5, and vertices alone.
        let edges: Vec<(u32, u32)> = (50..89).map(|v| (v, v + 1)).chain((0..4).map(|v| (v, v + 1))).collect();
        let graph = Graph::from_edges(200, &edges, false).unwrap();
        let loaded = Engine::auto().unwrap().load(&graph, Order::Natural).unwrap();
        let sources = Sources::find(&loaded, &Control::new()).unwrap();
        assert_eq!((sources.giant.vertices, sources.giant.is_most()), (40, true));
        assert!((sources.giant.share - 40.0 / 45.0).abs() < 1e-12);
        let drawn: Vec<VertexId> = (0..20).map(|run| sources.draw(1, run)).collect();
        let number = |id: &VertexId| id.to_string().parse::<u32>().unwrap();
        assert!(drawn.iter().all(|id| (50..90).contains(&number(id))), "{drawn:?}");
        assert!(drawn.iter().any(|id| *id != drawn[0]));
        assert_eq!(sources.draw(1, 7), drawn[7], "the same seed gives the same source");
        let together = [10, 50].map(|count| sources.draw_all(1, 7, count));
        assert_eq!(together.each_ref().map(Vec::len), [10, 40], "different ones, as far as there are");
        assert!(together[0].iter().all(|id| (50..90).contains(&number(id))), "{together:?}");
    }
}
