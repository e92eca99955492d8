//! Reads an edge list from a Parquet file: chooses the columns, reads the row groups and builds the graph.

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
use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::Once,
};

const HELP: &str = "the file is cut short or damaged; fetch or make it anew";
/// Bytes per edge in memory, without its weight.
const BYTES_PER_ROW: u64 = 8;

/// Reads an edge list and returns it as a graph.
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
    // SAFETY: the builder returns either one weight per arc or no weights, and it mirrors every arc of an undirected
    // list with the same weight; `ids` holds one id per vertex, because the reader numbered the vertices by these ids.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// Reads all edges and numbers their vertices in the way that suits the ids.
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
    // `Marks::for_file` expects the size of a text file, in which an edge takes about eight bytes.
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

/// An input whose bytes many slices share.
struct Whole(Input);

impl AsRef<[u8]> for Whole {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Runs code of the `parquet` crate and turns a panic into an error: the crate asserts and indexes in places where a
/// damaged file fails. The panic leaves no text on standard error.
pub(super) fn guarded<T, E: From<Error>>(file: &str, run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    // Unwind safety: a panic drops the buffers and readers of this run, and nothing else refers to them.
    quietly(|| catch_unwind(AssertUnwindSafe(run)))
        .unwrap_or_else(|_| Err(damaged(file, "the data are damaged").into()))
}

thread_local! {
    /// True while this thread runs code whose panics become errors.
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that catches its panics, and keeps the panic hook from printing those of this thread meanwhile.
fn quietly<T>(run: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let other = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                other(info);
            }
        }));
    });
    let was = IS_QUIET.replace(true);
    let done = run();
    IS_QUIET.set(was);
    done
}

pub(super) fn damaged(file: &str, problem: impl Into<String>) -> Error {
    Error::format(Position::file(file), problem, HELP)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHILD: &str = "WARPGRAPH_TEST_PANICS";

    /// Runs itself in a second process, since the panic hook belongs to a whole process.
    #[test]
    fn a_panic_that_becomes_an_error_prints_nothing_and_others_still_print() {
        if std::env::var_os(CHILD).is_some() {
            let read = || -> Result<()> { panic!("inside of the crate") };
            assert_eq!(
                guarded("a.parquet", read).unwrap_err().to_string(),
                "a.parquet: the data are damaged"
            );
            assert!(catch_unwind(|| panic!("outside of the crate")).is_err());
            return;
        }
        let name = "format::parquet::read::tests::a_panic_that_becomes_an_error_prints_nothing_and_others_still_print";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        assert!(text.contains("outside of the crate"), "{text}");
        assert!(!text.contains("inside of the crate"), "{text}");
    }
}
