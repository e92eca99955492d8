//! Applies reading options to graphs that files store as finished arrays (`.wg`, `.sg`).
//!
//! Parallel edges stay as stored, because the writer of the file has decided about them, unless the options make a
//! directed graph undirected.

use super::ReadOptions;
use crate::{
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    control::Control,
    csr::Vertex,
    error::Result,
    graph::{Arcs, Graph, Origin},
    stored::Stored,
    weights::{WeightType, Weights},
};

/// Returns the graph as `options` ask for it. If the file stores another vertex order or paths and the options change the
/// graph, the graph loses them and gets a warning that says so.
pub(super) fn apply(graph: Graph, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let order = graph.stored().map(|stored| stored.label().name.clone());
    let has_paths = graph.stored().map_or(&graph, Stored::graph).paths().is_some();
    let before = graph.clone();
    let graph = change(graph, options, control)?;
    if graph.is(&before) {
        return Ok(graph);
    }
    let order = order.map(|order| format!("its stored order ({order}) is not used"));
    let paths = has_paths.then(|| "the paths that it keeps are not used".to_owned());
    let lost: Vec<String> = order
        .into_iter()
        .chain(paths)
        .map(|what| format!("reading flags changed the graph: {what}"))
        .collect();
    if lost.is_empty() {
        return Ok(graph);
    }
    let mut origin = graph.origin().clone();
    origin.warnings.extend(lost);
    let (arcs, ids) = (graph.out().clone(), graph.ids().clone());
    // SAFETY: these are the arcs, the direction and the ids of a consistent graph; only a warning is new.
    Ok(unsafe { Graph::new_unchecked(arcs, graph.is_directed(), ids, origin) })
}

fn change(graph: Graph, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let graph = reweigh(graph, options)?;
    let drop_loops = options.loops == Loops::Drop && graph.counts().self_loops > 0;
    match options.directed {
        Some(false) if graph.is_directed() => rebuild(&graph, false, options, control),
        _ if drop_loops => rebuild(&graph, options.directed.unwrap_or(graph.is_directed()), options, control),
        Some(true) if !graph.is_directed() => Ok(relabel(&graph)),
        _ => Ok(graph),
    }
}

fn reweigh(graph: Graph, options: &ReadOptions) -> Result<Graph> {
    let weights = match graph.weight_type() {
        None => return Ok(graph),
        Some(_) if options.no_weights => Weights::None,
        Some(WeightType::F64) if options.narrow_weights => graph.out().weights.narrowed()?,
        Some(_) => return Ok(graph),
    };
    let arcs = Arcs { csr: graph.out().csr.clone(), weights };
    let (directed, ids, origin) = (graph.is_directed(), graph.ids().clone(), graph.origin().clone());
    // SAFETY: the structure and the ids are those of a consistent graph. There are no weights, or as many as before,
    // and narrowing maps equal weights of the two directions to equal weights.
    Ok(unsafe { Graph::new_unchecked(arcs, directed, ids, origin) })
}

/// Returns the directed graph with the same arcs as an undirected one.
fn relabel(graph: &Graph) -> Graph {
    let origin = Origin { direction_because: "asked for".to_owned(), ..graph.origin().clone() };
    // SAFETY: the arcs and the ids are those of a consistent graph, and a directed graph need not be symmetric.
    unsafe { Graph::new_unchecked(graph.out().clone(), true, graph.ids().clone(), origin) }
}

/// Builds the graph again from its arcs. If this makes a directed graph undirected, it merges parallel edges as
/// `options` ask; otherwise it merges nothing.
fn rebuild(graph: &Graph, directed: bool, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let csr = &graph.out().csr;
    let symmetrise = graph.is_directed() && !directed;
    let mut pairs = Vec::with_capacity(csr.arcs());
    for u in 0..csr.vertices() as Vertex {
        pairs.extend(csr.neighbors(u).iter().map(|&v| [u, v]));
    }
    let weights = EdgeWeights::from(&graph.out().weights);
    let list = EdgeList { vertices: csr.vertices(), chunks: vec![EdgeChunk { pairs, weights }] };
    let parallel = if symmetrise { options.parallel } else { Parallel::Keep };
    let how = build::Options { directed: !symmetrise, loops: options.loops, parallel };
    let built = build::build(list, &how, control)?;
    let mut origin = graph.origin().clone();
    origin.loops_dropped += built.loops_dropped;
    origin.merged += built.merged;
    if directed != graph.is_directed() {
        origin.direction_because = "asked for".to_owned();
        origin.symmetrised = symmetrise;
    }
    // SAFETY: the builder gives one weight per arc or no weights, and keeps the vertices. The arcs of an undirected
    // graph are symmetric because they were so before, or because the builder mirrored them.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, graph.ids().clone(), origin) })
}
