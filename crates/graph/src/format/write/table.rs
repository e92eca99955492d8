//! Defines what the library knows about a format that it writes: the [`Entry`] in the file of the writer.
//!
//! The `outputs!` table in the parent module lists every entry once, with its variant of [`OutputFormat`]. The names,
//! their parser and its help, the checks, the writers and what a file keeps all follow from the table.

use super::{
    Output, OutputFormat,
    packing::{self, Packing},
};
use crate::{
    error::{Error, Result},
    graph::Graph,
};
use std::{path::Path, str::FromStr};

/// Everything about a format that the library writes.
pub(super) struct Entry {
    /// The name of the format, which is also the ending of its files.
    pub(super) name: &'static str,
    /// Other names that the user may give, in lower case.
    pub(super) aliases: &'static [&'static str],
    /// The name of the format for graphs without weights, if this format requires weights.
    pub(super) unweighted: Option<&'static str>,
    /// What a file keeps of a graph.
    pub(super) keeps: Keeps,
    /// Returns an error for a graph that a file cannot hold.
    pub(super) check: fn(&Graph) -> Result<()>,
    /// Writes a graph that has passed the check.
    pub(super) write: Write,
}

/// Writes a graph.
pub(super) type Write = fn(&Graph, &mut Output<'_>) -> Result<()>;

/// What a file keeps of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Keeps {
    /// The name of the format that keeps weights, if this format does not.
    pub weighted: Option<&'static str>,
    /// If the file does not record whether the graph is directed: true if a reader takes it as directed.
    pub assumed_directed: Option<bool>,
    /// True if the file keeps vertices without edges.
    pub isolated: bool,
    /// True if the file records that decimal weights are single-precision, or if it holds no decimal weights.
    pub single: bool,
    /// The number of the first vertex, if the file renumbers the vertices and drops their ids.
    pub renumbered_from: Option<u64>,
}

impl Keeps {
    /// Keeps everything.
    pub(super) const ALL: Self =
        Self { weighted: None, assumed_directed: None, isolated: true, single: true, renumbered_from: None };
}

/// Declares [`OutputFormat`] from lines of the form `Variant = entry;`.
macro_rules! outputs {
    ($($(#[$attribute:meta])* $variant:ident = $entry:path;)+) => {
        /// A file format that the library writes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum OutputFormat {
            $($(#[$attribute])* $variant,)+
        }

        impl OutputFormat {
            /// Every format that the library writes, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn entry(self) -> &'static table::Entry {
                match self {
                    $(Self::$variant => const { &$entry },)+
                }
            }
        }
    };
}
pub(super) use outputs;

impl OutputFormat {
    /// Returns the name of the format, which is also the ending of its files, e.g. `el`, `mtx` or `wg`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the format of a file by the ending of its name, without `.gz` or `.zst`.
    ///
    /// # Errors
    /// [`Error::Invalid`] listing the formats, or the error of [`OutputFormat::refuse_packed`].
    pub fn of_path(path: &Path) -> Result<Self> {
        let format: Self = Packing::of_path(path).1.parse()?;
        format.refuse_packed(path)?;
        Ok(format)
    }

    /// Returns an error if the name of a file asks for packing, and the format is packed inside.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the name to use instead.
    pub fn refuse_packed(self, path: &Path) -> Result<()> {
        match (self, Packing::of_path(path).0) {
            (_, Packing::Plain) => Ok(()),
            (Self::Parquet, _) => Err(packing::packed_inside(path)),
            _ => Ok(()),
        }
    }

    /// Returns what a file keeps of a graph.
    pub fn keeps(self) -> Keeps {
        self.entry().keeps
    }
}

impl std::fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses the name of a format, or one of its aliases, in upper or lower case.
impl FromStr for OutputFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wanted = text.to_ascii_lowercase();
        let is_wanted = |entry: &Entry| entry.name == wanted || entry.aliases.contains(&&*wanted);
        let found = Self::ALL.iter().copied().find(|format| is_wanted(format.entry()));
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            let help = format!(
                "one of {}, as the file's ending or by name; .gz or .zst after the ending packs the file",
                names.join(", ")
            );
            Error::invalid(format!("cannot write format {text:?}"), help)
        })
    }
}
