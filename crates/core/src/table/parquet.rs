//! A table as a Parquet file: columns by name, compressed with snappy.
//!
//! Ids are INT64 (unsigned if an id exceeds 63 bits) or UTF-8 strings, integers UINT_32, UINT_64 or INT64, floating
//! point FLOAT or DOUBLE. "None" is null; only the `vertex` column is required and has no nulls.
//!
//! Threads encode the columns of a row group in parallel, and as many row groups at once as there are threads, while
//! the previous ones are being written. Memory is bounded by twice that many row groups.

use super::{Table, Values};
use ::parquet::{
    basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical},
    column::writer::{ColumnCloseResult, ColumnWriterImpl},
    data_type::{ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type},
    errors::ParquetError,
    file::{
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr},
        writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite},
    },
    schema::types::{ColumnDescPtr, ColumnPath, Type, TypePtr},
};
use bytes::Bytes;
use std::{
    io::{self, Write},
    ops::Range,
    sync::Arc,
};
use warpgraph_graph::{Control, Error, Ids, NO_VERTEX, Result, Vertex, par};

/// Rows per row group.
const GROUP_ROWS: usize = 1 << 18;

/// An encoded column of a row group.
type Chunk = (Bytes, ColumnCloseResult);

/// Writes the table; `name` is the name of the file in errors.
pub(super) fn write(
    table: &Table<'_>,
    out: &mut (impl Write + Send),
    name: &str,
    control: &Control,
) -> Result<()> {
    let failed = |error| failed(name, error);
    let properties = Arc::new(properties(table));
    let schema = schema(table).map_err(failed)?;
    let mut writer = SerializedFileWriter::new(out, schema, properties.clone()).map_err(failed)?;
    let encoder = Encoder { table, columns: writer.schema_descr().columns().to_vec(), properties };
    let step = GROUP_ROWS * rayon::current_num_threads();
    let (mut ready, mut next) = (encoder.groups(0, step).map_err(failed)?, step);
    while !ready.is_empty() {
        control.check("writing the table")?;
        control.report("writing", (next - step) as u64, Some(table.rows() as u64));
        let groups = std::mem::take(&mut ready);
        let (written, encoded) = par::join(|| append(&mut writer, groups), || encoder.groups(next, step));
        written.map_err(failed)?;
        (ready, next) = (encoded.map_err(failed)?, next + step);
    }
    writer.close().map_err(failed)?;
    Ok(())
}

fn append<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
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

fn properties(table: &Table<'_>) -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("warpgraph version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    for column in &table.columns {
        // Ascending numbers compress best as differences, and a dictionary would not make them smaller.
        if let Values::Ids(ids) = &column.values {
            let path = ColumnPath::from(column.name);
            properties = properties.set_column_dictionary_enabled(path.clone(), false);
            if !matches!(ids, Ids::Names(_)) {
                properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
        }
    }
    properties.build()
}

fn schema(table: &Table<'_>) -> Result<TypePtr, ParquetError> {
    let field = |column: &super::Column<'_>| -> Result<TypePtr, ParquetError> {
        let (physical, logical) = kind(&column.values);
        let repetition =
            if matches!(column.values, Values::Ids(_)) { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let field = Type::primitive_type_builder(column.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()?;
        Ok(Arc::new(field))
    };
    let fields = table.columns.iter().map(field).collect::<Result<_, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("table").with_fields(fields).build()?))
}

/// Returns the physical and the logical type of the values.
fn kind(values: &Values<'_>) -> (Physical, Option<LogicalType>) {
    match values {
        Values::Ids(ids) | Values::Vertices(ids, _) => match ids {
            Ids::Names(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            _ if largest(ids) > i64::MAX as u64 => (Physical::INT64, Some(LogicalType::integer(64, false))),
            _ => (Physical::INT64, None),
        },
        Values::U32(_) => (Physical::INT32, Some(LogicalType::integer(32, false))),
        Values::U64(_) => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Values::I64(_) => (Physical::INT64, None),
        Values::F32(_) => (Physical::FLOAT, None),
        Values::F64(_) => (Physical::DOUBLE, None),
    }
}

fn largest(ids: &Ids) -> u64 {
    match ids {
        Ids::Range { first, len } => first.saturating_add(*len as u64),
        Ids::Numbers(ids) => ids.last().copied().unwrap_or(0),
        Ids::Names(_) => 0,
    }
}

/// Encodes row groups.
struct Encoder<'a> {
    table: &'a Table<'a>,
    columns: Vec<ColumnDescPtr>,
    properties: WriterPropertiesPtr,
}

impl Encoder<'_> {
    /// Encodes the row groups from row `start` on, `rows` rows in total.
    fn groups(&self, start: usize, rows: usize) -> Result<Vec<Vec<Chunk>>, ParquetError> {
        let end = self.table.rows().min(start.saturating_add(rows));
        let starts: Vec<usize> = (start..end.max(start)).step_by(GROUP_ROWS).collect();
        let group = |start: usize| {
            let rows = start..end.min(start + GROUP_ROWS);
            par::try_map(self.columns.len(), |i| {
                self.column(&self.columns[i], &self.table.columns[i].values, rows.clone())
            })
        };
        par::try_map(starts.len(), |i| group(starts[i]))
    }

    fn column(
        &self,
        descr: &ColumnDescPtr,
        values: &Values<'_>,
        rows: Range<usize>,
    ) -> Result<Chunk, ParquetError> {
        match values {
            Values::Ids(Ids::Names(names)) => {
                let names = rows.map(|row| text(names.get(row))).collect();
                self.encode::<ByteArrayType>(descr, names, None)
            }
            Values::Ids(ids) => {
                let ids = rows.map(|row| number(ids, row as Vertex)).collect();
                self.encode::<Int64Type>(descr, ids, None)
            }
            Values::Vertices(Ids::Names(names), v) => {
                let name = |v: Vertex| (v != NO_VERTEX).then(|| text(names.get(v as usize)));
                self.optional::<ByteArrayType, _>(descr, &v[rows], name)
            }
            Values::Vertices(ids, v) => {
                let id = |v: Vertex| (v != NO_VERTEX).then(|| number(ids, v));
                self.optional::<Int64Type, _>(descr, &v[rows], id)
            }
            Values::U32(v) => {
                self.optional::<Int32Type, _>(descr, &v[rows], |n| (n != u32::MAX).then_some(n as i32))
            }
            Values::U64(v) => {
                self.optional::<Int64Type, _>(descr, &v[rows], |n| (n != u64::MAX).then_some(n as i64))
            }
            Values::I64(v) => {
                self.optional::<Int64Type, _>(descr, &v[rows], |n| (n != i64::MAX).then_some(n))
            }
            Values::F32(v) => self.optional::<FloatType, _>(descr, &v[rows], |x| x.is_finite().then_some(x)),
            Values::F64(v) => self.optional::<DoubleType, _>(descr, &v[rows], |x| x.is_finite().then_some(x)),
        }
    }

    /// Encodes a column; `convert` returns `None` for a null.
    fn optional<T: DataType, V: Copy>(
        &self,
        descr: &ColumnDescPtr,
        values: &[V],
        convert: impl Fn(V) -> Option<T::T>,
    ) -> Result<Chunk, ParquetError> {
        let mut levels = Vec::with_capacity(values.len());
        let mut there = Vec::with_capacity(values.len());
        for &value in values {
            let value = convert(value);
            levels.push(i16::from(value.is_some()));
            there.extend(value);
        }
        self.encode::<T>(descr, there, Some(&levels))
    }

    fn encode<T: DataType>(
        &self,
        descr: &ColumnDescPtr,
        values: Vec<T::T>,
        levels: Option<&[i16]>,
    ) -> Result<Chunk, ParquetError> {
        let mut out = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut out));
        let mut writer = ColumnWriterImpl::<T>::new(descr.clone(), self.properties.clone(), pages);
        writer.write_batch(&values, levels, None)?;
        let about = writer.close()?;
        Ok((out.into_inner()?.into(), about))
    }
}

fn number(ids: &Ids, v: Vertex) -> i64 {
    match ids {
        Ids::Range { first, .. } => (first + u64::from(v)) as i64,
        Ids::Numbers(ids) => ids[v as usize] as i64,
        Ids::Names(_) => 0,
    }
}

fn text(name: &str) -> ByteArray {
    ByteArray::from(name.as_bytes().to_vec())
}
