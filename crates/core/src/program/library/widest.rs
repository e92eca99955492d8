//! Widest paths.

use crate::program::{Combine, Dialect, Edge, Float, Seeds, Vertex, VertexProgram};
use std::marker::PhantomData;

/// The greatest width of a way from a source, where a way is as wide as its narrowest arc:
/// `x[v] = max(x[v], min(x[u], w(u, v)))`. Infinite at the source, minus infinity if out of reach.
#[derive(Debug, Clone)]
pub struct WidestPaths<T> {
    /// Where to start.
    pub source: u32,
    width: PhantomData<T>,
}

impl<T> WidestPaths<T> {
    /// From a vertex.
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
