//! Reports from their JSON files.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;
use warpgraph::graph::{self, Position};

/// Reads the report of a command, as it was written; `help` says how to make such a file.
///
/// # Errors
/// When the file cannot be read, or is no such report.
pub(crate) fn read_back<T: DeserializeOwned>(
    path: &Path,
    command: &str,
    schema: u32,
    help: &str,
) -> warpgraph::Result<T> {
    let damaged = |what: String| graph::Error::format(Position::file(path.display().to_string()), what, help);
    let text = std::fs::read_to_string(path).map_err(|e| graph::Error::io(path, "read", e))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| damaged(format!("not JSON: {e}")))?;
    if value["command"] != command {
        return Err(damaged(format!("not a report of `warpgraph {command}`")).into());
    }
    if value["schema"] != schema {
        return Err(damaged(format!("schema {}, this build reads {schema}", value["schema"])).into());
    }
    Ok(serde_json::from_value(value).map_err(|e| damaged(format!("not a report: {e}")))?)
}
