//! Reads the values of one column of one row group, a batch of rows at a time.

use super::{
    columns::{Column, Kind},
    damaged,
    pages::Pages,
};
use crate::{
    error::{Error, Position, Result, quote},
    format::edge_list::weights::Weight,
};
use ::parquet::{
    column::reader::ColumnReaderImpl,
    data_type::{ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type},
    errors::ParquetError,
    file::metadata::RowGroupMetaData,
};
use bytes::Bytes;
use std::borrow::Cow;

/// A column and its current rows, for error messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) column: &'a Column,
    /// The number of the first row of the current batch, counted from 1 over the whole file.
    pub(super) row: u64,
}

impl Place<'_> {
    /// Makes an error about row `index` of the current batch.
    pub(super) fn wrong(&self, index: usize, got: &str, expected: &str, help: &str) -> Error {
        let name = quote(self.column.descr.name().as_bytes());
        let row = self.row + index as u64;
        let problem = format!("row {row} of the column {name}: expected {expected}, got {got}");
        Error::format(Position::file(self.file), problem, help)
    }

    fn damaged(&self, problem: &dyn std::fmt::Display) -> Error {
        let name = quote(self.column.descr.name().as_bytes());
        damaged(self.file, format!("the column {name} after row {}: {problem}", self.row - 1))
    }

    fn of_crate(&self, error: &ParquetError) -> Error {
        match error {
            ParquetError::General(problem) | ParquetError::EOF(problem) => self.damaged(problem),
            other => self.damaged(other),
        }
    }
}

/// Reads values of one type.
struct Reader<T: DataType> {
    inner: ColumnReaderImpl<T>,
    values: Vec<T::T>,
    levels: Vec<i16>,
}

impl<T: DataType> Reader<T> {
    fn new(data: &Bytes, group: &RowGroupMetaData, place: &Place<'_>) -> Result<Self> {
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let pages =
            Pages::new(data, group.column(place.column.leaf), rows).map_err(|e| place.of_crate(&e))?;
        let inner = ColumnReaderImpl::new(place.column.descr.clone(), Box::new(pages));
        Ok(Self { inner, values: Vec::new(), levels: Vec::new() })
    }

    /// Reads the next `rows` values; a null is an error, and so are fewer values.
    fn fill(&mut self, rows: usize, place: &Place<'_>) -> Result<()> {
        if self.fill_some(rows, place)? < rows {
            let index = self.levels.iter().position(|&level| level == 0).unwrap_or(0);
            let help = "drop such rows, e.g. with pandas: table.dropna()";
            return Err(place.wrong(index, "null", "a value", help));
        }
        Ok(())
    }

    /// Reads the values of the next `rows` rows that are not null and returns their number; fewer rows are an error.
    fn fill_some(&mut self, rows: usize, place: &Place<'_>) -> Result<usize> {
        self.values.clear();
        self.levels.clear();
        let levels = (place.column.descr.max_def_level() > 0).then_some(&mut self.levels);
        let read = self.inner.read_records(rows, levels, None, &mut self.values);
        let (found, values, _) = read.map_err(|e| place.of_crate(&e))?;
        if found < rows && values == found {
            return Err(place.damaged(&format!("{} rows are missing", rows - found)));
        }
        Ok(values)
    }

    /// Returns an error if there are values beyond the last row.
    fn end(&mut self, place: &Place<'_>) -> Result<()> {
        let mut more = Vec::new();
        let read = self.inner.read_records(1, Some(&mut Vec::new()), None, &mut more);
        match read.map_err(|e| place.of_crate(&e))? {
            (0, ..) => Ok(()),
            _ => Err(place.damaged(&"there are more values than rows")),
        }
    }
}

/// A column of ids.
pub(super) struct Ids<'a> {
    pub(super) place: Place<'a>,
    reader: IdReader,
    /// The ids of the current batch if they are numbers; empty if they are texts.
    pub(super) numbers: Vec<u64>,
}

enum IdReader {
    Narrow(Reader<Int32Type>),
    Wide(Reader<Int64Type>),
    Text(Reader<ByteArrayType>),
}

impl<'a> Ids<'a> {
    pub(super) fn new(data: &Bytes, group: &RowGroupMetaData, place: Place<'a>) -> Result<Self> {
        let reader = match place.column.kind {
            Kind::I32 | Kind::U32 => IdReader::Narrow(Reader::new(data, group, &place)?),
            Kind::I64 | Kind::U64 => IdReader::Wide(Reader::new(data, group, &place)?),
            _ => IdReader::Text(Reader::new(data, group, &place)?),
        };
        Ok(Self { place, reader, numbers: Vec::new() })
    }

    /// Reads the ids of the next `rows` rows.
    pub(super) fn fill(&mut self, rows: usize) -> Result<()> {
        self.numbers.clear();
        let place = &self.place;
        let low = match &mut self.reader {
            IdReader::Text(reader) => return reader.fill(rows, place),
            IdReader::Narrow(reader) => {
                reader.fill(rows, place)?;
                match place.column.kind {
                    Kind::U32 => self.numbers.extend(reader.values.iter().map(|&n| u64::from(n as u32))),
                    _ => self.numbers.extend(reader.values.iter().map(|&n| i64::from(n) as u64)),
                }
                reader.values.iter().map(|&n| i64::from(n)).min()
            }
            IdReader::Wide(reader) => {
                reader.fill(rows, place)?;
                self.numbers.extend(reader.values.iter().map(|&n| n as u64));
                reader.values.iter().copied().min()
            }
        };
        let is_signed = matches!(place.column.kind, Kind::I32 | Kind::I64);
        if is_signed && low.is_some_and(|n| n < 0) {
            return Err(self.negative());
        }
        Ok(())
    }

    /// Reads the next `rows` rows and calls `take` with the index and the text of each. If `nulls` is true, a text that
    /// is null is `None`, otherwise it is an error.
    pub(super) fn each(
        &mut self,
        rows: usize,
        nulls: bool,
        mut take: impl FnMut(usize, Option<&[u8]>) -> Result<()>,
    ) -> Result<()> {
        match &mut self.reader {
            IdReader::Text(reader) if nulls => {
                let there = reader.fill_some(rows, &self.place)?;
                let mut values = reader.values.iter().map(|text| text.data());
                let is_there =
                    |row: usize| there == rows || reader.levels.get(row).is_some_and(|&level| level > 0);
                (0..rows).try_for_each(|row| take(row, if is_there(row) { values.next() } else { None }))
            }
            _ => {
                self.fill(rows)?;
                (0..rows).try_for_each(|row| take(row, Some(&self.name(row))))
            }
        }
    }

    fn negative(&self) -> Error {
        let index = self.numbers.iter().position(|&n| (n as i64) < 0).unwrap_or(0);
        let got = self.numbers.get(index).map_or(0, |&n| n as i64).to_string();
        let help = "ids are whole numbers from 0 on, or texts; renumber them";
        self.place.wrong(index, &got, "an id from 0 on", help)
    }

    /// Returns an error if there are values beyond the last row.
    pub(super) fn end(&mut self) -> Result<()> {
        match &mut self.reader {
            IdReader::Narrow(reader) => reader.end(&self.place),
            IdReader::Wide(reader) => reader.end(&self.place),
            IdReader::Text(reader) => reader.end(&self.place),
        }
    }

    /// Returns the id of row `index` of the current batch as a name.
    pub(super) fn name(&self, index: usize) -> Cow<'_, [u8]> {
        match &self.reader {
            IdReader::Text(reader) => Cow::Borrowed(reader.values[index].data()),
            _ => Cow::Owned(self.numbers[index].to_string().into_bytes()),
        }
    }
}

/// A column of weights.
pub(super) struct Weights<'a> {
    pub(super) place: Place<'a>,
    reader: WeightReader,
}

enum WeightReader {
    Narrow(Reader<Int32Type>),
    Wide(Reader<Int64Type>),
    Float(Reader<FloatType>),
    Double(Reader<DoubleType>),
}

impl<'a> Weights<'a> {
    pub(super) fn new(data: &Bytes, group: &RowGroupMetaData, place: Place<'a>) -> Result<Self> {
        let reader = match place.column.kind {
            Kind::I32 | Kind::U32 => WeightReader::Narrow(Reader::new(data, group, &place)?),
            Kind::I64 | Kind::U64 => WeightReader::Wide(Reader::new(data, group, &place)?),
            Kind::F32 => WeightReader::Float(Reader::new(data, group, &place)?),
            Kind::F64 | Kind::Text => WeightReader::Double(Reader::new(data, group, &place)?),
        };
        Ok(Self { place, reader })
    }

    /// Reads the weights of the next `rows` rows.
    pub(super) fn fill(&mut self, rows: usize) -> Result<()> {
        match &mut self.reader {
            WeightReader::Narrow(reader) => reader.fill(rows, &self.place),
            WeightReader::Wide(reader) => reader.fill(rows, &self.place),
            WeightReader::Float(reader) => reader.fill(rows, &self.place),
            WeightReader::Double(reader) => reader.fill(rows, &self.place),
        }
    }

    /// Returns an error if there are values beyond the last row.
    pub(super) fn end(&mut self) -> Result<()> {
        match &mut self.reader {
            WeightReader::Narrow(reader) => reader.end(&self.place),
            WeightReader::Wide(reader) => reader.end(&self.place),
            WeightReader::Float(reader) => reader.end(&self.place),
            WeightReader::Double(reader) => reader.end(&self.place),
        }
    }

    /// Calls `take` with every weight of the current batch, in order.
    pub(super) fn each(&self, mut take: impl FnMut(Weight) -> Result<()>) -> Result<()> {
        let unsigned = matches!(self.place.column.kind, Kind::U32 | Kind::U64);
        let mut put = |(index, whole): (usize, i128)| {
            take(Weight::whole(whole).map_err(|expected| self.wrong(index, &whole.to_string(), expected))?)
        };
        match &self.reader {
            WeightReader::Narrow(r) => {
                let whole = |&n: &i32| if unsigned { (n as u32).into() } else { n.into() };
                r.values.iter().map(whole).enumerate().try_for_each(put)
            }
            WeightReader::Wide(r) => {
                let whole = |&n: &i64| if unsigned { (n as u64).into() } else { n.into() };
                r.values.iter().map(whole).enumerate().try_for_each(&mut put)
            }
            WeightReader::Float(r) => self.decimals(r.values.iter().map(|&w| w.into()), take),
            WeightReader::Double(r) => self.decimals(r.values.iter().copied(), take),
        }
    }

    fn decimals(
        &self,
        weights: impl Iterator<Item = f64>,
        mut take: impl FnMut(Weight) -> Result<()>,
    ) -> Result<()> {
        weights.enumerate().try_for_each(|(index, weight)| match weight.is_finite() {
            true => take(Weight::Decimal(weight)),
            false => Err(self.wrong(index, &weight.to_string(), "a finite weight")),
        })
    }

    fn wrong(&self, index: usize, got: &str, expected: &str) -> Error {
        self.place.wrong(index, got, expected, "change the weight, or pass --no-weights to leave them out")
    }
}
