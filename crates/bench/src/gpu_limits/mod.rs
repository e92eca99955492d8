//! What a GPU can do at best: the yardstick for its runs, measured in the same process.
//!
//! - *copy*, *read*, *fill*: bytes a second in order, far beyond the caches; copying counts what is read and what is written;
//! - *gather*, *atomic*: accesses a second at random places, by the bytes they are spread over: the second-level cache makes
//!   this the steepest curve there is. The place is a hash, so nothing else is read;
//! - *launch*: seconds of a kernel of nothing: one after the other, with a wait for each, with 4 bytes fetched after each;
//! - *barrier*: seconds of a barrier over all blocks of a grid, by the shape of the grid;
//! - *bus*: bytes a second between host and device, from pinned and from ordinary memory;
//! - *allocation*: seconds of an allocation that is new, and of one whose memory was used before.
//!
//! Each is the median of several measurements after one that does not count, in device time but for what the host waits
//! for. On the simulator everything is small, and the figures are those of the simulator.

mod figures;
mod meter;
pub mod tables;

#[doc(hidden)]
pub use meter::source;

use crate::limits::{Rate, rate_at};
use meter::Meter;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use warpgraph::{Control, Gpu, Result};
use warpgraph_gpu::lift;

/// What a GPU can do at best. Accesses are by rising footprint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct GpuLimits {
    /// By 16 bytes at a time, within the device.
    pub copy: f64,
    /// By 4 bytes at a time, neighbours by neighbours.
    pub read: f64,
    pub fill: f64,
    /// 4-byte reads.
    pub gather: Vec<Rate>,
    /// Additions to u32 that do not return the old value.
    pub atomic_add: Vec<Rate>,
    /// Minima of u32 that give the old value.
    pub atomic_min: Vec<Rate>,
    pub atomic_add_f64: Vec<Rate>,
    pub launch: Launch,
    pub barrier: Vec<Barrier>,
    pub bus: Bus,
    pub allocation: Allocation,
    /// Seconds it took to find all this out, compiling included.
    pub seconds: f64,
}

/// Seconds of a launch of a kernel of nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// One after the other, in device time.
    pub back_to_back: f64,
    /// The host waits for each.
    pub waited: f64,
    /// The host fetches 4 bytes after each.
    pub fetched: f64,
}

/// Seconds of a barrier over a grid of so many blocks of so many threads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Barrier {
    pub blocks: u32,
    pub threads: u32,
    pub seconds: f64,
}

/// Bytes a second between host and device, by copies of `bytes`; pinned memory unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Bus {
    pub bytes: u64,
    pub to_device: f64,
    pub to_host: f64,
    pub pageable_to_device: f64,
}

/// Seconds of an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Allocation {
    pub bytes: u64,
    /// Of memory that is new.
    pub new: f64,
    /// Of memory that was given back before, and giving it back again.
    pub reused: f64,
}

impl GpuLimits {
    /// Measures; some seconds on a GPU.
    ///
    /// # Errors
    /// The device's, such as that a quarter of its memory is not free after all; what `control` asks for.
    pub fn measure(gpu: &Gpu, control: &Control) -> Result<Self> {
        let start = Instant::now();
        let meter = Meter::new(gpu, control).map_err(lift)?;
        // First, while no memory is there to be used again.
        let allocation = meter.step(figures::allocation)?;
        let (bus, launch) = (meter.step(figures::bus)?, meter.step(figures::launch)?);
        let barrier = meter.step(figures::barriers)?;
        let words = (meter.sizes.arena / 4) as usize;
        let mut arena = meter.step(|_| gpu.array::<u32>(words, "what is measured"))?;
        Ok(Self {
            fill: meter.step(|meter| figures::fill(meter, &mut arena))?,
            copy: meter.step(|meter| figures::stream(meter, &arena, "copy"))?,
            read: meter.step(|meter| figures::stream(meter, &arena, "read"))?,
            gather: figures::rates(&meter, &arena, "gather")?,
            atomic_add: figures::rates(&meter, &arena, "add")?,
            atomic_min: figures::rates(&meter, &arena, "least")?,
            atomic_add_f64: figures::rates(&meter, &arena, "add_f64")?,
            launch,
            barrier,
            bus,
            allocation,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Measures the bus alone, in a fraction of a second.
    ///
    /// # Errors
    /// As for [`GpuLimits::measure`].
    pub fn measure_bus(gpu: &Gpu, control: &Control) -> Result<Bus> {
        Meter::new(gpu, control).map_err(lift)?.step(figures::bus)
    }

    /// Bytes a second that nothing in order goes beyond: the better one of copying and reading.
    pub fn bandwidth(&self) -> f64 {
        self.copy.max(self.read)
    }

    /// Random reads a second over a footprint: between two measured ones by the logarithm of the footprint.
    pub fn gather_rate(&self, footprint: u64) -> f64 {
        rate_at(&self.gather, footprint)
    }

    /// Random atomic additions a second over a footprint.
    pub fn atomic_rate(&self, footprint: u64) -> f64 {
        rate_at(&self.atomic_add, footprint)
    }

    /// Seconds between two supersteps at least: the shortest barrier over a grid that fills the device, or a launch after
    /// another where that is less.
    pub fn superstep_seconds(&self) -> f64 {
        self.barrier.iter().map(|barrier| barrier.seconds).fold(self.launch.back_to_back, f64::min)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use warpgraph::{Device, Engine};

    /// The simulator.
    ///
    /// # Panics
    /// With the reason where there is none.
    pub(crate) fn simulator() -> Engine {
        Engine::on(Device::Simt, Some(1)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Figures as a card might have them.
    pub(crate) fn limits() -> GpuLimits {
        let rates = |of: [(u64, f64); 3]| {
            of.map(|(mib, per_second)| Rate { footprint: mib << 20, per_second }).to_vec()
        };
        GpuLimits {
            copy: 4e12,
            read: 4.4e12,
            fill: 4.5e12,
            gather: rates([(1, 160e9), (32, 140e9), (4096, 40e9)]),
            atomic_add: rates([(1, 100e9), (32, 95e9), (4096, 16e9)]),
            atomic_min: rates([(1, 80e9), (32, 79e9), (4096, 16e9)]),
            atomic_add_f64: rates([(16, 50e9), (32, 45e9), (128, 20e9)]),
            launch: Launch { back_to_back: 4e-6, waited: 9e-6, fetched: 15e-6 },
            barrier: vec![
                Barrier { blocks: 132, threads: 1024, seconds: 1.0e-6 },
                Barrier { blocks: 1056, threads: 256, seconds: 3.0e-6 },
            ],
            bus: Bus { bytes: 256 << 20, to_device: 55e9, to_host: 55e9, pageable_to_device: 7e9 },
            allocation: Allocation { bytes: 24 << 20, new: 140e-6, reused: 7e-6 },
            seconds: 3.0,
        }
    }

    #[test]
    fn figures_are_looked_up() {
        let limits = limits();
        assert_eq!((limits.bandwidth(), limits.gather_rate(32 << 20)), (4.4e12, 140e9));
        assert_eq!((limits.gather_rate(1), limits.superstep_seconds()), (160e9, 1e-6));
        let launch = Launch { back_to_back: 1e-7, ..limits.launch };
        assert_eq!(GpuLimits { launch, ..limits.clone() }.superstep_seconds(), 1e-7, "less than a barrier");
        let between = limits.atomic_rate(256 << 20);
        assert!(16e9 < between && between < 95e9, "{between}");
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn the_simulator_gives_every_figure_unless_it_is_cancelled() {
        let (engine, control) = (simulator(), Control::new());
        let gpu = engine.gpu().unwrap();
        let limits = GpuLimits::measure(gpu, &control).unwrap();
        assert_eq!((limits.gather.len(), limits.atomic_add_f64.len(), limits.barrier.len()), (8, 3, 3));
        let rates = [&limits.gather, &limits.atomic_add, &limits.atomic_min].map(|rates| &rates[..]).concat();
        assert!(rates.iter().all(|rate| rate.per_second > 0.0 && rate.per_second.is_finite()), "{limits:?}");
        let (launch, bus) = (limits.launch, limits.bus);
        assert!([limits.copy, limits.read, limits.fill, bus.to_device, bus.to_host].iter().all(|&x| x > 0.0));
        assert!(launch.back_to_back > 0.0 && launch.waited > 0.0 && launch.fetched > 0.0, "{launch:?}");
        let text = serde_json::to_string(&limits).unwrap();
        assert_eq!(serde_json::from_str::<GpuLimits>(&text).unwrap().gather.len(), 8);
        control.cancel();
        assert!(GpuLimits::measure(gpu, &control).is_err());
    }
}
