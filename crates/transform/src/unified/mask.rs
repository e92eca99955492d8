//! [`Mask`]: some of a region's pages.

use std::ops::Range;

/// Pages of a region.
pub(super) const PAGES: usize = 512;

const WORDS: usize = PAGES / 64;

/// A set of a region's pages, a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Mask([u64; WORDS]);

impl Mask {
    /// The pages of a range.
    pub(super) fn of(pages: Range<usize>) -> Self {
        Self(std::array::from_fn(|word| part(&pages, word)))
    }

    /// Has it all pages of a range?
    pub(super) fn has(&self, pages: &Range<usize>) -> bool {
        let words = pages.start / 64..pages.end.div_ceil(64);
        words.into_iter().all(|word| part(pages, word) & !self.0[word] == 0)
    }

    pub(super) fn is_empty(self) -> bool {
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

    /// The first page.
    pub(super) fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    /// All pages after this one.
    pub(super) fn after(self, page: usize) -> Self {
        self.without(Self::of(0..page + 1))
    }

    /// The pages, in increasing order.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..WORDS).flat_map(move |i| {
            let step = |&word: &u64| Some(word & word.wrapping_sub(1));
            let words = std::iter::successors(Some(self.0[i]), step).take_while(|&word| word != 0);
            words.map(move |word| 64 * i + word.trailing_zeros() as usize)
        })
    }

    /// The 16 pages of an aligned group of them, a bit each.
    pub(super) fn sixteen(self, group: usize) -> u16 {
        (self.0[group / 4] >> (16 * (group % 4))) as u16
    }
}

/// The bits of a word that a range of pages has.
fn part(pages: &Range<usize>, word: usize) -> u64 {
    let bit = |page: usize| page.clamp(64 * word, 64 * word + 64) - 64 * word;
    below(bit(pages.end)) & !below(bit(pages.start))
}

/// A word of so many ones from the lowest bit on, 64 at most.
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
            assert_eq!(mask.first(), set.first().copied());
            for page in [0, 62, 63, 64, 300, 511] {
                assert_eq!(
                    mask.after(page).first(),
                    set.range(page + 1..).next().copied(),
                    "{range:?} {page}"
                );
            }
            for part in [0..0, 5..9, 3..64, 60..70, 64..128, 0..512, 511..512, 400..401] {
                assert_eq!(
                    mask.has(&part),
                    part.clone().all(|page| set.contains(&page)),
                    "{range:?} {part:?}"
                );
            }
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
