//! Changes a graph so that a GPU answers faster and nearly right: the three techniques of Graffix \[1\].
//!
//! | technique | order of vertices | edges | knob | exact at |
//! | --- | --- | --- | --- | --- |
//! | [`coalesce`] | levels of a forest of searches, from multiples of 32 | replicas in holes get new ones | threshold | 1 |
//! | [`latency`] | as before | new ones among neighbours of clustered vertices | threshold | 1 |
//! | [`divergence`] | falling out-degree | new ones over two hops; some are dropped | share | 0 |
//!
//! `latency` goes first when it is combined with another one, which then sees its edges.
//!
//! [`Transformed::changes`] lists every edge that was added or dropped, and every replica, so that a change can be
//! [undone](Transformed::undone). At the exact end of a knob nothing is changed, and the graph is the input, renumbered.
//!
//! The result depends on the graph, the approximation and the seed, and not on the number of threads.
//!
//! New edges among vertices of negative weights may close a negative cycle that the graph does not have; sssp reports it.
//!
//! \[1\] S. Singh, R. Nasre, Optimizing graph processing on GPUs using approximate computing, PPoPP 2019.

mod assemble;
mod changes;
mod coalesce;
mod divergence;
mod edit;
mod latency;
mod merged;
#[cfg(test)]
mod tests;
mod weigh;

pub use changes::{Changes, Edges, Replica, Replicas};

use crate::{Means, Transformed};
use changes::{Edit, Step};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{Approximation, Chunks, Exactness, Order, Result};
use warpgraph_graph::{Graph, NodeMap};

/// Completes "interrupted while ..." in messages.
const DURING: &str = "approximating the graph";

/// Returns the graph as an approximation changes it, what was changed, and the chunks that runs iterate.
///
/// ```
/// use warpgraph_graph::{Control, Graph};
/// use warpgraph_transform::{Means, approximate};
///
/// # fn main() -> warpgraph_core::Result<()> {
/// // The neighbours of vertex 0 are not joined, so a threshold of 0 joins them.
/// let graph = Graph::from_edges(3, &[(0, 1), (0, 2)], false)?;
/// let control = Control::new();
/// let changed = approximate(&graph, "latency(threshold=0)".parse()?, &Means::on_cpu(1, &control))?;
/// let changes = changed.changes.as_ref().expect("approximations list changes");
/// assert_eq!(changes.added.pairs(), [[1, 2]]);
/// assert_eq!(changed.undone(&control)?.hash(), graph.hash());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If memory is short, if the control stops the work, or if `coalesce` needs more than 2^32 - 1 numbers.
pub fn approximate(graph: &Graph, approximation: Approximation, means: &Means<'_>) -> Result<Transformed> {
    let start = Instant::now();
    means.control.check(DURING)?;
    let (joined, chunks) = match approximation.latency {
        Some(threshold) => latency::latency(graph, threshold, means)?,
        None => (Vec::new(), Chunks::default()),
    };
    let (changed, map, step) = renumbered(graph, &joined, approximation, means)?;
    let changes = Changes::of((joined, step), graph.weight_type(), graph.is_directed());
    let chunks = chunks.renamed(|v| map.inner(v));
    let counted = changes.counted();
    let seconds = start.elapsed().as_secs_f64();
    let exactness = Exactness {
        approximation,
        holes: (map.inner_len() - map.len()) as u64 - counted.replicas,
        edges: graph.edges(),
        chunks: chunks.len() as u64,
        seconds,
        ..counted
    };
    Ok(Transformed {
        graph: changed,
        map,
        order_seconds: seconds,
        exactness: Some(exactness),
        chunks: approximation.latency.map(|_| Arc::new(chunks)),
        changes: Some(changes),
    })
}

/// Returns the graph with the edges of `latency`, as the technique that renumbers changes it.
fn renumbered(
    graph: &Graph,
    joined: &[Edit],
    approximation: Approximation,
    means: &Means<'_>,
) -> Result<(Graph, NodeMap, Step)> {
    let added = Edges::of(joined, graph.weight_type());
    let graph = edit::edited(graph, &added, &Edges::default(), means.control)?;
    match (approximation.coalesce, approximation.divergence) {
        (Some(threshold), _) => coalesce::coalesce(&graph, threshold, means),
        (None, Some(share)) => divergence::divergence(&graph, share, means),
        (None, None) => {
            let map = crate::order::map(&graph, Order::Natural, means)?;
            Ok((graph, map, Step::default()))
        }
    }
}
