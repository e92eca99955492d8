//! [`Table`]: results with one row per vertex or per edge, for CSV, NumPy and Parquet files.

mod csv;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod write;

pub use write::TableFormat;

use std::borrow::Cow;
use warpgraph_graph::{Ids, Labels, Vertex};

/// Named columns of equal length.
#[derive(Debug)]
pub struct Table<'a> {
    /// The columns, in order; the first is `vertex`, or the first two are `source` and `target`.
    pub columns: Vec<Column<'a>>,
}

/// One column.
#[derive(Debug)]
pub struct Column<'a> {
    /// Its name: `vertex`, `distance`, `approximate_distance`, `parent`, ...
    pub name: Cow<'static, str>,
    /// Its values.
    pub values: Values<'a>,
}

/// The values of a column. The largest integer, `NO_VERTEX`, infinity and NaN stand for "none".
#[derive(Debug)]
pub enum Values<'a> {
    /// The original ids of all vertices, in order.
    Ids(&'a Ids),
    /// One vertex per row, written as its original id.
    Vertices(&'a Ids, Cow<'a, [Vertex]>),
    /// 32-bit unsigned integers.
    U32(Cow<'a, [u32]>),
    /// 64-bit unsigned integers.
    U64(Cow<'a, [u64]>),
    /// 64-bit signed integers.
    I64(Cow<'a, [i64]>),
    /// Single-precision floating point.
    F32(Cow<'a, [f32]>),
    /// Double-precision floating point.
    F64(Cow<'a, [f64]>),
    /// The labels of all vertices, in the order of their ids. The empty text stands for "none".
    Labels(&'a Labels),
}

impl<'a> Table<'a> {
    /// Returns a table with the column `vertex`, which holds original ids.
    pub fn of_vertices(ids: &'a Ids) -> Self {
        Self { columns: vec![Column { name: "vertex".into(), values: Values::Ids(ids) }] }
    }

    /// Returns a table with the columns `source` and `target`, one row per edge.
    pub fn of_edges(ids: &'a Ids, sources: &'a [Vertex], targets: &'a [Vertex]) -> Self {
        let ends = |ends| Values::Vertices(ids, Cow::Borrowed(ends));
        Self { columns: Vec::new() }.with("source", ends(sources)).with("target", ends(targets))
    }

    /// Adds a column.
    pub fn with(mut self, name: &'static str, values: Values<'a>) -> Self {
        self.columns.push(Column { name: name.into(), values });
        self
    }

    /// Adds the column `label` behind the column `vertex`. Has no effect on a table of edges.
    pub fn with_labels(mut self, labels: &'a Labels) -> Self {
        if matches!(self.columns.first(), Some(Column { values: Values::Ids(_), .. })) {
            self.columns.insert(1, Column { name: "label".into(), values: Values::Labels(labels) });
        }
        self
    }

    /// Returns the same table with `approximate_` before the name of every column that the answer computed, so that no format
    /// loses that the values are not exact.
    pub fn approximate(mut self) -> Self {
        let is_given = |column: &Column<'_>| {
            matches!(column.values, Values::Ids(_) | Values::Labels(_))
                || ["source", "target"].contains(&&*column.name)
        };
        for column in self.columns.iter_mut().filter(|column| !is_given(column)) {
            column.name = format!("approximate_{}", column.name).into();
        }
        self
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }
}

impl Values<'_> {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Ids(ids) => ids.len(),
            Self::Vertices(_, v) => v.len(),
            Self::U32(v) => v.len(),
            Self::U64(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::Labels(labels) => labels.len(),
        }
    }

    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
