//! Says which columns of a table hold the sources, the targets and the weights of the edges.
//!
//! [`Columns`] is what the caller says, by name or position. For the rest, the names of the columns decide (`words`
//! lists them), the same for text and Parquet. `choose` combines both:
//!
//! - A column that the caller names has that meaning.
//! - Of the other columns, a pair of words such as `source` and `target` gives the ids, `weight` or a similar word the
//!   weight.
//! - If exactly as many columns with unknown names remain as ids are missing, these are the ids, in their order.
//! - Otherwise the meaning is unclear, which is an error. No reader guesses further.

mod choose;
mod words;

pub(super) use self::choose::{Chosen, Unclear, are_words, choose, has_words, is_id, is_weight};

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// One column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// The column with this name, in upper or lower case.
    Name(String),
    /// The column at this position, from 1.
    Position(usize),
}

/// The columns of sources, targets and weights. Where it is `None`, the names of the columns decide.
///
/// ```
/// use warpgraph_graph::format::{Column, Columns};
/// let columns: Columns = "src=3,dst=To,weight=km".parse()?;
/// assert_eq!(columns.source, Some(Column::Position(3)));
/// assert_eq!(columns.target, Some(Column::Name("To".to_owned())));
/// assert_eq!(columns.to_string(), "src=3,dst=To,weight=km");
/// # Ok::<(), warpgraph_graph::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Columns {
    /// The column of sources.
    pub source: Option<Column>,
    /// The column of targets.
    pub target: Option<Column>,
    /// The column of weights.
    pub weight: Option<Column>,
}

/// Whether the first line of a text edge list that is no comment names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Header {
    /// The content decides.
    #[default]
    Auto,
    /// It names the columns.
    Yes,
    /// It is an edge.
    No,
}

/// The columns of edges in a table, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeColumns {
    /// The columns of sources and targets.
    pub ids: [usize; 2],
    /// The column of weights, if there is one.
    pub weight: Option<usize>,
    /// What the choice assumes or leaves out, one sentence each.
    pub warnings: Vec<String>,
}

impl EdgeColumns {
    /// Chooses among the columns of a table by their names and what the caller says, by the rules for files.
    ///
    /// ```
    /// use warpgraph_graph::format::{Columns, EdgeColumns};
    /// let names = ["km", "from", "to"].map(str::to_owned);
    /// let chosen = EdgeColumns::choose(&names, &"weight=km".parse()?)?;
    /// assert_eq!((chosen.ids, chosen.weight), ([1, 2], Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why they are not clear.
    pub fn choose(names: &[String], asked: &Columns) -> Result<Self, String> {
        let chosen =
            choose(names, names.len(), asked, false).map_err(|why| why.problem(names, names.len()))?;
        let warnings = chosen.warnings(names, false);
        Ok(Self { ids: chosen.ids, weight: chosen.weight, warnings })
    }
}

impl Columns {
    /// Returns true if the caller says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the columns in the order source, target, weight.
    fn all(&self) -> [Option<&Column>; 3] {
        [self.source.as_ref(), self.target.as_ref(), self.weight.as_ref()]
    }

    /// Returns true if source and target are given, and no column by its name.
    pub(super) fn are_positions(&self) -> bool {
        self.source.is_some() && self.target.is_some() && !self.has_names()
    }

    /// Returns true if a column is given by its name, so that the table must have names.
    pub(super) fn has_names(&self) -> bool {
        self.all().into_iter().flatten().any(|column| matches!(column, Column::Name(_)))
    }
}

/// Parses a position or a name.
impl FromStr for Column {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.parse() {
            Ok(0) => Err(Error::invalid("column 0: positions count from 1", "the first column is 1")),
            Ok(position) => Ok(Self::Position(position)),
            Err(_) => Ok(Self::Name(text.to_owned())),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Position(position) => write!(f, "{position}"),
        }
    }
}

/// Parses `src=A,dst=B,weight=C`, any of them, where A, B and C are names or positions from 1.
impl FromStr for Columns {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |what: String| Error::invalid(what, "say e.g. src=1,dst=2,weight=3 or src=from,dst=to");
        let mut columns = Self::default();
        for part in text.split(',') {
            let Some((key, column)) = part.split_once('=').filter(|(_, column)| !column.trim().is_empty())
            else {
                return Err(wrong(format!("columns {text:?}: {part:?} is not of the form src=COLUMN")));
            };
            let slot = match key.trim().to_ascii_lowercase().as_str() {
                "src" | "source" | "from" => &mut columns.source,
                "dst" | "target" | "to" => &mut columns.target,
                "weight" | "w" => &mut columns.weight,
                key => {
                    return Err(wrong(format!("columns {text:?}: {key:?} is none of src, dst and weight")));
                }
            };
            if slot.replace(column.trim().parse()?).is_some() {
                return Err(wrong(format!("columns {text:?}: {} is there twice", key.trim())));
            }
        }
        Ok(columns)
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = ["src", "dst", "weight"].into_iter().zip(self.all());
        let parts: Vec<String> =
            parts.filter_map(|(key, column)| Some(format!("{key}={}", column?))).collect();
        f.write_str(&parts.join(","))
    }
}

impl From<Columns> for String {
    fn from(columns: Columns) -> Self {
        columns.to_string()
    }
}

impl TryFrom<String> for Columns {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        if text.is_empty() { Ok(Self::default()) } else { text.parse() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_read_back_as_they_are_written() {
        for text in ["src=1,dst=2,weight=3", "dst=to", "src=Person A,weight=km"] {
            let columns: Columns = text.parse().unwrap();
            assert_eq!(columns.to_string(), text);
            let json = serde_json::to_string(&columns).unwrap();
            assert_eq!(serde_json::from_str::<Columns>(&json).unwrap(), columns);
        }
        assert_eq!(serde_json::from_str::<Columns>("\"\"").unwrap(), Columns::default());
        assert_eq!("From = a , TO = b".parse::<Columns>().unwrap().to_string(), "src=a,dst=b");
    }

    #[test]
    fn what_is_no_column_is_said() {
        for (text, message) in [
            ("1,2", "columns \"1,2\": \"1\" is not of the form src=COLUMN"),
            ("src=", "columns \"src=\": \"src=\" is not of the form src=COLUMN"),
            ("id=3", "columns \"id=3\": \"id\" is none of src, dst and weight"),
            ("src=1,from=2", "columns \"src=1,from=2\": from is there twice"),
            ("src=0", "column 0: positions count from 1"),
        ] {
            let error = text.parse::<Columns>().unwrap_err();
            assert_eq!(error.to_string(), message);
            assert!(error.help().is_some(), "{text}");
        }
    }
}
