//! Reads edge lists from Parquet files.
//!
//! - The names of the columns decide which hold sources, targets and weights, by the words of `super::columns`, unless
//!   the caller says it. If they do not tell, that is an error. The origin of the graph names the columns used and those
//!   ignored.
//! - Ids are integers of any width, or texts. Weights are integers or decimals; a column of type FLOAT stays f32. A
//!   null is an error.
//! - As for text files, the vertices are the ids that occur, in order. The graph is directed unless the caller or the
//!   note `warpgraph.directed` in the file says otherwise.
//! - Pages are uncompressed, or compressed with snappy, zstd or gzip. Nested columns of ids or weights and encrypted
//!   files are errors.
//!
//! Tasks read row groups in parallel. Within a row group, two tasks read sources and targets in parallel, `rows::BATCH`
//! rows at a time. If ids are much larger than the number of rows, the reader makes a second pass over the file. The
//! work is O(rows). In addition to the arcs, memory holds 8 bytes per edge, 4 or 8 bytes per weight, and one page per
//! column per thread.
//!
//! The reader checks what a file says about itself before the `parquet` crate relies on it: the depth of the schema
//! (the crate recurses into it), the positions of columns, the unpacked size of a page, and the number of its values.
//! On any other damage the crate returns an error or panics, and does not read beyond a slice; the reader catches
//! such a panic and returns an error.
//!
//! Several files of one schema, as Spark and DuckDB write them, are read like one file with all their row groups.
//!
//! The feature `parquet` includes the modules that read. A build without it recognises Parquet files and returns an
//! error that names the feature.

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
pub(super) mod texts;
#[cfg(feature = "parquet")]
mod thrift;
#[cfg(feature = "parquet")]
mod values;

#[cfg(feature = "parquet")]
use self::read::{damaged, guarded};
use super::{
    preview,
    table::{Entry, Read, ReadParts, Sign, Used},
};

pub(super) const ENTRY: Entry = Entry {
    name: "parquet",
    aliases: &[],
    endings: &["parquet"],
    sign: Sign::Content(|data| data.starts_with(b"PAR1")),
    is_finished: false,
    uses: &[Used::BaseOfVertices, Used::Vertices, Used::Ids, Used::WeightType, Used::Columns],
    read: READ,
    read_parts: PARTS,
    preview: preview::not_at_start,
};

/// The key of the note in a file that says whether the graph is directed: `true` or `false`. warpgraph writes it.
#[cfg(feature = "parquet")]
pub(super) const DIRECTED: &str = "warpgraph.directed";

#[cfg(feature = "parquet")]
const READ: Read = read::read;
#[cfg(feature = "parquet")]
const PARTS: Option<ReadParts> = Some(read::read_parts);
#[cfg(not(feature = "parquet"))]
const READ: Read = |input, _, _| Err(super::table::left_out(&input, "Parquet", "parquet"));
#[cfg(not(feature = "parquet"))]
const PARTS: Option<ReadParts> = None;
