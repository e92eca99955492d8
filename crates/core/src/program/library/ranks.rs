//! PageRank as a program.

use crate::{
    Halt,
    program::{Combine, Dialect, Edge, Float, Scalar, Vertex, VertexProgram},
};
use warpgraph_graph::Graph;

/// PageRank: `x[v] = (1 - d) / n + d * sum of x[u] / out-degree of u`. What flows into vertices without outgoing arcs
/// is lost. Scaled to sum 1 ([`normalised`](crate::program::ProgramAnswer::normalised)), the values are the ranks of
/// [`crate::pagerank`], because both solve the same equation up to a factor.
#[derive(Debug, Clone)]
pub struct Ranks<T> {
    base: T,
    damping: T,
    /// What each arc adds to the initial guess.
    per_arc: T,
    halt: Halt,
}

impl<T: Float> Ranks<T> {
    /// Returns the program for a graph, a damping factor and a stopping rule.
    pub fn of(graph: &Graph, damping: f64, halt: Halt) -> Self {
        let n = graph.vertices().max(1) as f64;
        // On an undirected graph, a random walk visits a vertex in proportion to its degree, apart from isolated
        // vertices.
        let connected = || (n - graph.counts().isolated as f64) / n;
        let per_arc =
            if graph.is_directed() { 0.0 } else { damping * connected() / graph.arcs().max(1) as f64 };
        let scalar = |x: f64| x.cast::<T>();
        Self { base: scalar((1.0 - damping) / n), damping: scalar(damping), per_arc: scalar(per_arc), halt }
    }
}

impl<T: Float> VertexProgram for Ranks<T> {
    type Value = T;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "ranks";
    const COMBINE: Combine = Combine::Sum;
    const DISTRIBUTES: bool = true;

    #[inline(always)]
    fn init<D: Dialect>(&self, d: &D, _: Vertex<D, ()>) -> D::Val<T> {
        d.param("base", self.base)
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<T> {
        e.value * (d.param("damping", self.damping) / d.cast(e.source.degree))
    }
    #[inline(always)]
    fn start<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<T> {
        let degree: D::Val<T> = d.cast(v.degree);
        d.param("base", self.base) + d.param("per-arc", self.per_arc) * degree
    }
    fn halt(&self) -> Halt {
        self.halt
    }
}
