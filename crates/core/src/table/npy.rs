//! A table as a NumPy file: one structured array with a named little-endian field per column, as `numpy.load` reads it.
//!
//! Integers are `<u4`, `<u8` or `<i8`, floating point `<f4` or `<f8`, ids `<u8`, names `<U..` as wide as the longest.
//! "None" is the largest value of the type, infinity or NaN, or the empty name. Rows are packed without padding.

use super::{Table, Values};
use std::ops::Range;
use warpgraph_graph::{Ids, NO_VERTEX, Vertex};

/// The type and size of a column in a row.
pub(super) struct Field {
    descr: String,
    bytes: usize,
}

/// Returns the fields of a row. Makes one pass over the names to find the longest.
pub(super) fn fields(table: &Table<'_>) -> Vec<Field> {
    table.columns.iter().map(|column| field(&column.values)).collect()
}

fn field(values: &Values<'_>) -> Field {
    let texts = |len: usize, chars: &dyn Fn(usize) -> usize| {
        let longest = (0..len).map(chars).max().unwrap_or(0).max(1);
        Field { descr: format!("<U{longest}"), bytes: 4 * longest }
    };
    let (descr, bytes) = match values {
        Values::Ids(Ids::Names(names)) | Values::Vertices(Ids::Names(names), _) => {
            return texts(names.len(), &|i| names.get(i).chars().count());
        }
        Values::Labels(labels) => return texts(labels.len(), &|i| labels.get(i as Vertex).chars().count()),
        Values::Ids(_) | Values::Vertices(..) | Values::U64(_) => ("<u8", 8),
        Values::U32(_) => ("<u4", 4),
        Values::I64(_) => ("<i8", 8),
        Values::F32(_) => ("<f4", 4),
        Values::F64(_) => ("<f8", 8),
    };
    Field { descr: descr.to_owned(), bytes }
}

/// Returns magic, version 1.0 and the description of the array, padded so that the data start at a multiple of 64.
pub(super) fn header(table: &Table<'_>, fields: &[Field]) -> Vec<u8> {
    let named = table.columns.iter().zip(fields);
    let descr: Vec<String> = named.map(|(c, f)| format!("('{}', '{}')", c.name, f.descr)).collect();
    let mut text = format!(
        "{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}",
        descr.join(", "),
        table.rows()
    );
    const PREFIX: usize = 10;
    while !(PREFIX + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend_from_slice(&(text.len() as u16).to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header
}

/// Returns the bytes of a range of rows.
pub(super) fn rows(table: &Table<'_>, fields: &[Field], rows: Range<usize>) -> Vec<u8> {
    let stride: usize = fields.iter().map(|f| f.bytes).sum();
    let mut out = vec![0; stride * rows.len()];
    let mut at = 0;
    for (column, field) in table.columns.iter().zip(fields) {
        let mut slots = out.chunks_exact_mut(stride).map(|row| &mut row[at..at + field.bytes]);
        fill(&column.values, rows.clone(), &mut slots);
        at += field.bytes;
    }
    out
}

/// Writes one column; each slot is as wide as the field.
fn fill(values: &Values<'_>, rows: Range<usize>, slots: &mut dyn Iterator<Item = &mut [u8]>) {
    macro_rules! numbers {
        ($values:expr) => {
            slots.zip($values).for_each(|(slot, x)| slot.copy_from_slice(&x.to_le_bytes()))
        };
    }
    match values {
        Values::Ids(Ids::Range { first, .. }) => numbers!(rows.map(|row| first + row as u64)),
        Values::Ids(Ids::Numbers(ids)) => numbers!(&ids[rows]),
        Values::Ids(Ids::Names(names)) => slots.zip(rows).for_each(|(slot, row)| name(slot, names.get(row))),
        Values::Vertices(Ids::Names(names), v) => {
            let reached = |row: usize| v[row] != NO_VERTEX;
            slots
                .zip(rows)
                .filter(|(_, row)| reached(*row))
                .for_each(|(slot, row)| name(slot, names.get(v[row] as usize)));
        }
        Values::Vertices(Ids::Range { first, .. }, v) => {
            let id = |&v: &u32| if v == NO_VERTEX { u64::MAX } else { first + u64::from(v) };
            numbers!(v[rows].iter().map(id));
        }
        Values::Vertices(Ids::Numbers(ids), v) => {
            let id = |&v: &u32| if v == NO_VERTEX { u64::MAX } else { ids[v as usize] };
            numbers!(v[rows].iter().map(id));
        }
        Values::U32(v) => numbers!(&v[rows]),
        Values::U64(v) => numbers!(&v[rows]),
        Values::I64(v) => numbers!(&v[rows]),
        Values::F32(v) => numbers!(&v[rows]),
        Values::F64(v) => numbers!(&v[rows]),
        Values::Labels(labels) => {
            slots.zip(rows).for_each(|(slot, row)| name(slot, labels.get(row as Vertex)));
        }
    }
}

/// Writes a name as UTF-32; the rest of the slot stays zero.
fn name(slot: &mut [u8], name: &str) {
    for (unit, c) in slot.chunks_exact_mut(4).zip(name.chars()) {
        unit.copy_from_slice(&u32::from(c).to_le_bytes());
    }
}
