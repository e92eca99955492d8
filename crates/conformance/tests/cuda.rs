//! The GPU engine on the first NVIDIA GPU, held to the cases of GPUs. Where there is none, each test says so and passes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph_conformance::{OnGpu, conformance};
use warpgraph_device::{Error, Settings, cuda};

/// The first GPU; a handle of its own for every test.
fn first() -> Option<OnGpu> {
    match cuda::open(0, &Settings::default()) {
        Ok(gpu) => Some(OnGpu::new(gpu)),
        Err(Error::NoDriver { .. } | Error::NoDevice { .. }) => None,
        Err(error) => panic!("{error}\nhelp: {}", error.help()),
    }
}

conformance!(gpu gpu, first());
