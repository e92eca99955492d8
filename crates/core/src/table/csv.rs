//! A table as text: a header, then one line per row, with fields separated by commas (or tabs).
//!
//! Ids are the original ones. "None" is an empty field. Floating-point values use the shortest text that parses to the
//! same number. A name with the separator, a quote or a line end is quoted as in RFC 4180; an empty name is `""`.

use super::{Table, Values};
use warpgraph_graph::{Ids, NO_VERTEX, Vertex};

/// Returns the header line.
pub(super) fn header(table: &Table<'_>, separator: u8) -> Vec<u8> {
    let names: Vec<&str> = table.columns.iter().map(|c| &*c.name).collect();
    let mut line = names.join(&char::from(separator).to_string()).into_bytes();
    line.push(b'\n');
    line
}

/// Returns the lines of a range of rows.
pub(super) fn rows(table: &Table<'_>, rows: std::ops::Range<usize>, separator: u8) -> Vec<u8> {
    let mut text = Vec::with_capacity(rows.len() * 12 * table.columns.len());
    for row in rows {
        for (i, column) in table.columns.iter().enumerate() {
            if i > 0 {
                text.push(separator);
            }
            field(&mut text, &column.values, row, separator);
        }
        text.push(b'\n');
    }
    text
}

fn field(text: &mut Vec<u8>, values: &Values<'_>, row: usize, separator: u8) {
    match values {
        Values::Ids(ids) => id(text, ids, row as Vertex, separator),
        Values::Vertices(ids, v) if v[row] != NO_VERTEX => id(text, ids, v[row], separator),
        Values::U32(v) if v[row] != u32::MAX => integer(text, v[row]),
        Values::U64(v) if v[row] != u64::MAX => integer(text, v[row]),
        Values::I64(v) if v[row] != i64::MAX => integer(text, v[row]),
        Values::F32(v) if v[row].is_finite() => decimal(text, v[row]),
        Values::F64(v) if v[row].is_finite() => decimal(text, v[row]),
        Values::Labels(labels) if !labels.get(row as Vertex).is_empty() => {
            name(text, labels.get(row as Vertex).as_bytes(), separator);
        }
        _ => {}
    }
}

fn id(text: &mut Vec<u8>, ids: &Ids, v: Vertex, separator: u8) {
    match ids {
        Ids::Range { first, .. } => integer(text, first + u64::from(v)),
        Ids::Numbers(ids) => integer(text, ids[v as usize]),
        Ids::Names(names) => name(text, names.get(v as usize).as_bytes(), separator),
    }
}

fn integer(text: &mut Vec<u8>, value: impl itoa::Integer) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn decimal(text: &mut Vec<u8>, value: impl zmij::Float) {
    text.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
}

fn name(text: &mut Vec<u8>, name: &[u8], separator: u8) {
    let special = |&b: &u8| b == separator || matches!(b, b'"' | b'\n' | b'\r');
    if !name.is_empty() && !name.iter().any(special) {
        return text.extend_from_slice(name);
    }
    text.push(b'"');
    for &byte in name {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}
