//! [`Mask`]: a set of the pages of one region.

use std::ops::Range;

/// Pages per region.
pub(super) const PAGES: usize = 512;

/// Pages per group.
pub(super) const GROUP: usize = 16;

const WORDS: usize = PAGES / 64;

/// A set of the pages of a region, one bit per page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Mask([u64; WORDS]);

impl Mask {
    /// Returns the set of a range of pages.
    pub(super) fn of(pages: Range<usize>) -> Self {
        Self(std::array::from_fn(|word| part(&pages, word)))
    }

    /// Returns 64 bits of the set.
    pub(super) fn word(&self, word: usize) -> u64 {
        self.0[word]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    pub(super) fn count(self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub(super) fn insert(&mut self, page: usize) {
        self.0[page / 64] |= 1 << (page % 64);
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Iterates over the pages, in increasing order.
    #[cfg(test)]
    fn iter(self) -> impl Iterator<Item = usize> {
        (0..PAGES).filter(move |page| self.0[page / 64] >> (page % 64) & 1 == 1)
    }

    /// Returns the pages of an aligned [`GROUP`], one bit per page.
    pub(super) fn sixteen(self, group: usize) -> u16 {
        (self.0[group / 4] >> (16 * (group % 4))) as u16
    }
}

/// Returns the words that contain bits of a range of pages.
pub(super) fn words(pages: &Range<usize>) -> Range<usize> {
    pages.start / 64..pages.end.div_ceil(64)
}

/// Returns the bits of a word that belong to a range of pages.
pub(super) fn part(pages: &Range<usize>, word: usize) -> u64 {
    let bit = |page: usize| page.clamp(64 * word, 64 * word + 64) - 64 * word;
    below(bit(pages.end)) & !below(bit(pages.start))
}

/// Returns a word whose lowest `bit` bits are ones, for `bit` up to 64.
fn below(bit: usize) -> u64 {
    if bit == 64 { u64::MAX } else { (1 << bit) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn masks_are_sets() {
        for range in [0..0, 0..1, 3..64, 60..70, 64..128, 100..100, 1..511, 0..512, 511..512] {
            let set: BTreeSet<usize> = range.clone().collect();
            let mask = Mask::of(range.clone());
            assert_eq!(mask.iter().collect::<BTreeSet<_>>(), set, "{range:?}");
            assert_eq!((mask.count(), mask.is_empty()), (set.len() as u64, set.is_empty()));
            let parts = words(&range).map(|word| (word, part(&range, word)));
            assert!(parts.clone().all(|(word, bits)| bits == mask.word(word)));
            assert_eq!(parts.map(|(_, bits)| u64::from(bits.count_ones())).sum::<u64>(), mask.count());
            for group in 0..32 {
                let bits =
                    (0..16).filter(|i| set.contains(&(16 * group + i))).map(|i| 1u16 << i).sum::<u16>();
                assert_eq!(mask.sixteen(group), bits);
            }
        }
        let mut mask = Mask::of(10..20).union(Mask::of(200..300)).without(Mask::of(15..250));
        mask.insert(511);
        let set: Vec<usize> = (10..15).chain(250..300).chain([511]).collect();
        assert_eq!(mask.iter().collect::<Vec<_>>(), set);
    }
}
