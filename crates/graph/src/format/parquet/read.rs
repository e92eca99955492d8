//! Reads an edge list from a Parquet file: chooses the columns, reads the row groups and builds the graph.

use super::{
    DIRECTED,
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
    memory, par,
};
use ::parquet::file::metadata::ParquetMetaData;
use bytes::Bytes;
use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::Once,
};

const HELP: &str = "the file is cut short or damaged; fetch or make it anew";
/// Bytes per edge in memory, without its weight.
const BYTES_PER_ROW: u64 = 8;

/// An opened file: its bytes, its footer and the columns of its edges.
struct Part {
    name: String,
    data: Bytes,
    metadata: ParquetMetaData,
    columns: Columns,
}

impl Part {
    fn open(input: Input, options: &ReadOptions) -> Result<Self> {
        let name = input.name().to_owned();
        let data = shared(input);
        let metadata = guarded(&name, || footer::read(&name, &data))?;
        let columns = Columns::choose(&name, &metadata, options)?;
        Ok(Self { name, data, metadata, columns })
    }

    fn table(&self) -> Result<Table<'_>> {
        Table::new(&self.name, &self.data, &self.metadata, &self.columns)
    }
}

/// Reads an edge list and returns it as a graph.
pub(super) fn read(input: Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let name = input.name().to_owned();
    read_parts(name, vec![input], options, control)
}

/// Reads files of one schema as one edge list, in their order, and returns it as the graph `name`.
pub(super) fn read_parts(
    name: String,
    inputs: Vec<Input>,
    options: &ReadOptions,
    control: &Control,
) -> Result<Graph> {
    let parts = par::try_map_each(inputs, |_, input| Part::open(input, options))?;
    parts
        .iter()
        .try_for_each(|part| part.columns.check_like(&parts[0].columns, &part.name, &parts[0].name))?;
    let tables = parts.iter().map(Part::table).collect::<Result<Vec<_>>>()?;
    let rows = tables.iter().fold(0u64, |rows, table| rows.saturating_add(table.rows()));
    memory::refuse_beyond_memory(rows.saturating_mul(BYTES_PER_ROW))?;
    let (directed, direction_because) = direction(&parts[0].metadata, options);
    let how = Options { directed, loops: options.loops, parallel: options.parallel };
    let edges = edges(&name, &tables, rows, options, control)?;
    let narrow = options.narrow_weights || parts.iter().all(|part| part.columns.has_narrow_weights());
    let (ids, listed, built): Done = edges.build(narrow, &how, control)?;
    let first = &parts[0].columns;
    let names = first.all().map(|column| column.descr.name().to_owned()).collect();
    let ignored = first.ignored.clone();
    let mut warnings: Vec<String> = Vec::new();
    for warning in parts.into_iter().flat_map(|part| part.columns.warnings) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    if listed == 0 {
        warnings.push("the file has no edges".to_owned());
    }
    let origin = Origin {
        name,
        format: Format::Parquet.name().to_owned(),
        listed,
        direction_because,
        symmetrised: !directed,
        loops_dropped: built.loops_dropped,
        merged: built.merged,
        columns: names,
        ignored,
        warnings,
        ..Origin::default()
    };
    // SAFETY: the builder returns either one weight per arc or no weights, and it mirrors every arc of an undirected
    // list with the same weight; `ids` holds one id per vertex, because the reader numbered the vertices by these ids.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// Returns whether the graph is directed, and the reason: the caller, the note that warpgraph writes, or the default.
fn direction(metadata: &ParquetMetaData, options: &ReadOptions) -> (bool, String) {
    if let Some(directed) = options.directed {
        return (directed, "the caller said so".to_owned());
    }
    let notes = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    let note = notes.filter(|note| note.key == DIRECTED).find_map(|note| note.value.as_deref()?.parse().ok());
    match note {
        Some(directed) => (directed, format!("the file has the note {DIRECTED} = {directed}")),
        None => (true, "edge lists are directed unless they say otherwise".to_owned()),
    }
}

/// Reads all edges and numbers their vertices in the way that suits the ids.
fn edges(
    name: &str,
    tables: &[Table<'_>],
    rows: u64,
    options: &ReadOptions,
    control: &Control,
) -> Result<Numbered> {
    let names = tables.iter().any(|table| table.columns.are_names()) || options.ids == IdKind::Names;
    if let Some(vertices) = options.vertices {
        let base = options.base.unwrap_or(0);
        vertices::check_universe(name, names, base, vertices)?;
        let range = base..base + vertices;
        let pieces = rows::read(tables, control, |rows| rows::dense(rows, range.clone(), None));
        return Ok(Numbered::universe(pieces.map_err(Stop::settled)?, base, vertices));
    }
    if names {
        let pieces = rows::read(tables, control, rows::named).map_err(Stop::settled)?;
        return Numbered::named(pieces, name);
    }
    // `Marks::for_file` expects the size of a text file, in which an edge takes about eight bytes.
    let marks = Marks::for_file(rows.saturating_mul(8).min(1 << 40) as usize)?;
    match rows::read(tables, control, |rows| rows::dense(rows, 0..marks.limit(), Some(&marks))) {
        Ok(pieces) => Ok(Numbered::marked(pieces, &marks)),
        Err(Stop::Failed(error)) => Err(error),
        Err(Stop::Sparse) => {
            drop(marks);
            let pieces = rows::read(tables, control, rows::wide).map_err(Stop::settled)?;
            Numbered::compacted(pieces)
        }
    }
}

/// Returns the bytes of an input, which many slices may share.
pub(super) fn shared(input: Input) -> Bytes {
    Bytes::from_owner(Whole(input))
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
            // Texts that go beyond their page: the crate panics on the thread of either column.
            for file in ["text_beyond_its_page", "text_beyond_its_page_2", "text_of_negative_length"] {
                let path = format!("{}/../../fuzz/corpus/parquet/{file}", env!("CARGO_MANIFEST_DIR"));
                let input = crate::Input::from_bytes("a.parquet", std::fs::read(path).unwrap());
                let options = crate::ReadOptions::default();
                let error = crate::format::read(input, &options, &crate::Control::new()).unwrap_err();
                assert_eq!(error.to_string(), "a.parquet: the data are damaged");
            }
            assert!(catch_unwind(|| panic!("outside of the crate")).is_err());
            return;
        }
        let name = "format::parquet::read::tests::a_panic_that_becomes_an_error_prints_nothing_and_others_still_print";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", name, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        assert!(text.contains("outside of the crate"), "{text}");
        assert!(!text.contains("inside of the crate") && !text.contains("range "), "{text}");
    }
}
