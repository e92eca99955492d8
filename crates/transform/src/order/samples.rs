//! The sources of sampled searches.

use warpgraph_core::draw;
use warpgraph_graph::{Graph, Vertex, hash};

/// Separates these draws from others with the same seed.
const SALT: u64 = 0x6861_6c6f;

/// Draws `count` different vertices uniformly from those with outgoing arcs, or returns all of these if there are
/// fewer. A search from any other vertex reaches nothing. In increasing order; O(n).
pub(super) fn draw_sources(graph: &Graph, count: u32, seed: u64) -> Vec<Vertex> {
    let n = graph.vertices() as Vertex;
    let goes_on = |v: &Vertex| graph.degree(*v) > 0;
    let candidates = (0..n).filter(goes_on).count();
    let mut places = draw(candidates, u64::from(count), hash::mix(seed, SALT));
    places.sort_unstable();
    let mut sources = Vec::with_capacity(places.len());
    let (mut wanted, mut place) = (places.into_iter().peekable(), 0);
    for v in (0..n).filter(goes_on) {
        if wanted.next_if_eq(&place).is_some() {
            sources.push(v);
        }
        place += 1;
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_different_vertices_with_outgoing_arcs() {
        let edges: Vec<_> = (0..50).map(|v| (2 * v, 99)).collect();
        let graph = Graph::from_edges(101, &edges, true).unwrap();
        let some = draw_sources(&graph, 10, 1);
        assert_eq!(some.len(), 10);
        assert!(some.is_sorted_by(|a, b| a < b) && some.iter().all(|v| v % 2 == 0 && *v < 99), "{some:?}");
        assert_eq!(some, draw_sources(&graph, 10, 1));
        assert_ne!(some, draw_sources(&graph, 10, 2));
        assert_eq!(draw_sources(&graph, 50, 1), (0..50).map(|v| 2 * v).collect::<Vec<_>>());
        assert_eq!(draw_sources(&graph, 1000, 1).len(), 50);
        assert!(draw_sources(&Graph::from_edges(3, &[], true).unwrap(), 4, 1).is_empty());
    }
}
