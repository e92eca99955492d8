//! Vertex programs: users' own algorithms with one number per vertex, one monoid and one message per arc, in plain
//! Rust.
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
//! The functions are generic over a [`Dialect`]. With [`Native`], values are plain numbers, so the CPU engine gets
//! machine code. With [`Trace`], values are handles into a typed expression graph, which the engines print, inspect
//! (for example, whether a message reads the weight) and interpret in blocks of 1,024 arcs.
//!
//! The answer is a fixed point. For `Min`, `Max` and `Or` it is the best value that follows from the initial ones:
//! `x[v] = init(v) joined with message(u -> v, x[u])` over all incoming arcs of vertices reached from the seeds. For a
//! `Sum` that declares [`VertexProgram::DISTRIBUTES`] it solves `x[v] = init(v) + sum of message(u -> v, x[u])`. For
//! any other `Sum` it is the state after supersteps `x[v] = apply(v, x[v], sum of messages)` over all vertices.
//!
//! Ids are always original: `id` is the position of the vertex among the graph's ids in ascending order, which is the
//! id itself if ids are 0, 1, 2, ... An engine that stores the vertices in another order translates in one place,
//! [`Sight`].
//!
//! Design decisions:
//! - comparisons return [`Dialect::Bool`], a separate type, because `+` makes no sense for it;
//! - [`VertexProgram::Weight`] is the type that a message *wants*; the engine converts. A program need not be generic
//!   over the five weight types of a graph, but it can be;
//! - columns are an array per vertex, `[T; N]`, named in [`VertexProgram::columns`]. Programs destructure them by a
//!   pattern, so a wrong name does not compile, and no name is looked up per arc;
//! - [`VertexProgram::ONCE`], [`VertexProgram::start`] and [`VertexProgram::check`] let an engine skip work, start near
//!   the answer and refuse a graph.

mod along_paths;
mod answer;
mod border;
mod combine;
mod copies;
mod dialect;
mod input;
mod kind;
pub mod library;
mod native;
mod pace;
pub mod recorded;
mod runs;
pub mod scalar;
mod sight;
pub mod trace;
mod verify;
mod watch;

pub use along_paths::AlongPaths;
pub use answer::{ProgramAnswer, ProgramSummary};
pub use border::{Checked, Held, Prepared, converted};
pub use combine::Combine;
pub use copies::Copies;
pub use dialect::Dialect;
pub use input::{Column, Weight};
pub use kind::Kind;
pub use native::{Native, Plain};
pub use pace::{Pace, Stage, place};
pub use recorded::{Recorded, RecordedAnswer};
pub use runs::{Ran, Runs, Ways};
pub use scalar::{Float, Integer, Scalar, ScalarType};
pub use sight::{Sight, starts_with_nan};
pub use trace::{Expression, Trace, Traced};
pub use watch::Watch;

use crate::{Halt, Result};
use warpgraph_graph::Graph;

/// The vertices that send messages first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seeds {
    /// One vertex.
    One(u32),
    /// Several vertices; duplicates count once.
    Many(Vec<u32>),
    /// Every vertex.
    All,
}

impl Seeds {
    /// Returns one seed.
    pub fn one(vertex: u32) -> Self {
        Self::One(vertex)
    }

    /// Returns several seeds.
    pub fn many(vertices: impl IntoIterator<Item = u32>) -> Self {
        Self::Many(vertices.into_iter().collect())
    }
}

/// A vertex as a program sees it.
pub struct Vertex<D: Dialect, C: Column> {
    /// Its position among the original ids.
    pub id: D::Val<u32>,
    /// Its out-degree, without regard to how the engine renumbers or splits it.
    pub degree: D::Val<u32>,
    /// Its read-only columns.
    pub columns: C::In<D>,
}

/// An arc as a program sees it.
pub struct Edge<D: Dialect, P: VertexProgram> {
    /// The value of the source; in the delta form of a sum, only its change.
    pub value: D::Val<P::Value>,
    /// The weight, in the type that the program wants.
    pub weight: <P::Weight as Weight>::In<D>,
    /// The vertex where the arc starts.
    pub source: Vertex<D, P::Column>,
    /// The vertex where the arc ends.
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

/// A vertex program: the initial value of a vertex, the message along an arc, and how messages combine.
pub trait VertexProgram: Sized + Send + Sync + 'static {
    /// The value of a vertex.
    type Value: Scalar;
    /// The weight that a message reads: a number type, or `()`.
    type Weight: Weight;
    /// The columns that it reads: `[T; N]`, or `()`.
    type Column: Column;
    /// Its name in messages and results.
    const NAME: &'static str;
    /// How messages combine.
    const COMBINE: Combine;
    /// True if `message` distributes over `COMBINE`, `message(a joined b) = message(a) joined message(b)`, and maps the
    /// identity to the identity. For a `Sum` this means that a message is the value times a factor. Engines may then
    /// send changes instead of values, and use new values as soon as they exist.
    const DISTRIBUTES: bool = false;
    /// True if a vertex changes at most once: in the superstep that first improves it, all messages are equally good,
    /// and later ones are no better. This holds for hops and reachability, not for weighted distances. Engines may then
    /// stop at the first message.
    const ONCE: bool = false;

    /// Returns the value of a vertex before any message arrives.
    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, Self::Column>) -> D::Val<Self::Value>;

    /// Returns the message from an arc's source to its target.
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<Self::Value>;

    /// Returns the vertices that send messages first.
    fn seeds(&self) -> Seeds {
        Seeds::All
    }

    /// Returns the new value of a vertex from its old value and the combined messages.
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

    /// Returns true if this change makes the vertex send messages.
    #[inline(always)]
    fn active<D: Dialect>(&self, d: &D, old: D::Val<Self::Value>, new: D::Val<Self::Value>) -> D::Bool {
        d.ne(old, new)
    }

    /// Returns the initial guess of a `Sum` that distributes. The answer does not depend on it; a good guess saves
    /// sweeps.
    #[inline(always)]
    fn start<D: Dialect>(&self, d: &D, v: Vertex<D, Self::Column>) -> D::Val<Self::Value> {
        self.init(d, v)
    }

    /// Returns when to stop. `Min`, `Max` and `Or` end on their own; a `Sum` needs a rule.
    fn halt(&self) -> Halt {
        Halt::default()
    }

    /// Returns the columns with their names, one value per vertex each, in the order of [`VertexProgram::Column`].
    fn columns(&self) -> Vec<(&'static str, &[<Self::Column as Column>::Scalar])> {
        Vec::new()
    }

    /// Refuses a graph on which the program is not defined.
    ///
    /// # Errors
    /// The reason for the refusal.
    fn check(&self, _graph: &Graph) -> Result<()> {
        Ok(())
    }
}
