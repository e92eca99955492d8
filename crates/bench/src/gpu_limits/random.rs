//! Accesses at random places, by footprint.

use super::{
    kernels::{File, Random, THREADS, full, kernel},
    median,
    sizes::Sizes,
};
use crate::limits::Rate;
use warpgraph::{
    Control, Gpu,
    devices::{self, Array},
};
use warpgraph_gpu::lift;

/// Accesses a thread has under way at a time, as in random.cu.
const IN_FLIGHT: u32 = 8;
/// What no sum is, but for one in 2^32.
const NEVER: u32 = 0x9e37_79b9;

/// What is done at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Gather,
    Add,
    Min,
    AddF64,
}

impl Access {
    fn kernel(self) -> &'static str {
        match self {
            Self::Gather => "gather",
            Self::Add => "add",
            Self::Min => "least",
            Self::AddF64 => "add_f64",
        }
    }

    fn cell_bytes(self) -> u64 {
        if self == Self::AddF64 { 8 } else { 4 }
    }
}

/// Accesses a second over each footprint.
pub(super) fn rates(
    gpu: &Gpu,
    arena: &Array<u32>,
    access: Access,
    sizes: &Sizes,
    control: &Control,
) -> warpgraph::Result<Vec<Rate>> {
    let footprints = if access == Access::AddF64 { &sizes.footprints_f64 } else { &sizes.footprints };
    let rate = |&footprint: &u64| {
        control.check("measuring the GPU")?;
        let per_second = rate(gpu, arena, access, footprint, sizes).map_err(lift)?;
        Ok(Rate { footprint, per_second })
    };
    footprints.iter().map(rate).collect()
}

fn rate(
    gpu: &Gpu,
    arena: &Array<u32>,
    access: Access,
    footprint: u64,
    sizes: &Sizes,
) -> devices::Result<f64> {
    assert!(footprint <= arena.bytes() && footprint.is_power_of_two(), "a footprint of {footprint}");
    let kernel = kernel(gpu, File::Random, access.kernel())?;
    let shape = full(gpu, &kernel)?;
    let each = u64::from(shape.grid) * u64::from(THREADS * IN_FLIGHT);
    let rounds = sizes.accesses.div_ceil(each);
    let given = Random {
        cells: arena.address(),
        sink: arena.address(),
        mask: (footprint / access.cell_bytes() - 1) as u32,
        rounds: rounds as u32,
        never: NEVER,
        unused: 0,
    };
    // SAFETY: places are within the mask, whose cells are within the arena, asserted above; any bits are a cell; `timed`
    // waits.
    let seconds = median(sizes, || gpu.timed(|| unsafe { gpu.launch(&kernel, shape, &given) }))?;
    Ok((rounds * each) as f64 / seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::simulator;

    #[test]
    fn as_many_additions_are_made_as_are_counted_all_over_the_footprint() {
        let Some(engine) = simulator() else { return };
        let gpu = engine.gpu().unwrap();
        let sizes = Sizes { repeats: 1, ..Sizes::of(gpu).unwrap() };
        let arena = gpu.array_of(&vec![0_u32; 1 << 12], "arena").unwrap();
        rate(gpu, &arena, Access::Add, 4 << 10, &sizes).unwrap();
        let cells = arena.to_vec().unwrap();
        let (sum, touched) = (cells.iter().sum::<u32>(), cells.iter().filter(|&&cell| cell > 0).count());
        // Once that does not count, and once that does; all resident threads do the same number.
        assert_eq!(u64::from(sum), 2 * sizes.accesses);
        assert_eq!((touched, cells[1 << 10..].iter().max()), (1 << 10, Some(&0)));
    }

    #[test]
    fn minima_and_sums_are_those_of_the_places() {
        let Some(engine) = simulator() else { return };
        let gpu = engine.gpu().unwrap();
        let sizes = Sizes { repeats: 1, ..Sizes::of(gpu).unwrap() };
        let arena = gpu.array_of(&vec![u32::MAX; 1 << 10], "arena").unwrap();
        rate(gpu, &arena, Access::Min, 4 << 10, &sizes).unwrap();
        assert_eq!(arena.to_vec().unwrap(), (0..1 << 10).collect::<Vec<u32>>());
        let zeros = gpu.array_of(&vec![0_u32; 1 << 10], "arena").unwrap();
        rate(gpu, &zeros, Access::AddF64, 4 << 10, &sizes).unwrap();
        let words = zeros.to_vec().unwrap();
        let value = |pair: &[u32]| f64::from_bits(u64::from(pair[0]) | u64::from(pair[1]) << 32);
        let sum: f64 = words.chunks(2).map(value).sum();
        assert_eq!(sum, 2.0 * sizes.accesses as f64);
    }
}
