//! [`Goals`]: the degrees that vertices should have.

use super::WARP;
use warpgraph_core::{Knob, Result};
use warpgraph_graph::{Graph, NodeMap, Pages, par};

/// The goal of every vertex, by its new number.
pub(super) struct Goals(pub(super) Pages<u32>);

impl Goals {
    /// Computes goals for a graph and its vertices by falling degree.
    pub(super) fn of(graph: &Graph, map: &NodeMap, share: Knob) -> Result<Self> {
        let mut goals: Pages<u32> = Pages::scratch(map.len())?;
        let csr = &graph.out().csr;
        par::chunks_mut(&mut goals, WARP, |warp, goals| {
            let degree = |i: usize| csr.degree(map.original((warp * WARP + i) as u32));
            let sum: usize = (0..goals.len()).map(degree).sum();
            let mean = sum as f64 / goals.len() as f64;
            for (i, goal) in goals.iter_mut().enumerate() {
                *goal = moved(degree(i), mean, share);
            }
        });
        Ok(Self(goals))
    }
}

/// Returns a degree moved towards the mean.
fn moved(degree: usize, mean: f64, share: Knob) -> u32 {
    let way = (share.value() * (mean - degree as f64)) as i64;
    (degree as i64 + way) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_lie_between_degree_and_mean() {
        let to = |degree, mean, share| moved(degree, mean, Knob::of(share));
        assert_eq!((to(10, 4.0, 1.0), to(1, 4.0, 1.0)), (4, 4));
        assert_eq!((to(10, 4.0, 0.5), to(1, 4.0, 0.5)), (7, 2));
        assert_eq!((to(3, 2.5, 1.0), to(2, 2.5, 1.0)), (3, 2));
        assert_eq!((to(10, 4.0, 0.0), to(0, 0.0, 1.0)), (10, 0));
    }
}
