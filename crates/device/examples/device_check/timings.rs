//! Measures the cost of copies, launches, waits and allocations.

use crate::{
    checks::Seen,
    kernels::{Word, kernel},
};
use std::time::Instant;
use warpgraph_device::{Gpu, Result, Shape};

fn words(error: warpgraph_device::Error) -> String {
    error.to_string()
}

/// Bandwidth of copies: from plain memory, within the device, to pinned memory.
pub(crate) fn copies(gpu: &Gpu) -> Seen {
    let bytes = (256 << 20).min(gpu.properties().memory / 16) as usize;
    let values = vec![1_u8; bytes];
    let run = || -> Result<[f64; 3]> {
        let (mut from, mut to) = (gpu.array::<u8>(bytes, "from")?, gpu.array::<u8>(bytes, "to")?);
        let mut pinned = gpu.pinned::<u8>(bytes, "pinned")?;
        from.write(&values)?;
        to.copy_from(&from)?;
        let start = Instant::now();
        from.write(&values)?;
        let plain = start.elapsed().as_secs_f64();
        let within = gpu.timed(|| to.copy_from(&from))?;
        let back = gpu.timed(|| pinned.fetch(&to))?;
        Ok([plain, within, back])
    };
    let [plain, within, back] = run().map_err(words)?.map(|seconds| bytes as f64 / seconds / 1e9);
    Ok(format!(
        "{} MiB: {plain:.1} GB/s from plain memory, {within:.1} within, {back:.1} to pinned memory",
        bytes >> 20
    ))
}

/// Measures the cost of a launch on the host, on the device, and with a wait.
pub(crate) fn launches(gpu: &Gpu) -> Seen {
    const TIMES: u32 = 1000;
    let run = || -> Result<[f64; 3]> {
        let word = gpu.array_of(&[0_u32], "word")?;
        let (kernel, arguments) = (kernel(gpu, "nothing")?, Word { word: word.address() });
        // SAFETY: the kernel does nothing.
        let launch = || unsafe { gpu.launch(&kernel, Shape { grid: 1, block: 32, shared: 0 }, &arguments) };
        launch()?;
        gpu.finish()?;
        let start = Instant::now();
        (0..TIMES).try_for_each(|_| launch())?;
        let host = start.elapsed().as_secs_f64();
        gpu.finish()?;
        let device = gpu.timed(|| (0..TIMES).try_for_each(|_| launch()))?;
        let start = Instant::now();
        (0..TIMES).try_for_each(|_| launch().and_then(|()| gpu.finish()))?;
        Ok([host, device, start.elapsed().as_secs_f64()])
    };
    let [host, device, waited] = run().map_err(words)?.map(|seconds| seconds / f64::from(TIMES) * 1e6);
    Ok(format!("{host:.2} us on the host, {device:.2} us apart on the device, {waited:.2} us with a wait"))
}

/// Measures the cost of an allocation, new and reused.
pub(crate) fn allocations(gpu: &Gpu) -> Seen {
    const TIMES: u32 = 1000;
    let least = (gpu.properties().memory as usize / 64).min(24 << 20);
    let bytes = |i: usize| least + (i << 21);
    let run = || -> Result<[f64; 3]> {
        let start = Instant::now();
        let arrays = (1..=4).map(|i| gpu.array::<u8>(bytes(i), "new")).collect::<Result<Vec<_>>>()?;
        let new = start.elapsed().as_secs_f64() / arrays.len() as f64;
        drop(arrays);
        let start = Instant::now();
        (0..TIMES).try_for_each(|_| gpu.array::<u8>(bytes(1), "again").map(drop))?;
        let again = start.elapsed().as_secs_f64() / f64::from(TIMES);
        let start = Instant::now();
        (0..TIMES).try_for_each(|_| gpu.pinned::<u32>(16, "words").map(drop))?;
        Ok([new, again, start.elapsed().as_secs_f64() / f64::from(TIMES)])
    };
    let [new, again, pinned] = run().map_err(words)?.map(|seconds| seconds * 1e6);
    Ok(format!("{new:.1} us new, {again:.2} us used again, {pinned:.2} us pinned"))
}
