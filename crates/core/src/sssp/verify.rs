//! Are these the shortest distances?
//!
//! 1. the source has distance 0;
//! 2. triangle inequality: no arc u -> v of a reached u has `distance[u] + w < distance[v]`;
//! 3. tightness: every reached vertex hangs on the source by arcs with `distance[u] + w == distance[v]`.
//!
//! 2 says no distance is too long, 3 that each is the length of a real path. Both hold exactly, also for decimals, since
//! rounding is monotone.

use super::{
    SsspAnswer,
    parents::{self, FromWeight, weight},
    with_distances,
};
use crate::{Violation, verify::first};
use warpgraph_graph::{Graph, NO_VERTEX, Vertex};

pub(super) fn verify(answer: &SsspAnswer, graph: &Graph) -> Result<(), Violation> {
    if answer.distances.len() != graph.vertices() {
        let what = format!("{} for {} vertices", answer.distances.len(), graph.vertices());
        return Err(Violation::new("one value a vertex", what));
    }
    if answer.distances.get(answer.source as usize) != 0.0 {
        let what = format!("it is {}", answer.distances.get(answer.source as usize));
        return Err(Violation::new("the source has distance 0", what));
    }
    with_distances!(&answer.distances, |d| triangle(graph, d))?;
    let parents = parents::parents(graph, answer.source, &answer.distances)
        .map_err(|e| Violation::new("the transpose fits in memory", e.to_string()))?;
    first(graph.vertices(), |v| {
        let hangs = parents[v as usize] != NO_VERTEX || !answer.distances.is_reached(v as usize);
        (!hangs).then(|| {
            let what =
                format!("vertex {} at distance {}", graph.ids().id(v), answer.distances.get(v as usize));
            Violation::new("every distance is the length of a path", what)
        })
    })
}

fn triangle<D: FromWeight>(graph: &Graph, distance: &[D]) -> Result<(), Violation> {
    let arcs = graph.out();
    first(graph.vertices(), |u| {
        let here = distance[u as usize];
        if here >= D::UNREACHED {
            return None;
        }
        let shorter =
            |&i: &usize| here.plus(weight(&arcs.weights, i)) < distance[arcs.csr.targets()[i] as usize];
        arcs.csr.arcs_of(u).find(shorter).map(|i| {
            let v: Vertex = arcs.csr.targets()[i];
            let what = format!(
                "{} + {} over {} -> {} is less than {}",
                here.as_f64(),
                arcs.weights.get(i),
                graph.ids().id(u),
                graph.ids().id(v),
                distance[v as usize].as_f64()
            );
            Violation::new("no arc makes a distance shorter", what)
        })
    })
}
