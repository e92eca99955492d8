//! How a device is measured: by kernels of its own, enough for figures that stay, on the simulator just enough to see that
//! it works.

use crate::statistics;
use std::time::Instant;
use warpgraph::{
    Control, Gpu,
    devices::{Address, Arguments, Kernel, PRELUDE, Result, Shape, Source, arguments},
};
use warpgraph_gpu::lift;

/// Threads of a block that streams or goes to random places.
pub(super) const THREADS: u32 = 256;
const MIB: u64 = 1 << 20;
/// The footprints of random accesses: within and around a second-level cache, and far beyond.
const FOOTPRINTS: [u64; 8] =
    [MIB, 16 * MIB, 32 * MIB, 64 * MIB, 128 * MIB, 256 * MIB, 1024 * MIB, 4096 * MIB];
/// Those of additions of f64.
const FOOTPRINTS_F64: [u64; 3] = [16 * MIB, 32 * MIB, 128 * MIB];
/// By how many bits everything is smaller on the simulator.
const SIMULATED: u32 = 10;

arguments! {
    /// What every kernel is given; each looks at what it needs.
    pub(super) struct Given {
        pub(super) cells: Address<u32>,
        /// Where `copy` writes; elsewhere where a sum is written that cannot be.
        pub(super) to: Address<u32>,
        /// Words in order, rounds of accesses per thread, or barriers.
        pub(super) count: u64,
        /// Cells less one: a power of two less one.
        pub(super) mask: u32,
        /// The sum that cannot be.
        pub(super) never: u32,
    }
}

/// The text of all kernels.
///
/// # Errors
/// None, unless a file is missing in its list.
#[doc(hidden)]
pub fn source() -> Result<Source> {
    let files = [PRELUDE, ("arguments.cuh", &Given::cuda())];
    let kernels = vec!["copy", "read", "gather", "add", "least", "add_f64", "nothing", "barriers"];
    Source::assemble("limits", include_str!("limits.cu"), &files, kernels)
}

/// A device that is measured.
pub(super) struct Meter<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) sizes: Sizes,
    control: &'a Control,
}

impl<'a> Meter<'a> {
    pub(super) fn new(gpu: &'a Gpu, control: &'a Control) -> Result<Self> {
        let sizes = Sizes::within(gpu.memory()?.free / 4, gpu.properties().label == "simt");
        Ok(Self { gpu, sizes, control })
    }

    /// Measures one thing, unless `control` asks to stop.
    pub(super) fn step<T>(&self, measure: impl FnOnce(&Self) -> Result<T>) -> warpgraph::Result<T> {
        self.control.check("measuring the GPU")?;
        measure(self).map_err(lift)
    }

    pub(super) fn kernel(&self, name: &'static str) -> Result<Kernel> {
        self.gpu.compile(&source()?)?.kernel(name)
    }

    /// A kernel with as many blocks of [`THREADS`] as run at a time.
    pub(super) fn full(&self, name: &'static str) -> Result<(Kernel, Shape)> {
        let kernel = self.kernel(name)?;
        let grid = self.gpu.coresident_blocks(&kernel, THREADS, 0)?;
        Ok((kernel, Shape { grid, block: THREADS, shared: 0 }))
    }

    /// Returns the seconds of some work in device time.
    pub(super) fn on_device(&self, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
        self.median(|| self.gpu.timed(&mut work))
    }

    /// Returns the seconds that the host waits for some work.
    pub(super) fn on_host(&self, mut work: impl FnMut() -> Result<()>) -> Result<f64> {
        self.median(|| {
            let start = Instant::now();
            work()?;
            Ok(start.elapsed().as_secs_f64())
        })
    }

    /// The median of some measurements, after one that does not count.
    pub(super) fn median(&self, mut once: impl FnMut() -> Result<f64>) -> Result<f64> {
        once()?;
        let times = (0..self.sizes.repeats).map(|_| once()).collect::<Result<Vec<f64>>>()?;
        // A clock that did not move says no more than that it was short.
        Ok(statistics::median(&times).max(1e-9))
    }
}

/// How much is measured, in bytes unless said otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sizes {
    /// The array that all is measured in; the largest footprint.
    pub(super) arena: u64,
    /// Of random accesses, rising.
    pub(super) footprints: Vec<u64>,
    /// Of additions of f64, rising.
    pub(super) footprints_f64: Vec<u64>,
    /// Random accesses per measurement, about.
    pub(super) accesses: u64,
    /// Launches, barriers or allocations per measurement.
    pub(super) times: u32,
    /// Copies from and to the host.
    pub(super) bus: u64,
    pub(super) allocation: u64,
    /// How often each is measured, after once that does not count.
    pub(super) repeats: u32,
}

impl Sizes {
    /// With no footprint above `most` bytes, but always one.
    fn within(most: u64, is_simulated: bool) -> Self {
        let by = if is_simulated { SIMULATED } else { 0 };
        let fitting = |all: &[u64]| {
            let fit: Vec<u64> = all.iter().map(|bytes| bytes >> by).filter(|&bytes| bytes <= most).collect();
            if fit.is_empty() { vec![all[0] >> by] } else { fit }
        };
        let (footprints, footprints_f64) = (fitting(&FOOTPRINTS), fitting(&FOOTPRINTS_F64));
        let arena = footprints.iter().chain(&footprints_f64).copied().max().unwrap_or(MIB);
        let (accesses, times, repeats) = if is_simulated { (1 << 14, 8, 2) } else { (1 << 28, 1000, 7) };
        let (bus, allocation) = (((256 * MIB) >> by).min(most), ((24 * MIB) >> by).min(most));
        Self { arena, footprints, footprints_f64, accesses, times, bus, allocation, repeats }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footprints_are_those_that_fit_and_at_least_one_and_the_simulator_is_asked_for_little() {
        let all = Sizes::within(35 << 30, false);
        assert_eq!((all.footprints.len(), all.arena, all.bus), (8, 4 << 30, 256 << 20));
        let some = Sizes::within(100 * MIB, false);
        assert_eq!((some.footprints.last(), some.footprints_f64.len()), (Some(&(64 * MIB)), 2));
        let none = Sizes::within(1, false);
        assert_eq!((none.footprints.as_slice(), none.arena), (&[MIB][..], 16 * MIB));
        let small = Sizes::within(1 << 30, true);
        assert!(small.arena <= 4 * MIB && small.footprints.len() == 8 && small.accesses <= 1 << 16);
    }
}
