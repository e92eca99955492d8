//! A table of the vertices beside the edges: which ids there are, isolated ones included, and their labels.
//!
//! - A table is a text file (one vertex per line, fields separated as in edge lists), a Parquet file, or several of
//!   either (a folder, a pattern, a list).
//! - The id is the column with a name such as `id`, `node` or `vertex`, else the first one. The label is the column with
//!   a name such as `label`, `name` or `title`, or the second of two columns. A warning names the other columns.
//! - Every id that an edge names must be in the table, and no id may be there twice.
//!
//! [`VertexTable::apply`] adds the vertices to a graph that any reader made, in one pass over its arcs.

mod apply;
#[cfg(feature = "parquet")]
mod columns;
mod text;

use super::{Format, Input, ReadOptions, detect, parts::Parts};
use crate::{
    control::Control,
    error::{Error, Position, Result},
    labels::Texts,
};
use std::path::Path;

/// Names of the column of ids, in lower case and without `_`, `-` and `:`.
const IDS: &[&str] = &["id", "node", "nodeid", "vertex", "vertexid", "v", "key", "source"];
/// Names of the column of labels.
const LABELS: &[&str] = &["label", "name", "title", "displayname"];

/// The vertices of a graph, in the order of the file.
#[derive(Debug)]
pub(super) struct VertexTable {
    /// The name of the file, for messages.
    file: String,
    ids: Texts,
    labels: Option<Texts>,
    warnings: Vec<String>,
}

impl VertexTable {
    /// Reads a table.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if a file cannot be read, and [`Error::Format`] or [`Error::Parse`] if it is no table.
    pub(super) fn open(path: &Path, control: &Control) -> Result<Self> {
        match Parts::of(path)? {
            None => Self::read(Input::open(path, control)?),
            Some(parts) => {
                let mut tables = parts.paths().iter().map(|path| {
                    control.check("reading the vertex table")?;
                    Self::read(Input::open(path, control)?)
                });
                let first = tables.next().transpose()?;
                let empty = || Self {
                    file: path.display().to_string(),
                    ids: Texts::new(),
                    labels: None,
                    warnings: Vec::new(),
                };
                tables.try_fold(first.unwrap_or_else(empty), |all, table| all.join(table?))
            }
        }
    }

    fn read(input: Input) -> Result<Self> {
        match detect::format_of(&input, &ReadOptions::default())? {
            #[cfg(feature = "parquet")]
            Format::Parquet => columns::read(input),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => Err(super::table::left_out(&input, "Parquet", "parquet")),
            Format::EdgeList => text::read(&input),
            format => Err(Error::format(
                Position::file(input.name()),
                format!("a vertex table in the format {format}, expected text or Parquet"),
                "write one vertex per line: its id, and its label if it has one",
            )),
        }
    }

    /// Appends another part of the same table.
    fn join(mut self, other: Self) -> Result<Self> {
        match (&mut self.labels, &other.labels) {
            (Some(mine), Some(labels)) => mine.append(labels),
            (None, None) => {}
            _ => {
                let problem = format!("labels in only one of this file and {}", self.file);
                let help = "all parts of a table need the same columns";
                return Err(Error::format(Position::file(other.file), problem, help));
            }
        }
        self.ids.append(&other.ids);
        for warning in other.warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(self)
    }

    /// Returns true if an id is not a number, so that the ids of the edges are names too.
    pub(super) fn has_names(&self) -> bool {
        (0..self.ids.len()).any(|row| number(self.ids.get(row)).is_none())
    }
}

fn number(id: &str) -> Option<u64> {
    if id.starts_with('+') { None } else { id.parse().ok() }
}

/// The places of the columns that a table needs.
#[derive(Debug, PartialEq)]
struct Columns {
    id: usize,
    label: Option<usize>,
    /// Says which columns are not read.
    warning: Option<String>,
}

impl Columns {
    /// Chooses columns by their names.
    fn by_name(names: &[String]) -> Self {
        let place = |words: &[&str]| names.iter().position(|name| words.contains(&plain(name).as_str()));
        let id = place(IDS).unwrap_or(0);
        let label = place(LABELS).filter(|&label| label != id);
        let label = label.or_else(|| (names.len() == 2).then_some(1 - id.min(1)));
        let is_left = |&place: &usize| place != id && Some(place) != label;
        let left: Vec<String> = (0..names.len()).filter(is_left).map(|i| format!("{:?}", names[i])).collect();
        let warning = (!left.is_empty())
            .then(|| format!("columns of the vertex table that are not read: {}", left.join(", ")));
        Self { id, label, warning }
    }

    /// Returns true if one of the names is known, so that a line of such names is a header.
    fn are_names(fields: &[String]) -> bool {
        fields
            .iter()
            .any(|field| IDS.contains(&plain(field).as_str()) || LABELS.contains(&plain(field).as_str()))
    }
}

/// Returns a name in lower case without the marks that tools add to it (Neo4j writes `personId:ID`).
fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let name = if name.ends_with(":id") { "id" } else { &name };
    name.chars().filter(|c| !matches!(c, '_' | '-' | ':' | ' ')).collect()
}
