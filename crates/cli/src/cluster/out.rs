//! `--out` of a run in parts: a folder, in which each process writes the rows of its part.
//!
//! The ending of the folder's name says the form: `ranks.csv` gets `part-0000.csv`, `part-0001.csv` and so on.

use crate::failure::{Failure, Result};
use std::path::{Path, PathBuf};
use warpgraph::{Control, TableFormat, graph};
use warpgraph_parts::PartAnswer;

/// Returns the file of a part.
fn file(folder: &Path, part: usize) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let ending = name.split_once('.').map_or("", |(_, ending)| ending);
    folder.join(format!("part-{part:04}.{ending}"))
}

/// Refuses a folder that could not be written, or that has the answer of another run.
pub(super) fn check(folder: &Path, force: bool, parts: Option<usize>) -> Result<()> {
    TableFormat::of_path(&file(folder, 0))?;
    if folder.is_file() {
        let what =
            format!("{}: a run in several processes writes a folder, and this is a file", folder.display());
        return Err(Failure::new("exists", what, "name another folder"));
    }
    for part in others(folder)? {
        let path = file(folder, part).display().to_string();
        if !force {
            return Err(graph::Error::Exists { path }.into());
        }
        if parts.is_some_and(|parts| part >= parts) {
            let what = format!("{path} is of a run with more processes");
            return Err(Failure::new("exists", what, "delete the folder, or name another"));
        }
    }
    Ok(())
}

/// Returns the parts of which there are files.
fn others(folder: &Path) -> Result<Vec<usize>> {
    let Ok(entries) = folder.read_dir() else { return Ok(Vec::new()) };
    let number = |name: String| name.strip_prefix("part-")?.split('.').next()?.parse().ok();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    Ok(names.filter_map(number).collect())
}

/// Writes the rows of a part; returns what was written where.
pub(super) fn write(
    folder: &Path,
    force: bool,
    part: usize,
    answer: &PartAnswer,
    control: &Control,
) -> Result<String> {
    std::fs::create_dir_all(folder).map_err(|error| graph::Error::io(folder, "create", error))?;
    let table = answer.table();
    table.save(&file(folder, part), force, control)?;
    let columns: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
    Ok(format!("{} ({})", folder.display(), columns.join(", ")))
}
