//! Reads a vertex table from a Parquet file.

use super::{Columns, VertexTable};
use crate::{
    error::Result,
    format::{Input, parquet},
};

/// Reads the columns of ids and labels; a label that is null is empty.
pub(super) fn read(input: Input) -> Result<VertexTable> {
    let file = input.name().to_owned();
    let table = parquet::texts::Table::open(input)?;
    let columns = Columns::by_name(&table.names());
    let ids = table.column(columns.id, parquet::texts::Nulls::Refused)?;
    let labels = columns.label.map(|label| table.column(label, parquet::texts::Nulls::Empty)).transpose()?;
    Ok(VertexTable { file, ids, labels, warnings: columns.warning.into_iter().collect() })
}
