//! The shortest paths of [`crate::sssp`] as a program.

use crate::{
    Halt,
    program::{Combine, Dialect, Edge, Scalar, Seeds, Vertex, VertexProgram},
};
use std::marker::PhantomData;

/// Distances of type `T` over weights of type `W`: `x[v] = min(x[v], x[u] + w(u, v))`. The types must hold the longest path.
/// Weights may be negative; then `rounds` must end the run if there is a negative cycle.
#[derive(Debug, Clone)]
pub struct Lengths<T, W> {
    source: u32,
    /// The most rounds.
    pub rounds: Option<u64>,
    types: PhantomData<fn() -> (T, W)>,
}

impl<T, W> Lengths<T, W> {
    /// Creates the program that starts from a vertex, given by its original number.
    pub fn from(source: u32) -> Self {
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
