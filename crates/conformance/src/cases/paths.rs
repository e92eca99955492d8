//! Is a path a path?

use warpgraph::{
    VertexId,
    graph::{Graph, Vertex},
};

/// A handful of vertices from all over the graph.
pub(super) fn targets(graph: &Graph) -> impl Iterator<Item = Vertex> {
    let n = graph.vertices() as Vertex;
    (0..n.min(12)).chain((12..n).step_by((n as usize / 12).max(1))).chain(n.checked_sub(1))
}

/// The least arc between every two vertices of a path, as numbers of arcs; panics where there is none, or the ends are
/// not those expected.
pub(super) fn arcs(graph: &Graph, path: &[VertexId], source: Vertex, target: Vertex, at: &str) -> Vec<usize> {
    let vertex = |id: &VertexId| graph.ids().vertex(id).unwrap_or_else(|e| panic!("{at}: {e}"));
    let way: Vec<Vertex> = path.iter().map(vertex).collect();
    assert_eq!((way.first(), way.last()), (Some(&source), Some(&target)), "{at}: the ends of {path:?}");
    let arc = |pair: &[Vertex]| {
        let csr = &graph.out().csr;
        let between = csr.arcs_of(pair[0]).filter(|&i| csr.targets()[i] == pair[1]);
        let least =
            |a: &usize, b: &usize| graph.out().weights.get(*a).total_cmp(&graph.out().weights.get(*b));
        between.min_by(least).unwrap_or_else(|| panic!("{at}: {pair:?} of {path:?} is no arc"))
    };
    way.windows(2).map(arc).collect()
}
