//! Applies edits to a graph: adds edges, and drops edges.

use super::{
    DURING,
    assemble::{self, Arc, bits},
    changes::Edges,
};
use warpgraph_core::Result;
use warpgraph_graph::{
    Arcs, Control, Graph, Ids, Vertex,
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
};

/// Returns the graph with `added`, and without `dropped`. The ids of the result are its vertex numbers. Each edge dropped is
/// one of the graph, with its weight; of parallel edges of one weight, the first is dropped. Work O(arcs).
///
/// # Errors
/// If memory is short, or if `control` stops the work.
pub(super) fn edited(graph: &Graph, added: &Edges, dropped: &Edges, control: &Control) -> Result<Graph> {
    control.check(DURING)?;
    let n = graph.vertices();
    if added.is_empty() && dropped.is_empty() {
        return anonymous(graph, graph.out().clone(), graph.is_directed());
    }
    let (plus, minus) = (arcs_of(graph, added, control)?, arcs_of(graph, dropped, control)?);
    let old = graph.out();
    let length = |v: Vertex| old.csr.degree(v) + plus.csr.degree(v) - minus.csr.degree(v);
    let fill = |v: Vertex, row: &mut Vec<Arc>| {
        keep(old, &minus, v, row);
        if plus.csr.degree(v) > 0 {
            push(&plus, v, row);
            // Two sorted runs, which a stable sort merges.
            row.sort_by_key(|arc| arc.0);
        }
    };
    let arcs = assemble::arcs(n, graph.weight_type(), length, fill, control)?;
    anonymous(graph, arcs, graph.is_directed())
}

/// Returns a graph with the origin of another, whose ids are its vertex numbers.
pub(super) fn anonymous(graph: &Graph, arcs: Arcs, directed: bool) -> Result<Graph> {
    let ids = Ids::zero_based(arcs.csr.vertices());
    Ok(Graph::new(arcs, directed, ids, graph.origin().clone())?)
}

/// Returns the arcs of some edges: both directions if the graph is undirected.
fn arcs_of(graph: &Graph, edges: &Edges, control: &Control) -> Result<Arcs> {
    let weights = EdgeWeights::from(edges.weights());
    let chunk = EdgeChunk { pairs: edges.pairs().to_vec(), weights };
    let list = EdgeList { vertices: graph.vertices(), chunks: vec![chunk] };
    let how = build::Options { directed: graph.is_directed(), loops: Loops::Keep, parallel: Parallel::Keep };
    Ok(build::build(list, &how, control)?.arcs)
}

/// Adds the arcs of `v` to a row.
pub(super) fn push(arcs: &Arcs, v: Vertex, row: &mut Vec<Arc>) {
    let along = arcs.csr.arcs_of(v).map(|arc| bits(&arcs.weights, arc));
    row.extend(arcs.csr.neighbors(v).iter().copied().zip(along));
}

/// Adds the arcs of `v` to a row, without those of `minus`.
fn keep(arcs: &Arcs, minus: &Arcs, v: Vertex, row: &mut Vec<Arc>) {
    if minus.csr.degree(v) == 0 {
        return push(arcs, v, row);
    }
    let mut gone = Vec::new();
    push(minus, v, &mut gone);
    // Sorted by target; `from` is the first that may still come, and `due` are those with the target at hand.
    let (mut from, mut due): (usize, Vec<u64>) = (0, Vec::new());
    let mut last = None;
    for (arc, &target) in arcs.csr.arcs_of(v).zip(arcs.csr.neighbors(v)) {
        if last != Some(target) {
            due.clear();
            from += gone[from..].iter().take_while(|arc| arc.0 < target).count();
            due.extend(gone[from..].iter().take_while(|arc| arc.0 == target).map(|arc| arc.1));
            last = Some(target);
        }
        let along = bits(&arcs.weights, arc);
        match due.iter().position(|&weight| weight == along) {
            Some(place) => _ = due.swap_remove(place),
            None => row.push((target, along)),
        }
    }
}
