//! Programs on graphs that were approximated, on the simulator and on the first GPU: graphs have copies of vertices and
//! holes, and options have chunks of vertices.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod algorithms;
mod chunks;
mod copies;
mod graphs;
mod programs;

use std::process::ExitCode;
use warpgraph_device::{
    Error, Gpu, Settings, cuda,
    simt::{Simt, SimtOptions},
};
use warpgraph_testing::{Need, Suite, Test};

/// Where tests run.
#[derive(Clone, Copy)]
struct Place {
    /// Opens a handle of the device; a simulator orders its threads by the seed.
    open: fn(u64) -> Gpu,
    /// How many times as large graphs are.
    scale: u32,
    /// True if the peak of memory is compared with what was said to be needed.
    measures_memory: bool,
}

const SIMULATOR: Place = Place { open: simulator, scale: 1, measures_memory: true };
const GPU: Place = Place { open: first_gpu, scale: 300, measures_memory: false };

fn simulator(seed: u64) -> Gpu {
    Simt::open(&Settings::default(), SimtOptions { seed, ..SimtOptions::default() }).unwrap()
}

fn first_gpu(_: u64) -> Gpu {
    cuda::open(0, &Settings::default()).unwrap()
}

/// Needs an NVIDIA GPU. A GPU that is there and cannot be used meets the need: then the tests fail.
fn needs_gpu() -> Need {
    match cuda::open(0, &Settings::default()) {
        Err(error @ (Error::NoDriver { .. } | Error::NoDevice { .. })) => Err(error.to_string()),
        _ => Ok(()),
    }
}

fn needs_simulator() -> Need {
    Simt::open(&Settings::default(), SimtOptions::default()).map(drop).map_err(|error| error.to_string())
}

/// Lists the tests of a place.
fn tests(name: &str, place: Place) -> Vec<Test> {
    macro_rules! all {
        ($($module:ident::$test:ident),* $(,)?) => {
            vec![$(Test::new(concat!(stringify!($module), "::", stringify!($test), " on ").to_owned() + name, move || $module::$test(place))),*]
        };
    }
    all![
        copies::programs_that_improve_values_answer_as_on_the_merged_graph,
        copies::every_balance_and_residency_reflects,
        copies::programs_with_an_apply_of_their_own_answer_as_on_the_merged_graph,
        copies::sums_answer_as_on_the_merged_graph,
        copies::nothing_is_computed_for_holes,
        copies::copies_pass_on_what_comes_against_the_direction_of_arcs,
        copies::a_table_is_made_once_per_map,
        algorithms::forests_are_those_of_the_merged_graph,
        algorithms::strong_components_are_those_of_the_merged_graph,
        algorithms::betweenness_is_that_of_the_merged_graph,
        algorithms::numbers_of_paths_beyond_the_range_of_f64_are_reflected,
        chunks::iterating_chunks_changes_no_answer,
        chunks::chunks_are_iterated_before_the_first_superstep_and_save_some,
    ]
}

fn main() -> ExitCode {
    Suite::default()
        .needing(&needs_simulator(), tests("simt", SIMULATOR))
        .needing(&needs_gpu(), tests("cuda", GPU))
        .run()
}
