//! The folder of `--out`: JSON, Markdown and figures, each written whole or not at all.

use crate::{
    bench::save,
    failure::{Failure, Result},
    write::refuse_existing,
};
use std::path::Path;
use warpgraph::graph::Error;
use warpgraph_bench::{
    plot::save as draw,
    sage::{Report, markdown, plot},
};

const JSON: &str = "sage.json";
const MARKDOWN: &str = "sage.md";
/// Every figure is drawn twice: to be looked at in a browser, and anywhere else.
const ENDINGS: [&str; 2] = ["svg", "png"];

/// Refuses, before any work is done, files that are there.
pub(super) fn check(folder: &Path, force: bool) -> Result<()> {
    let figures = plot::files();
    let figures = figures.iter().flat_map(|name| ENDINGS.map(|ending| format!("{name}.{ending}")));
    let names = [JSON, MARKDOWN].map(str::to_owned).into_iter().chain(figures);
    names.into_iter().try_for_each(|name| refuse_existing(&folder.join(name), force))?;
    // A file in its place is found out now, and not after minutes.
    Ok(std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, "create the folder", error))?)
}

/// Writes what was measured, without figures: they are made from it.
pub(super) fn write_json(folder: &Path, force: bool, report: &Report) -> Result<()> {
    let json = serde_json::to_string_pretty(report).map_err(|e| Failure::new("json", e.to_string(), ""))?;
    save(&folder.join(JSON), force, &(json + "\n"))
}

/// Writes all of them.
pub(super) fn write(folder: &Path, force: bool, report: &Report) -> Result<()> {
    write_json(folder, force, report)?;
    save(&folder.join(MARKDOWN), force, &markdown(report, ENDINGS[0]))?;
    for named in plot::figures(report) {
        for ending in ENDINGS {
            draw(&named.figure, &folder.join(format!("{}.{ending}", named.file)), force)?;
        }
    }
    Ok(())
}
