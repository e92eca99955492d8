//! The GPU engine on the simulator, held to every case: where there is no GPU, its kernels are tested here.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod sanitized;
mod variants;

use std::process::ExitCode;
use warpgraph_conformance::devices;
use warpgraph_testing::{Suite, needs, tests};

fn main() -> ExitCode {
    if sanitized::is_inside() {
        return sanitized::inner().run();
    }
    let simulator = devices::needs_simulator();
    let sanitizer = needs::all([simulator.clone(), needs::address_sanitizer()]);
    Suite::default()
        .needing(&simulator, warpgraph_conformance::tests("simulator", devices::simulator))
        .needing(
            &simulator,
            tests![
                variants::what_runs_is_in_the_table_and_what_is_in_the_table_runs,
                variants::other_parameters_need_no_other_kernels,
            ],
        )
        .needing(
            &sanitizer,
            tests![
                sanitized::no_kernel_reaches_outside_of_its_arrays,
                sanitized::one_that_did_would_be_seen,
            ],
        )
        .run()
}
