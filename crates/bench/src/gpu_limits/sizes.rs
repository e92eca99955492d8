//! How much is measured: enough for figures that stay, and on the simulator just enough to see that it works.

use warpgraph::devices::{Gpu, Result};

const MIB: u64 = 1 << 20;
/// The footprints of random accesses: within and around a second-level cache, and far beyond.
const FOOTPRINTS: [u64; 8] =
    [MIB, 16 * MIB, 32 * MIB, 64 * MIB, 128 * MIB, 256 * MIB, 1024 * MIB, 4096 * MIB];
/// Those of additions of f64.
const FOOTPRINTS_F64: [u64; 3] = [16 * MIB, 32 * MIB, 128 * MIB];
/// By how many bits everything is smaller on the simulator.
const SIMULATED: u32 = 10;

/// How much is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Bytes of the array that all is measured in; the largest footprint.
    pub(super) arena: u64,
    /// Of random accesses, rising.
    pub(super) footprints: Vec<u64>,
    /// Of additions of f64, rising.
    pub(super) footprints_f64: Vec<u64>,
    /// Random accesses a measurement, about.
    pub(super) accesses: u64,
    /// Launches a measurement.
    pub(super) launches: u32,
    /// Barriers a measurement.
    pub(super) barriers: u32,
    /// Bytes of copies from and to the host.
    pub(super) bus: u64,
    /// Bytes of an allocation.
    pub(super) allocation: u64,
    /// How often each is measured, after once that does not count.
    pub(super) repeats: u32,
}

impl Sizes {
    /// For a device with so much free memory.
    pub(super) fn of(gpu: &Gpu) -> Result<Self> {
        let is_simulated = gpu.properties().label == "simt";
        Ok(Self::within(gpu.memory()?.free / 4, is_simulated))
    }

    /// With no footprint above `most` bytes, but always one.
    fn within(most: u64, is_simulated: bool) -> Self {
        let by = if is_simulated { SIMULATED } else { 0 };
        let fitting = |all: &[u64]| {
            let fit: Vec<u64> = all.iter().map(|bytes| bytes >> by).filter(|&bytes| bytes <= most).collect();
            if fit.is_empty() { vec![all[0] >> by] } else { fit }
        };
        let (footprints, footprints_f64) = (fitting(&FOOTPRINTS), fitting(&FOOTPRINTS_F64));
        let arena = footprints.iter().chain(&footprints_f64).copied().max().unwrap_or(MIB);
        let (accesses, launches, barriers, repeats) =
            if is_simulated { (1 << 14, 8, 2, 2) } else { (1 << 28, 1000, 1000, 7) };
        let (bus, allocation) = (((256 * MIB) >> by).min(most), ((24 * MIB) >> by).min(most));
        Self { arena, footprints, footprints_f64, accesses, launches, barriers, bus, allocation, repeats }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footprints_are_those_that_fit_and_at_least_one() {
        let all = Sizes::within(35 << 30, false);
        assert_eq!((all.footprints.len(), all.arena, all.bus), (8, 4 << 30, 256 << 20));
        let some = Sizes::within(100 * MIB, false);
        assert_eq!((some.footprints.last(), some.footprints_f64.len()), (Some(&(64 * MIB)), 2));
        let none = Sizes::within(1, false);
        assert_eq!((none.footprints.as_slice(), none.arena), (&[MIB][..], 16 * MIB));
    }

    #[test]
    fn the_simulator_is_asked_for_little() {
        let sizes = Sizes::within(1 << 30, true);
        assert!(sizes.arena <= 4 * MIB && sizes.footprints.len() == 8 && sizes.accesses <= 1 << 16);
    }
}
