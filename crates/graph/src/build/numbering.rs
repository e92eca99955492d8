//! From listed numbers to vertices: the order stays, gaps close.

use crate::csr::Vertex;

/// A monotone map from the listed numbers below a bound to vertices.
pub(crate) trait Numbering: Sync {
    /// The vertex of a listed number.
    fn vertex(&self, listed: Vertex) -> Vertex;
    /// How many vertices lie below a number, which need not be listed.
    fn below(&self, bound: u64) -> usize;
}

/// Numbers without gaps from the first on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct From(pub(crate) Vertex);

impl Numbering for From {
    #[inline(always)]
    fn vertex(&self, listed: Vertex) -> Vertex {
        listed.wrapping_sub(self.0)
    }
    fn below(&self, bound: u64) -> usize {
        bound.saturating_sub(self.0.into()) as usize
    }
}

/// Numbers with gaps: a set of bits, and for each of its words how many bits are set before it.
#[derive(Debug)]
pub(crate) struct Ranks {
    words: Vec<u64>,
    before: Vec<u32>,
}

impl Ranks {
    /// Ranks the set bits of `words`, at most 2^32-1.
    pub(crate) fn new(words: Vec<u64>) -> Self {
        let mut before = Vec::with_capacity(words.len() + 1);
        let mut sum = 0;
        for word in &words {
            before.push(sum);
            sum += word.count_ones();
        }
        before.push(sum);
        Self { words, before }
    }

    /// How many numbers are listed.
    pub(crate) fn len(&self) -> usize {
        self.before[self.words.len()] as usize
    }

    /// The listed numbers, rising.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(i as u64 * 64 + u64::from(bit))
            })
        })
    }
}

impl Numbering for Ranks {
    #[inline(always)]
    fn vertex(&self, listed: Vertex) -> Vertex {
        let (word, bit) = (listed as usize / 64, listed % 64);
        self.before[word] + (self.words[word] & ((1 << bit) - 1)).count_ones()
    }
    fn below(&self, bound: u64) -> usize {
        if bound / 64 >= self.words.len() as u64 { self.len() } else { self.vertex(bound as Vertex) as usize }
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
        let ranks = Ranks::new(words);
        assert!(ranks.numbers().eq(listed));
        for (i, &n) in listed.iter().enumerate() {
            assert_eq!(ranks.vertex(n as Vertex), i as Vertex);
            assert_eq!(ranks.below(n), i);
        }
        assert_eq!(ranks.below(1 << 32), 5);
    }
}
