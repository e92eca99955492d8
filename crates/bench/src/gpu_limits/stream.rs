//! Memory in order: copied, read, filled.

use super::{
    kernels::{File, Streamed, full, kernel},
    median,
    sizes::Sizes,
};
use warpgraph::{
    Gpu,
    devices::{Address, Array, Result},
};

/// What no sum is that is read here: all cells hold 0.
const NEVER: u32 = 0x9e37_79b9;

/// Bytes set a second. Leaves the arena filled with 0.
pub(super) fn fill(gpu: &Gpu, arena: &mut Array<u32>, sizes: &Sizes) -> Result<f64> {
    let seconds = median(sizes, || gpu.timed(|| arena.fill_bytes(0)))?;
    Ok(arena.bytes() as f64 / seconds)
}

/// Bytes read and written a second: the first half to the second.
pub(super) fn copy(gpu: &Gpu, arena: &Array<u32>, sizes: &Sizes) -> Result<f64> {
    let half = arena.bytes() / 2;
    let to = Address::new(arena.address().raw() + half);
    let given = Streamed { from: arena.address(), to, sink: to, words: half / 4, never: NEVER, unused: 0 };
    run(gpu, "copy", &given, sizes).map(|seconds| 2.0 * half as f64 / seconds)
}

/// Bytes read a second.
pub(super) fn read(gpu: &Gpu, arena: &Array<u32>, sizes: &Sizes) -> Result<f64> {
    let (from, words) = (arena.address(), arena.len() as u64);
    let given = Streamed { from, to: from, sink: from, words, never: NEVER, unused: 0 };
    run(gpu, "read", &given, sizes).map(|seconds| arena.bytes() as f64 / seconds)
}

fn run(gpu: &Gpu, name: &'static str, given: &Streamed, sizes: &Sizes) -> Result<f64> {
    let kernel = kernel(gpu, File::Stream, name)?;
    let shape = full(gpu, &kernel)?;
    // SAFETY: both callers give addresses within the arena with that many words behind them, halves that do not overlap
    // where something is written; `timed` waits.
    median(sizes, || gpu.timed(|| unsafe { gpu.launch(&kernel, shape, given) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::simulator;

    #[test]
    fn a_copy_copies_whatever_its_length() {
        let Some(engine) = simulator() else { return };
        let gpu = engine.gpu().unwrap();
        let values: Vec<u32> = (0..2 * 10_004).collect();
        let arena = gpu.array_of(&values, "arena").unwrap();
        copy(gpu, &arena, &Sizes::of(gpu).unwrap()).unwrap();
        let copied = arena.to_vec().unwrap();
        assert_eq!((&copied[..10_004], &copied[10_004..]), (&values[..10_004], &values[..10_004]));
    }

    #[test]
    fn a_read_reads_every_word() {
        let Some(engine) = simulator() else { return };
        let gpu = engine.gpu().unwrap();
        let kernel = kernel(gpu, File::Stream, "read").unwrap();
        let shape = full(gpu, &kernel).unwrap();
        // One word a thread, and one thread with one more: that one sees 1 + 1.
        let count = (shape.grid * shape.block + 1) as usize;
        let (cells, sink) =
            (gpu.array_of(&vec![1_u32; count], "c").unwrap(), gpu.array_of(&[0_u32], "s").unwrap());
        let (from, sink_at) = (cells.address(), sink.address());
        let given = Streamed { from, to: from, sink: sink_at, words: count as u64, never: 2, unused: 0 };
        // SAFETY: that many words; the sink is read below.
        unsafe { gpu.launch(&kernel, shape, &given) }.unwrap();
        assert_eq!(sink.to_vec().unwrap(), [2]);
    }
}
