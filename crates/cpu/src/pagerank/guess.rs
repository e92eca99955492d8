//! Ranks to start from.
//!
//! On an undirected graph a walk soon forgets where it started and comes by a vertex in proportion to its degree, so that
//! `x[v] ~ (1 - d) / n + d * degree / arcs` is nearly right, and sweeps that start there are one or two fewer. Vertices of
//! few arcs start at 1/n instead: that is exact in the small components where such vertices abound, and which the first
//! form would leave with too little for many sweeps.

use super::{Problem, normalise};
use rayon::prelude::*;
use warpgraph_graph::Vertex;

/// Vertices of fewer arcs than this start at 1/n.
const FEW: usize = 8;

pub(super) fn guess(problem: &Problem<'_>, ranks: &mut [f64]) {
    let (graph, damping) = (problem.graph, problem.config.damping);
    let uniform = 1.0 / ranks.len() as f64;
    let csr = &graph.out().csr;
    let by_degree = !graph.is_directed() && problem.teleport.is_none() && !problem.config.weighted;
    let per_arc = damping / csr.arcs().max(1) as f64;
    ranks.par_iter_mut().enumerate().with_min_len(1 << 12).for_each(|(v, rank)| {
        let degree = if by_degree { csr.degree(v as Vertex) } else { 0 };
        *rank = match problem.teleport {
            Some(teleport) => teleport[v],
            None if degree >= FEW => (1.0 - damping) * uniform + per_arc * degree as f64,
            None => uniform,
        };
    });
    normalise(ranks);
}
