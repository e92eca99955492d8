//! Runs in parts: the same answers as on one machine, for every number of parts, cut and order, in one process and over
//! loopback; and members that fail, lie or come late.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod agree;
mod algorithms;
mod checkpoints;
mod common;
mod crossing;
mod faults;
mod late;
mod members;
mod programs;
mod real_graphs;

use std::process::ExitCode;
use warpgraph_testing::{Suite, tests};

fn main() -> ExitCode {
    let suite = Suite::default().tests(tests![
        algorithms::searches_equal_those_of_one_machine,
        algorithms::shortest_paths_equal_those_of_one_machine,
        algorithms::components_equal_the_oracle,
        algorithms::ranks_are_near_those_of_one_machine,
        algorithms::options_are_followed,
        algorithms::late_members_change_nothing,
        algorithms::what_does_not_run_in_parts_is_refused,
        programs::programs_of_the_library_equal_those_of_one_machine,
        programs::programs_with_their_own_apply_equal_those_of_one_machine,
        programs::sums_are_near_those_of_one_machine,
        programs::messages_may_read_all_about_their_target,
        programs::a_value_travels_once_per_sender_and_vertex,
        crossing::arcs_that_all_cross_change_no_answer,
        members::answers_over_loopback_equal_those_of_one_machine,
        checkpoints::a_run_continues_from_every_superstep,
        checkpoints::states_of_other_runs_are_refused,
        faults::messages_of_another_length_end_every_member,
        faults::random_bytes_end_without_a_panic,
        faults::a_member_that_is_cancelled_ends_the_others,
        faults::members_of_another_cut_are_refused,
    ]);
    real_graphs::add_to(suite).run()
}
