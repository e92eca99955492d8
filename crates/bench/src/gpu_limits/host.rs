//! What goes between host and device: copies over the bus, and allocations.

use super::{Allocation, Bus, median, sizes::Sizes};
use std::time::Instant;
use warpgraph::{Gpu, devices::Result};

/// New allocations that are measured: more would only fill the memory.
const NEW: u64 = 4;
/// How far they differ in size, so that none is used again for another.
const APART: u64 = 2 << 20;

/// Bytes a second over the bus.
pub(super) fn bus(gpu: &Gpu, sizes: &Sizes) -> Result<Bus> {
    let bytes = sizes.bus;
    let plain = vec![1_u8; bytes as usize];
    let mut array = gpu.array::<u8>(plain.len(), "copies")?;
    let mut pinned = gpu.pinned::<u8>(plain.len(), "copies")?;
    let to_device = median(sizes, || gpu.timed(|| array.copy_from_pinned(&pinned)))?;
    let pageable_to_device = median(sizes, || {
        // Done when it returns: what the host waits for.
        let start = Instant::now();
        array.write(&plain)?;
        Ok(start.elapsed().as_secs_f64())
    })?;
    let to_host = median(sizes, || gpu.timed(|| pinned.fetch(&array)))?;
    let [to_device, to_host, pageable_to_device] =
        [to_device, to_host, pageable_to_device].map(|seconds| bytes as f64 / seconds);
    Ok(Bus { bytes, to_device, to_host, pageable_to_device })
}

/// Seconds of an allocation.
pub(super) fn allocation(gpu: &Gpu, sizes: &Sizes) -> Result<Allocation> {
    let bytes = sizes.allocation;
    let start = Instant::now();
    let arrays = (1..=NEW).map(|i| gpu.array::<u8>((bytes + i * APART) as usize, "an allocation"));
    let arrays = arrays.collect::<Result<Vec<_>>>()?;
    let new = start.elapsed().as_secs_f64() / NEW as f64;
    drop(arrays);
    let reused = median(sizes, || {
        let start = Instant::now();
        (0..sizes.launches)
            .try_for_each(|_| gpu.array::<u8>((bytes + APART) as usize, "an allocation").map(drop))?;
        Ok(start.elapsed().as_secs_f64() / f64::from(sizes.launches))
    })?;
    Ok(Allocation { bytes: bytes + APART, new, reused })
}

#[cfg(test)]
mod tests {
    use crate::gpu_limits::tests::simulator;

    #[test]
    fn a_copy_from_pinned_memory_brings_its_values() {
        let Some(engine) = simulator() else { return };
        let gpu = engine.gpu().unwrap();
        let (mut pinned, mut array) = (gpu.pinned::<u32>(5, "p").unwrap(), gpu.array::<u32>(5, "a").unwrap());
        (0..5).for_each(|i| pinned.set(i, 7 * i as u32));
        array.copy_from_pinned(&pinned).unwrap();
        assert_eq!(array.to_vec().unwrap(), [0, 7, 14, 21, 28]);
    }
}
