//! Engines on the simulated GPU.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod approximate;
mod engines;
mod opening;
mod sampled;

use std::process::ExitCode;
use warpgraph::{Device, Engine};
use warpgraph_testing::{Suite, tests};

fn main() -> ExitCode {
    let simulator = Engine::on(Device::Simt, Some(1)).map(drop).map_err(|error| error.to_string());
    Suite::default()
        .needing(
            &simulator,
            tests![
                approximate::fast_and_general_forms_answer_alike_on_a_changed_graph,
                approximate::sssp_within_an_error_says_how_it_is_known,
                engines::runs_from_many_threads_answer_right_though_others_are_stopped,
                engines::a_run_amid_another_on_the_same_thread_may_have_the_edges_elsewhere,
                engines::a_graph_is_copied_by_the_first_run_and_stays_for_clones_and_other_algorithms,
                engines::the_order_degree_is_made_there_and_stays_there,
                engines::a_program_runs_there_as_an_algorithm_does,
                engines::engines_with_different_settings_do_not_share_them,
                engines::orders_that_are_made_from_searches_are_the_same_there,
                opening::a_file_goes_straight_to_a_named_gpu_and_runs_find_it_there,
                opening::a_reordered_file_goes_there_in_its_order,
                opening::a_damaged_file_is_refused_on_the_way_there,
                opening::a_file_whose_edges_stay_in_host_memory_is_not_copied_ahead,
                opening::a_file_that_changes_while_it_is_used_is_an_error,
                opening::a_file_that_changes_does_no_harm_once_its_edges_are_on_the_gpu,
                opening::other_files_and_graphs_not_worth_it_are_read_by_the_processor,
                opening::a_file_is_ordered_by_degree_where_it_was_opened,
                sampled::answers_speak_of_original_vertices_whatever_round_it_is,
                sampled::every_round_is_reported_and_sectors_fall,
                sampled::no_more_rounds_are_made_than_asked_for_though_a_run_tells_enough_for_more,
                sampled::nothing_is_sampled_at_a_limit_and_rounds_go_on_when_it_is_raised,
                sampled::a_graph_in_a_good_order_settles_there,
                sampled::an_edited_graph_starts_anew_from_the_order_found,
                sampled::handles_are_asked_from_many_threads_while_they_learn,
                sampled::where_memory_is_short_runs_go_on_and_rounds_do_not,
                sampled::what_cannot_learn_is_refused
            ],
        )
        .run()
}
