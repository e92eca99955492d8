//! Reads whole columns as texts, for tables of vertices.

use super::{
    columns::Column,
    footer, guarded,
    rows::{self, BATCH},
    values::{Ids, Place},
};
use crate::{
    error::{Error, Position, Result, quote},
    format::Input,
    labels::Texts,
};
use ::parquet::file::metadata::ParquetMetaData;
use bytes::Bytes;

/// What a null stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::format) enum Nulls {
    /// Nothing: it is an error.
    Refused,
    /// The empty text.
    Empty,
}

/// An opened file.
pub(in crate::format) struct Table {
    name: String,
    data: Bytes,
    metadata: ParquetMetaData,
}

impl Table {
    pub(in crate::format) fn open(input: Input) -> Result<Self> {
        let name = input.name().to_owned();
        let data = super::read::shared(input);
        let metadata = guarded(&name, || footer::read(&name, &data))?;
        Ok(Self { name, data, metadata })
    }

    /// Returns the names of the columns.
    pub(in crate::format) fn names(&self) -> Vec<String> {
        let leaves = self.metadata.file_metadata().schema_descr().columns();
        leaves.iter().map(|leaf| leaf.name().to_owned()).collect()
    }

    /// Reads a column, numbers as their digits.
    pub(in crate::format) fn column(&self, leaf: usize, nulls: Nulls) -> Result<Texts> {
        let leaves = self.metadata.file_metadata().schema_descr().columns();
        let Some(descr) = leaves.get(leaf) else {
            let help = "name the column of ids id";
            return Err(Error::format(Position::file(&self.name), "a vertex table without columns", help));
        };
        let column = Column::new(&self.name, leaf, descr, "vertices")?;
        column.check_id(&self.name)?;
        guarded(&self.name, || self.values(&column, nulls))
    }

    fn values(&self, column: &Column, nulls: Nulls) -> Result<Texts> {
        let mut texts = Texts::new();
        let mut row = 1;
        for group in self.metadata.row_groups() {
            rows::check(&self.name, self.data.len(), group, column)?;
            let mut left = usize::try_from(group.num_rows()).unwrap_or(0);
            let mut ids = Ids::new(&self.data, group, Place { file: &self.name, column, row })?;
            while left > 0 {
                let rows = BATCH.min(left);
                let push = |at: usize, text: Option<&[u8]>| {
                    let text = text.unwrap_or_default();
                    let wrong = || {
                        let place = Place { file: &self.name, column, row };
                        place.wrong(at, &quote(text), "a text in UTF-8", "convert the column")
                    };
                    texts.push(std::str::from_utf8(text).map_err(|_| wrong())?);
                    Ok(())
                };
                ids.each(rows, nulls == Nulls::Empty, push)?;
                (left, row) = (left - rows, row + rows as u64);
                ids.place.row = row;
            }
            ids.end()?;
        }
        Ok(texts)
    }
}
