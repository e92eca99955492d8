//! Writes Parquet files: named columns of values in row groups, compressed with snappy. Graphs and tables share this
//! writer.
//!
//! Threads encode the columns of a row group in parallel, and as many row groups at once as there are threads, while
//! the previous ones are being written. Memory is bounded by twice that many row groups.

use crate::{
    control::Control,
    error::{Error, Result},
    ids::Ids,
    par,
};
use ::parquet::{
    basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical},
    column::writer::{ColumnCloseResult, ColumnWriterImpl},
    data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr},
        writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite},
    },
    schema::types::{ColumnDescPtr, ColumnPath, Type, TypePtr},
};
use bytes::Bytes;
use std::{
    io::{self, Write},
    sync::Arc,
};

/// The usual number of rows per row group.
pub const GROUP_ROWS: usize = 1 << 18;

/// A file to write.
pub struct Sheet<'a> {
    /// The columns, in order.
    pub columns: Vec<Column<'a>>,
    /// Notes about the whole file, as keys and values.
    pub notes: Vec<(&'a str, String)>,
    /// The first row of each row group, then the number of all rows. No row group is empty.
    pub bounds: Vec<usize>,
    /// Returns the cells of a row group (the first number) and a column (the second).
    pub cells: &'a (dyn Fn(usize, usize) -> Cells<'a> + Sync),
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// Its name.
    pub name: &'a str,
    /// The type of its values.
    pub kind: Kind,
    /// True if cells may be empty.
    pub optional: bool,
    /// True if values hardly repeat, as those of sorted numbers: a dictionary would not make them smaller, while
    /// differences of numbers do.
    pub ascending: bool,
}

/// The type of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Unsigned integers of 32 bits.
    U32,
    /// Signed integers of 32 bits.
    I32,
    /// Unsigned integers of 64 bits.
    U64,
    /// Signed integers of 64 bits.
    I64,
    /// Single-precision floating point.
    F32,
    /// Double-precision floating point.
    F64,
    /// Text in UTF-8.
    Text,
}

/// The cells of one column of one row group.
#[derive(Debug)]
pub struct Cells<'a> {
    /// The values of the cells that are not empty.
    pub values: Values<'a>,
    /// One number per cell, 0 if it is empty and 1 if not; `None` in a column that is not optional.
    pub levels: Option<Vec<i16>>,
}

/// The values of some cells.
#[derive(Debug)]
pub enum Values<'a> {
    /// Values of 32 bits, also unsigned ones.
    Narrow(Vec<i32>),
    /// Values of 64 bits, also unsigned ones.
    Wide(Vec<i64>),
    /// Single-precision values.
    F32(Vec<f32>),
    /// Double-precision values.
    F64(Vec<f64>),
    /// Texts.
    Text(Vec<&'a str>),
}

impl Kind {
    /// Returns the type of a column of ids: text for names, and signed integers if all ids fit.
    pub fn of_ids(ids: &Ids) -> Self {
        let last = match ids {
            Ids::Range { first, len } => first.saturating_add(*len as u64),
            Ids::Numbers(ids) => ids.last().copied().unwrap_or(0),
            Ids::Names(_) => return Self::Text,
        };
        if last > i64::MAX as u64 { Self::U64 } else { Self::I64 }
    }

    fn types(self) -> (Physical, Option<LogicalType>) {
        match self {
            Self::U32 => (Physical::INT32, Some(LogicalType::integer(32, false))),
            Self::I32 => (Physical::INT32, None),
            Self::U64 => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Self::I64 => (Physical::INT64, None),
            Self::F32 => (Physical::FLOAT, None),
            Self::F64 => (Physical::DOUBLE, None),
            Self::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        }
    }
}

/// An encoded column of a row group.
type Chunk = (Bytes, ColumnCloseResult);

impl Sheet<'_> {
    /// Writes the file; errors name it `name`, and `doing` says what an interrupt stopped.
    ///
    /// # Errors
    /// [`Error::Io`], or the error of `control` when it stops the work.
    pub fn write(
        &self,
        out: &mut (dyn Write + Send),
        name: &str,
        doing: &str,
        control: &Control,
    ) -> Result<()> {
        let failed = |error| failed(name, error);
        control.check(doing)?;
        let properties = Arc::new(self.properties());
        let schema = self.schema().map_err(failed)?;
        let mut writer = SerializedFileWriter::new(out, schema, properties.clone()).map_err(failed)?;
        let encoder = Encoder { sheet: self, columns: writer.schema_descr().columns().to_vec(), properties };
        let (groups, step) = (self.bounds.len().saturating_sub(1), rayon::current_num_threads());
        let rows = self.bounds.last().map(|&rows| rows as u64);
        let mut ready = encoder.groups(0..step.min(groups)).map_err(failed)?;
        let mut next = ready.len();
        while !ready.is_empty() {
            control.check(doing)?;
            control.report("writing", self.bounds[next - ready.len()] as u64, rows);
            let now = std::mem::take(&mut ready);
            let coming = next..groups.min(next + step);
            let (written, encoded) = par::join(|| append(&mut writer, now), || encoder.groups(coming));
            written.map_err(failed)?;
            ready = encoded.map_err(failed)?;
            next += ready.len();
        }
        writer.close().map_err(failed)?;
        Ok(())
    }

    fn properties(&self) -> WriterProperties {
        let note = |(key, value): &(&str, String)| KeyValue::new((*key).to_owned(), value.clone());
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("warpgraph version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
        if !self.notes.is_empty() {
            properties = properties.set_key_value_metadata(Some(self.notes.iter().map(note).collect()));
        }
        for column in self.columns.iter().filter(|column| column.ascending) {
            let path = ColumnPath::from(column.name);
            properties = properties.set_column_dictionary_enabled(path.clone(), false);
            if column.kind != Kind::Text {
                properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
        }
        properties.build()
    }

    fn schema(&self) -> Result<TypePtr, ParquetError> {
        let field = |column: &Column<'_>| -> Result<TypePtr, ParquetError> {
            let (physical, logical) = column.kind.types();
            let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
            let field = Type::primitive_type_builder(column.name, physical)
                .with_repetition(repetition)
                .with_logical_type(logical)
                .build()?;
            Ok(Arc::new(field))
        };
        let fields = self.columns.iter().map(field).collect::<Result<_, ParquetError>>()?;
        Ok(Arc::new(Type::group_type_builder("table").with_fields(fields).build()?))
    }
}

fn append(
    writer: &mut SerializedFileWriter<&mut (dyn Write + Send)>,
    groups: Vec<Vec<Chunk>>,
) -> Result<(), ParquetError> {
    for group in groups {
        let mut rows = writer.next_row_group()?;
        group.into_iter().try_for_each(|(bytes, about)| rows.append_column(&bytes, about))?;
        rows.close()?;
    }
    Ok(())
}

/// Returns the underlying system error, if there is one.
fn failed(name: &str, error: ParquetError) -> Error {
    let error = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    };
    Error::io(name, "write", error)
}

/// Encodes row groups.
struct Encoder<'a, 'b> {
    sheet: &'a Sheet<'b>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
}

impl Encoder<'_, '_> {
    fn groups(&self, groups: std::ops::Range<usize>) -> Result<Vec<Vec<Chunk>>, ParquetError> {
        let group = |group| par::try_map(self.columns.len(), |column| self.chunk(group, column));
        par::try_map(groups.len(), |i| group(groups.start + i))
    }

    fn chunk(&self, group: usize, column: usize) -> Result<Chunk, ParquetError> {
        let Cells { values, levels } = (self.sheet.cells)(group, column);
        let (column, levels) = (&self.columns[column], levels.as_deref());
        match values {
            Values::Narrow(values) => self.encode::<Int32Type>(column, &values, levels),
            Values::Wide(values) => self.encode::<Int64Type>(column, &values, levels),
            Values::F32(values) => self.encode::<FloatType>(column, &values, levels),
            Values::F64(values) => self.encode::<DoubleType>(column, &values, levels),
            Values::Text(values) => {
                let text = |text: &&str| ByteArray::from(text.as_bytes().to_vec());
                self.encode::<ByteArrayType>(column, &values.iter().map(text).collect::<Vec<_>>(), levels)
            }
        }
    }

    fn encode<T: DataType>(
        &self,
        column: &ColumnDescPtr,
        values: &[T::T],
        levels: Option<&[i16]>,
    ) -> Result<Chunk, ParquetError> {
        let mut out = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut out));
        let mut writer = ColumnWriterImpl::<T>::new(column.clone(), self.properties.clone(), pages);
        writer.write_batch(values, levels, None)?;
        let about = writer.close()?;
        Ok((out.into_inner()?.into(), about))
    }
}
