//! One body of cases that every backend of warpgraph is held to.
//!
//! [`fixtures`] are graphs that break toys, [`cases`] what must hold of every algorithm on each of them under every plan,
//! judged by [`warpgraph::oracle`], and [`conformance!`] makes a test of each case for one [`Backend`]. A case panics
//! with the backend, the fixture and the plan at the first thing that does not hold.
//!
//! Integers equal the oracle's exactly. Decimal distances equal it to the last bit. Ranks are within the bound stated in
//! [`cases::pagerank`], scores within that of [`cases::bc`].

mod backend;
pub mod cases;
pub mod fixtures;

pub use backend::{Backend, Cpu, OnGpu, Ordered, PLANS};

/// A module of tests for one backend, one test a case: `conformance!(cpu_on_two_threads, Cpu::threads(2))`. A GPU, which has forms of
/// some algorithms only, has its own list, and an `Option`, since it may not be there: `conformance!(gpu cuda, open())`.
#[macro_export]
macro_rules! conformance {
    ($name:ident, $backend:expr) => {
        $crate::conformance!(@tests $name, $backend,
            bfs: equals_the_oracle, stops_at_the_depth_limit;
            sssp: equals_the_oracle, takes_any_bucket_width, names_a_negative_cycle_within_reach;
            pagerank: is_near_the_oracle, meets_any_tolerance_in_time, follows_weights_and_personalisation, says_what_ended_it;
            adsorption: is_near_the_oracle, says_what_ended_it;
            wcc: equals_the_oracle;
            programs: hops_equal_the_oracle, hops_do_not_depend_on_the_order, shortest_paths_equal_the_oracle,
                widest_paths_equal_a_serial_loop, components_equal_the_oracle, ranks_are_near_the_oracle,
                own_apply_and_active_are_followed, supersteps_of_a_sum_are_counted, whole_sums_are_exact,
                deterministic_sums_give_the_same_bits, impossible_programs_get_their_exact_answer,
                weights_are_read_as_wanted, a_cancelled_program_is_interrupted;
            orders: bfs_equals_the_oracle, sssp_equals_the_oracle, pagerank_is_near_the_oracle, adsorption_is_near_the_oracle,
                wcc_equals_the_oracle,
                scc_equals_the_oracle, mst_equals_the_oracle, labels_equal_the_oracle,
                triangles_equal_the_oracle, cores_equal_the_oracle, bc_is_near_the_oracle, closeness_equals_the_oracle,
                a_negative_cycle_is_named_in_original_ids, a_stored_graph_answers_like_the_original;
            triangles: equals_the_oracle;
            kcore: equals_the_oracle;
            scc: equals_the_oracle;
            mst: equals_the_oracle;
            label_propagation: equals_the_oracle, follows_weights, says_what_ended_it;
            bc: is_near_the_oracle, follows_weights, does_not_reach_what_is_infinitely_far, draws_sources_from_the_seed,
                counts_more_paths_than_f64_can_hold;
            closeness: equals_the_oracle, asks_about_some;
            plans: each_pair_runs_or_gives_its_exact_refusal, a_trace_has_one_step_a_round;
            config: impossible_questions_get_their_exact_answer;
            determinism: two_runs_give_the_same_bits;
            control: a_cancelled_run_is_interrupted, a_passed_deadline_ends_a_run, an_idle_control_changes_nothing,
                a_long_run_tells_how_far_it_is;
        );
    };
    (gpu $name:ident, $backend:expr) => {
        $crate::cases_of_gpus! { [$crate::conformance] [@if_there $name, $backend,] }
    };
    (@if_there $name:ident, $backend:expr, $($case:ident: $($test:ident),+;)+) => {
        mod $name {
            use super::*;
            $(mod $case {
                use super::*;
                $(#[test]
                fn $test() {
                    match $backend {
                        Some(backend) => $crate::gpu::$case::$test(&backend),
                        None => println!("skipped: the device is not there"),
                    }
                })+
            })+
        }
    };
    (@tests $name:ident, $backend:expr, $($case:ident: $($test:ident),+;)+) => {
        mod $name {
            use super::*;
            $(mod $case {
                use super::*;
                $(#[test]
                fn $test() {
                    $crate::cases::$case::$test(&$backend);
                })+
            })+
        }
    };
}

/// The cases of GPUs, handed to a macro: `cases_of_gpus! { [macro] [what comes before] }`.
#[doc(hidden)]
#[macro_export]
macro_rules! cases_of_gpus {
    ([$($call:tt)*] [$($before:tt)*]) => {
        $($call)*! { $($before)*
            bfs: equals_the_oracle, stops_at_the_depth_limit;
            sssp: equals_the_oracle, takes_any_bucket_width, names_a_negative_cycle_within_reach;
            pagerank: is_near_the_oracle, meets_any_tolerance_in_time, follows_weights_and_personalisation, says_what_ended_it;
            adsorption: is_near_the_oracle, says_what_ended_it;
            wcc: equals_the_oracle;
            programs: hops_equal_the_oracle, hops_do_not_depend_on_the_order, shortest_paths_equal_the_oracle,
                widest_paths_equal_a_serial_loop, components_equal_the_oracle, ranks_are_near_the_oracle,
                own_apply_and_active_are_followed, supersteps_of_a_sum_are_counted, whole_sums_are_exact,
                deterministic_sums_give_the_same_bits, impossible_programs_get_their_exact_answer,
                weights_are_read_as_wanted, a_cancelled_program_is_interrupted;
            orders: bfs_equals_the_oracle, sssp_equals_the_oracle, pagerank_is_near_the_oracle, adsorption_is_near_the_oracle,
                wcc_equals_the_oracle, scc_equals_the_oracle, labels_equal_the_oracle, cores_equal_the_oracle,
                bc_is_near_the_oracle, mst_equals_the_oracle, triangles_equal_the_oracle,
                closeness_equals_the_oracle, a_negative_cycle_is_named_in_original_ids, a_stored_graph_answers_like_the_original;
            bc: is_near_the_oracle, follows_weights, does_not_reach_what_is_infinitely_far, draws_sources_from_the_seed,
                counts_more_paths_than_f64_can_hold;
            closeness: equals_the_oracle, asks_about_some;
            triangles: equals_the_oracle;
            mst: equals_the_oracle;
            kcore: equals_the_oracle;
            scc: equals_the_oracle;
            label_propagation: equals_the_oracle, follows_weights, says_what_ended_it;
            plans: each_pair_runs_or_gives_its_exact_refusal, a_trace_has_one_step_a_round;
            config: impossible_questions_get_their_exact_answer;
            determinism: two_runs_give_the_same_bits;
            control: a_cancelled_run_is_interrupted, a_passed_deadline_ends_a_run, an_idle_control_changes_nothing,
                a_long_run_tells_how_far_it_is;
        }
    };
}

/// The cases of GPUs for [`OnGpu`], compiled once for the tests of all devices.
pub mod gpu {
    macro_rules! compiled {
        ($($case:ident: $($test:ident),+;)+) => {$(
            #[allow(missing_docs, reason = "said in crate::cases")]
            pub mod $case {
                $(pub fn $test(backend: &crate::OnGpu) {
                    crate::cases::$case::$test(backend);
                })+
            }
        )+};
    }
    cases_of_gpus! { [compiled] [] }
}
