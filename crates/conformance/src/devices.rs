//! Devices that tests open, and whether they are there.

use crate::Backend;
use warpgraph::graph::hash;
use warpgraph_device::{
    Error, Gpu, Settings, cuda,
    simt::{Simt, SimtOptions},
};
use warpgraph_testing::Need;

/// Needs an NVIDIA GPU. A GPU that is there and cannot be used meets the need: then the tests fail.
pub fn needs_gpu() -> Need {
    match cuda::open(0, &Settings::default()) {
        Err(error @ (Error::NoDriver { .. } | Error::NoDevice { .. })) => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// Opens the first GPU: a handle of its own for every test.
///
/// # Panics
/// When it cannot be opened.
pub fn first_gpu() -> Backend {
    Backend::gpu(gpu())
}

/// Opens the first GPU.
///
/// # Panics
/// When it cannot be opened.
pub fn gpu() -> Gpu {
    let gpu = cuda::open(0, &Settings::default());
    gpu.unwrap_or_else(|error| panic!("{error}\nhelp: {}", error.help()))
}

/// Needs the simulator: x86-64 Linux and a C++ compiler.
pub fn needs_simulator() -> Need {
    Simt::open(&Settings::default(), SimtOptions::default())
        .map(drop)
        .map_err(|error| format!("no simulator: {error}"))
}

/// Opens the simulator for a test, with an order of lanes that is drawn from the test's name.
///
/// # Panics
/// When it cannot be opened.
pub fn simulator(test: &str) -> Backend {
    let seed = test.bytes().fold(0, |h, byte| hash::mix(h, u64::from(byte)));
    Backend::gpu(simulated(SimtOptions { seed, ..SimtOptions::default() }))
}

/// Opens the simulator with options.
///
/// # Panics
/// When it cannot be opened.
pub fn simulated(options: SimtOptions) -> Gpu {
    let gpu = Simt::open(&Settings::default(), options);
    gpu.unwrap_or_else(|error| panic!("{error}\nhelp: {}", error.help()))
}
