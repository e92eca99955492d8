//! Generates `kron:scale`: the R-MAT graph of Graph500 and of the GAP suite [1, 2].
//!
//! The generator lists degree * 2^scale edges. For each, `scale` choices of a quadrant select a cell of the adjacency
//! matrix, with probabilities A = .57, B = .19, C = .19, D = .05. A permutation then scrambles the ids, so that they
//! are independent of the degrees. Six levels are drawn at once: the 4096 outcomes of six choices lie in an alias table
//! (Walker; 16 KiB), so 32 random bits (12 select a column, 20 one of its two outcomes) set six bits of both endpoints.
//! Probabilities are exact to 2^-32. An edge takes O(scale / 6) time. Besides the edge list, only the table takes
//! memory.
//!
//! [1] Chakrabarti, Zhan, Faloutsos: R-MAT, SDM 2004. [2] Beamer, Asanovic, Patterson: The GAP Benchmark Suite, 2015.

use super::{
    Edges,
    keys::Keys,
    random::{Draws, Permutation, Purpose},
};
use crate::{csr::Vertex, error::Result};
use std::{fmt, ops::Range};

/// The share of a level's edges in each quadrant, in this order: both endpoints low, target high, source high, both
/// high.
const QUADRANTS: [f64; 4] = [0.57, 0.19, 0.19, 0.05];

pub(super) const DEFAULT_DEGREE: u32 = 16;
pub(super) const MAX_DEGREE: u32 = 1 << 20;

/// The parameters of the generator.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kron {
    scale: u32,
    degree: u32,
}

impl Kron {
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

    pub(super) fn edges(&self, seed: u64) -> KronEdges {
        KronEdges {
            items: self.vertices() * u64::from(self.degree),
            scale: self.scale,
            draws: Draws::new(seed, Purpose::Edges),
            scramble: Permutation::new(self.vertices(), Draws::new(seed, Purpose::Order).at(0)),
            table: alias_table(&six_levels()),
        }
    }
}

impl fmt::Display for Kron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.scale)?;
        if self.degree != DEFAULT_DEGREE { write!(f, ",degree={}", self.degree) } else { Ok(()) }
    }
}

/// The number of levels drawn at once.
const LEVELS: u32 = 6;
const OUTCOMES: usize = 1 << (2 * LEVELS);

/// The prepared generator.
pub(super) struct KronEdges {
    items: u64,
    scale: u32,
    draws: Draws,
    scramble: Permutation,
    /// Entry c describes column c: its low 12 bits are the other outcome, and its high 20 bits are the share of outcome
    /// c itself, in units of 2^-20.
    table: Box<[u32; OUTCOMES]>,
}

impl KronEdges {
    /// Draws six levels of an edge: the upper six bits belong to the source, the lower six to the target.
    #[inline(always)]
    fn outcome(&self, bits: u32) -> u32 {
        let column = bits % OUTCOMES as u32;
        let entry = self.table[column as usize];
        // This selects by a mask, because the processor would mispredict a branch one time in three.
        let own = u32::from(bits >> 12 < entry >> 12).wrapping_neg();
        (entry ^ ((entry ^ column) & own)) % OUTCOMES as u32
    }

    /// Draws one edge from `WORDS` words, which have twelve levels each and together cover the scale.
    #[inline(always)]
    fn edge<const WORDS: u32>(&self, index: u64) -> [Vertex; 2] {
        let (mut u, mut v) = (0u64, 0u64);
        for i in 0..WORDS {
            let word = self.draws.at(index * 4 + u64::from(i));
            for bits in [word as u32, (word >> 32) as u32] {
                let outcome = u64::from(self.outcome(bits));
                u = (u << LEVELS) | (outcome >> LEVELS);
                v = (v << LEVELS) | (outcome % (1 << LEVELS));
            }
        }
        // Levels are independent, so the levels beyond the scale can be dropped.
        let surplus = WORDS * 2 * LEVELS - self.scale;
        [self.scramble.apply(u >> surplus) as Vertex, self.scramble.apply(v >> surplus) as Vertex]
    }
}

impl Edges for KronEdges {
    fn items(&self) -> u64 {
        self.items
    }

    fn fill(&self, items: Range<u64>, pairs: &mut Vec<[Vertex; 2]>) {
        match self.scale {
            0..=12 => pairs.extend(items.map(|i| self.edge::<1>(i))),
            13..=24 => pairs.extend(items.map(|i| self.edge::<2>(i))),
            _ => pairs.extend(items.map(|i| self.edge::<3>(i))),
        }
    }
}

/// Returns the probability of each outcome of six levels.
fn six_levels() -> Vec<f64> {
    let quadrant =
        |outcome: usize, level: u32| (outcome >> (level + LEVELS) & 1) << 1 | (outcome >> level & 1);
    (0..OUTCOMES).map(|o| (0..LEVELS).map(|level| QUADRANTS[quadrant(o, level)]).product()).collect()
}

/// Builds Walker's alias table: columns of equal mass, each shared by at most two outcomes.
fn alias_table(probability: &[f64]) -> Box<[u32; OUTCOMES]> {
    let mut mass: Vec<f64> = probability.iter().map(|p| p * OUTCOMES as f64).collect();
    let mut table: Box<[u32; OUTCOMES]> = Box::new(std::array::from_fn(|c| 0xffff_f000 | c as u32));
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..OUTCOMES).partition(|&c| mass[c] < 1.0);
    while let (Some(s), Some(&l)) = (small.pop(), large.last()) {
        table[s] = ((mass[s] * f64::from(1 << 20)) as u32) << 12 | l as u32;
        mass[l] -= 1.0 - mass[s];
        if mass[l] < 1.0 {
            large.pop();
            small.push(l);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alias_table_gives_every_outcome_its_probability() {
        let want = six_levels();
        let mut got = vec![0.0; OUTCOMES];
        for (column, &entry) in alias_table(&want).iter().enumerate() {
            let own = f64::from(entry >> 12) / f64::from(1 << 20);
            got[column] += own / OUTCOMES as f64;
            got[entry as usize % OUTCOMES] += (1.0 - own) / OUTCOMES as f64;
        }
        for (outcome, (want, got)) in want.iter().zip(&got).enumerate() {
            assert!((want - got).abs() < 1e-7, "outcome {outcome}: {got}, expected {want}");
        }
    }

    #[test]
    fn quadrants_have_their_shares_at_every_level() {
        let edges = Kron { scale: 16, degree: 4 }.edges(1);
        let mut counts = [[0u32; 4]; LEVELS as usize];
        for i in 0..edges.items() {
            let outcome = edges.outcome(edges.draws.at(i) as u32);
            for (level, count) in counts.iter_mut().enumerate() {
                count[((outcome >> (level as u32 + LEVELS) & 1) << 1 | (outcome >> level & 1)) as usize] += 1;
            }
        }
        for (quadrant, share) in QUADRANTS.iter().enumerate() {
            for count in &counts {
                let got = f64::from(count[quadrant]) / edges.items() as f64;
                assert!((got - share).abs() < 0.005, "quadrant {quadrant}: {got}");
            }
        }
    }
}
