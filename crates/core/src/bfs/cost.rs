//! Lower bounds on the cost of breadth-first search.

use crate::cost::{Cost, GpuWork, SECTOR, Shape, Term, Traffic, Work};

pub(super) const COST: Cost =
    Cost { traffic: Some(traffic), usual_share: 0.1, state: Some(state), on_gpu: Some(on_gpu) };

/// Streams an offset, a distance and a parent per vertex; reads a bitmap for one arc per reached vertex.
fn traffic(shape: &Shape, work: &Work) -> Traffic {
    let n = shape.vertices;
    Traffic { streamed: n * (shape.offset_bytes() + 8), gathers: n.min(work.arcs), footprint: n.div_ceil(8) }
}

/// Holds distances, parents, queues and three bitmaps.
fn state(shape: &Shape) -> u64 {
    16 * shape.vertices + 3 * shape.vertices.div_ceil(8)
}

/// Per reached vertex: two offsets, distance and parent, one sector of its adjacency list, and one read of a bitmap;
/// one barrier per superstep.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (r, a) = (work.reached as f64, work.arcs_reached as f64);
    vec![
        Term::bytes(16.0 * r + (SECTOR * r).min(4.0 * a)),
        Term::gathers(r, work.vertices.div_ceil(8)),
        Term::barriers(work.rounds as f64),
    ]
}
