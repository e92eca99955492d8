//! Maps listed numbers to vertices: keeps their order and closes gaps.

use crate::csr::Vertex;

/// A monotone map from the listed numbers below a bound to vertices.
#[derive(Debug)]
pub(crate) enum Numbering {
    /// Numbers without gaps, starting at this one.
    From(Vertex),
    /// Numbers with gaps.
    Ranked(Ranks),
}

impl Numbering {
    /// Returns the vertex of a listed number.
    #[inline(always)]
    pub(crate) fn vertex(&self, listed: Vertex) -> Vertex {
        match self {
            Self::From(first) => listed.wrapping_sub(*first),
            Self::Ranked(ranks) => ranks.rank(listed),
        }
    }

    /// Returns the number of vertices below a number, which need not be listed.
    pub(super) fn below(&self, bound: u64) -> usize {
        match self {
            Self::From(first) => bound.saturating_sub((*first).into()) as usize,
            Self::Ranked(ranks) if bound / 64 >= ranks.words.len() as u64 => ranks.len(),
            Self::Ranked(ranks) => ranks.rank(bound as Vertex) as usize,
        }
    }
}

/// Numbers with gaps: a bit set, and for each word the number of bits set before it. The last word is empty.
#[derive(Debug)]
pub(crate) struct Ranks {
    words: Vec<RankedWord>,
}

/// A word and its rank, aligned so that both lie in one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
struct RankedWord {
    bits: u64,
    before: u32,
}

impl Ranks {
    /// Ranks the set bits of `words`, of which there are at most 2^32-1.
    pub(crate) fn new(words: &[u64]) -> Self {
        let mut before = 0;
        let ranked = |&bits: &u64| {
            let word = RankedWord { bits, before };
            before += bits.count_ones();
            word
        };
        Self { words: words.iter().chain(&[0]).map(ranked).collect() }
    }

    #[inline(always)]
    fn rank(&self, number: Vertex) -> Vertex {
        let word = self.words[number as usize / 64];
        word.before + (word.bits & ((1 << (number % 64)) - 1)).count_ones()
    }

    /// Returns how many numbers are listed.
    pub(crate) fn len(&self) -> usize {
        self.words.last().map_or(0, |word| word.before as usize)
    }

    /// Returns the listed numbers in increasing order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = word.bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(i as u64 * 64 + u64::from(bit))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_numbers_are_ranked_in_order() {
        let listed = [3u64, 64, 65, 127, 200];
        let mut words = vec![0u64; 4];
        listed.iter().for_each(|&n| words[n as usize / 64] |= 1 << (n % 64));
        let ranks = Ranks::new(&words);
        assert!(ranks.numbers().eq(listed));
        let ranks = Numbering::Ranked(ranks);
        for (i, &n) in listed.iter().enumerate() {
            assert_eq!(ranks.vertex(n as Vertex), i as Vertex);
            assert_eq!(ranks.below(n), i);
        }
        assert_eq!(ranks.below(1 << 32), 5);
    }
}
