//! Programs on several devices, held to the same cases as on one; and devices that fail.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod faults;
mod shapes;

use std::process::ExitCode;
use warpgraph_conformance::{Backend, devices, tests_in_parts};
use warpgraph_device::simt::SimtOptions;
use warpgraph_testing::{Suite, tests};

/// Opens three simulators, each with another order of lanes.
fn simulators(test: &str) -> Backend {
    let seed = test.bytes().fold(7, |h, byte| warpgraph::graph::hash::mix(h, u64::from(byte)));
    let one = |part: usize| SimtOptions { seed: seed + part as u64, ..SimtOptions::default() };
    Backend::several((0..3).map(|part| devices::simulated(one(part))).collect())
}

fn main() -> ExitCode {
    let simulator = devices::needs_simulator();
    let gpu = devices::needs_gpu();
    Suite::default()
        .needing(&simulator, tests_in_parts("three_simulators", simulators))
        .needing(
            &simulator,
            tests![
                shapes::graphs_of_every_shape_have_the_same_answers_in_any_number_of_parts,
                shapes::orders_and_plans_do_not_change_answers,
                shapes::what_several_devices_cannot_do_is_refused,
                shapes::the_report_says_what_was_exchanged,
                faults::an_allocation_that_fails_on_one_device_ends_all,
                faults::a_device_that_is_lost_ends_all,
                faults::a_run_that_is_cancelled_ends_on_all_devices,
            ],
        )
        .needing(
            &gpu,
            tests_in_parts("one_gpu_three_times", |_| {
                Backend::several((0..3).map(|_| devices::gpu()).collect())
            }),
        )
        .run()
}
