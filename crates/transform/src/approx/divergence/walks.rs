//! Random walks of two arcs, which find the ends of new arcs.

use super::{
    super::{
        changes::{Edit, drawn},
        weigh,
    },
    WALKS,
};
use std::collections::HashSet;
use warpgraph_graph::{Graph, Vertex};

/// Walks per wanted arc.
const LOOKS: u64 = 16;

/// Room for the ends that one vertex has found.
#[derive(Default)]
pub(super) struct Walks {
    found: HashSet<Vertex>,
}

impl Walks {
    /// Calls `add` with up to `wanted` new arcs from `from` to vertices that `accepts` accepts. Each leads to the end of a walk
    /// that has no arc from `from` yet.
    pub(super) fn take(
        &mut self,
        graph: &Graph,
        seed: u64,
        from: Vertex,
        wanted: u64,
        accepts: impl Fn(Vertex) -> bool,
        mut add: impl FnMut(Edit),
    ) {
        self.found.clear();
        let row = graph.out().csr.neighbors(from);
        let mut left = wanted;
        for look in 0..LOOKS * (wanted + 1) {
            if left == 0 || row.is_empty() {
                return;
            }
            let Some((end, weight)) = walk(graph, from, drawn(seed, WALKS, from.into(), look)) else {
                continue;
            };
            let is_new = end != from && accepts(end) && row.binary_search(&end).is_err();
            if is_new && self.found.insert(end) {
                add(Edit::new(from, end, weight));
                left -= 1;
            }
        }
    }
}

/// Returns the end of a walk and its weight; `None` if it ends early, or if its weight is too large for its type.
fn walk(graph: &Graph, from: Vertex, random: u64) -> Option<(Vertex, f64)> {
    let arcs = graph.out();
    let step = |v: Vertex, random: u32| {
        let row = arcs.csr.arcs_of(v);
        let arc = row.start + ((u64::from(random) * row.len() as u64) >> 32) as usize;
        row.contains(&arc).then(|| (arcs.csr.targets()[arc], arcs.weights.get(arc)))
    };
    let (middle, first) = step(from, random as u32)?;
    let (end, second) = step(middle, (random >> 32) as u32)?;
    Some((end, weigh::along(first, second, graph.weight_type())?))
}
