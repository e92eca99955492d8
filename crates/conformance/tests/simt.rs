//! The GPU engine on the simulator, held to the cases of GPUs: where there is no GPU, its kernels are tested here.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph_conformance::{OnGpu, conformance};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};

/// A simulator of its own for every test, with an order of lanes of its own.
fn simulated(seed: u64) -> OnGpu {
    OnGpu::new(Simt::open(&Settings::default(), SimtOptions { seed, ..SimtOptions::default() }).unwrap())
}

conformance!(gpu simulator, simulated(line!().into()));
