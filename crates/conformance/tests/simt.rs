//! The GPU engine on the simulator, held to the cases of GPUs: where there is no GPU, its kernels are tested here.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph::graph::hash;
use warpgraph_conformance::{OnGpu, conformance};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};

/// A simulator of its own for every test, with an order of lanes of its own: that of the test's name.
fn simulated() -> Option<OnGpu> {
    let name = std::thread::current().name().map_or_else(String::new, str::to_owned);
    let seed = name.bytes().fold(0, |h, byte| hash::mix(h, u64::from(byte)));
    let options = SimtOptions { seed, ..SimtOptions::default() };
    Some(OnGpu::new(Simt::open(&Settings::default(), options).unwrap()))
}

conformance!(gpu simulator, simulated());
