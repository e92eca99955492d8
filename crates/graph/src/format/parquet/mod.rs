//! Edge lists in Parquet files.
//!
//! - The columns of sources and targets are found by name (`source` and `target`, `src` and `dst`, `from` and `to`, `u` and
//!   `v`), else they are the first two, and a warning says so; weights are the column `weight`, `w` or `value`. Columns
//!   that are left out are named in a warning.
//! - Ids are whole numbers of any width, or texts; weights whole numbers or decimals, float stays f32. Nulls are errors.
//! - Vertices are the ids that occur, in order, and the graph is directed unless the caller says otherwise: as for text.
//! - Pages may be plain, or compressed with snappy, zstd or gzip. Nested columns and encrypted files are refused.
//!
//! Row groups are read in parallel, and in each of them sources beside targets, [`rows::BATCH`] rows at a time; a second time
//! if ids are much larger than there are rows. O(rows) work; beside the arcs 8 bytes an edge, 4 or 8 for its weight,
//! and a page of each column for each thread.
//!
//! What a file says about itself is checked before the `parquet` crate believes it: the depth of the schema (it
//! recurses), where columns lie, how long a page gets, how many values it has. What is left makes the crate panic
//! rather than read beyond a slice; such a panic is caught and is an error like others.
//!
//! The modules that read come with the feature `parquet`; a build without it knows such files and says so.

#[cfg(feature = "parquet")]
mod columns;
#[cfg(feature = "parquet")]
mod delta;
#[cfg(feature = "parquet")]
mod footer;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
mod read;
#[cfg(feature = "parquet")]
mod rows;
#[cfg(feature = "parquet")]
mod thrift;
#[cfg(feature = "parquet")]
mod values;

#[cfg(feature = "parquet")]
use self::read::{damaged, guarded};
use super::{
    preview,
    table::{Entry, Read, Sign},
};

pub(super) const ENTRY: Entry = Entry {
    name: "parquet",
    aliases: &[],
    endings: &["parquet"],
    sign: Sign::Content(|data| data.starts_with(b"PAR1")),
    is_finished: false,
    read: READ,
    preview: preview::not_at_start,
};
#[cfg(feature = "parquet")]
const READ: Read = read::read;
#[cfg(not(feature = "parquet"))]
const READ: Read = |input, _, _| Err(super::table::left_out(&input, "Parquet", "parquet"));
