//! `--out`: writes the answer as a table to a file or to standard output.

use crate::failure::{Failure, Result};
use clap::Args;
use std::path::{Path, PathBuf};
use warpgraph::{
    Answer, Control, TableFormat, graph,
    graph::{Labels, timeline::Phase},
};

/// Where to write the answer.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// Write all values, one row per vertex or edge: .csv, .tsv, .npy or .parquet by ending, packed if .gz or .zst
    /// follows (.csv.gz), - for CSV on standard output
    ///
    /// Ids are those of the graph. A missing value (a vertex not reached) is an empty field in text and a null in
    /// Parquet; in NumPy files it is the largest number of the type, infinity, or the empty name. The file appears only
    /// when it is complete. Columns of values that are not exact, after --max-error or --approx, are named approximate_...
    #[arg(long, value_name = "FILE|-")]
    out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub(super) force: bool,
}

impl Output {
    /// Refuses a file that could not be written, before any work.
    pub(super) fn check(&self, json: bool) -> Result<()> {
        let Some(path) = &self.out else { return Ok(()) };
        TableFormat::of_path(path)?;
        if self.is_stdout() {
            let help = "write the table to a file, or leave --json out";
            let what = "--json and --out - both want standard output";
            return if json { Err(Failure::new("invalid", what, help)) } else { Ok(()) };
        }
        if !self.force && path.symlink_metadata().is_ok() {
            return Err(graph::Error::Exists { path: path.display().to_string() }.into());
        }
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match folder.is_dir() {
            true => Ok(()),
            false => Err(Failure::new(
                "io",
                format!("{}: the folder {} is not there", path.display(), folder.display()),
                "make the folder first, or choose another",
            )),
        }
    }

    /// Returns the path of the table.
    #[cfg(feature = "cluster")]
    pub(super) fn path(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Returns true if the user asked for a table.
    pub(super) fn is_asked(&self) -> bool {
        self.out.is_some()
    }

    /// Returns true if the table goes to standard output.
    pub(super) fn is_stdout(&self) -> bool {
        self.out.as_deref() == Some(Path::new("-"))
    }

    /// Writes the table; returns its path and columns.
    pub(super) fn write(
        &self,
        answer: &dyn Answer,
        labels: Option<&Labels>,
        control: &Control,
    ) -> Result<Option<String>> {
        let Some(path) = &self.out else { return Ok(None) };
        let _span = control.span(Phase::Writing);
        let table = if answer.run().is_exact() { answer.table() } else { answer.table().approximate() };
        let table = match labels {
            Some(labels) => table.with_labels(labels),
            None => table,
        };
        if self.is_stdout() {
            table.write(TableFormat::Csv, &mut std::io::stdout(), "standard output", control)?;
        } else {
            table.save(path, self.force, control)?;
        }
        let columns: Vec<&str> = table.columns.iter().map(|c| &*c.name).collect();
        Ok(Some(format!("{} ({})", path.display(), columns.join(", "))))
    }
}
