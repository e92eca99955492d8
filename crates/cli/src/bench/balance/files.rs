//! The folder of `--out`: JSON, Markdown and plots, each written whole or not at all.

use crate::{
    bench::save,
    failure::{Failure, Result},
    write::refuse_existing,
};
use std::path::Path;
use warpgraph::graph::Error;
use warpgraph_bench::balance::{Report, markdown, plot};

const JSON: &str = "balance.json";
const MARKDOWN: &str = "balance.md";

/// Refuses, before any work is done, files that are there.
pub(super) fn check(folder: &Path, force: bool) -> Result<()> {
    let names = [JSON, MARKDOWN].into_iter().chain(plot::FILES.map(|(file, _)| file));
    names.into_iter().try_for_each(|name| refuse_existing(&folder.join(name), force))?;
    // A file in its place is found out now, and not after minutes.
    Ok(std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create the folder", error))?)
}

/// Writes all of them.
pub(super) fn write(folder: &Path, force: bool, report: &Report) -> Result<()> {
    let json = serde_json::to_string_pretty(report).map_err(|e| Failure::new("json", e.to_string(), ""))?;
    let plots = plot::all(report).map_err(|e| Failure::new("plot", format!("cannot draw: {e}"), ""))?;
    let texts = [(JSON, json + "\n"), (MARKDOWN, markdown(report))];
    texts.into_iter().chain(plots).try_for_each(|(name, text)| save(&folder.join(name), force, &text))
}
