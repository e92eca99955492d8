//! A table as a Parquet file: columns by name, compressed with snappy.
//!
//! Ids are INT64 (unsigned if an id exceeds 63 bits) or UTF-8 strings, integers UINT_32, UINT_64 or INT64, floating
//! point FLOAT or DOUBLE. "None" is null; only the `vertex` column is required and has no nulls. The graph crate's
//! `columns` encodes and writes the row groups.

use super::{Table, Values};
use std::{io::Write, ops::Range};
use warpgraph_graph::{
    Control, Ids, NO_VERTEX, Result, Vertex,
    format::write::columns::{self, Cells, Column, GROUP_ROWS, Kind, Sheet},
};

/// Writes the table; `name` is the name of the file in errors.
pub(super) fn write(
    table: &Table<'_>,
    out: &mut (dyn Write + Send),
    name: &str,
    control: &Control,
) -> Result<()> {
    let rows = table.rows();
    let mut bounds: Vec<usize> = (0..rows).step_by(GROUP_ROWS).collect();
    bounds.push(rows);
    let cells = |group: usize, column: usize| {
        let start = group * GROUP_ROWS;
        cells(&table.columns[column].values, start..rows.min(start + GROUP_ROWS))
    };
    let columns = table.columns.iter().map(column).collect();
    let sheet = Sheet { columns, notes: Vec::new(), bounds, cells: &cells };
    sheet.write(out, name, "writing the table", control)
}

fn column<'a>(column: &'a super::Column<'a>) -> Column<'a> {
    let kind = match &column.values {
        Values::Ids(ids) | Values::Vertices(ids, _) => Kind::of_ids(ids),
        Values::U32(_) => Kind::U32,
        Values::U64(_) => Kind::U64,
        Values::I64(_) => Kind::I64,
        Values::F32(_) => Kind::F32,
        Values::F64(_) => Kind::F64,
        Values::Labels(_) => Kind::Text,
    };
    let is_ids = matches!(column.values, Values::Ids(_));
    Column { name: &column.name, kind, optional: !is_ids, ascending: is_ids }
}

fn cells<'a>(values: &'a Values<'_>, rows: Range<usize>) -> Cells<'a> {
    let required = |values| Cells { values, levels: None };
    match values {
        Values::Ids(Ids::Names(names)) => {
            required(columns::Values::Text(rows.map(|row| names.get(row)).collect()))
        }
        Values::Ids(ids) => {
            required(columns::Values::Wide(rows.map(|row| number(ids, row as Vertex)).collect()))
        }
        Values::Vertices(Ids::Names(names), v) => {
            let name = |v: Vertex| (v != NO_VERTEX).then(|| names.get(v as usize));
            optional(&v[rows], name, columns::Values::Text)
        }
        Values::Vertices(ids, v) => {
            let id = |v: Vertex| (v != NO_VERTEX).then(|| number(ids, v));
            optional(&v[rows], id, columns::Values::Wide)
        }
        Values::U32(v) => {
            optional(&v[rows], |n| (n != u32::MAX).then_some(n as i32), columns::Values::Narrow)
        }
        Values::U64(v) => optional(&v[rows], |n| (n != u64::MAX).then_some(n as i64), columns::Values::Wide),
        Values::I64(v) => optional(&v[rows], |n| (n != i64::MAX).then_some(n), columns::Values::Wide),
        Values::F32(v) => optional(&v[rows], |x| x.is_finite().then_some(x), columns::Values::F32),
        Values::F64(v) => optional(&v[rows], |x| x.is_finite().then_some(x), columns::Values::F64),
        Values::Labels(labels) => {
            let rows: Vec<Vertex> = rows.map(|row| row as Vertex).collect();
            optional(&rows, |v| Some(labels.get(v)).filter(|text| !text.is_empty()), columns::Values::Text)
        }
    }
}

/// Returns cells, of which those for which `convert` returns `None` are null.
fn optional<'a, V: Copy, T>(
    values: &[V],
    convert: impl Fn(V) -> Option<T>,
    kind: fn(Vec<T>) -> columns::Values<'a>,
) -> Cells<'a> {
    let mut levels = Vec::with_capacity(values.len());
    let mut there = Vec::with_capacity(values.len());
    for &value in values {
        let value = convert(value);
        levels.push(i16::from(value.is_some()));
        there.extend(value);
    }
    Cells { values: kind(there), levels: Some(levels) }
}

fn number(ids: &Ids, v: Vertex) -> i64 {
    match ids {
        Ids::Range { first, .. } => (first + u64::from(v)) as i64,
        Ids::Numbers(ids) => ids[v as usize] as i64,
        Ids::Names(_) => 0,
    }
}
