//! Lower bounds on the cost of PageRank.

use crate::cost::{Cost, GpuWork, Shape, Term, Traffic, Work};

pub(super) const COST: Cost =
    Cost { traffic: Some(traffic), usual_share: 0.9, state: Some(state), on_gpu: Some(on_gpu) };

/// Streams two offsets and a share per vertex and sweep, and one rank per vertex at the end; gathers a share of 4 bytes
/// per arc and sweep.
fn traffic(shape: &Shape, work: &Work) -> Traffic {
    let (n, share) = (shape.vertices, 4);
    let sweep = n * (2 * shape.offset_bytes() + share);
    Traffic { streamed: work.rounds * sweep + 8 * n, gathers: work.rounds * shape.arcs, footprint: n * share }
}

/// Holds ranks and shares.
fn state(shape: &Shape) -> u64 {
    16 * shape.vertices
}

/// One sweep reads targets, offsets, ranks and shares in order, and one share per arc at random.
fn on_gpu(work: &GpuWork) -> Vec<Term> {
    let (with_arcs, m) = (work.with_arcs as f64, work.arcs as f64);
    vec![Term::bytes(4.0 * m + 12.0 * with_arcs), Term::along(m, work.values()), Term::barriers(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pagerank_gathers_every_arc_in_every_sweep() {
        let shape = Shape {
            vertices: 10,
            arcs: 40,
            directed: false,
            weights: None,
            largest_weight: None,
            id_bytes: 0,
        };
        let traffic = traffic(&shape, &Work { rounds: 3, arcs: 40 });
        assert_eq!(traffic, Traffic { streamed: 3 * 120 + 80, gathers: 120, footprint: 40 });
    }
}
