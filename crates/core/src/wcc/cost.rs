//! Lower bounds on the cost of weakly connected components.

use crate::cost::{Cost, GpuWork, LINE, SECTOR, Shape, Term, Traffic, Work};

pub(super) const COST: Cost =
    Cost { traffic: Some(traffic), usual_share: 0.25, state: Some(state), on_gpu: Some(on_gpu) };

/// Streams an offset, the first cache line of the arcs and the component per vertex; gathers the components of two
/// neighbours per vertex.
fn traffic(shape: &Shape, _: &Work) -> Traffic {
    let n = shape.vertices;
    let rows = (LINE * n).min(4 * shape.arcs);
    Traffic {
        streamed: n * (shape.offset_bytes() + 4) + rows,
        gathers: (2 * n).min(shape.arcs),
        footprint: 4 * n,
    }
}

/// Holds components and second neighbours.
fn state(shape: &Shape) -> u64 {
    8 * shape.vertices
}

/// Per vertex with arcs: offsets, one sector of its adjacency list and its component, and the components of two
/// neighbours.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (with_arcs, m) = (work.with_arcs as f64, work.arcs as f64);
    vec![
        Term::bytes(12.0 * with_arcs + (SECTOR * with_arcs).min(4.0 * m)),
        Term::gathers((2.0 * with_arcs).min(m), work.values()),
    ]
}
