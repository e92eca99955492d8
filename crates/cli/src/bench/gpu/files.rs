//! The folder of `--out`: JSON and Markdown, each written whole or not at all.

use crate::{
    bench::save,
    failure::{Failure, Result},
    write::refuse_existing,
};
use std::path::Path;
use warpgraph::graph::Error;
use warpgraph_bench::gpu::{Report, markdown};

const JSON: &str = "gpu.json";
const MARKDOWN: &str = "gpu.md";

/// Refuses, before any work is done, files that are there.
pub(super) fn check(folder: &Path, force: bool) -> Result<()> {
    [JSON, MARKDOWN].into_iter().try_for_each(|name| refuse_existing(&folder.join(name), force))?;
    // A file in its place is found out now, and not after minutes.
    Ok(std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create the folder", error))?)
}

/// Writes both.
pub(super) fn write(folder: &Path, force: bool, report: &Report) -> Result<()> {
    let json = serde_json::to_string_pretty(report).map_err(|e| Failure::new("json", e.to_string(), ""))?;
    let texts = [(JSON, json + "\n"), (MARKDOWN, markdown(report))];
    texts.into_iter().try_for_each(|(name, text)| save(&folder.join(name), force, &text))
}
