//! Widest paths as a program.

use crate::program::{Combine, Dialect, Edge, Float, Seeds, Vertex, VertexProgram};
use std::marker::PhantomData;

/// Finds the largest width of a path from a source; a path is as wide as its narrowest arc: `x[v] = max(x[v], min(x[u],
/// w(u, v)))`. Infinite at the source, minus infinity if unreached.
#[derive(Debug, Clone)]
pub struct WidestPaths<T> {
    /// The source.
    pub source: u32,
    width: PhantomData<T>,
}

impl<T> WidestPaths<T> {
    /// Searches from a vertex.
    pub fn from(source: u32) -> Self {
        Self { source, width: PhantomData }
    }
}

impl<T: Float> VertexProgram for WidestPaths<T> {
    type Value = T;
    type Weight = T;
    type Column = ();
    const NAME: &'static str = "widest-paths";
    const COMBINE: Combine = Combine::Max;
    const DISTRIBUTES: bool = true;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<T> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(T::GREATEST), d.lit(T::LEAST))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<T> {
        d.min(e.value, e.weight)
    }
}
