//! Breadth-first searches from up to 64 sources at once, which report when each vertex is reached.

use crate::{batch::Batch, parts::team};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Vertex, with_views};

/// Searches along outgoing arcs from at most 64 different sources. For every vertex and depth (1 or more) at which some
/// sources first reach the vertex, calls `reach(v, depth, new)` once; bit i of `new` stands for `sources[i]`. Calls
/// come from any thread. Calls for one vertex never overlap, and their depths increase.
///
/// # Errors
/// If interrupted, or if memory is short.
pub fn traverse(
    graph: &Graph,
    sources: &[Vertex],
    control: &Control,
    reach: &(dyn Fn(Vertex, u32, u64) + Sync),
) -> Result<()> {
    assert!(sources.len() <= 64, "a set of sources is a word");
    let incoming = graph.incoming()?;
    let depth = AtomicU32::new(1);
    with_views!(graph.out().csr, incoming.csr, |ahead, behind| {
        let mut batch = Batch::<_, _, [u64; 1]>::new(ahead, behind)?;
        let reach = |(): &mut (), v: Vertex, [new]: [u64; 1]| reach(v, depth.load(Relaxed), new);
        team(|team| batch.run(team, sources, control, reach, |done, _| depth.store(done + 1, Relaxed)))?;
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_vertex_is_reached_once_by_every_source_at_its_distance() {
        // A directed ring of 5 with an arc into it from 5: distances are differences.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (5, 0)];
        let graph = Graph::from_edges(7, &edges, true).unwrap();
        let seen = Mutex::new(Vec::new());
        let note = |v: Vertex, depth: u32, new: u64| seen.lock().unwrap().push((v, depth, new));
        traverse(&graph, &[0, 2, 5], &Control::new(), &note).unwrap();
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        let expected = [
            (0, 1, 0b100),
            (0, 3, 0b010),
            (1, 1, 0b001),
            (1, 2, 0b100),
            (1, 4, 0b010),
            (2, 2, 0b001),
            (2, 3, 0b100),
            (3, 1, 0b010),
            (3, 3, 0b001),
            (3, 4, 0b100),
            (4, 2, 0b010),
            (4, 4, 0b001),
            (4, 5, 0b100),
        ];
        assert_eq!(seen, expected);
    }
}
