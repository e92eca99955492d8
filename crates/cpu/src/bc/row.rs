//! The values of a vertex for all sources of a batch: one f64 each, side by side.

use super::sweep::Scratch;
use crate::parts::Spare;
use bytemuck::Pod;

/// One number per lane; a lane is a source of the batch.
pub(super) trait Row: Pod + Send + Sync {
    /// Number of lanes, at most 8.
    const LANES: usize;
    /// 0 in every lane.
    const ZERO: Self;

    /// Returns 1 in one lane and 0 in the others.
    fn unit(lane: usize) -> Self;
    fn plus(self, other: Self) -> Self;
    /// Returns the lanes that hold more than 0, one bit per lane.
    fn lanes(self) -> u8;
    /// Sets all other lanes to 0.
    fn keep(self, lanes: u8) -> Self;
    fn most(self) -> f64;
    /// Returns these values, and 0 in the lanes beyond them.
    fn of(values: &[f64]) -> Self;
    /// Computes from path counts (`self`) and `behind`, the sum of `(mass + delta) / sigma` over the successors: the
    /// vertex's own `(mass + delta) / sigma` in the lanes that have paths, and the sum of its deltas times `sources`.
    fn depend(self, behind: Self, mass: f64, sources: Self) -> (Self, f64);
    /// Returns the place where scratch memory is kept from one run to the next.
    fn spare() -> &'static Spare<Scratch<Self>>;
}

macro_rules! row {
    ($($lanes:literal),*) => {$(
        impl Row for [f64; $lanes] {
            const LANES: usize = $lanes;
            const ZERO: Self = [0.0; $lanes];

            fn unit(lane: usize) -> Self {
                let mut row = Self::ZERO;
                row[lane] = 1.0;
                row
            }
            fn of(values: &[f64]) -> Self {
                let mut row = Self::ZERO;
                row[..values.len()].copy_from_slice(values);
                row
            }
            #[inline(always)]
            fn plus(mut self, other: Self) -> Self {
                (0..$lanes).for_each(|i| self[i] += other[i]);
                self
            }
            #[inline(always)]
            fn lanes(self) -> u8 {
                (0..$lanes).fold(0, |lanes, i| lanes | (u8::from(self[i] > 0.0) << i))
            }
            #[inline(always)]
            fn keep(mut self, lanes: u8) -> Self {
                (0..$lanes).for_each(|i| self[i] = if lanes >> i & 1 != 0 { self[i] } else { 0.0 });
                self
            }
            #[inline(always)]
            fn most(self) -> f64 {
                self.into_iter().fold(0.0, f64::max)
            }
            #[inline(always)]
            fn depend(mut self, behind: Self, mass: f64, sources: Self) -> (Self, f64) {
                let mut sum = 0.0;
                for i in 0..$lanes {
                    let delta = self[i] * behind[i];
                    sum += sources[i] * delta;
                    self[i] = if self[i] > 0.0 { (mass + delta) / self[i] } else { 0.0 };
                }
                (self, sum)
            }
            fn spare() -> &'static Spare<Scratch<Self>> {
                static SPARE: Spare<Scratch<[f64; $lanes]>> = Spare::new();
                &SPARE
            }
        }
    )*};
}
row!(1, 4, 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_stay_in_their_lanes() {
        let (row, sum) = [2.0, 0.0, 4.0, 1.0].depend([0.5, 9.0, 0.0, 3.0], 1.0, Row::of(&[1.0; 4]));
        assert_eq!((row, sum), ([1.0, 0.0, 0.25, 4.0], 4.0));
        let (heavy, sum) = [2.0, 0.0, 4.0, 1.0].depend([0.5, 9.0, 0.0, 3.0], 3.0, Row::of(&[2.0, 1.0, 1.0]));
        assert_eq!((heavy, sum), ([2.0, 0.0, 0.75, 6.0], 2.0));
        assert_eq!(row.lanes(), 0b1101);
        assert_eq!(row.keep(0b0100), [0.0, 0.0, 0.25, 0.0]);
        assert_eq!(<[f64; 4]>::unit(2).plus(row).most(), 4.0);
    }
}
