//! The kernels: their text, and what they are given.

use warpgraph::devices::{Address, Arguments, Gpu, Kernel, PRELUDE, Result, Shape, Source, arguments};

/// Threads of a block that streams or goes to random places.
pub(super) const THREADS: u32 = 256;

arguments! {
    /// What `copy` and `read` are given.
    pub(super) struct Streamed {
        pub(super) from: Address<u32>,
        pub(super) to: Address<u32>,
        pub(super) sink: Address<u32>,
        pub(super) words: u64,
        /// The sum at which `sink` is written: one that cannot be.
        pub(super) never: u32,
        pub(super) unused: u32,
    }
}

arguments! {
    /// What kernels that go to random places are given.
    pub(super) struct Random {
        pub(super) cells: Address<u32>,
        pub(super) sink: Address<u32>,
        /// Cells less one: a power of two less one.
        pub(super) mask: u32,
        /// Rounds of accesses a thread.
        pub(super) rounds: u32,
        pub(super) never: u32,
        pub(super) unused: u32,
    }
}

arguments! {
    /// What `barriers` is given.
    pub(super) struct Barriers {
        /// 0 at the launch.
        pub(super) arrived: Address<u32>,
        pub(super) count: u32,
        pub(super) unused: u32,
    }
}

arguments! {
    /// What `nothing` is given.
    pub(super) struct Word {
        pub(super) word: Address<u32>,
    }
}

/// A file of kernels.
#[derive(Debug, Clone, Copy)]
pub(super) enum File {
    Stream,
    Random,
    Grid,
}

/// One kernel, compiled.
pub(super) fn kernel(gpu: &Gpu, file: File, name: &'static str) -> Result<Kernel> {
    gpu.compile(&source(file)?)?.kernel(name)
}

fn source(file: File) -> Result<Source> {
    let (name, root, structs, kernels) = match file {
        File::Stream => ("limits-stream", include_str!("stream.cu"), Streamed::cuda(), vec!["copy", "read"]),
        File::Random => (
            "limits-random",
            include_str!("random.cu"),
            Random::cuda(),
            vec!["gather", "add", "least", "add_f64"],
        ),
        File::Grid => (
            "limits-grid",
            include_str!("grid.cu"),
            Barriers::cuda() + &Word::cuda(),
            vec!["barriers", "nothing"],
        ),
    };
    Source::assemble(name, root, &[PRELUDE, ("arguments.cuh", &structs)], kernels)
}

/// As many blocks of [`THREADS`] as run at a time.
pub(super) fn full(gpu: &Gpu, kernel: &Kernel) -> Result<Shape> {
    Ok(Shape { grid: gpu.coresident_blocks(kernel, THREADS, 0)?, block: THREADS, shared: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use warpgraph::devices::nvrtc::{Nvrtc, OPTIONS};

    #[test]
    fn the_kernels_compile_for_real_cards() {
        for (variable, targets) in
            [("WARPGRAPH_NVRTC_12", [70, 80, 90].as_slice()), ("WARPGRAPH_NVRTC_13", &[80, 90])]
        {
            let Some(path) = std::env::var_os(variable) else {
                println!("skipped: {variable} does not name a libnvrtc.so");
                continue;
            };
            let nvrtc = Nvrtc::open(Path::new(&path)).unwrap();
            for file in [File::Stream, File::Random, File::Grid] {
                for &sm in targets {
                    let source = source(file).unwrap();
                    nvrtc.compile(&source, sm, OPTIONS).unwrap_or_else(|error| panic!("{error}"));
                }
            }
        }
    }
}
