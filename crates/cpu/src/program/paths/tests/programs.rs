//! Programs that are harder than those of the library.

use warpgraph_core::{
    Halt,
    program::{Combine, Dialect, Edge, Seeds, Vertex, VertexProgram},
};

/// Halves what it sends: `x[v] = min(x[v], x[u] / 2)`. Values fall as long as there is an edge to go to and fro along.
#[derive(Clone)]
pub(super) struct Halves;

impl VertexProgram for Halves {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "halves";
    const COMBINE: Combine = Combine::Min;
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        v.id * d.lit(2_654_435_761) + d.lit(1 << 20)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value / d.lit(2)
    }
}

/// The bits of the vertices before it; two of them together make a third one, so that it does not distribute.
#[derive(Clone)]
pub(super) struct Flags {
    pub(super) seeds: Vec<u32>,
}

impl VertexProgram for Flags {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "flags";
    const COMBINE: Combine = Combine::Or;
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        let is_even = d.eq(d.bits_and(v.id, d.lit(1)), d.lit(0));
        d.select(is_even, d.lit(1), d.lit(2))
    }
    fn seeds(&self) -> Seeds {
        Seeds::many(self.seeds.clone())
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        let has_both = d.eq(d.bits_and(e.value, d.lit(3)), d.lit(3));
        d.select(has_both, d.bits_or(e.value, d.lit(4)), e.value)
    }
}

/// The number of ways that lead to every vertex of a graph without cycles.
#[derive(Clone)]
pub(super) struct WaysTo;

impl VertexProgram for WaysTo {
    type Value = u64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "ways-to";
    const COMBINE: Combine = Combine::Sum;
    const DISTRIBUTES: bool = true;
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u64> {
        d.select(d.lt(v.id, d.lit(3)), d.lit(1), d.lit(0))
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u64> {
        e.value
    }
}

/// Sends its value times a factor.
#[derive(Clone)]
pub(super) struct Grows {
    pub(super) factor: f64,
    pub(super) halt: Halt,
}

impl VertexProgram for Grows {
    type Value = f64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "grows";
    const COMBINE: Combine = Combine::Sum;
    const DISTRIBUTES: bool = true;
    fn init<D: Dialect>(&self, d: &D, _: Vertex<D, ()>) -> D::Val<f64> {
        d.lit(1.0)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<f64> {
        e.value * d.param("factor", self.factor)
    }
    fn halt(&self) -> Halt {
        self.halt
    }
}

/// Hops that end because far vertices do not wake their neighbours.
#[derive(Clone)]
pub(super) struct Whisper;

impl VertexProgram for Whisper {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "whisper";
    const COMBINE: Combine = Combine::Min;
    fn init<D: Dialect>(&self, _: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        v.id
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value + d.lit(1)
    }
    fn active<D: Dialect>(&self, d: &D, old: D::Val<u32>, new: D::Val<u32>) -> D::Bool {
        d.ne(old, new) & d.lt(new, d.lit(3))
    }
}

/// Starts with NaN at vertex 0.
#[derive(Clone)]
pub(super) struct Undefined;

impl VertexProgram for Undefined {
    type Value = f32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "undefined";
    const COMBINE: Combine = Combine::Min;
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<f32> {
        d.cast::<u32, f32>(v.id) / d.cast::<u32, f32>(v.id)
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<f32> {
        e.value
    }
}
