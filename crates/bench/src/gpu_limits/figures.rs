//! The figures, one function for each kind.

use super::{
    Allocation, Barrier, Bus, Launch,
    meter::{Given, Meter, THREADS},
};
use crate::limits::Rate;
use std::time::Instant;
use warpgraph::devices::{Address, Array, Result, Shape};

/// New allocations that are measured: more would only fill the memory.
const NEW: u64 = 4;
/// How far they differ in size, so that none is used again for another.
const APART: u64 = 2 << 20;
/// The least that can be launched.
const ONE_WARP: Shape = Shape { grid: 1, block: 32, shared: 0 };
/// Threads of a block, and how many such blocks of a multiprocessor take part in a barrier; 0: all that fit.
const GRIDS: [(u32, u32); 3] = [(1024, 1), (1024, 2), (256, 0)];
/// Random accesses that a thread has under way at a time, as in limits.cu.
const ACCESSES: u32 = 8;
/// What no sum is, but for one in 2^32.
const NEVER: u32 = 0x9e37_79b9;

pub(super) fn allocation(meter: &Meter<'_>) -> Result<Allocation> {
    let sized =
        |i: u64| meter.gpu.array::<u8>((meter.sizes.allocation + i * APART) as usize, "an allocation");
    let start = Instant::now();
    let arrays = (1..=NEW).map(sized).collect::<Result<Vec<_>>>()?;
    let new = start.elapsed().as_secs_f64() / NEW as f64;
    drop(arrays);
    let times = meter.sizes.times;
    let reused = meter.on_host(|| (0..times).try_for_each(|_| sized(1).map(drop)))? / f64::from(times);
    Ok(Allocation { bytes: meter.sizes.allocation + APART, new, reused })
}

pub(super) fn bus(meter: &Meter<'_>) -> Result<Bus> {
    let (gpu, bytes) = (meter.gpu, meter.sizes.bus);
    let plain = vec![1_u8; bytes as usize];
    let mut array = gpu.array::<u8>(plain.len(), "copies")?;
    let mut pinned = gpu.pinned::<u8>(plain.len(), "copies")?;
    let rate = |seconds: f64| bytes as f64 / seconds;
    Ok(Bus {
        bytes,
        to_device: rate(meter.on_device(|| array.copy_from_pinned(&pinned))?),
        // Done when it returns: what the host waits for.
        pageable_to_device: rate(meter.on_host(|| array.write(&plain))?),
        to_host: rate(meter.on_device(|| pinned.fetch(&array))?),
    })
}

pub(super) fn launch(meter: &Meter<'_>) -> Result<Launch> {
    let (gpu, times) = (meter.gpu, meter.sizes.times);
    let (kernel, word) = (meter.kernel("nothing")?, gpu.array_of(&[0_u32], "word")?);
    let mut host = gpu.pinned::<u32>(1, "word")?;
    let given = given(&word, word.address(), 0);
    // SAFETY: the kernel does nothing.
    let one = || unsafe { gpu.launch(&kernel, ONE_WARP, &given) };
    let mut fetch = || one().and_then(|()| host.fetch(&word)).and_then(|()| gpu.finish());
    let back_to_back = meter.on_device(|| (0..times).try_for_each(|_| one()))?;
    let waited = meter.on_host(|| (0..times).try_for_each(|_| one().and_then(|()| gpu.finish())))?;
    let fetched = meter.on_host(|| (0..times).try_for_each(|_| fetch()))?;
    let [back_to_back, waited, fetched] = [back_to_back, waited, fetched].map(|s| s / f64::from(times));
    Ok(Launch { back_to_back, waited, fetched })
}

/// A barrier over each grid.
pub(super) fn barriers(meter: &Meter<'_>) -> Result<Vec<Barrier>> {
    let (gpu, times) = (meter.gpu, meter.sizes.times);
    let (kernel, mut arrived) = (meter.kernel("barriers")?, gpu.array_of(&[0_u32], "arrived")?);
    let given = given(&arrived, arrived.address(), times.into());
    let barrier = |(threads, blocks): (u32, u32)| {
        let most = gpu.coresident_blocks(&kernel, threads, 0)?;
        let blocks = if blocks == 0 { most } else { most.min(blocks * gpu.properties().multiprocessors) };
        let shape = Shape { grid: blocks, block: threads, shared: 0 };
        let seconds = meter.median(|| {
            arrived.fill_bytes(0)?;
            // SAFETY: the kernel counts in one word, which is 0; `timed` waits.
            gpu.timed(|| unsafe { gpu.launch_coresident(&kernel, shape, &given) })
        })?;
        Ok(Barrier { blocks, threads, seconds: seconds / f64::from(times) })
    };
    GRIDS.into_iter().map(barrier).collect()
}

/// Bytes set a second. Leaves the arena filled with 0.
pub(super) fn fill(meter: &Meter<'_>, arena: &mut Array<u32>) -> Result<f64> {
    Ok(arena.bytes() as f64 / meter.on_device(|| arena.fill_bytes(0))?)
}

/// Bytes read and written a second by copying the first half to the second; or read by reading all.
pub(super) fn stream(meter: &Meter<'_>, arena: &Array<u32>, name: &'static str) -> Result<f64> {
    let (first, words) = (arena.address(), arena.len() as u64);
    let given = match name {
        "copy" => given(arena, Address::new(first.raw() + arena.bytes() / 2), words / 2),
        _ => given(arena, first, words),
    };
    let (kernel, shape) = meter.full(name)?;
    // SAFETY: as many words are behind the addresses, which are within the arena, halves that do not overlap where
    // something is written; `timed` waits.
    let seconds = meter.on_device(|| unsafe { meter.gpu.launch(&kernel, shape, &given) })?;
    Ok(arena.bytes() as f64 / seconds)
}

/// Accesses a second by a kernel over each footprint.
pub(super) fn rates(
    meter: &Meter<'_>,
    arena: &Array<u32>,
    kernel: &'static str,
) -> warpgraph::Result<Vec<Rate>> {
    let sizes = &meter.sizes;
    let footprints = if kernel == "add_f64" { &sizes.footprints_f64 } else { &sizes.footprints };
    let rate = |&footprint: &u64| {
        let per_second = meter.step(|meter| rate(meter, arena, kernel, footprint))?;
        Ok(Rate { footprint, per_second })
    };
    footprints.iter().map(rate).collect()
}

fn rate(meter: &Meter<'_>, arena: &Array<u32>, name: &'static str, footprint: u64) -> Result<f64> {
    assert!(footprint <= arena.bytes() && footprint.is_power_of_two(), "a footprint of {footprint}");
    let (kernel, shape) = meter.full(name)?;
    let each = u64::from(shape.grid) * u64::from(THREADS * ACCESSES);
    let rounds = meter.sizes.accesses.div_ceil(each);
    let cells = footprint / if name == "add_f64" { 8 } else { 4 };
    let given = Given { mask: (cells - 1) as u32, ..given(arena, arena.address(), rounds) };
    // SAFETY: places are within the mask, whose cells are within the arena, asserted above; any bits are a cell; `timed`
    // waits.
    let seconds = meter.on_device(|| unsafe { meter.gpu.launch(&kernel, shape, &given) })?;
    Ok((rounds * each) as f64 / seconds)
}

fn given(cells: &Array<u32>, to: Address<u32>, count: u64) -> Given {
    Given { cells: cells.address(), to, count, mask: 0, never: NEVER }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::simulator;
    use warpgraph::Control;

    fn on_simulator(test: impl FnOnce(Meter<'_>)) {
        let (engine, control) = (simulator(), Control::new());
        test(Meter::new(engine.gpu().unwrap(), &control).unwrap());
    }

    fn arena(meter: &Meter<'_>, values: &[u32]) -> Array<u32> {
        meter.gpu.array_of(values, "arena").unwrap()
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn a_copy_copies_whatever_its_length_and_pinned_memory_brings_its_values() {
        on_simulator(|meter| {
            let values: Vec<u32> = (0..2 * 10_004).collect();
            let array = arena(&meter, &values);
            stream(&meter, &array, "copy").unwrap();
            assert_eq!(array.to_vec().unwrap(), [&values[..10_004], &values[..10_004]].concat());
            let (mut pinned, mut array) = (meter.gpu.pinned::<u32>(5, "p").unwrap(), arena(&meter, &[0; 5]));
            (0..5).for_each(|i| pinned.set(i, 7 * i as u32));
            array.copy_from_pinned(&pinned).unwrap();
            assert_eq!(array.to_vec().unwrap(), [0, 7, 14, 21, 28]);
        });
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn a_read_reads_every_word() {
        on_simulator(|meter| {
            let (kernel, shape) = meter.full("read").unwrap();
            // One word a thread, and one thread with one more: that one sees 1 + 1.
            let count = (shape.grid * shape.block + 1) as usize;
            let (cells, sink) = (arena(&meter, &vec![1; count]), arena(&meter, &[0]));
            let given = Given { never: 2, ..given(&cells, sink.address(), count as u64) };
            // SAFETY: that many words; the sink is read below.
            unsafe { meter.gpu.launch(&kernel, shape, &given) }.unwrap();
            assert_eq!(sink.to_vec().unwrap(), [2]);
        });
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn barriers_are_over_one_and_two_blocks_a_multiprocessor_and_all_of_256() {
        on_simulator(|meter| {
            let all = barriers(&meter).unwrap();
            let grids: Vec<_> = all.iter().map(|barrier| (barrier.blocks, barrier.threads)).collect();
            assert_eq!(grids, [(2, 1024), (4, 1024), (4, 256)], "two multiprocessors of two blocks");
        });
    }

    #[test]
    #[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), ignore = "no simulator here")]
    fn accesses_are_as_many_as_are_counted_and_all_over_the_footprint() {
        on_simulator(|mut meter| {
            meter.sizes.repeats = 1;
            let after = |kernel, cells: usize, value| {
                let arena = arena(&meter, &vec![value; cells]);
                rate(&meter, &arena, kernel, 4 << 10).unwrap();
                arena.to_vec().unwrap()
            };
            // Once that does not count, and once that does; all resident threads do the same number.
            let all = 2 * meter.sizes.accesses;
            let cells = after("add", 1 << 12, 0);
            let touched = cells.iter().filter(|&&cell| cell > 0).count();
            assert_eq!((u64::from(cells.iter().sum::<u32>()), touched), (all, 1 << 10));
            assert_eq!(cells[1 << 10..].iter().max(), Some(&0));
            assert_eq!(after("least", 1 << 10, u32::MAX), (0..1 << 10).collect::<Vec<u32>>());
            let value = |pair: &[u32]| f64::from_bits(u64::from(pair[0]) | u64::from(pair[1]) << 32);
            assert_eq!(after("add_f64", 1 << 10, 0).chunks(2).map(value).sum::<f64>(), all as f64);
        });
    }
}
