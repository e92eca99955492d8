//! Adsorption as a program; [`crate::adsorption`] defines it.

use crate::{
    Halt,
    program::{Combine, Dialect, Edge, Vertex, VertexProgram},
};

/// `x[v] = inject[v] + sum of x[u] * w(u, v) * pass[v]`. The column `inject` is the injection probability times the
/// injected label; `pass` is the continue probability divided by the sum of incoming weights.
#[derive(Debug, Clone)]
pub struct Adsorption {
    /// The value injected at each vertex.
    pub inject: Vec<f64>,
    /// The factor by which each vertex multiplies what arrives, per unit of weight.
    pub pass: Vec<f64>,
    /// True if arcs count by their weights; otherwise each counts 1.
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
