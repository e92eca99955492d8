//! Computes weights as hashes of the endpoints, so that they do not depend on the place of an edge in the list. Both
//! directions of an undirected edge, and all parallel copies of an edge, have the same weight.

use super::{
    keys::Keys,
    pieces::Weigher,
    random::{Draws, Purpose, below},
};
use crate::{csr::Vertex, error::Result};
use std::fmt;

/// The range of weights `w=a..b`: whole numbers from a to b, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WeightRange {
    least: i64,
    most: i64,
}

impl WeightRange {
    /// Reads the range from the key `w`; returns `None` if there is no such key.
    pub(super) fn read(keys: &Keys<'_>) -> Result<Option<Self>> {
        let Some(text) = keys.value("w") else { return Ok(None) };
        let range = text.split_once("..").and_then(|(a, b)| {
            Some(Self { least: a.parse().ok()?, most: b.parse().ok()? }).filter(|r| r.fits())
        });
        range.map(Some).ok_or_else(|| {
            let limits = "in 0..4294967295, or -2147483648..2147483647 if some are negative";
            keys.refuse("w", &format!("a range least..most of whole numbers {limits}"), "write w=1..255")
        })
    }

    /// Returns the smallest and the largest weight.
    pub(super) fn ends(self) -> (i64, i64) {
        (self.least, self.most)
    }

    fn fits(self) -> bool {
        let (low, high) =
            if self.least < 0 { (i32::MIN.into(), i32::MAX.into()) } else { (0, u32::MAX.into()) };
        low <= self.least && self.least <= self.most && self.most <= high
    }

    pub(super) fn weigher(self, seed: u64, directed: bool) -> Weigher {
        let draws = Draws::new(seed, Purpose::Weights);
        let values = (self.most - self.least + 1) as u64;
        let hashed = Hashed { draws, least: self.least, values, directed };
        if self.least < 0 { Weigher::I32(hashed) } else { Weigher::U32(hashed) }
    }
}

impl fmt::Display for WeightRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}

/// Computes the weight of an edge as a hash of its endpoints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hashed {
    draws: Draws,
    least: i64,
    values: u64,
    directed: bool,
}

impl Hashed {
    /// Returns the weight of an edge. In an undirected graph it hashes the smaller endpoint first.
    #[inline]
    pub(super) fn weight(&self, [u, v]: [Vertex; 2]) -> i64 {
        let [a, b] = if self.directed || u <= v { [u, v] } else { [v, u] };
        self.least + below(self.draws.at(u64::from(a) << 32 | u64::from(b)), self.values) as i64
    }
}
