//! The ranks to start from.
//!
//! On an undirected graph a random walk soon forgets where it started and visits a vertex in proportion to its degree.
//! So `x[v] ~ (1 - d) / n + d * degree / arcs` is nearly right, and saves one or two sweeps. Vertices with few arcs
//! start at 1/n instead: that is exact in the small components in which such vertices are common, and which the first
//! form would give too little for many sweeps.

use super::Problem;
use warpgraph_graph::{Vertex, par};

/// Vertices with fewer arcs than this start at 1/n.
const FEW: usize = 8;

/// The initial ranks.
pub(super) struct Guess<'a> {
    problem: &'a Problem<'a>,
    by_degree: bool,
    uniform: f64,
    per_arc: f64,
    /// Scales the initial ranks of all vertices with arcs so that their sum is the share of these vertices.
    scale: f64,
}

impl<'a> Guess<'a> {
    pub(super) fn new(problem: &'a Problem<'a>) -> Self {
        let (graph, damping) = (problem.graph, problem.config.damping);
        let uniform = 1.0 / graph.vertices() as f64;
        let per_arc = damping / graph.arcs().max(1) as f64;
        let by_degree = !graph.is_directed() && problem.teleport.is_none() && problem.strengths.is_none();
        let mut guess = Self { problem, by_degree, uniform, per_arc, scale: 1.0 };
        if by_degree {
            guess.scale = guess.right_sum();
        }
        guess
    }

    /// Returns the initial rank of a vertex.
    pub(super) fn of(&self, v: usize) -> f64 {
        match self.problem.teleport {
            Some(teleport) => teleport[v],
            None if self.by_degree => self.scale * self.raw(self.problem.graph.out().csr.degree(v as Vertex)),
            None => self.uniform,
        }
    }

    fn raw(&self, degree: usize) -> f64 {
        if degree < FEW {
            return self.uniform;
        }
        (1.0 - self.problem.config.damping) * self.uniform + self.per_arc * degree as f64
    }

    /// Returns the scale. Sums in a fixed order, so that all runs start alike.
    fn right_sum(&self) -> f64 {
        const PART: usize = 1 << 14;
        let csr = &self.problem.graph.out().csr;
        let part = |part: usize| {
            let end = csr.vertices().min((part + 1) * PART);
            let degrees = (part * PART..end).map(|v| csr.degree(v as Vertex)).filter(|&degree| degree > 0);
            degrees.fold((0, 0.0), |(n, sum), degree| (n + 1, sum + self.raw(degree)))
        };
        let parts: Vec<(u32, f64)> = par::map(csr.vertices().div_ceil(PART), part);
        let (vertices, sum) = parts.iter().fold((0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        if sum > 0.0 { f64::from(vertices) * self.uniform / sum } else { 1.0 }
    }
}
