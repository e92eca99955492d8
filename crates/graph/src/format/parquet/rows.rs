//! Reads row groups in parallel into pieces of an edge list.

use super::{
    columns::{Column, Columns},
    damaged, guarded, pages,
    values::{Ids, Place, Weights},
};
use crate::{
    build::{Filled, Meter},
    control::Control,
    error::{Error, Position, Result, quote},
    format::edge_list::{
        fast::Sink,
        names::Named,
        numbers::{Dense, Marks, Wide},
        weights,
    },
    par,
};
use ::parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use bytes::Bytes;
use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Number of rows per batch; their values stay in cache until they have become edges.
pub(super) const BATCH: usize = 1 << 14;

/// The reason why the reader stopped before the end of a row group.
#[derive(Debug)]
pub(super) enum Stop {
    Failed(Error),
    /// An id lies beyond the range of the bit set of marks.
    Sparse,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl Stop {
    /// Returns the error of a read that accepts ids of any size, so that [`Stop::Sparse`] is a bug.
    pub(super) fn settled(self) -> Error {
        match self {
            Self::Failed(error) => error,
            Self::Sparse => Error::invalid("an id is out of range", "report this as a bug"),
        }
    }
}

/// The rows of a file.
pub(super) struct Table<'a> {
    pub(super) file: &'a str,
    pub(super) columns: &'a Columns,
    data: &'a Bytes,
    /// The row groups, each with the number of rows before it.
    groups: Vec<(u64, &'a RowGroupMetaData)>,
    rows: u64,
}

impl<'a> Table<'a> {
    /// Makes a table, or returns an error if a column lies outside the file or its compression is not supported.
    pub(super) fn new(
        file: &'a str,
        data: &'a Bytes,
        metadata: &'a ParquetMetaData,
        columns: &'a Columns,
    ) -> Result<Self> {
        let mut table = Self { file, columns, data, groups: Vec::new(), rows: 0 };
        for group in metadata.row_groups() {
            let rows = u64::try_from(group.num_rows()).ok().and_then(|n| table.rows.checked_add(n));
            let Some(rows) = rows else {
                return Err(damaged(file, format!("a row group of {} rows", group.num_rows())));
            };
            columns.all().try_for_each(|column| check(file, data.len(), group, column))?;
            table.groups.push((table.rows, group));
            table.rows = rows;
        }
        Ok(table)
    }

    /// Returns the number of rows of all row groups.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }
}

/// Makes one piece per row group of all tables in parallel and returns them in order, or returns the first error in
/// the order of the files.
pub(super) fn read<C: Send>(
    tables: &[Table<'_>],
    control: &Control,
    piece: impl Fn(&mut Rows<'_>) -> Result<C, Stop> + Sync,
) -> Result<Vec<C>, Stop> {
    let rows = tables.iter().map(Table::rows).sum();
    let groups: Vec<(&Table<'_>, usize)> =
        tables.iter().flat_map(|table| (0..table.groups.len()).map(move |group| (table, group))).collect();
    let meter = Meter::new(control, "reading", "reading the file", rows);
    let failed = AtomicUsize::new(usize::MAX);
    let read = |index: usize| {
        if index > failed.load(Ordering::Relaxed) {
            return None;
        }
        let (table, group) = groups[index];
        let read = || piece(&mut Rows::new(table, group, &meter)?);
        Some(guarded(table.file, read).inspect_err(|_| {
            failed.fetch_min(index, Ordering::Relaxed);
        }))
    };
    let results: Vec<_> = par::map(groups.len(), read);
    results.into_iter().flatten().collect()
}

/// Returns an error if a column of a row group lies outside the file of `len` bytes, or its compression is not known.
pub(super) fn check(file: &str, len: usize, group: &RowGroupMetaData, column: &Column) -> Result<()> {
    let name = quote(column.descr.name().as_bytes());
    let Some(chunk) = group.columns().get(column.leaf) else {
        return Err(damaged(file, format!("a row group has no column {name}")));
    };
    if !pages::is_known(chunk.compression()) {
        let problem =
            format!("the column {name} is compressed with {}, which is not read", chunk.compression());
        let help = "write it with snappy, zstd or gzip";
        return Err(Error::format(Position::file(file), problem, help));
    }
    match is_inside(chunk, len) {
        true => Ok(()),
        false => Err(damaged(file, format!("the column {name} lies outside of the file"))),
    }
}

/// Returns true if the column lies within a file of `len` bytes.
fn is_inside(chunk: &ColumnChunkMetaData, len: usize) -> bool {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let (start, size) = (u64::try_from(start).ok(), u64::try_from(chunk.compressed_size()).ok());
    let end = start.zip(size).and_then(|(start, size)| start.checked_add(size));
    end.is_some_and(|end| end <= len as u64)
}

/// The rows of a row group, one batch at a time.
pub(super) struct Rows<'a> {
    ids: [Ids<'a>; 2],
    weights: Option<Weights<'a>>,
    /// Number of rows in the group; `done` counts those before the current batch, `batch` those in it.
    len: usize,
    done: usize,
    batch: usize,
    meter: &'a Meter<'a>,
}

impl<'a> Rows<'a> {
    fn new(table: &'a Table<'a>, index: usize, meter: &'a Meter<'a>) -> Result<Self> {
        let (before, group) = table.groups[index];
        let place = |column| Place { file: table.file, column, row: before + 1 };
        let ids = |which: usize| Ids::new(table.data, group, place(&table.columns.ids[which]));
        let weights = table.columns.weight.as_ref();
        let weights = weights.map(|column| Weights::new(table.data, group, place(column))).transpose()?;
        let len = usize::try_from(group.num_rows()).unwrap_or(0);
        Ok(Self { ids: [ids(0)?, ids(1)?], weights, len, done: 0, batch: 0, meter })
    }

    /// Reads the next batch and returns the number of its rows, or `None` after the last batch.
    fn next(&mut self) -> Result<Option<usize>> {
        self.advance();
        let rows = BATCH.min(self.len - self.done);
        let [sources, targets] = &mut self.ids;
        if rows == 0 {
            sources.end()?;
            targets.end()?;
            return self.weights.as_mut().map_or(Ok(()), Weights::end).map(|()| None);
        }
        let file = sources.place.file;
        let targets = || match &mut self.weights {
            Some(weights) => targets.fill(rows).and_then(|()| weights.fill(rows)),
            None => targets.fill(rows),
        };
        // Each side may run on another thread, so each has a guard of its own.
        let (sources, targets) =
            par::join(|| guarded(file, || sources.fill(rows)), || guarded(file, targets));
        sources?;
        targets?;
        self.meter.add(rows as u64)?;
        self.batch = rows;
        Ok(Some(rows))
    }

    /// Moves the row counts past the current batch.
    fn advance(&mut self) {
        self.done += self.batch;
        let batch = std::mem::take(&mut self.batch) as u64;
        self.ids.iter_mut().for_each(|ids| ids.place.row += batch);
        self.weights.iter_mut().for_each(|weights| weights.place.row += batch);
    }

    /// Returns an empty column with room for the weights of all rows.
    fn column(&self) -> Result<weights::Column> {
        weights::Column::new(self.weights.is_some(), self.len)
    }

    /// Appends the weights of the current batch to `column`.
    fn weigh(&self, column: &mut weights::Column) -> Result<()> {
        self.weights.as_ref().map_or(Ok(()), |weights| weights.each(|weight| column.push(weight)))
    }

    fn pair(&self, row: usize) -> [u64; 2] {
        [self.ids[0].numbers[row], self.ids[1].numbers[row]]
    }

    fn outside(&self, row: usize, range: &Range<u64>) -> Error {
        let ids = self.ids.iter().find(|ids| !range.contains(&ids.numbers[row])).unwrap_or(&self.ids[0]);
        let expected = format!("a vertex id from {} to below {}", range.start, range.end);
        let help = "allow for more vertices, or leave their number out to take the ids that occur";
        ids.place.wrong(row, &ids.numbers[row].to_string(), &expected, help)
    }
}

/// Reads edges whose ids lie in `range`, and marks the ids if there are marks.
pub(super) fn dense<'m>(
    rows: &mut Rows<'_>,
    range: Range<u64>,
    marks: Option<&'m Marks>,
) -> Result<Dense<'m>, Stop> {
    let (base, limit) = (range.start, range.end - range.start);
    let (pairs, column) = (Filled::with_room(rows.len)?, rows.column()?);
    let mut dense = Dense { base, limit, marks, pairs, column, end: 0 };
    while let Some(batch) = rows.next()? {
        for row in 0..batch {
            let [u, v] = rows.pair(row);
            if !dense.edge::<false>(u, v, 0) {
                let outside = || Stop::Failed(rows.outside(row, &range));
                return Err(marks.map_or_else(outside, |_| Stop::Sparse));
            }
        }
        rows.weigh(&mut dense.column)?;
    }
    Ok(dense)
}

/// Reads edges whose ids are any numbers.
pub(super) fn wide(rows: &mut Rows<'_>) -> Result<Wide, Stop> {
    let mut wide = Wide { pairs: Filled::with_room(rows.len)?, column: rows.column()? };
    while let Some(batch) = rows.next()? {
        (0..batch).for_each(|row| wide.pairs.push(rows.pair(row)));
        rows.weigh(&mut wide.column)?;
    }
    Ok(wide)
}

/// Reads edges whose ids are names.
pub(super) fn named(rows: &mut Rows<'_>) -> Result<Named<'static>, Stop> {
    let mut named = Named::new(Filled::with_room(rows.len)?, rows.column()?);
    while let Some(batch) = rows.next()? {
        for row in 0..batch {
            let names = [rows.ids[0].name(row), rows.ids[1].name(row)];
            named.copy([&names[0], &names[1]]).map_err(|which| {
                let help = "ids are whole numbers or texts; convert the column";
                rows.ids[which].place.wrong(row, &quote(&names[which]), "a name in UTF-8", help)
            })?;
        }
        rows.weigh(&mut named.column)?;
    }
    Ok(named)
}
