//! Verifies shortest distances:
//!
//! 1. the type of the distances holds sums of the weights: signed for negative weights, floating point for
//!    floating-point weights;
//! 2. no distance is NaN or minus infinity;
//! 3. the source has distance 0;
//! 4. triangle inequality: no arc u -> v of a reached u has `distance[u] + w < distance[v]`;
//! 5. no arc of a reached vertex ends at an unreached one, not even if the sum is too large for the type;
//! 6. tightness: arcs with `distance[u] + w == distance[v]` connect every reached vertex to the source.
//!
//! Rules 4 and 5 say that no distance is too long, rule 6 that each is the length of a real path. They hold exactly,
//! also for floating point, because rounding is monotone. Integer sums saturate, so that distances that wrapped are
//! found.

use super::{
    Distances, SsspAnswer,
    parents::{self, FromWeight, weight},
    with_distances,
};
use crate::{Violation, verify::first};
use warpgraph_graph::{Graph, NO_VERTEX, Vertex, Weights};

pub(super) fn verify(answer: &SsspAnswer, graph: &Graph) -> Result<(), Violation> {
    if answer.distances.len() != graph.vertices() {
        let what = format!("{} for {} vertices", answer.distances.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    check_type(&answer.distances, &graph.out().weights)?;
    with_distances!(&answer.distances, |d| numbers(graph, d))?;
    if answer.distances.get(answer.source as usize) != 0.0 {
        let what = format!("it is {}", answer.distances.get(answer.source as usize));
        return Err(Violation::new("the source has distance 0", what));
    }
    with_distances!(&answer.distances, |d| triangle(graph, d))?;
    with_distances!(&answer.distances, |d| reach(graph, d))?;
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

fn check_type(distances: &Distances, weights: &Weights) -> Result<(), Violation> {
    let is_signed = !matches!(distances, Distances::U32(_) | Distances::U64(_));
    let is_decimal = matches!(distances, Distances::F32(_) | Distances::F64(_));
    let least = weights.range().map_or(0.0, |(least, _)| least);
    let needs_decimals = matches!(weights, Weights::F32(_) | Weights::F64(_));
    if (is_signed || least >= 0.0) && (is_decimal || !needs_decimals) {
        return Ok(());
    }
    let weight_type = weights.weight_type().map_or("no", |t| t.name());
    let what = format!("{} distances, {weight_type} weights from {least}", distances.type_name());
    Err(Violation::new("distances hold sums of the weights", what))
}

fn numbers<D: FromWeight>(graph: &Graph, distance: &[D]) -> Result<(), Violation> {
    first(graph.vertices(), |v| {
        let d = distance[v as usize];
        let is_number = d.partial_cmp(&d).is_some() && d.as_f64() != f64::NEG_INFINITY;
        (!is_number).then(|| {
            Violation::new("every distance is a number", format!("vertex {} has {d:?}", graph.ids().id(v)))
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
            |&i: &usize| here.along(weight(&arcs.weights, i)) < distance[arcs.csr.targets()[i] as usize];
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

/// Checks rule 5. Rule 4 cannot see these arcs: a sum that overflows is not less than the distance of an unreached vertex.
fn reach<D: FromWeight>(graph: &Graph, distance: &[D]) -> Result<(), Violation> {
    let csr = &graph.out().csr;
    let is_reached = |v: Vertex| distance[v as usize] < D::UNREACHED;
    first(graph.vertices(), |u| {
        let missed = csr.neighbors(u).iter().find(|&&v| !is_reached(v)).filter(|_| is_reached(u));
        missed.map(|&v| {
            let (u, v) = (graph.ids().id(u), graph.ids().id(v));
            Violation::new("every vertex that an arc reaches has a distance", format!("{u} -> {v}"))
        })
    })
}
