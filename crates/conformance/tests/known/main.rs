//! Answers that independent programs gave, on small graphs and on real ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod networkx;
mod real_graphs;

use std::process::ExitCode;
use warpgraph_testing::{Suite, tests};

fn main() -> ExitCode {
    let suite = Suite::default().tests(tests![
        networkx::betweenness_of_the_kite,
        networkx::betweenness_with_directions_and_weights,
        networkx::closeness_towards_a_vertex,
    ]);
    real_graphs::add_to(suite).run()
}
