//! Programs of the user's own: one number a vertex, one monoid, a message an arc. Written once, in plain Rust.
//!
//! ```
//! use warpgraph_core::program::*;
//!
//! /// The fewest hops from `source`: hops[v] = min(hops[v], hops[u] + 1).
//! struct Hops { source: u32 }
//!
//! impl VertexProgram for Hops {
//!     type Value = u32;
//!     type Weight = ();
//!     type Column = ();
//!     const NAME: &'static str = "hops";
//!     const COMBINE: Combine = Combine::Min;
//!
//!     fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
//!         d.select(d.eq(v.id, d.param("source", self.source)), d.lit(0), d.lit(u32::MAX))
//!     }
//!     fn seeds(&self) -> Seeds {
//!         Seeds::one(self.source)
//!     }
//!     fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
//!         e.value + d.lit(1)
//!     }
//! }
//! assert_eq!(Traced::of(&Hops { source: 7 })?.message.to_string(), "%0: u32 = value\n%1: u32 = 1\n%2: u32 = add %0 %1\n");
//! # Ok::<(), warpgraph_core::Error>(())
//! ```
//!
//! The functions are generic over a [`Dialect`]. [`Native`] makes values plain numbers, so that the CPU engine gets machine
//! code; [`Trace`] makes them handles into a typed expression graph, which is printed, looked at (does a message read the
//! weight?), and interpreted in blocks of 1,024 arcs.
//!
//! The answer is a fixed point. For `Min`, `Max` and `Or` it is the best value that follows from the initial ones:
//! `x[v] = init(v) joined with message(u -> v, x[u])` over all incoming arcs of vertices reached from the seeds. For a `Sum`
//! that declares [`VertexProgram::DISTRIBUTES`] it solves `x[v] = init(v) + sum of message(u -> v, x[u])`; any other `Sum` is
//! the state after supersteps `x[v] = apply(v, x[v], sum of messages)` over all vertices.
//!
//! Ids are always original: `id` is the vertex's place among the graph's ids in increasing order, which is the id itself
//! where ids are 0, 1, 2, ... An engine that holds the vertices in another order translates in one place, [`Sight`].
//!
//! Where this departs from a first sketch of the interface, and why:
//! - comparisons give [`Dialect::Bool`], a type of its own, since `+` makes no sense for it;
//! - [`VertexProgram::Weight`] is the type a message *wants*; the engine converts. A program need not be generic over the five
//!   forms a graph's weights may have, and can still be;
//! - columns are an array a vertex, `[T; N]`, named in [`VertexProgram::columns`]: taken apart by a pattern, so that
//!   a wrong name does not compile, and no name is looked up per arc;
//! - [`VertexProgram::ONCE`], [`VertexProgram::start`] and [`VertexProgram::check`] were added: what lets an engine skip work,
//!   begin near the answer, and refuse a graph.

mod answer;
mod border;
mod combine;
mod dialect;
mod input;
pub mod library;
mod native;
pub mod scalar;
mod sight;
pub mod trace;
mod verify;
mod watch;

pub use answer::{ProgramAnswer, ProgramSummary};
pub use border::{Held, Prepared};
pub use combine::Combine;
pub use dialect::Dialect;
pub use input::{Column, Weight};
pub use native::{Native, Plain};
pub use scalar::{Float, Integer, Scalar, ScalarType};
pub use sight::Sight;
pub use trace::{Expression, Trace, Traced};
pub use watch::Watch;

use crate::{Halt, Result};
use warpgraph_graph::Graph;

/// Which vertices speak first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seeds {
    /// One.
    One(u32),
    /// Some; twice the same counts once.
    Many(Vec<u32>),
    /// Every vertex.
    All,
}

impl Seeds {
    /// This vertex.
    pub fn one(vertex: u32) -> Self {
        Self::One(vertex)
    }

    /// These vertices.
    pub fn many(vertices: impl IntoIterator<Item = u32>) -> Self {
        Self::Many(vertices.into_iter().collect())
    }
}

/// A vertex as a program sees it.
pub struct Vertex<D: Dialect, C: Column> {
    /// Its place among the original ids.
    pub id: D::Val<u32>,
    /// Its outgoing arcs in the original graph.
    pub degree: D::Val<u32>,
    /// Its read-only columns.
    pub columns: C::In<D>,
}

/// An arc as a program sees it.
pub struct Edge<D: Dialect, P: VertexProgram> {
    /// The value of the source; in the delta form of a sum, the part of it that is new.
    pub value: D::Val<P::Value>,
    /// The weight, as the program wants it.
    pub weight: <P::Weight as Weight>::In<D>,
    /// Where it starts.
    pub source: Vertex<D, P::Column>,
    /// Where it ends.
    pub target: Vertex<D, P::Column>,
}

impl<D: Dialect, C: Column> Clone for Vertex<D, C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D: Dialect, C: Column> Copy for Vertex<D, C> {}
impl<D: Dialect, P: VertexProgram> Clone for Edge<D, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<D: Dialect, P: VertexProgram> Copy for Edge<D, P> {}

/// A program: what a vertex starts with, what it tells along an arc, and how what arrives is put together.
pub trait VertexProgram: Sized + Send + Sync + 'static {
    /// What a vertex holds.
    type Value: Scalar;
    /// The weight a message reads: a number type, or `()`.
    type Weight: Weight;
    /// The columns it reads: `[T; N]`, or `()`.
    type Column: Column;
    /// Its name in messages and results.
    const NAME: &'static str;
    /// How what arrives is put together.
    const COMBINE: Combine;
    /// Does `message` distribute over `COMBINE`, `message(a joined b) = message(a) joined message(b)`, and give the identity
    /// for the identity? For a `Sum` this means that a message is the value times something. It allows to send changes
    /// instead of values, and to use new values as soon as they are there.
    const DISTRIBUTES: bool = false;
    /// Does a vertex change once at most? True if all messages that can reach it in the superstep that first improves it
    /// are equally good, and later ones no better: hops and reachability, not distances by weight. It allows to stop at the first.
    const ONCE: bool = false;

    /// The value before anything arrives.
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, Self::Column>) -> D::Val<Self::Value>;

    /// What an arc's source tells its target.
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<Self::Value>;

    /// The vertices that speak first.
    fn seeds(&self) -> Seeds {
        Seeds::All
    }

    /// What a vertex makes of what arrived.
    #[inline(always)]
    fn apply<D: Dialect>(
        &self,
        d: &D,
        v: Vertex<D, Self::Column>,
        old: D::Val<Self::Value>,
        arrived: D::Val<Self::Value>,
    ) -> D::Val<Self::Value> {
        let _ = v;
        d.combine(Self::COMBINE, old, arrived)
    }

    /// Does a change wake the neighbours?
    #[inline(always)]
    fn active<D: Dialect>(&self, d: &D, old: D::Val<Self::Value>, new: D::Val<Self::Value>) -> D::Bool {
        d.ne(old, new)
    }

    /// Where a `Sum` that distributes begins. The answer does not depend on it; a good guess saves sweeps.
    #[inline(always)]
    fn start<D: Dialect>(&self, d: &D, v: Vertex<D, Self::Column>) -> D::Val<Self::Value> {
        self.init(d, v)
    }

    /// When to stop. `Min`, `Max` and `Or` end by themselves; a `Sum` needs a rule.
    fn halt(&self) -> Halt {
        Halt::default()
    }

    /// The columns by name, each with one value a vertex, in the order of [`VertexProgram::Column`].
    fn columns(&self) -> Vec<(&'static str, &[<Self::Column as Column>::Scalar])> {
        Vec::new()
    }

    /// Refuses a graph the program makes no sense on.
    ///
    /// # Errors
    /// Why.
    fn check(&self, _graph: &Graph) -> Result<()> {
        Ok(())
    }
}
