//! An order of decreasing degree, by one counting sort.
//!
//! Any order is correct; this one is close enough to that of exact degrees: the degrees in a bucket differ by less than
//! 1/64, and within a bucket vertices stay in their own order, on any number of threads.

use super::count::Counting;
use crate::parts::{BothWays, atomics};
use std::sync::atomic::Ordering::Relaxed;
use warpgraph_core::Result;
use warpgraph_graph::{Offset, Pages, Vertex};

/// The fewest vertices per piece.
const PIECE: usize = 1 << 15;
/// The most pieces. Each has one counter per bucket.
const PIECES: usize = 64;
/// Number of buckets: 64 per power of two.
const BUCKETS: usize = 64 * 64;

/// Vertices by rank, and ranks by vertex.
pub(super) struct Order {
    pub(super) vertices: Pages<Vertex>,
    pub(super) ranks: Pages<Vertex>,
}

impl Order {
    pub(super) fn new<O: Offset, I: Offset>(
        simple: &BothWays<'_, O, I>,
        counting: &Counting<'_>,
    ) -> Result<Self> {
        let n = simple.vertices();
        let size = PIECE.max(n.div_ceil(PIECES));
        let pieces = n.div_ceil(size);
        let range = |piece: usize| piece * size..n.min((piece + 1) * size);
        let mut next = vec![[0u32; BUCKETS]; pieces];
        counting.team.each(&mut next, |piece, counts| {
            range(piece).for_each(|v| counts[bucket(simple.degree(v as Vertex))] += 1);
        });
        starts(&mut next);
        counting.control.check("sorting by degree")?;
        let (mut vertices, mut ranks) = (Pages::<Vertex>::scratch(n)?, Pages::<Vertex>::scratch(n)?);
        let (shared_vertices, shared_ranks) = (atomics(&mut vertices), atomics(&mut ranks));
        counting.team.each(&mut next, |piece, next| {
            for v in range(piece) {
                let rank = &mut next[bucket(simple.degree(v as Vertex))];
                shared_ranks[v].store(*rank, Relaxed);
                shared_vertices[*rank as usize].store(v as Vertex, Relaxed);
                *rank += 1;
            }
        });
        Ok(Self { vertices, ranks })
    }
}

/// Turns the counts of each piece into the first rank of each, bucket by bucket.
fn starts(counts: &mut [[u32; BUCKETS]]) {
    let mut rank = 0;
    for bucket in 0..BUCKETS {
        for piece in counts.iter_mut() {
            rank += std::mem::replace(&mut piece[bucket], rank);
        }
    }
}

/// Returns the bucket of a degree: larger degrees have smaller buckets. Uses the exponent and the six bits after the
/// leading one.
#[inline(always)]
fn bucket(degree: usize) -> usize {
    let exponent = (degree | 1).ilog2();
    let fraction = if exponent <= 6 { degree << (6 - exponent) } else { degree >> (exponent - 6) } % 64;
    BUCKETS - 1 - (64 * exponent as usize + fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_fall_as_degrees_rise() {
        assert!((0..1 << 20).all(|d| bucket(d + 1) <= bucket(d)));
        assert!((1..64).all(|d| bucket(d + 1) < bucket(d)));
        assert!(bucket(usize::MAX) < bucket(1 << 40) && bucket(0) < BUCKETS);
    }
}
