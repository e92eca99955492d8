//! Lower bounds on the cost of single-source shortest paths.

use crate::cost::{Cost, GpuWork, Shape, Term, Traffic, Work};
use warpgraph_graph::WeightType;

pub(super) const COST: Cost =
    Cost { traffic: Some(traffic), usual_share: 0.25, state: Some(state), on_gpu: Some(on_gpu) };

/// Streams an offset and a distance per vertex and a weight per arc; gathers one distance per arc of a reached vertex.
fn traffic(shape: &Shape, work: &Work) -> Traffic {
    let (n, distance) = (shape.vertices, shape.distance_bytes());
    let streamed = n * (shape.offset_bytes() + distance) + work.arcs * shape.weight_bytes();
    Traffic { streamed, gathers: work.arcs, footprint: n * distance }
}

/// Holds distances; with negative weights also the vertex that lowered each.
fn state(shape: &Shape) -> u64 {
    let lowered_by = if shape.weights == Some(WeightType::I32) { 4 } else { 0 };
    (shape.distance_bytes() + lowered_by) * shape.vertices
}

/// Per arc of a reached vertex: target, weight and the target's distance; per reached vertex offsets and distance; one
/// barrier per superstep.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (r, a) = (work.reached as f64, work.arcs_reached as f64);
    vec![Term::bytes(8.0 * a + 12.0 * r), Term::along(a, work.values()), Term::barriers(work.rounds as f64)]
}
