//! `coalesce`: renumbers vertices so that the threads of a warp read neighbours together, and fills the holes of the
//! numbering with replicas.
//!
//! 1. The vertices are numbered by the levels of a forest of searches ([`forest`]). Every level starts at a multiple of the
//!    warp's width, so a level ends with up to 31 holes ([`Numbering`]).
//! 2. The *tail* is the last chunk of a level, if it has holes. A vertex is well connected to a tail if it has arcs to more than
//!    a share `threshold` of the tail's vertices. The best connected vertices get a replica each in the holes, the smallest
//!    vertex first on ties ([`replicas`]).
//! 3. A replica takes over its master's arcs into the tail, and gets a new arc to every other vertex of the tail, with the mean
//!    weight of those it took over.
//! 4. In the result, an arc is in the row of the replica that its source has in the tail of its target, otherwise in the row of
//!    its source ([`split`]). So replicas change where arcs are stored, and step 3 alone changes which arcs there are.
//!
//! Where the paper \[1\] is silent: a vertex has no replica in its own chunk. Parallel arcs count once for the threshold, so no
//! share exceeds 1, and at 1 nothing changes. Arcs of a replica lead to masters, never to replicas. An undirected graph stays
//! symmetric: a new edge has both arcs. If both ends of a new edge have a replica at the other end, the first tail gives the
//! weight.
//!
//! Work O(arcs). Memory: two more copies of the graph, and 16 bytes per candidate.
//!
//! \[1\] S. Singh, R. Nasre, Optimizing graph processing on GPUs using approximate computing, PPoPP 2019 (Graffix).

mod forest;
mod numbering;
mod replicas;
mod split;

use super::{
    DURING,
    changes::{Edges, Step},
    edit::edited,
};
use crate::{Means, order};
use forest::Forest;
use numbering::Numbering;
use replicas::Filled;
use warpgraph_core::{Knob, Order, Result};
use warpgraph_graph::{Graph, NodeMap};

/// Vertices that a warp handles together.
const WIDTH: u32 = 32;

/// Returns the graph in the new numbers, the map to them, and the changes in the numbers of `graph`.
///
/// # Errors
/// If there are too many holes, if memory is short, or if the control stops the work.
pub(super) fn coalesce(graph: &Graph, threshold: Knob, means: &Means<'_>) -> Result<(Graph, NodeMap, Step)> {
    let control = means.control;
    let roots = order::map(graph, Order::Degree, means)?;
    let Forest { order, levels } = forest::forest(&graph.out().csr, roots.originals(), control)?;
    drop(roots);
    let ranks = NodeMap::of_order(order)?;
    let sorted = graph.renumbered(&ranks, control)?;
    let numbering = Numbering::of(&levels)?;
    control.check(DURING)?;
    let filled = Filled::of(&sorted, &numbering, threshold, &ranks)?;
    let added = Edges::of(&filled.added, graph.weight_type());
    let changed = edited(&sorted, &added, &Edges::default(), control)?;
    drop(sorted);
    let (split, map) = split::split(&changed, &numbering, &filled, &ranks, control)?;
    Ok((split, map, filled.step(&ranks, graph)))
}
