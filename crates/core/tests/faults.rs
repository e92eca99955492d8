//! Disks that fail under the writers of tables.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]
#![allow(dead_code, reason = "what only the tests of graphs use")]

#[path = "../../graph/tests/faults/disk.rs"]
mod disk;

use disk::{Step, survives_every_fault};
use warpgraph_core::{Table, table::Values};
use warpgraph_graph::{Control, Ids};

#[test]
fn every_table_writer_survives_every_fault() {
    let ids = Ids::zero_based(20_000);
    let ranks: Vec<f64> = (0..20_000).map(|i| f64::from(i).sqrt()).collect();
    let table = Table::of_vertices(&ids).with("rank", Values::F64(ranks.into()));
    for ending in ["csv", "tsv", "npy"] {
        let name = format!("ranks.{ending}");
        let steps = survives_every_fault(&name, |path| table.save(path, true, &Control::new()));
        let writes = steps.iter().filter(|s| **s == Step::Write).count();
        assert!(writes >= 3, "{ending}: {writes} writes are too few to test");
    }
}
