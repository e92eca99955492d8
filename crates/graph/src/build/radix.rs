//! Sorts keys, and their weights with them, by a stable radix sort that begins with the least significant digit.
//!
//! Keys have at most 64 bits. Digits have 11 bits, so that their counters stay in the first-level cache. The sort skips
//! digits that all keys share. Work O(keys * digits); memory for one more copy. A comparison sort handles short inputs.

use crate::{csr::Vertex, memory::Pages, par};
use bytemuck::Pod;

const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
/// Below this length the sort compares keys, since clearing and summing counters would dominate the work. A guess, not
/// tuned.
const SMALL: usize = 512;
/// Up to this length an insertion sort is used, which needs no memory.
const FEW: usize = 20;
/// Above this length (a bucket of hubs) all threads sort one bucket together. A guess, not tuned.
const LARGE: usize = 1 << 23;

/// An integer type for sort keys.
pub(crate) trait Key: Pod + Ord + Send + Sync {
    /// Converts from 64 bits; drops those beyond the width of the type.
    fn from_bits(bits: u64) -> Self;
    /// Converts to 64 bits.
    fn bits(self) -> u64;
    /// Returns the array as an array of targets if the elements have the same size.
    fn as_targets(keys: Pages<Self>) -> Option<Pages<Vertex>>;
}

impl Key for u32 {
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        bits as u32
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }
    fn as_targets(keys: Pages<Self>) -> Option<Pages<Vertex>> {
        Some(keys)
    }
}

impl Key for u64 {
    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        bits
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }
    fn as_targets(_: Pages<Self>) -> Option<Pages<Vertex>> {
        None
    }
}

/// Memory for sorting, reused from one bucket to the next.
#[derive(Debug)]
pub(crate) struct Scratch<K, W> {
    keys: Vec<K>,
    weights: Vec<W>,
    counts: Vec<[u32; DIGITS]>,
}

impl<K: Key, W: Pod + Send + Sync> Scratch<K, W> {
    pub(crate) fn new() -> Self {
        Self { keys: Vec::new(), weights: Vec::new(), counts: Vec::new() }
    }

    /// Sorts by bits `bits` of the keys and returns the sorted keys and weights, which lie in this scratch memory. The
    /// sort overwrites the input arrays.
    pub(super) fn sort(
        &mut self,
        keys: &mut [K],
        weights: &mut [W],
        bits: std::ops::Range<u32>,
    ) -> (&[K], &[W]) {
        let len = keys.len();
        assert_eq!(len, weights.len(), "as many weights as keys");
        self.keys.resize(len, K::zeroed());
        self.weights.resize(len, W::zeroed());
        let is_large = len > LARGE && (rayon::current_num_threads() > 1 || u32::try_from(len).is_err());
        let mut is_here = false;
        if len < SMALL {
            sort_by_comparison(keys, weights, &bits);
        } else if is_large {
            sort_together(keys, weights, &bits);
        } else {
            is_here = self.sort_by_digits(keys, weights, &bits);
        }
        if !is_here {
            self.keys.copy_from_slice(keys);
            self.weights.copy_from_slice(weights);
        }
        (&self.keys, &self.weights)
    }

    /// Sorts in place by bits `bits` of the keys, on the calling thread only.
    pub(crate) fn sort_in_place(&mut self, keys: &mut [K], weights: &mut [W], bits: std::ops::Range<u32>) {
        let len = keys.len();
        assert_eq!(len, weights.len(), "as many weights as keys");
        if len < SMALL || u32::try_from(len).is_err() {
            return sort_by_comparison(keys, weights, &bits);
        }
        self.keys.resize(len, K::zeroed());
        self.weights.resize(len, W::zeroed());
        if self.sort_by_digits(keys, weights, &bits) {
            keys.copy_from_slice(&self.keys);
            weights.copy_from_slice(&self.weights);
        }
    }

    /// Sorts back and forth between the input arrays and the scratch memory; returns true if it ends in the latter.
    fn sort_by_digits(&mut self, keys: &mut [K], weights: &mut [W], bits: &std::ops::Range<u32>) -> bool {
        let (mut from, mut to) = ((keys, weights), (&mut self.keys[..], &mut self.weights[..]));
        count_digits(from.0, bits, &mut self.counts);
        let mut is_here = false;
        for (digit, counts) in self.counts.iter_mut().enumerate() {
            if counts.iter().any(|&count| count as usize == from.0.len()) {
                continue;
            }
            let shift = bits.start + digit as u32 * DIGIT_BITS;
            move_by_digit((&*from.0, &*from.1), (&mut *to.0, &mut *to.1), mask(bits), shift, counts);
            std::mem::swap(&mut from, &mut to);
            is_here = !is_here;
        }
        is_here
    }
}

fn mask(bits: &std::ops::Range<u32>) -> u64 {
    if bits.end >= 64 { u64::MAX } else { (1 << bits.end) - 1 }
}

#[inline(always)]
fn digit_of<K: Key>(key: K, mask: u64, shift: u32) -> usize {
    ((key.bits() & mask) >> shift) as usize % DIGITS
}

fn count_digits<K: Key>(keys: &[K], bits: &std::ops::Range<u32>, counts: &mut Vec<[u32; DIGITS]>) {
    counts.clear();
    counts.resize((bits.end - bits.start).div_ceil(DIGIT_BITS) as usize, [0; DIGITS]);
    let mask = mask(bits);
    // The usual case of three digits counts all digits of a key in one pass.
    match &mut counts[..] {
        [a, b, c] => {
            for &key in keys {
                a[digit_of(key, mask, bits.start)] += 1;
                b[digit_of(key, mask, bits.start + DIGIT_BITS)] += 1;
                c[digit_of(key, mask, bits.start + 2 * DIGIT_BITS)] += 1;
            }
        }
        all => {
            for (digit, counts) in all.iter_mut().enumerate() {
                let shift = bits.start + digit as u32 * DIGIT_BITS;
                for &key in keys {
                    counts[digit_of(key, mask, shift)] += 1;
                }
            }
        }
    }
}

fn move_by_digit<K: Key, W: Pod>(
    from: (&[K], &[W]),
    to: (&mut [K], &mut [W]),
    mask: u64,
    shift: u32,
    counts: &mut [u32; DIGITS],
) {
    let mut start = 0;
    for count in counts.iter_mut() {
        start += std::mem::replace(count, start);
    }
    assert!(start as usize == from.0.len() && to.0.len() == from.0.len() && to.1.len() == from.0.len());
    for (&key, &weight) in from.0.iter().zip(from.1) {
        let slot = &mut counts[digit_of(key, mask, shift)];
        let at = *slot as usize;
        *slot += 1;
        // SAFETY: the counters start at the exclusive prefix sums of the digit counts, and each grows by one per key of
        // its digit. So `at` is below the sum of all counts, which the assertion above compares with the lengths.
        unsafe {
            *to.0.get_unchecked_mut(at) = key;
            *to.1.get_unchecked_mut(at) = weight;
        }
    }
}

fn sort_by_comparison<K: Key, W: Pod>(keys: &mut [K], weights: &mut [W], bits: &std::ops::Range<u32>) {
    if keys.len() <= FEW {
        return insert_in_order(keys, weights, bits);
    }
    if size_of::<W>() == 0 && bits.start == 0 {
        return sort_keys(keys, mask(bits));
    }
    let mut order = order(keys, bits);
    order.sort_unstable();
    rearrange(keys, weights, &order);
}

/// Sorts keys without weights.
fn sort_keys<K: Key>(keys: &mut [K], mask: u64) {
    keys.sort_unstable_by_key(|key| key.bits() & mask);
}

/// Sorts a few keys by insertion, without extra memory.
fn insert_in_order<K: Key, W: Pod>(keys: &mut [K], weights: &mut [W], bits: &std::ops::Range<u32>) {
    let part = |key: K| (key.bits() & mask(bits)) >> bits.start;
    for i in 1..keys.len() {
        let (key, weight) = (keys[i], weights[i]);
        let mut at = i;
        while at > 0 && part(keys[at - 1]) > part(key) {
            (keys[at], weights[at]) = (keys[at - 1], weights[at - 1]);
            at -= 1;
        }
        (keys[at], weights[at]) = (key, weight);
    }
}

/// Returns the sort bits and the position of each key. No two entries are equal, so any sort of them is stable.
fn order<K: Key>(keys: &[K], bits: &std::ops::Range<u32>) -> Vec<[u64; 2]> {
    let part = |key: &K| (key.bits() & mask(bits)) >> bits.start;
    keys.iter().zip(0..).map(|(key, place)| [part(key), place]).collect()
}

/// Puts keys and weights in the order of the positions in `order`.
fn rearrange<K: Key, W: Pod>(keys: &mut [K], weights: &mut [W], order: &[[u64; 2]]) {
    let (old_keys, old_weights) = (keys.to_vec(), weights.to_vec());
    for (i, &[_, place]) in order.iter().enumerate() {
        (keys[i], weights[i]) = (old_keys[place as usize], old_weights[place as usize]);
    }
}

fn sort_together<K: Key, W: Pod + Send + Sync>(
    keys: &mut [K],
    weights: &mut [W],
    bits: &std::ops::Range<u32>,
) {
    let mut order = order(keys, bits);
    par::sort_pairs(&mut order);
    rearrange(keys, weights, &order);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_stably_by_the_bits_asked_for() {
        for (len, bits) in [(0, 0..7), (100, 5..20), (5000, 0..32), (5000, 12..31), (70_000, 3..9)] {
            let keys: Vec<u32> = (0..len).map(|i: u32| i.wrapping_mul(2_654_435_761) & 0x7fff_ffff).collect();
            let part = |key: u32| (u64::from(key) & mask(&bits)) >> bits.start;
            let mut expected: Vec<(u32, u32)> = keys.iter().copied().zip(0..len).collect();
            expected.sort_by_key(|&(key, _)| part(key));
            let (mut sorted, mut order) = (keys, (0..len).collect::<Vec<u32>>());
            let mut scratch = Scratch::new();
            let (keys, weights) = scratch.sort(&mut sorted, &mut order, bits.clone());
            assert!(expected.into_iter().eq(keys.iter().copied().zip(weights.iter().copied())), "{bits:?}");
        }
    }
}
