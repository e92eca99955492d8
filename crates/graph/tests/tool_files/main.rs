//! Files as other tools write them, each beside the graph that its tool holds, or the message that it deserves.
//!
//! `expected.json` is the table: one row per file of `files/`, with the tool, its call, the reading options, and what
//! must come out. `make` writes the files and the table by running the tools, so the expected graphs never come from
//! warpgraph. `pending.txt` lists the rows that do not hold yet, each with the reason; they show as ignored.
//! `WARPGRAPH_PENDING=1` runs them too, which shows the ones to take off the list.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod check;
mod table;

use std::{collections::BTreeSet, fs, process::ExitCode};
use table::{Row, folder, pending, rows};
use warpgraph_testing::{Need, Suite, Test, tests};

fn main() -> ExitCode {
    let pending = pending();
    let suite =
        Suite::default().tests(tests![the_table_and_the_folder_agree, every_pending_row_is_in_the_table]);
    let add = |suite: Suite, row: Row| {
        let need = need(&row, &pending);
        suite.needing(&need, vec![Test::new(format!("file::{}", row.file), move || check::check(&row))])
    };
    rows().into_iter().fold(suite, add).run()
}

/// Returns `Ok` if a row can be checked: its format is in this build, and it is not pending.
fn need(row: &Row, pending: &[(String, String)]) -> Need {
    let is_off = match row.feature.as_deref() {
        Some("parquet") => !cfg!(feature = "parquet"),
        Some("graphml") => !cfg!(feature = "graphml"),
        _ => false,
    };
    if is_off {
        return Err(format!(
            "this build is without the feature {}",
            row.feature.as_deref().unwrap_or_default()
        ));
    }
    let runs_pending = std::env::var_os("WARPGRAPH_PENDING").is_some();
    match pending.iter().find(|(file, _)| *file == row.file && !runs_pending) {
        Some((_, reason)) => Err(format!("pending: {reason}")),
        None => Ok(()),
    }
}

fn the_table_and_the_folder_agree() {
    let rows = rows();
    assert!(rows.len() >= 60, "{} rows", rows.len());
    let mut listed = BTreeSet::new();
    for row in &rows {
        assert!(listed.insert(row.file.clone()), "{} stands in the table twice", row.file);
    }
    let files = fs::read_dir(folder().join("files")).unwrap();
    let found: BTreeSet<String> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(listed, found, "left: the table, right: the folder");
}

fn every_pending_row_is_in_the_table() {
    let rows = rows();
    for (file, reason) in pending() {
        assert!(rows.iter().any(|row| row.file == file), "pending.txt: there is no row {file:?}");
        assert!(!reason.is_empty(), "pending.txt: {file} has no reason");
    }
}
