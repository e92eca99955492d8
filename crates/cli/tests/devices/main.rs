//! The program and its devices: a simulated GPU, none, and one that fails.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "../common/mod.rs"]
mod common;

mod devices;
mod faults;
mod residency;

use std::process::ExitCode;
use warpgraph::{Device, Engine, devices::cuda};
use warpgraph_testing::{Need, Suite, needs, tests};

fn main() -> ExitCode {
    let simulator = Engine::on(Device::Simt, Some(1)).map(drop).map_err(|error| error.to_string());
    Suite::default()
        .tests(tests![
            devices::what_is_no_device_is_refused_with_the_one_that_was_meant,
            devices::what_gpus_do_not_take_is_refused_before_one_is_looked_for,
            devices::auto_says_why_it_took_the_processor,
            devices::flags_for_gpus_are_refused_on_the_processor,
            devices::shells_complete_devices_and_their_flags,
            residency::oversubscribing_anything_else_is_refused,
        ])
        .needing(
            &no_driver(),
            tests![
                devices::a_gpu_that_is_not_there_is_an_error_with_a_next_step,
                devices::a_plan_that_only_gpus_take_says_that_there_is_none,
                devices::auto_says_that_there_is_no_gpu,
            ],
        )
        .needing(
            &needs::program("cc"),
            tests![
                faults::a_gpu_that_cannot_be_used_is_an_error_with_its_kind_and_a_next_step,
                faults::auto_leaves_a_gpu_that_cannot_be_used_and_says_why,
                faults::doctor_lists_a_gpu_that_cannot_be_used_with_the_reason,
                faults::warming_compiles_what_is_missing_and_finds_it_the_next_time,
                faults::warming_without_what_it_needs_is_an_error_with_a_next_step,
            ],
        )
        .needing(
            &simulator,
            tests![
                devices::a_simulated_gpu_gives_the_answers_of_the_processor,
                devices::a_run_on_a_gpu_reports_what_it_took_there,
                devices::a_run_on_a_gpu_records_what_it_waited_for_there,
                devices::a_budget_that_is_too_small_says_what_would_do,
                devices::kernels_are_kept_and_their_first_compilation_is_announced,
                devices::a_bench_measures_a_gpu_beside_what_it_cannot_do,
                devices::a_bench_of_a_gpu_is_held_against_the_limits_of_that_gpu,
                devices::several_gpus_share_a_graph_and_say_how,
                devices::what_takes_one_gpu_refuses_several,
                devices::a_trace_says_of_every_superstep_on_a_gpu_what_it_went_by_and_why,
                residency::a_graph_that_does_not_fit_runs_and_says_where_its_edges_are,
                residency::one_more_run_counts_what_crosses_the_bus,
                residency::a_run_that_copies_partitions_ahead_says_how_many,
                residency::a_trace_has_what_every_superstep_reads_over_the_bus,
                residency::unified_memory_exceeds_the_budget_only_on_request,
                residency::an_estimate_says_what_a_gpu_must_hold,
                residency::every_algorithm_has_an_estimate_for_gpus,
                faults::warming_the_simulator_fills_its_cache_too,
                faults::a_run_goes_on_without_a_cache_that_can_be_written,
                faults::two_processes_at_once_with_one_cold_cache_are_both_right,
            ],
        )
        .run()
}

/// Needs a machine without a driver.
fn no_driver() -> Need {
    match cuda::list() {
        Err(_) => Ok(()),
        Ok(gpus) => Err(format!("there is an NVIDIA driver, with {} GPUs", gpus.len())),
    }
}
