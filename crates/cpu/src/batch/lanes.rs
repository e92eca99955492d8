//! Sets of sources with one bit per source, and counts of how often each source occurred.

use bytemuck::Pod;

/// A set of the sources of a batch.
pub(crate) trait Lanes: Pod + Send + Sync + PartialEq {
    /// Number of 64-bit words.
    const WORDS: usize;
    /// The empty set.
    const NONE: Self;

    fn or(self, other: Self) -> Self;
    /// Returns the sources that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// Returns the set of the source of this number alone.
    fn one(number: usize) -> Self;
    /// Returns the sources in both sets.
    fn and(self, other: Self) -> Self;
    /// Returns the sources in exactly one of the sets.
    fn xor(self, other: Self) -> Self;
    /// Returns 64 sources.
    fn word(&self, index: usize) -> u64;
}

macro_rules! lanes {
    ($($words:literal),*) => {$(
        impl Lanes for [u64; $words] {
            const WORDS: usize = $words;
            const NONE: Self = [0; $words];

            #[inline(always)]
            fn or(mut self, other: Self) -> Self {
                (0..$words).for_each(|i| self[i] |= other[i]);
                self
            }
            #[inline(always)]
            fn without(mut self, other: Self) -> Self {
                (0..$words).for_each(|i| self[i] &= !other[i]);
                self
            }
            #[inline(always)]
            fn and(mut self, other: Self) -> Self {
                (0..$words).for_each(|i| self[i] &= other[i]);
                self
            }
            #[inline(always)]
            fn xor(mut self, other: Self) -> Self {
                (0..$words).for_each(|i| self[i] ^= other[i]);
                self
            }
            fn one(number: usize) -> Self {
                let mut lanes = Self::NONE;
                lanes[number / 64] = 1 << (number % 64);
                lanes
            }
            #[inline(always)]
            fn word(&self, index: usize) -> u64 {
                self[index]
            }
        }
    )*};
}
lanes!(1, 4);

/// Slices of a [`Tally`]: it counts to `2^SLICES - 1` before it empties them into `counts`.
const SLICES: usize = 8;

/// Counts how often each source occurred, bit-sliced: bit k of the count of source s is bit s of slice k. So a few
/// operations add a set for all its sources at once.
pub(crate) struct Tally<L> {
    slices: [L; SLICES],
    added: u32,
    counts: Vec<u64>,
}

impl<L: Lanes> Default for Tally<L> {
    fn default() -> Self {
        Self { slices: [L::NONE; SLICES], added: 0, counts: vec![0; 64 * L::WORDS] }
    }
}

impl<L: Lanes> Tally<L> {
    /// Adds 1 to the count of every source of a set.
    #[inline(always)]
    pub(crate) fn add(&mut self, set: L) {
        let mut carry = set;
        for slice in &mut self.slices {
            let both = slice.and(carry);
            *slice = slice.xor(carry);
            carry = both;
            if carry == L::NONE {
                break;
            }
        }
        self.added += 1;
        if self.added == (1 << SLICES) - 1 {
            self.empty_slices();
        }
    }

    fn empty_slices(&mut self) {
        for (k, slice) in self.slices.iter_mut().enumerate() {
            for (number, count) in self.counts.iter_mut().enumerate() {
                *count += (slice.word(number / 64) >> (number % 64) & 1) << k;
            }
            *slice = L::NONE;
        }
        self.added = 0;
    }

    /// Adds the counts to `total` and resets them to 0.
    pub(crate) fn take(&mut self, total: &mut [u64]) {
        self.empty_slices();
        total.iter_mut().zip(&mut self.counts).for_each(|(total, count)| *total += std::mem::take(count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_every_source() {
        let mut tally = Tally::<[u64; 4]>::default();
        for i in 0..3000usize {
            let every = |k: usize| if i.is_multiple_of(k) { <[u64; 4]>::one(k) } else { [0; 4] };
            tally.add((1..256).map(every).fold([0; 4], Lanes::or));
        }
        let mut counts = vec![0; 256];
        tally.take(&mut counts);
        assert_eq!(counts[0], 0);
        assert!((1..256).all(|k| counts[k] == 3000usize.div_ceil(k) as u64), "{counts:?}");
        tally.take(&mut counts);
        assert_eq!(counts[1], 3000);
    }
}
