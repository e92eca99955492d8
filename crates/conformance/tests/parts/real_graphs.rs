//! Real graphs in parts: answers equal those of one machine.
//!
//! The environment variable `WARPGRAPH_DATA` names the folder that holds the files; without it the tests are ignored.

use crate::{
    agree::One,
    common::{Parted, ask, question},
};
use serde_json::json;
use std::sync::Arc;
use warpgraph::Graph;
use warpgraph_parts::{Cut, Part};
use warpgraph_testing::{Suite, Test, needs};

const FILES: [&str; 3] = ["wiki-Vote.txt.zst", "email-Enron.txt.zst", "USA-road-d.NY.gr.zst"];

/// Adds a test per graph.
pub(crate) fn add_to(suite: Suite) -> Suite {
    FILES.into_iter().fold(suite, |suite, file| {
        suite
            .needing(&needs::data(file), vec![Test::new(format!("real_graphs::{file}"), move || check(file))])
    })
}

fn check(file: &str) {
    let graph = Graph::open(needs::data_path(file)).unwrap();
    let one = One::of(&graph);
    for parts in [1, 2, 3, 4, 7] {
        let cut = Cut::even(&graph.out().csr, parts).unwrap();
        let part = |number| Arc::new(Part::of(&graph, &cut, number).unwrap());
        let parted =
            Parted { name: format!("{file} in {parts} parts"), parts: (0..parts).map(part).collect() };
        one.algorithms(&parted.name, |algorithm| ask(&parted.parts, &question(algorithm, json!(null))));
        // Programs go superstep by superstep, which takes long on roads: once alone, and once in several parts.
        if [1, 4].contains(&parts) {
            one.programs(&parted);
        }
    }
}
