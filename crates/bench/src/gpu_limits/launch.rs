//! Launches, and barriers within one.

use super::{
    Barrier, Launch,
    kernels::{Barriers, File, Word, kernel},
    median,
    sizes::Sizes,
};
use std::time::Instant;
use warpgraph::{
    Gpu,
    devices::{Kernel, Result, Shape},
};

/// The least that can be launched.
const ONE_WARP: Shape = Shape { grid: 1, block: 32, shared: 0 };
/// Threads of a block, and how many such blocks of a multiprocessor take part in a barrier; 0: all that fit.
const GRIDS: [(u32, u32); 3] = [(1024, 1), (1024, 2), (256, 0)];

/// Seconds of a launch.
pub(super) fn launch(gpu: &Gpu, sizes: &Sizes) -> Result<Launch> {
    let (kernel, word) = (kernel(gpu, File::Grid, "nothing")?, gpu.array_of(&[0_u32], "word")?);
    let mut host = gpu.pinned::<u32>(1, "word")?;
    let given = Word { word: word.address() };
    // SAFETY: the kernel does nothing.
    let one = || unsafe { gpu.launch(&kernel, ONE_WARP, &given) };
    let times = sizes.launches;
    let back_to_back = median(sizes, || gpu.timed(|| (0..times).try_for_each(|_| one())))?;
    let waited = median(sizes, || {
        let start = Instant::now();
        (0..times).try_for_each(|_| one().and_then(|()| gpu.finish()))?;
        Ok(start.elapsed().as_secs_f64())
    })?;
    let fetched = median(sizes, || {
        let start = Instant::now();
        (0..times).try_for_each(|_| one().and_then(|()| host.fetch(&word)).and_then(|()| gpu.finish()))?;
        Ok(start.elapsed().as_secs_f64())
    })?;
    let [back_to_back, waited, fetched] = [back_to_back, waited, fetched].map(|s| s / f64::from(times));
    Ok(Launch { back_to_back, waited, fetched })
}

/// Seconds of a barrier over each grid.
pub(super) fn barriers(gpu: &Gpu, sizes: &Sizes) -> Result<Vec<Barrier>> {
    let kernel = kernel(gpu, File::Grid, "barriers")?;
    let multiprocessors = gpu.properties().multiprocessors;
    let grid = |(threads, blocks): (u32, u32)| {
        let most = gpu.coresident_blocks(&kernel, threads, 0)?;
        let grid = if blocks == 0 { most } else { most.min(blocks * multiprocessors) };
        barrier(gpu, &kernel, Shape { grid, block: threads, shared: 0 }, sizes)
    };
    GRIDS.into_iter().map(grid).collect()
}

fn barrier(gpu: &Gpu, kernel: &Kernel, shape: Shape, sizes: &Sizes) -> Result<Barrier> {
    let mut arrived = gpu.array_of(&[0_u32], "arrived")?;
    let given = Barriers { arrived: arrived.address(), count: sizes.barriers, unused: 0 };
    let seconds = median(sizes, || {
        arrived.fill_bytes(0)?;
        // SAFETY: the kernel counts in one word, which is 0; `timed` waits.
        gpu.timed(|| unsafe { gpu.launch_coresident(kernel, shape, &given) })
    })?;
    let Shape { grid: blocks, block: threads, .. } = shape;
    Ok(Barrier { blocks, threads, seconds: seconds / f64::from(sizes.barriers) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::simulator;

    #[test]
    fn barriers_are_over_one_and_two_blocks_a_multiprocessor_and_all_of_256() {
        let Some(engine) = simulator() else { return };
        let gpu = engine.gpu().unwrap();
        let all = barriers(gpu, &Sizes::of(gpu).unwrap()).unwrap();
        let grids: Vec<(u32, u32)> = all.iter().map(|barrier| (barrier.blocks, barrier.threads)).collect();
        assert_eq!(grids, [(2, 1024), (4, 1024), (4, 256)], "two multiprocessors of two blocks");
    }
}
