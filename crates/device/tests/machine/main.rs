//! What depends on the machine: a driver that is not there, the libraries of NVRTC, AddressSanitizer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "../simt/common.rs"]
#[allow(dead_code, reason = "the simulator's own tests use more of it")]
mod common;
mod no_driver;
mod nvrtc;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod sanitize;

use std::process::ExitCode;
use warpgraph_testing::{Suite, needs, tests};

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> ExitCode {
    if sanitize::is_inside() {
        return sanitize::inner().run();
    }
    let suite = suite();
    suite
        .needing(
            &needs::address_sanitizer(),
            tests![
                sanitize::a_clean_kernel_passes_the_sanitizer,
                sanitize::frames_left_behind_do_not_disturb_the_sanitizer,
                sanitize::a_write_behind_an_allocation_fails_the_process,
                sanitize::a_write_behind_dynamic_shared_memory_fails_the_process,
            ],
        )
        .run()
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> ExitCode {
    suite().run()
}

fn suite() -> Suite {
    let [twelve, thirteen] = [12, 13].map(needs::nvrtc);
    let both = needs::all([twelve.clone(), thirteen.clone()]);
    Suite::default()
        .tests(tests![nvrtc::every_word_of_the_prelude_is_in_the_kernels_that_use_them,])
        .needing(
            &no_driver::need(),
            tests![
                no_driver::opening_a_gpu_without_a_driver_is_an_error_with_help,
                no_driver::listing_gpus_without_a_driver_is_an_error_with_help,
            ],
        )
        .needing(
            &twelve,
            tests![
                nvrtc::every_word_of_the_prelude_compiles_for_sm_70_with_cuda_12,
                nvrtc::a_bundle_by_cuda_12_has_cubins_for_seven_architectures,
                nvrtc::an_architecture_that_is_too_new_asks_for_a_newer_nvrtc,
            ],
        )
        .needing(
            &thirteen,
            tests![
                nvrtc::every_word_of_the_prelude_compiles_for_sm_80_and_sm_90_with_cuda_13,
                nvrtc::nothing_is_fused_by_default,
                nvrtc::a_compile_error_shows_the_log_and_the_numbered_line,
                nvrtc::a_struct_whose_fields_lie_elsewhere_does_not_compile,
                nvrtc::an_architecture_that_cuda_13_dropped_is_an_error_that_names_the_one_to_install,
                nvrtc::an_unknown_member_of_a_known_generation_is_compiled_for_as_its_elder,
                nvrtc::pips_nvrtc_is_found_and_compiles_without_a_library_path,
            ],
        )
        .needing(
            &both,
            tests![
                nvrtc::the_kernels_of_device_check_compile_for_every_target,
                nvrtc::both_say_their_version_and_file,
                nvrtc::of_two_the_one_that_fits_gpu_and_driver_is_found,
            ],
        )
}
