//! Real graphs in parts: answers equal those of one machine.
//!
//! The environment variable `WARPGRAPH_DATA` names the folder that holds the files; without it the tests are ignored.

use crate::common::{Parted, ask, engine, question};
use serde_json::json;
use std::sync::Arc;
use warpgraph::{Answer, Graph, Order};
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
    let loaded = engine().load(&graph, Order::Natural).unwrap();
    for parts in [2, 3, 7] {
        let cut = Cut::even(&graph.out().csr, parts).unwrap();
        let part = |number| Arc::new(Part::of(&graph, &cut, number).unwrap());
        let parted = Parted { name: file.to_owned(), parts: (0..parts).map(part).collect() };
        let wcc = loaded.wcc(Default::default()).run().unwrap();
        let found = ask(&parted.parts, &question("wcc", json!(null))).unwrap();
        assert_eq!(found.vertices("component"), wcc.components(), "{file} in {parts} parts");
        let bfs = loaded.bfs(Default::default()).run().unwrap();
        let found = ask(&parted.parts, &question("bfs", json!(null))).unwrap();
        assert_eq!(found.u32s("distance"), bfs.distances(), "{file} in {parts} parts");
        assert_eq!(found.summary(), &bfs.summary(), "{file} in {parts} parts");
        let sssp = loaded.sssp(Default::default()).run().unwrap();
        let found = ask(&parted.parts, &question("sssp", json!(null))).unwrap();
        assert_eq!(found.summary(), &sssp.summary(), "{file} in {parts} parts");
        let ranks = loaded.pagerank(Default::default()).run().unwrap();
        let found = ask(&parted.parts, &question("pagerank", json!(null))).unwrap().f64s("rank");
        let off: f64 = ranks.ranks().iter().zip(&found).map(|(a, b)| (a - b).abs()).sum();
        assert!(off <= 2e-6 / 0.15, "{file} in {parts} parts: {off:e}");
    }
}
