//! The kernels that measure a GPU compile for every architecture that is supported. No GPU is needed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::{path::Path, process::ExitCode};
use warpgraph::devices::nvrtc::{Nvrtc, OPTIONS};
use warpgraph_bench::gpu_limits;
use warpgraph_testing::{Suite, Test, needs};

fn main() -> ExitCode {
    [(12, [70, 80, 90].as_slice()), (13, &[80, 90])]
        .into_iter()
        .fold(Suite::default(), |suite, (cuda, targets)| {
            let test = Test::new(format!("kernels_compile_by_cuda_{cuda}"), move || compile(cuda, targets));
            suite.needing(&needs::nvrtc(cuda), vec![test])
        })
        .run()
}

fn compile(cuda: u32, targets: &[u32]) {
    let library = std::env::var_os(format!("WARPGRAPH_NVRTC_{cuda}")).expect("the need of this test");
    let (nvrtc, source) = (Nvrtc::open(Path::new(&library)).unwrap(), gpu_limits::source().unwrap());
    for &sm in targets {
        nvrtc.compile(&source, sm, OPTIONS).unwrap_or_else(|error| panic!("sm_{sm}: {error}"));
    }
}
