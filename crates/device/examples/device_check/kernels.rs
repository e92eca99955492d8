//! The arguments of the kernels, and their text.

use warpgraph_device::{Address, Arguments, Gpu, Kernel, PRELUDE, Result, Source, arguments};

arguments! {
    pub(crate) struct Vectors {
        pub(crate) a: Address<f32>,
        pub(crate) b: Address<f32>,
        pub(crate) out: Address<f32>,
        pub(crate) count: u32,
        pub(crate) unused: u32,
    }
}

arguments! {
    pub(crate) struct Warps {
        pub(crate) sums: Address<u32>,
        pub(crate) ballots: Address<u32>,
        pub(crate) last: Address<u32>,
    }
}

arguments! {
    pub(crate) struct Reduce {
        pub(crate) values: Address<u64>,
        pub(crate) total: Address<u64>,
        pub(crate) count: u32,
        pub(crate) unused: u32,
    }
}

arguments! {
    pub(crate) struct Turn {
        pub(crate) values: Address<u32>,
        pub(crate) each: u32,
        pub(crate) unused: u32,
    }
}

arguments! {
    pub(crate) struct Barrier {
        pub(crate) slots: Address<u32>,
        pub(crate) arrived: Address<u32>,
        pub(crate) wrong: Address<u32>,
        pub(crate) rounds: u32,
        pub(crate) unused: u32,
    }
}

arguments! {
    pub(crate) struct Endless {
        pub(crate) cancel: Address<u32>,
        pub(crate) ended: Address<u32>,
    }
}

arguments! {
    pub(crate) struct Numbers {
        pub(crate) x: Address<f32>,
        pub(crate) y: Address<f32>,
        pub(crate) z: Address<f32>,
        pub(crate) fused: Address<f32>,
        pub(crate) divided: Address<f32>,
        pub(crate) rooted: Address<f32>,
        pub(crate) wide: Address<f64>,
        pub(crate) count: u32,
        pub(crate) unused: u32,
    }
}

arguments! {
    pub(crate) struct Word {
        pub(crate) word: Address<u32>,
    }
}

/// The text of all kernels.
pub(crate) fn source() -> Result<Source> {
    let structs = [
        Vectors::cuda(),
        Warps::cuda(),
        Reduce::cuda(),
        Turn::cuda(),
        Barrier::cuda(),
        Endless::cuda(),
        Numbers::cuda(),
        Word::cuda(),
    ]
    .concat();
    let files = [PRELUDE, ("arguments.cuh", structs.as_str())];
    let kernels =
        vec!["add", "warps", "reduce", "turn", "barrier", "endless", "arithmetic", "nothing", "trap_here"];
    Source::assemble("device-check", include_str!("kernels.cu"), &files, kernels)
}

/// Returns one of the kernels, compiled.
pub(crate) fn kernel(gpu: &Gpu, name: &'static str) -> Result<Kernel> {
    gpu.compile(&source()?)?.kernel(name)
}
