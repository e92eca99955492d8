//! Generates `uniform:scale`: degree * 2^scale edges between vertices chosen at random. This is Erdos and Renyi's
//! G(n, m) with replacement, until the builder drops self-loops and merges parallel edges. It draws one word per edge.

use super::{
    Edges,
    keys::Keys,
    kron::{DEFAULT_DEGREE, MAX_DEGREE},
    random::{Draws, Purpose},
};
use crate::{csr::Vertex, error::Result};
use std::{fmt, ops::Range};

/// The parameters of the generator.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Uniform {
    scale: u32,
    degree: u32,
}

impl Uniform {
    pub(super) const KEYS: &[&str] = &["degree", "seed", "w", "directed"];

    pub(super) fn read(keys: &Keys<'_>) -> Result<Self> {
        Ok(Self { scale: keys.scale(0)?, degree: keys.number("degree", DEFAULT_DEGREE, 1..=MAX_DEGREE)? })
    }

    pub(super) fn vertices(&self) -> u64 {
        1 << self.scale
    }

    pub(super) fn expected_edges(&self) -> f64 {
        self.vertices() as f64 * f64::from(self.degree)
    }

    pub(super) fn edges(&self, seed: u64) -> UniformEdges {
        UniformEdges {
            items: self.vertices() * u64::from(self.degree),
            mask: self.vertices() - 1,
            draws: Draws::new(seed, Purpose::Edges),
        }
    }
}

impl fmt::Display for Uniform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.scale)?;
        if self.degree != DEFAULT_DEGREE { write!(f, ",degree={}", self.degree) } else { Ok(()) }
    }
}

/// The prepared generator.
pub(super) struct UniformEdges {
    items: u64,
    mask: u64,
    draws: Draws,
}

impl Edges for UniformEdges {
    fn items(&self) -> u64 {
        self.items
    }

    fn fill(&self, items: Range<u64>, pairs: &mut Vec<[Vertex; 2]>) {
        pairs.extend(items.map(|i| {
            let word = self.draws.at(i);
            [(word & self.mask) as Vertex, (word >> 32 & self.mask) as Vertex]
        }));
    }
}
