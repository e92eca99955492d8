//! [`Draws`]: random numbers of one sample, which depend on the seed and the number of the sample alone.
//!
//! So a sampled answer has the same bits on any number of threads, and another device can draw the same samples. The
//! numbers are those of splitmix64 \[1\], whose state starts at a hash of seed, run and sample.
//!
//! \[1\] G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.

use warpgraph_graph::hash;

/// What splitmix64 adds to its state per number.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A sequence of random numbers.
#[derive(Debug, Clone)]
pub struct Draws(u64);

impl Draws {
    /// Returns the numbers of a sample.
    pub fn of(seed: u64, run: u64, sample: u64) -> Self {
        Self(hash::mix(hash::mix(seed, run), sample))
    }

    /// Returns the next number, uniform over all 64-bit numbers.
    #[inline]
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Returns a number below `end`, which must not be 0; no number is more likely than another by more than `end / 2^64`.
    #[inline]
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(end)) >> 64) as u64
    }

    /// Returns a number from 0 to below 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns two different vertices below `vertices`, at least 2: every ordered pair is equally likely.
    #[inline]
    pub fn pair(&mut self, vertices: u64) -> (u64, u64) {
        let (first, second) = (self.below(vertices), self.below(vertices - 1));
        (first, second + u64::from(second >= first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ordered_pair_is_drawn_about_as_often() {
        let mut times = [[0; 4]; 4];
        for sample in 0..24_000 {
            let (s, t) = Draws::of(7, 0, sample).pair(4);
            times[s as usize][t as usize] += 1;
        }
        for (s, row) in times.iter().enumerate() {
            let is_even =
                |t: usize, times: i32| if s == t { times == 0 } else { (1800..2200).contains(&times) };
            assert!(row.iter().enumerate().all(|(t, &times)| is_even(t, times)), "{times:?}");
        }
    }

    #[test]
    fn samples_seeds_and_runs_have_numbers_of_their_own() {
        let first = |seed, run, sample| Draws::of(seed, run, sample).number();
        assert_eq!(first(1, 2, 3), first(1, 2, 3));
        assert!(
            first(1, 2, 3) != first(1, 2, 4)
                && first(1, 2, 3) != first(1, 3, 3)
                && first(1, 2, 3) != first(2, 2, 3)
        );
        let mean = (0..10_000).map(|sample| Draws::of(5, 0, sample).unit()).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }
}
