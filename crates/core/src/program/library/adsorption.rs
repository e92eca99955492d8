//! Adsorption as a program; [`crate::adsorption`] says what it is.

use crate::{
    Halt,
    program::{Combine, Dialect, Edge, Vertex, VertexProgram},
};

/// `x[v] = inject[v] + sum of x[u] * w(u, v) * pass[v]`, with the columns `inject` (the injection probability times the injected
/// label) and `pass` (the continue probability over the sum of incoming weights).
#[derive(Debug, Clone)]
pub struct Adsorption {
    /// What is injected at every vertex.
    pub inject: Vec<f64>,
    /// What a vertex passes on of what arrives, a unit of weight.
    pub pass: Vec<f64>,
    /// Do arcs count by their weights? Else alike.
    pub weighted: bool,
    /// When to stop.
    pub halt: Halt,
}

impl VertexProgram for Adsorption {
    type Value = f64;
    type Weight = f64;
    type Column = [f64; 2];
    const NAME: &'static str = "adsorption";
    const COMBINE: Combine = Combine::Sum;
    const DISTRIBUTES: bool = true;

    #[inline(always)]
    fn init<D: Dialect>(&self, _: &D, v: Vertex<D, [f64; 2]>) -> D::Val<f64> {
        let [inject, _] = v.columns;
        inject
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<f64> {
        let [_, pass] = e.target.columns;
        let weight = if self.weighted { e.weight } else { d.lit(1.0) };
        e.value * (weight * pass)
    }
    fn halt(&self) -> Halt {
        self.halt
    }
    fn columns(&self) -> Vec<(&'static str, &[f64])> {
        vec![("inject", &self.inject), ("pass", &self.pass)]
    }
}
