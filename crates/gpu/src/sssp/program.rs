//! Shortest paths as a program: `x[v] = min(x[v], x[u] + w(u, v))`.

use std::marker::PhantomData;
use warpgraph_core::{
    Halt,
    program::{Combine, Dialect, Edge, Scalar, Seeds, Vertex, VertexProgram},
};

/// Distances of type `T` over weights of type `W`.
#[derive(Debug, Clone)]
pub(crate) struct Lengths<T, W> {
    source: u32,
    /// The most rounds.
    pub(super) rounds: Option<u64>,
    types: PhantomData<fn() -> (T, W)>,
}

impl<T, W> Lengths<T, W> {
    /// Creates the program that starts from a vertex, given by its original number.
    pub(crate) fn from(source: u32) -> Self {
        Self { source, rounds: None, types: PhantomData }
    }
}

impl<T: Scalar, W: Scalar> VertexProgram for Lengths<T, W> {
    type Value = T;
    type Weight = W;
    type Column = ();
    const NAME: &'static str = "sssp";
    const COMBINE: Combine = Combine::Min;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<T> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(T::ZERO), d.lit(T::GREATEST))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<T> {
        e.value + d.cast(e.weight)
    }
    fn halt(&self) -> Halt {
        self.rounds.map_or_else(Halt::default, Halt::rounds)
    }
}
