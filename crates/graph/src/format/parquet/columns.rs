//! Chooses the columns of sources, targets and weights by the words of [`crate::format::columns`], and determines their
//! types.

use crate::{
    error::{Error, Position, Result, quote},
    format::{
        IdKind, ReadOptions,
        columns::{self, Unclear},
    },
};
use ::parquet::{
    basic::{ConvertedType, LogicalType, Type},
    file::metadata::ParquetMetaData,
    schema::types::{ColumnDescPtr, ColumnDescriptor},
};

/// The type of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    Text,
}

/// A column: its index among the leaves of the schema, its type and its descriptor.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) leaf: usize,
    pub(super) kind: Kind,
    pub(super) descr: ColumnDescPtr,
}

/// The columns of an edge list.
#[derive(Debug)]
pub(super) struct Columns {
    /// The columns of sources and targets.
    pub(super) ids: [Column; 2],
    pub(super) weight: Option<Column>,
    /// The names of the columns that the reader ignores.
    pub(super) ignored: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Columns {
    /// Chooses the columns that the options give or whose names are words for source, target and weight.
    pub(super) fn choose(file: &str, metadata: &ParquetMetaData, options: &ReadOptions) -> Result<Self> {
        let leaves = metadata.file_metadata().schema_descr().columns();
        let names: Vec<String> = leaves.iter().map(|leaf| leaf.path().string()).collect();
        if names.len() < 2 {
            let problem = format!("an edge list needs two columns, the file has {}", names.len());
            return Err(Error::format(Position::file(file), problem, "name them source and target"));
        }
        let chosen = columns::choose(&names, names.len(), &options.columns, options.no_weights);
        let chosen = chosen.map_err(|unclear| Self::unclear(file, &unclear, &names))?;
        let column = |leaf: usize, what: &str| Column::new(file, leaf, &leaves[leaf], what);
        let columns = Self {
            ids: [column(chosen.ids[0], "sources")?, column(chosen.ids[1], "targets")?],
            weight: chosen.weight.map(|leaf| column(leaf, "weights")).transpose()?,
            ignored: chosen.ignored.iter().map(|&leaf| names[leaf].clone()).collect(),
            warnings: chosen.warnings(&names, options.no_weights),
        };
        columns.check(file, options)?;
        Ok(columns)
    }

    fn unclear(file: &str, unclear: &Unclear, names: &[String]) -> Error {
        const SHOWN: usize = 8;
        let mut all: Vec<String> = names.iter().take(SHOWN).map(|name| quote(name.as_bytes())).collect();
        if names.len() > SHOWN {
            all.push(format!("and {} more", names.len() - SHOWN));
        }
        let problem = unclear.problem(names, names.len());
        let shown = format!("{problem}: the columns are {}", all.join(", "));
        let problem = if matches!(unclear, Unclear::Unknown(_)) { shown } else { problem };
        let help = "say which, by name or position, e.g. --columns src=1,dst=2,weight=3";
        Error::format(Position::file(file), problem, help)
    }

    fn check(&self, file: &str, options: &ReadOptions) -> Result<()> {
        let wrong = |column: &Column, expected: &str, help: &str| Err(column.wrong(file, expected, help));
        for column in &self.ids {
            column.check_id(file)?;
            if column.kind == Kind::Text && options.ids == IdKind::Numbers {
                return wrong(column, "whole numbers", "leave --ids out to take the texts as names");
            }
        }
        let [a, b] = &self.ids;
        if (a.kind == Kind::Text) != (b.kind == Kind::Text) && options.ids != IdKind::Names {
            let (text, _) = if a.kind == Kind::Text { (a, b) } else { (b, a) };
            return wrong(
                text,
                "whole numbers as in the other column of ids",
                "give both columns one type, or pass --ids names",
            );
        }
        match &self.weight {
            Some(weight) if weight.kind == Kind::Text => {
                wrong(weight, "weights: numbers", "convert the column, or pass --no-weights to leave it out")
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if the columns of `file` are not those of `first`, another part of the same graph. Widths of
    /// numbers may differ.
    pub(super) fn check_like(&self, first: &Self, file: &str, first_file: &str) -> Result<()> {
        let differs = |got: String, expected: String| {
            let problem = format!("{got}, but {expected} in {first_file}");
            Err(Error::format(Position::file(file), problem, "all parts of a graph need one schema"))
        };
        for (mine, other) in self.all().zip(first.all()) {
            let [name, expected] = [mine, other].map(|column| quote(column.descr.name().as_bytes()));
            if name != expected {
                return differs(format!("the column {name}"), format!("it is {expected}"));
            }
            if (mine.kind == Kind::Text) != (other.kind == Kind::Text) {
                let [got, expected] = [mine, other].map(|column| type_of(&column.descr));
                return differs(format!("the column {name} has values of type {got}"), expected);
            }
        }
        match (&self.weight, &first.weight) {
            (Some(_), None) => differs("there are weights".to_owned(), "none".to_owned()),
            (None, Some(_)) => differs("there are no weights".to_owned(), "there are some".to_owned()),
            _ => Ok(()),
        }
    }

    /// Returns true if the ids of at least one column are texts.
    pub(super) fn are_names(&self) -> bool {
        self.ids.iter().any(|column| column.kind == Kind::Text)
    }

    /// Returns true if there are weights and their type is f32.
    pub(super) fn has_narrow_weights(&self) -> bool {
        self.weight.as_ref().is_some_and(|column| column.kind == Kind::F32)
    }

    /// Returns the columns of sources and targets, then that of weights if there is one.
    pub(super) fn all(&self) -> impl Iterator<Item = &Column> {
        self.ids.iter().chain(&self.weight)
    }
}

impl Column {
    pub(super) fn new(file: &str, leaf: usize, descr: &ColumnDescPtr, what: &str) -> Result<Self> {
        let kind = if is_plain(descr) { kind(descr) } else { None };
        let kind = kind.ok_or_else(|| {
            let path = quote(descr.path().string().as_bytes());
            let problem = format!("the column {path} of {what} has values of type {}", type_of(descr));
            let help = "ids are whole numbers or texts, weights are numbers; convert the column, or name another one";
            Error::format(Position::file(file), problem, help)
        })?;
        Ok(Self { leaf, kind, descr: descr.clone() })
    }

    /// Returns an error if the values cannot be ids or labels.
    pub(super) fn check_id(&self, file: &str) -> Result<()> {
        match self.kind {
            Kind::F32 | Kind::F64 => {
                Err(self.wrong(file, "ids: whole numbers or texts", "convert the column to whole numbers"))
            }
            _ => Ok(()),
        }
    }

    fn wrong(&self, file: &str, expected: &str, help: &str) -> Error {
        let name = quote(self.descr.name().as_bytes());
        let got = type_of(&self.descr);
        let problem = format!("the column {name} has values of type {got}, expected {expected}");
        Error::format(Position::file(file), problem, help)
    }
}

/// Returns true if the column is not part of a group or a list.
fn is_plain(descr: &ColumnDescriptor) -> bool {
    descr.path().parts().len() == 1 && descr.max_rep_level() == 0 && descr.max_def_level() <= 1
}

/// Returns the type of the values, or `None` if they can be neither ids nor weights.
fn kind(descr: &ColumnDescriptor) -> Option<Kind> {
    use ConvertedType as C;
    let logical = descr.logical_type_ref();
    let unsigned = match logical {
        Some(LogicalType::Integer(int)) => !int.is_signed,
        Some(LogicalType::String | LogicalType::Enum | LogicalType::Json) | None => {
            matches!(descr.converted_type(), C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64)
        }
        Some(_) => return None,
    };
    let other = matches!(
        descr.converted_type(),
        C::DECIMAL
            | C::DATE
            | C::TIME_MILLIS
            | C::TIME_MICROS
            | C::TIMESTAMP_MILLIS
            | C::TIMESTAMP_MICROS
            | C::BSON
    );
    match descr.physical_type() {
        _ if other => None,
        Type::INT32 if unsigned => Some(Kind::U32),
        Type::INT32 => Some(Kind::I32),
        Type::INT64 if unsigned => Some(Kind::U64),
        Type::INT64 => Some(Kind::I64),
        Type::FLOAT => Some(Kind::F32),
        Type::DOUBLE => Some(Kind::F64),
        Type::BYTE_ARRAY => Some(Kind::Text),
        _ => None,
    }
}

/// Returns the type of a column for an error message.
fn type_of(descr: &ColumnDescriptor) -> String {
    let physical = descr.physical_type();
    let nested = if is_plain(descr) { "" } else { ", nested" };
    match descr.converted_type() {
        ConvertedType::NONE => format!("{physical}{nested}"),
        converted => format!("{physical} ({converted}){nested}"),
    }
}
