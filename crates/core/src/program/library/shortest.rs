//! Shortest paths as a program.

use crate::{
    Error, Result,
    program::{Combine, Dialect, Edge, Scalar, Seeds, Vertex, VertexProgram},
};
use std::marker::PhantomData;
use warpgraph_graph::Graph;

/// Finds the smallest sum of weights from a source, the type's largest value if unreached: `x[v] = min(x[v], x[u] +
/// w(u, v))`. A sum that overflows stays at the largest value. Negative weights are refused, because a negative cycle
/// would never end.
#[derive(Debug, Clone)]
pub struct ShortestPaths<T> {
    /// The source.
    pub source: u32,
    distance: PhantomData<T>,
}

impl<T> ShortestPaths<T> {
    /// Searches from a vertex.
    pub fn from(source: u32) -> Self {
        Self { source, distance: PhantomData }
    }
}

impl<T: Scalar> VertexProgram for ShortestPaths<T> {
    type Value = T;
    type Weight = T;
    type Column = ();
    const NAME: &'static str = "shortest-paths";
    const COMBINE: Combine = Combine::Min;
    const DISTRIBUTES: bool = true;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<T> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(T::ZERO), d.lit(T::GREATEST))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<T> {
        let sum = e.value + e.weight;
        d.select(d.lt(sum, e.value), d.lit(T::GREATEST), sum)
    }
    fn check(&self, graph: &Graph) -> Result<()> {
        match graph.weight_range() {
            Some((least, _)) if least < 0.0 => Err(Error::config(
                Self::NAME,
                format!("weights must not be negative, the least is {least}"),
                "sssp takes negative weights",
            )),
            _ => Ok(()),
        }
    }
}
