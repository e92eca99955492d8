//! Reads the table of files: `expected.json` and `pending.txt`.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::{fs, path::PathBuf};
use warpgraph_graph::ReadOptions;

/// One file and what must come out of it.
#[derive(Deserialize)]
pub(crate) struct Row {
    pub(crate) file: String,
    /// The feature of the crate without which the file cannot be read.
    pub(crate) feature: Option<String>,
    /// Reading options by the names of [`ReadOptions`].
    #[serde(default)]
    options: Map<String, Value>,
    /// The graph that the tool holds.
    pub(crate) graph: Option<Expected>,
    /// What the report must mention: each text must occur in the origin of the graph, in any case.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    /// What the error must mention, in any case. `a|b` means `a` or `b`. A row with both `graph` and `error` accepts
    /// the right graph as well as the error.
    pub(crate) error: Option<Vec<String>>,
}

/// The expected graph, with ids in increasing order and edges sorted by the positions of their ids.
#[derive(Deserialize, Debug, PartialEq)]
pub(crate) struct Expected {
    pub(crate) directed: bool,
    /// `numbers` or `names`.
    pub(crate) ids: String,
    pub(crate) vertices: Vec<Value>,
    /// `[source, target]` or `[source, target, weight]`. An undirected edge stands here once, smaller end first.
    pub(crate) edges: Vec<Vec<Value>>,
}

/// Returns the folder of the table.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tool_files")
}

/// Returns the rows of `expected.json`.
pub(crate) fn rows() -> Vec<Row> {
    let text = fs::read_to_string(folder().join("expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns file and reason of each line of `pending.txt`.
pub(crate) fn pending() -> Vec<(String, String)> {
    let text = fs::read_to_string(folder().join("pending.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split_once(": ").unwrap_or_else(|| panic!("pending.txt: {line:?} has no `: `")))
        .map(|(file, reason)| (file.to_owned(), reason.to_owned()))
        .collect()
}

impl Row {
    pub(crate) fn options(&self) -> ReadOptions {
        let mut options = ReadOptions::default();
        for (name, value) in &self.options {
            set(&mut options, name, value.clone()).unwrap_or_else(|error| panic!("{name}: {value}: {error}"));
        }
        options
    }
}

fn set(options: &mut ReadOptions, name: &str, value: Value) -> Result<(), serde_json::Error> {
    use serde_json::from_value;
    match name {
        "columns" => options.columns = from_value(value)?,
        "directed" => options.directed = Some(from_value(value)?),
        "format" => options.format = Some(from_value(value)?),
        "header" => options.header = from_value(value)?,
        "ids" => options.ids = from_value(value)?,
        "no_weights" => options.no_weights = from_value(value)?,
        "parallel" => options.parallel = from_value(value)?,
        "vertices" => options.vertices = Some(from_value(value)?),
        _ => panic!("this test cannot set the reading option {name:?}"),
    }
    Ok(())
}
