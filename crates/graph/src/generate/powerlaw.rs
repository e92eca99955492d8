//! Generates `powerlaw:n`: out-degrees from a Zipf distribution, with random targets [1, 2].
//!
//! P(degree = k) = k^-alpha / Z for k from 1 to n - 1. The targets of a vertex are distinct, differ from the vertex and
//! are uniform. In the directed graph out-degrees are exactly as drawn, the builder drops and merges nothing, and
//! in-degrees are close to their mean. The expected number of edges is n sum k^(1-alpha) / sum k^-alpha: 644, 233, 101,
//! 55 and 36 M for 10^7 vertices and alpha = 1.8, 1.9, 2.0, 2.1 and 2.2, where one published draw has 667, 246, 104, 56
//! and 37 M [2]. For alpha under 3 the variance grows with n, so a single graph differs from the expectation by a few
//! percent.
//!
//! Distinct targets come from a bijection of 0..n-1 keyed by the vertex: target j is the image of j. An edge takes O(1)
//! time.
//!
//! [1] Gonzalez et al.: PowerGraph, OSDI 2012. [2] Zhang et al.: AsynGraph, TACO 2020, table 3.

use super::{
    Edges,
    keys::Keys,
    random::{Draws, Permutation, Purpose, unit},
    rows::Rows,
    zipf::Zipf,
};
use crate::{control::Control, csr::Vertex, error::Result};
use std::{fmt, ops::Range};

const DEFAULT_ALPHA: f64 = 2.0;

/// The parameters of the generator.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PowerLaw {
    vertices: u64,
    alpha: f64,
}

impl PowerLaw {
    pub(super) const KEYS: &[&str] = &["alpha", "seed", "w", "directed"];

    pub(super) fn read(keys: &Keys<'_>) -> Result<Self> {
        Ok(Self { vertices: keys.vertices()?, alpha: keys.number("alpha", DEFAULT_ALPHA, 1.01..=10.0)? })
    }

    pub(super) fn vertices(&self) -> u64 {
        self.vertices
    }

    pub(super) fn expected_edges(&self) -> f64 {
        if self.vertices == 1 { 0.0 } else { self.vertices as f64 * self.zipf().mean() }
    }

    fn zipf(&self) -> Zipf {
        Zipf::new(self.alpha, (self.vertices - 1).max(1))
    }

    pub(super) fn edges(&self, seed: u64, control: &Control) -> Result<PowerLawEdges> {
        let degrees = Degrees { draws: Draws::new(seed, Purpose::Degrees), zipf: self.zipf() };
        let with_edges = if self.vertices == 1 { 0 } else { self.vertices };
        let rows = Rows::plan(with_edges, |v| degrees.of(v), control)?;
        Ok(PowerLawEdges { rows, degrees, vertices: self.vertices, draws: Draws::new(seed, Purpose::Edges) })
    }
}

impl fmt::Display for PowerLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.vertices)?;
        if self.alpha != DEFAULT_ALPHA { write!(f, ",alpha={}", self.alpha) } else { Ok(()) }
    }
}

struct Degrees {
    draws: Draws,
    zipf: Zipf,
}

impl Degrees {
    #[inline]
    fn of(&self, v: Vertex) -> u64 {
        self.zipf.at(unit(self.draws.at(v.into())))
    }
}

/// The prepared generator.
pub(super) struct PowerLawEdges {
    rows: Rows,
    degrees: Degrees,
    vertices: u64,
    draws: Draws,
}

impl Edges for PowerLawEdges {
    fn items(&self) -> u64 {
        self.rows.total()
    }

    fn fill(&self, items: Range<u64>, pairs: &mut Vec<[Vertex; 2]>) {
        self.rows.walk(
            items,
            |v| self.degrees.of(v),
            |v, own, first| {
                let others = Permutation::new(self.vertices - 1, self.draws.at(v.into()));
                pairs.extend(own.map(|edge| {
                    let other = others.apply(edge - first) as Vertex;
                    [v, other + Vertex::from(other >= v)]
                }));
            },
        );
    }
}
