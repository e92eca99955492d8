//! Reads an edge list from a Parquet file: chooses the columns, reads the row groups, builds the graph.

use super::{
    columns::Columns,
    footer,
    rows::{self, Stop, Table},
};
use crate::{
    build::Options,
    control::Control,
    error::{Error, Position, Result},
    format::{
        Format, IdKind, Input, ReadOptions,
        edge_list::{
            numbers::Marks,
            vertices::{self, Done, Numbered},
        },
    },
    graph::{Graph, Origin},
    memory,
};
use bytes::Bytes;
use std::panic::{AssertUnwindSafe, catch_unwind};

const HELP: &str = "the file is cut short or damaged; fetch or make it anew";
/// Bytes of an edge in memory, without its weight.
const BYTES_PER_ROW: u64 = 8;

/// Reads an edge list.
pub(super) fn read(input: Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let name = input.name().to_owned();
    let data = Bytes::from_owner(Whole(input));
    let metadata = guarded(&name, || footer::read(&name, &data))?;
    let columns = Columns::choose(&name, &metadata, options)?;
    let table = Table::new(&name, &data, &metadata, &columns)?;
    let rows = table.rows();
    memory::refuse_beyond_memory(rows.saturating_mul(BYTES_PER_ROW))?;
    let directed = options.directed.unwrap_or(true);
    let how = Options { directed, loops: options.loops, parallel: options.parallel };
    let edges = edges(&table, rows, options, control)?;
    let (ids, listed, built): Done =
        edges.build(options.narrow_weights || columns.has_narrow_weights(), &how, control)?;
    let mut warnings = columns.warnings;
    if listed == 0 {
        warnings.push("the file has no edges".to_owned());
    }
    let origin = Origin {
        name,
        format: Format::Parquet.name().to_owned(),
        listed,
        direction_because: match options.directed {
            Some(_) => "the caller said so".to_owned(),
            None => "edge lists are directed unless they say otherwise".to_owned(),
        },
        symmetrised: !directed,
        loops_dropped: built.loops_dropped,
        merged: built.merged,
        warnings,
    };
    // SAFETY: the builder makes as many weights as arcs, and mirrors every arc of an undirected list with the same
    // weight; the ids are those the vertices were numbered by.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// All edges, numbered the way that their ids ask for.
fn edges(table: &Table<'_>, rows: u64, options: &ReadOptions, control: &Control) -> Result<Numbered> {
    let names = table.columns.are_names() || options.ids == IdKind::Names;
    if let Some(vertices) = options.vertices {
        let base = options.base.unwrap_or(0);
        vertices::check_universe(table.file, names, base, vertices)?;
        let range = base..base + vertices;
        let pieces = table.read(control, |rows| rows::dense(rows, range.clone(), None));
        return Ok(Numbered::universe(pieces.map_err(Stop::settled)?, base, vertices));
    }
    if names {
        let pieces = table.read(control, rows::named).map_err(Stop::settled)?;
        return Numbered::named(pieces, table.file);
    }
    // An edge of a text file takes some eight bytes.
    let marks = Marks::for_file(rows.saturating_mul(8).min(1 << 40) as usize)?;
    match table.read(control, |rows| rows::dense(rows, 0..marks.limit(), Some(&marks))) {
        Ok(pieces) => Ok(Numbered::marked(pieces, &marks)),
        Err(Stop::Failed(error)) => Err(error),
        Err(Stop::Sparse) => {
            drop(marks);
            let pieces = table.read(control, rows::wide).map_err(Stop::settled)?;
            Numbered::compacted(pieces)
        }
    }
}

/// An input that many slices share.
struct Whole(Input);

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Runs code of the `parquet` crate, which asserts and indexes in places where a damaged file fails.
pub(super) fn guarded<T, E: From<Error>>(file: &str, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    // What a panic leaves behind is dropped: buffers and readers of this run alone.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(damaged(file, "the data are damaged").into()))
}

pub(super) fn damaged(file: &str, problem: impl Into<String>) -> Error {
    Error::format(Position::file(file), problem, HELP)
}
