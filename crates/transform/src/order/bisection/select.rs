//! Chooses the pairs that a sweep of a large block exchanges, without sorting: counts vertices by digits of their
//! gains.
//!
//! With the gains of both halves in decreasing order, pairs are exchanged while their sums are positive. The sums
//! decrease, so it is enough to find the number of pairs, and then the least gain of either half that is among them.
//! Each takes a few passes over the gains, on all threads.
//!
//! A hash of the vertex decides ties. If the number decided, copies of one structure whose vertices alternate would
//! move in step, which gains nothing.

use rayon::prelude::*;

/// Vertices that a thread counts at a time.
const RUN: usize = 1 << 15;
/// The digits of a gain's key, highest first: shift and number of bits.
const DIGITS: [(u32, u32); 3] = [(21, 11), (10, 11), (0, 10)];

/// How many vertices of either half have each digit.
type Histogram = [Vec<u32>; 2];

/// Returns an integer that increases with the gain.
#[inline]
pub(super) fn key(gain: f32) -> u32 {
    // Adding 0.0 turns a negative zero, which would come before zero, into zero.
    let bits = (gain + 0.0).to_bits();
    bits ^ (((bits as i32 >> 31) as u32) | 1 << 31)
}

/// Returns the rank of a vertex within its half: it increases with the gain, and no two vertices have the same rank.
#[inline]
fn rank(gain: f32, v: usize) -> u64 {
    // Multiplying by an odd number and xoring a shift into itself are both bijections.
    let mixed = (v as u32).wrapping_mul(0x9e37_79b1);
    (u64::from(key(gain)) << 32) | u64::from(mixed ^ (mixed >> 15))
}

/// The vertices of a half whose rank is at least this.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound(u64);

impl Bound {
    /// No vertices: gains are numbers, and no number has this key.
    pub(super) const NONE: Self = Self(u64::MAX);

    #[inline]
    pub(super) fn contains(self, gain: f32, v: usize) -> bool {
        rank(gain, v) >= self.0
    }
}

/// Gains of vertices, and the halves that they refer to.
#[derive(Clone, Copy)]
pub(super) struct Gains<'a> {
    pub(super) gains: &'a [f32],
    /// The lowest bit is the current half. The next bit says that the vertex moved since; its gain refers to the other
    /// half.
    pub(super) sides: &'a [u8],
}

/// Returns the half that the gain of a vertex refers to.
#[inline]
pub(super) fn half_before(side: u8) -> usize {
    ((side ^ (side >> 1)) & 1) as usize
}

impl Gains<'_> {
    /// Returns how many pairs have gains with a positive sum.
    ///
    /// This is the maximum, over all t, of the smaller of two numbers: the vertices of the first half with gains above
    /// t, and the vertices of the second half with gains of at least -t. The first number decreases with t, the second
    /// increases, so the maximum is where they cross.
    pub(super) fn pairs(self) -> usize {
        let keys = |_, gain: f32| [u64::from(key(gain)), u64::from(key(0.0 - gain))];
        let (mut prefix, mut above, mut below) = (0, 0, 0);
        for (shift, bits) in DIGITS {
            let [firsts, seconds] = self.histogram(keys, [prefix; 2], shift, bits);
            let mut higher = above + total(&firsts);
            for digit in 0..1 << bits {
                higher -= firsts[digit] as usize;
                if below + seconds[digit] as usize >= higher {
                    prefix = (prefix << bits) | digit as u64;
                    above = higher;
                    break;
                }
                below += seconds[digit] as usize;
            }
        }
        above.max(below)
    }

    /// Returns the bounds that contain the `pairs` vertices of the highest ranks in either half. Requires that many
    /// vertices.
    pub(super) fn bounds(self, pairs: usize) -> [Bound; 2] {
        let (mut prefixes, mut left) = ([0; 2], [pairs; 2]);
        let by_gain = DIGITS.map(|(shift, bits)| (shift + 32, bits));
        for (shift, bits) in by_gain.into_iter().chain(DIGITS) {
            let counts = self.histogram(|v, gain| [rank(gain, v); 2], prefixes, shift, bits);
            let mut is_whole = true;
            for half in [0, 1] {
                let mut digit = (1 << bits) - 1;
                while left[half] > counts[half][digit] as usize {
                    left[half] -= counts[half][digit] as usize;
                    digit -= 1;
                }
                prefixes[half] = (prefixes[half] << bits) | digit as u64;
                is_whole &= left[half] == counts[half][digit] as usize;
            }
            // Every vertex with the last digits is included, so further digits are not needed.
            if is_whole {
                return prefixes.map(|prefix| Bound(prefix << shift));
            }
        }
        prefixes.map(Bound)
    }

    /// Counts vertices by a digit of their keys, among those whose higher digits are `prefixes`.
    fn histogram(
        self,
        keys: impl Fn(usize, f32) -> [u64; 2] + Sync,
        prefixes: [u64; 2],
        shift: u32,
        bits: u32,
    ) -> Histogram {
        let empty = || [0, 1].map(|_| vec![0; 1 << bits]);
        let count = |mut counts: Histogram, (run, (sides, gains)): (usize, (&[u8], &[f32]))| {
            for (i, (&side, &gain)) in sides.iter().zip(gains).enumerate() {
                let half = half_before(side);
                let key = keys(run * RUN + i, gain)[half] >> shift;
                if key >> bits == prefixes[half] {
                    counts[half][key as usize & ((1 << bits) - 1)] += 1;
                }
            }
            counts
        };
        let runs = self.sides.par_chunks(RUN).zip(self.gains.par_chunks(RUN)).enumerate();
        runs.fold(empty, count).reduce(empty, |mut sum, other| {
            for (sum, other) in sum.iter_mut().flatten().zip(other.iter().flatten()) {
                *sum += other;
            }
            sum
        })
    }
}

fn total(counts: &[u32]) -> usize {
    counts.iter().map(|&count| count as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    /// Returns the vertices of a half by decreasing rank.
    fn sorted(of: Gains<'_>, half: usize) -> Vec<usize> {
        let mut vertices: Vec<usize> =
            (0..of.sides.len()).filter(|&v| half_before(of.sides[v]) == half).collect();
        vertices.sort_by_key(|&v| std::cmp::Reverse(rank(of.gains[v], v)));
        vertices
    }

    proptest! {
        #[test]
        fn pairs_and_bounds_are_those_of_sorted_halves(
            drawn in vec((0..4u8, prop_oneof![-2.0..2.0f32, (-3..4i8).prop_map(f32::from), Just(-0.0)]), 1..200)
        ) {
            let (sides, gains): (Vec<u8>, Vec<f32>) = drawn.into_iter().unzip();
            let of = Gains { gains: &gains, sides: &sides };
            let halves = [sorted(of, 0), sorted(of, 1)];
            let sums = halves[0].iter().zip(&halves[1]).map(|(&a, &b)| gains[a] + gains[b]);
            let pairs = sums.take_while(|&sum| sum > 0.0).count();
            prop_assert_eq!(of.pairs(), pairs);
            for count in 1..=halves[0].len().min(halves[1].len()) {
                let bounds = of.bounds(count);
                for half in [0, 1] {
                    let inside = |&v: &usize| bounds[half].contains(gains[v], v);
                    prop_assert!(halves[half][..count].iter().all(inside));
                    prop_assert!(!halves[half][count..].iter().any(inside));
                }
            }
        }
    }

    #[test]
    fn as_many_are_inside_as_were_asked_for_also_of_many_alike() {
        let n = 3 * RUN + 7;
        let gains: Vec<f32> = (0..n).map(|v| (v % 5) as f32).collect();
        let sides: Vec<u8> = (0..n).map(|v| u8::from(v >= n / 2)).collect();
        let of = Gains { gains: &gains, sides: &sides };
        for pairs in [1, 1000, RUN, n / 2] {
            let bounds = of.bounds(pairs);
            let inside = |half: usize| {
                (0..n).filter(|&v| sides[v] as usize == half && bounds[half].contains(gains[v], v)).count()
            };
            assert_eq!([inside(0), inside(1)], [pairs; 2]);
        }
    }

    #[test]
    fn keys_rise_with_gains_and_no_vertices_are_alike() {
        let gains = [f32::MIN, -1.5, -1e-30, 0.0, 1e-30, 1.0, f32::MAX];
        assert!(gains.map(key).is_sorted_by(|a, b| a < b));
        assert_eq!(key(-0.0), key(0.0));
        assert!(!Bound::NONE.contains(f32::MAX, 0));
        let ranks: std::collections::BTreeSet<u64> = (0..10_000).map(|v| rank(0.0, v)).collect();
        assert_eq!(ranks.len(), 10_000);
    }
}
