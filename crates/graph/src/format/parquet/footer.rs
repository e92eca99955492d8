//! Reads the metadata at the end of a Parquet file: what the file holds and where.
//!
//! The `parquet` crate decodes the metadata and recurses into the schema as deep as the file says. So that a file
//! cannot exhaust the stack, this module measures the depth of the schema first.

use super::{
    damaged,
    thrift::{I32, LIST, MAX_DEPTH, Thrift},
};
use crate::error::{Error, Position, Result};
use ::parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

const MAGIC: &[u8] = b"PAR1";
/// Number of bytes of the last two fields: the length of the metadata and the magic.
const TAIL: usize = 8;

/// Reads the metadata of a file.
pub(super) fn read(file: &str, data: &[u8]) -> Result<ParquetMetaData> {
    let footer = footer(file, data)?;
    match depth(footer) {
        None => return Err(damaged(file, "the description at the end of the file is damaged")),
        Some(depth) if depth > MAX_DEPTH => {
            return Err(damaged(file, format!("columns are nested more than {MAX_DEPTH} deep")));
        }
        Some(_) => {}
    }
    ParquetMetaDataReader::decode_metadata(footer)
        .map_err(|e| damaged(file, format!("the description at the end of the file is damaged: {e}")))
}

fn footer<'a>(file: &str, data: &'a [u8]) -> Result<&'a [u8]> {
    if data.ends_with(b"PARE") {
        let help = "write it without encryption";
        return Err(Error::format(Position::file(file), "the file is encrypted", help));
    }
    if !data.starts_with(MAGIC) || !data.ends_with(MAGIC) || data.len() < MAGIC.len() + TAIL {
        return Err(damaged(file, "a Parquet file starts and ends with PAR1, this one does not"));
    }
    let tail = data.len() - TAIL;
    let mut len = [0; 4];
    len.copy_from_slice(&data[tail..tail + 4]);
    let len = u32::from_le_bytes(len) as usize;
    let room = tail - MAGIC.len();
    if len > room {
        let problem =
            format!("the description at the end promises {len} bytes, the file has room for {room}");
        return Err(damaged(file, problem));
    }
    Ok(&data[tail - len..tail])
}

/// Returns the depth of the schema, or `None` if the metadata have no schema or are damaged.
fn depth(footer: &[u8]) -> Option<usize> {
    const SCHEMA: i64 = 2;
    let mut thrift = Thrift(footer);
    let mut schema = None;
    thrift.fields(0, |thrift, id, kind| {
        if id == SCHEMA && kind == LIST {
            schema = Some(schema_depth(thrift)?);
            return Some(());
        }
        thrift.skip(kind, 0)
    })?;
    schema
}

/// Returns the depth of a schema, or `None` if it is damaged; stops counting beyond [`MAX_DEPTH`].
///
/// The file lists the elements in depth-first preorder, each with the number of its children.
fn schema_depth(thrift: &mut Thrift<'_>) -> Option<usize> {
    const CHILDREN: i64 = 5;
    let (_, count) = thrift.list()?;
    let mut open: Vec<u64> = Vec::new();
    let mut deepest = 0;
    for _ in 0..count {
        let mut children = 0;
        thrift.fields(0, |thrift, id, kind| {
            if id == CHILDREN && kind == I32 {
                children = thrift.zigzag()?.max(0) as u64;
                return Some(());
            }
            thrift.skip(kind, 0)
        })?;
        if let Some(last) = open.last_mut() {
            *last = last.saturating_sub(1);
        }
        if children > 0 {
            open.push(children);
        }
        deepest = deepest.max(open.len());
        // A group ends with the last of its children.
        while open.last() == Some(&0) {
            open.pop();
        }
        if deepest > MAX_DEPTH {
            break;
        }
    }
    Some(deepest)
}
