//! The GPU engine on the first NVIDIA GPU, held to every case.

use std::process::ExitCode;
use warpgraph_conformance::{devices, tests};
use warpgraph_testing::Suite;

fn main() -> ExitCode {
    Suite::default().needing(&devices::needs_gpu(), tests("gpu", |_| devices::first_gpu())).run()
}
