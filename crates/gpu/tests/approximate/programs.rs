//! Programs that the library lacks.

use warpgraph_core::{
    Halt,
    program::{Combine, Dialect, Edge, Seeds, Vertex, VertexProgram},
};
use warpgraph_graph::NO_VERTEX;

/// Takes a third of the greatest message, and sends only even values: so a vertex may change without sending.
pub(crate) struct Applied;

impl VertexProgram for Applied {
    type Value = u32;
    type Weight = u32;
    type Column = ();
    const NAME: &'static str = "applied";
    const COMBINE: Combine = Combine::Max;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        v.id * d.lit(1000) + v.degree
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value + e.weight
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        v: Vertex<D, ()>,
        old: D::Val<u32>,
        arrived: D::Val<u32>,
    ) -> D::Val<u32> {
        d.max(old, arrived / d.lit(3) + v.degree)
    }
    fn active<D: Dialect>(&self, d: &D, old: D::Val<u32>, new: D::Val<u32>) -> D::Bool {
        let is_even = d.eq(new / d.lit(2) * d.lit(2), new);
        d.and(d.ne(old, new), is_even)
    }
}

/// A sum that does not distribute: sweeps, as many as asked for.
pub(crate) struct Swept;

impl VertexProgram for Swept {
    type Value = f64;
    type Weight = f64;
    type Column = ();
    const NAME: &'static str = "swept";
    const COMBINE: Combine = Combine::Sum;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<f64> {
        d.cast(v.id)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<f64> {
        let degree: D::Val<f64> = d.cast(e.source.degree);
        e.value * e.weight / degree
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        _: Vertex<D, ()>,
        old: D::Val<f64>,
        arrived: D::Val<f64>,
    ) -> D::Val<f64> {
        old * d.lit(0.5) + arrived * d.lit(0.05)
    }
    fn halt(&self) -> Halt {
        Halt::rounds(4)
    }
}

/// The least number of the vertices that lead to a vertex: all vertices send first. A hole would start with NaN.
pub(crate) struct Least;

impl VertexProgram for Least {
    type Value = f64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "least";
    const COMBINE: Combine = Combine::Min;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<f64> {
        d.select(d.eq(v.id, d.lit(NO_VERTEX)), d.lit(f64::NAN), d.cast(v.id))
    }
    fn seeds(&self) -> Seeds {
        Seeds::All
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<f64> {
        e.value
    }
}
