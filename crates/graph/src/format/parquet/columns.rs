//! Chooses the columns of sources, targets and weights, and determines their types.

use crate::{
    error::{Error, Position, Result, quote},
    format::{IdKind, ReadOptions},
};
use ::parquet::{
    basic::{ConvertedType, LogicalType, Type},
    file::metadata::ParquetMetaData,
    schema::types::{ColumnDescPtr, ColumnDescriptor},
};

/// Pairs of names that the columns of sources and targets may have.
const PAIRS: [[&str; 2]; 10] = [
    ["source", "target"],
    ["src", "dst"],
    ["from", "to"],
    ["u", "v"],
    ["src", "dest"],
    ["source", "destination"],
    ["source_id", "target_id"],
    ["src_id", "dst_id"],
    ["from_id", "to_id"],
    ["start", "end"],
];
/// Names that the column of weights may have.
const WEIGHTS: [&str; 3] = ["weight", "w", "value"];
/// Prefix of the columns in which pandas stores the index of its rows.
const PANDAS_INDEX: &str = "__index_level_";

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
    pub(super) warnings: Vec<String>,
}

impl Columns {
    /// Chooses columns by their names, or the first two if no pair of names matches.
    pub(super) fn choose(file: &str, metadata: &ParquetMetaData, options: &ReadOptions) -> Result<Self> {
        let leaves = metadata.file_metadata().schema_descr().columns();
        let find = |name: &str| leaves.iter().position(|leaf| is_plain(leaf) && is_named(leaf, name));
        let named = PAIRS.iter().find_map(|[a, b]| Some([find(a)?, find(b)?]));
        let is_data = |&leaf: &usize| !leaves[leaf].name().starts_with(PANDAS_INDEX);
        let first = || {
            let mut data = (0..leaves.len()).filter(is_data);
            Some([data.next()?, data.next()?])
        };
        let Some(ids) = named.or_else(first) else {
            let problem = format!("an edge list needs two columns, the file has {}", leaves.len());
            let help = "name them source and target";
            return Err(Error::format(Position::file(file), problem, help));
        };
        let mut warnings = Vec::new();
        if named.is_none() {
            let [a, b] = ids.map(|leaf| quote(leaves[leaf].name().as_bytes()));
            warnings.push(format!("the columns {a} and {b} are taken as source and target: they come first"));
        }
        let weight = WEIGHTS.iter().find_map(|name| find(name).filter(|leaf| !ids.contains(leaf)));
        let weight = weight.filter(|_| !options.no_weights);
        let is_left = |&leaf: &usize| !ids.contains(&leaf) && weight != Some(leaf);
        let left: Vec<usize> = (0..leaves.len()).filter(is_data).filter(is_left).collect();
        if !left.is_empty() && !options.no_weights {
            warnings.push(left_out(leaves, &left));
        }
        let column = |leaf: usize, what: &str| Column::new(file, leaf, &leaves[leaf], what);
        let ids = [column(ids[0], "sources")?, column(ids[1], "targets")?];
        let weight = weight.map(|leaf| column(leaf, "weights")).transpose()?;
        let columns = Self { ids, weight, warnings };
        columns.check(file, options)?;
        Ok(columns)
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
                return differs(format!("the column {name} has values of type {got}"), format!("{expected}"));
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

fn is_named(descr: &ColumnDescriptor, name: &str) -> bool {
    descr.name().eq_ignore_ascii_case(name)
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

fn left_out(leaves: &[ColumnDescPtr], left: &[usize]) -> String {
    const SHOWN: usize = 5;
    let mut names: Vec<String> =
        left.iter().take(SHOWN).map(|&leaf| quote(leaves[leaf].path().string().as_bytes())).collect();
    if left.len() > SHOWN {
        names.push(format!("and {} more", left.len() - SHOWN));
    }
    match left.len() {
        1 => format!("the column {} is left out", names.join(", ")),
        _ => format!("the columns {} are left out", names.join(", ")),
    }
}
