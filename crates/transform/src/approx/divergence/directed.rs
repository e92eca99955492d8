//! Edits of a directed graph: every row by itself, on all threads.

use super::{
    super::{
        DURING,
        changes::{Edit, Step, drawn},
    },
    DROPS, WARP,
    goals::Goals,
    walks::Walks,
};
use crate::Means;
use warpgraph_core::Result;
use warpgraph_graph::{Graph, NodeMap, Vertex, par};

/// Returns the edits that move every out-degree to its goal.
pub(super) fn edits(graph: &Graph, map: &NodeMap, goals: &Goals, means: &Means<'_>) -> Result<Step> {
    let look = |range: std::ops::Range<usize>| {
        let (mut step, mut walks) = (Step::default(), Walks::default());
        for number in range {
            if means.control.should_stop() {
                break;
            }
            let v = map.original(number as Vertex);
            row(graph, v, goals.0[number] as usize, means.seed, &mut walks, &mut step);
        }
        step
    };
    let join = |mut all: Step, more: Step| {
        all.added.extend(more.added);
        all.dropped.extend(more.dropped);
        all
    };
    let step = par::reduce(map.len(), WARP, look, join);
    means.control.check(DURING)?;
    Ok(step.unwrap_or_default())
}

fn row(graph: &Graph, v: Vertex, goal: usize, seed: u64, walks: &mut Walks, step: &mut Step) {
    let degree = graph.out().csr.degree(v);
    if degree < goal {
        let wanted = (goal - degree) as u64;
        walks.take(graph, seed, v, wanted, |_| true, |edit| step.added.push(edit));
    }
    if degree > goal {
        step.dropped.extend(random(graph, v, seed).take(degree - goal));
    }
}

/// Returns the arcs of a vertex in random order.
pub(super) fn random(graph: &Graph, v: Vertex, seed: u64) -> impl Iterator<Item = Edit> + '_ {
    let arcs = graph.out();
    let key = |arc: usize| (drawn(seed, DROPS, v.into(), arc as u64), arc);
    let mut order: Vec<_> = arcs.csr.arcs_of(v).map(key).collect();
    order.sort_unstable();
    order.into_iter().map(move |(_, arc)| Edit::new(v, arcs.csr.targets()[arc], arcs.weights.get(arc)))
}
