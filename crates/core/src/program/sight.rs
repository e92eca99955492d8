//! [`Sight`]: the graph as a program sees it. The only place that translates internal vertices to original numbers.

use super::{Column, Copies, Edge, Native, Plain, Prepared, Scalar, Vertex, VertexProgram, Weight};
use crate::{Error, Result};
use warpgraph_graph::{self as graph, Offset, View};

/// Passes vertices and arcs to a program, in the dialect [`Native`]. Inlined; the compiler removes loads that a program
/// does not use.
pub struct Sight<'a, P: VertexProgram, O> {
    program: &'a P,
    out: View<'a, O>,
    columns: <P::Column as Column>::Arrays<'a>,
    originals: Option<&'a [graph::Vertex]>,
    /// The degrees that the program sees, if they are not those of `out`: then there are copies or holes.
    degrees: Option<&'a [u32]>,
    weights: &'a [<P::Weight as Weight>::Scalar],
    /// All ones if there is one weight per arc; 0 if all arcs share the first.
    mask: usize,
}

impl<P: VertexProgram, O: Offset> Clone for Sight<'_, P, O> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: VertexProgram, O: Offset> Copy for Sight<'_, P, O> {}

impl<'a, P: VertexProgram, O: Offset> Sight<'a, P, O> {
    /// Takes the outgoing arcs of a graph, which give the degrees, and the weights of the arcs that callers will pass.
    ///
    /// # Panics
    /// When the arrays do not fit the graph.
    pub fn new(
        prepared: &'a Prepared<'a, P>,
        out: View<'a, O>,
        weights: &'a [<P::Weight as Weight>::Scalar],
    ) -> Self {
        let n = out.vertices();
        assert!(prepared.columns.iter().all(|column| column.len() >= n), "a column is too short");
        assert!(prepared.originals.is_none_or(|originals| originals.len() >= n), "a map is too short");
        let degrees = prepared.copies().map(Copies::degrees);
        assert!(degrees.is_none_or(|degrees| degrees.len() >= n), "degrees are missing");
        let shared = weights.len() == 1 && out.arcs() != 1;
        assert!(!P::Weight::USED || shared || weights.len() == out.arcs(), "one weight an arc");
        Self {
            program: prepared.program,
            out,
            columns: P::Column::arrays(|i| &prepared.columns[i]),
            originals: prepared.originals,
            degrees,
            weights,
            mask: if shared { 0 } else { usize::MAX },
        }
    }

    /// Returns the program.
    #[inline(always)]
    pub fn program(&self) -> &'a P {
        self.program
    }

    /// Returns a vertex as the program sees it.
    ///
    /// # Safety
    /// `v` is a vertex of the graph.
    #[inline(always)]
    pub unsafe fn vertex(&self, v: graph::Vertex) -> Vertex<Native, P::Column> {
        let at = v as usize;
        debug_assert!(at < self.out.vertices());
        // SAFETY: v is a vertex; there is one more offset than vertices, and `new` has checked the other arrays.
        unsafe {
            let degree = match self.degrees {
                None => {
                    let offsets = self.out.offsets();
                    (offsets.get_unchecked(at + 1).index() - offsets.get_unchecked(at).index()) as u32
                }
                Some(degrees) => *degrees.get_unchecked(at),
            };
            let id = match self.originals {
                None => v,
                Some(originals) => *originals.get_unchecked(at),
            };
            Vertex {
                id: Plain(id),
                degree: Plain(degree),
                columns: P::Column::at::<Native>(&self.columns, at, |_, value| Plain(value)),
            }
        }
    }

    /// Returns the message along the arc with index `arc` from `u` to `v`, if `u` has this value.
    ///
    /// # Safety
    /// `u` and `v` are vertices of the graph, and `arc` is an index into the arcs that the weights belong to.
    #[inline(always)]
    pub unsafe fn message(
        &self,
        u: graph::Vertex,
        v: graph::Vertex,
        arc: usize,
        value: P::Value,
    ) -> P::Value {
        let weight = || {
            debug_assert!((arc & self.mask) < self.weights.len());
            // SAFETY: masked, it is 0 or an arc; `new` has checked that there is a weight for it.
            Plain(unsafe { *self.weights.get_unchecked(arc & self.mask) })
        };
        // SAFETY: the caller's promise.
        let (source, target) = unsafe { (self.vertex(u), self.vertex(v)) };
        let weight = P::Weight::pass::<Native>(weight);
        self.program.message(&Native, Edge { value: Plain(value), weight, source, target }).0
    }

    /// Returns true if `v` is a hole, which stands for no vertex.
    #[inline(always)]
    fn is_hole(&self, v: graph::Vertex) -> bool {
        self.degrees.is_some() && self.originals.is_some_and(|all| all[v as usize] == graph::NO_VERTEX)
    }

    /// Returns the value of `v` before any message arrives; the identity for a hole. Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn init(&self, v: graph::Vertex) -> P::Value {
        assert!((v as usize) < self.out.vertices());
        if self.is_hole(v) {
            return P::COMBINE.identity();
        }
        // SAFETY: v is a vertex.
        self.program.init(&Native, unsafe { self.vertex(v) }).0
    }

    /// Returns the initial guess of a sum at `v`; 0 for a hole. Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn start(&self, v: graph::Vertex) -> P::Value {
        assert!((v as usize) < self.out.vertices());
        if self.is_hole(v) {
            return P::Value::ZERO;
        }
        // SAFETY: v is a vertex.
        self.program.start(&Native, unsafe { self.vertex(v) }).0
    }

    /// Returns the new value of `v` from its old value and the combined messages. Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn apply(&self, v: graph::Vertex, old: P::Value, arrived: P::Value) -> P::Value {
        assert!((v as usize) < self.out.vertices());
        // SAFETY: v is a vertex.
        let vertex = unsafe { self.vertex(v) };
        self.program.apply(&Native, vertex, Plain(old), Plain(arrived)).0
    }

    /// Returns true if this change makes the vertex send messages.
    #[inline(always)]
    pub fn active(&self, old: P::Value, new: P::Value) -> bool {
        self.program.active(&Native, Plain(old), Plain(new))
    }

    /// Refuses an initial value that is NaN.
    ///
    /// # Errors
    /// An error that names the vertex.
    pub fn check_value(&self, v: graph::Vertex, value: P::Value) -> Result<()> {
        if value.is_number() {
            return Ok(());
        }
        let number = self.originals.map_or(v, |originals| originals[v as usize]);
        Err(starts_with_nan(P::NAME, number))
    }
}

/// Returns the error for a vertex, given by its original number, that starts with NaN.
pub fn starts_with_nan(name: &'static str, number: graph::Vertex) -> Error {
    let what = format!("vertex number {number} starts with NaN");
    Error::config(name, what, "`init` and `start` must give numbers")
}
