//! Writes edge lists in Parquet: the columns `source`, `target` and, if there are weights, `weight`.
//!
//! Ids are INT64 (unsigned if an id exceeds 63 bits) or UTF-8 strings, weights UINT_32, INT32, FLOAT or DOUBLE. The note
//! `warpgraph.directed` of the file says whether the graph is directed. Row groups have about
//! [`GROUP_ROWS`](columns::GROUP_ROWS) rows. Needs the feature `parquet`.

#[cfg(feature = "parquet")]
pub mod columns;
#[cfg(feature = "parquet")]
mod edges;

use super::table::{Entry, Keeps, Write};

pub(super) const ENTRY: Entry = Entry {
    name: "parquet",
    aliases: &[],
    unweighted: None,
    keeps: Keeps { isolated: false, ..Keeps::ALL },
    check: |_| if cfg!(feature = "parquet") { Ok(()) } else { Err(left_out()) },
    write: WRITE,
};

#[cfg(feature = "parquet")]
const WRITE: Write = edges::write;
#[cfg(not(feature = "parquet"))]
const WRITE: Write = |_, _| Err(left_out());

/// Returns the error of a build that leaves Parquet out.
fn left_out() -> crate::error::Error {
    let help = "build it with the feature parquet, or write .csv or .wg";
    crate::error::Error::invalid("this build is without Parquet", help)
}
