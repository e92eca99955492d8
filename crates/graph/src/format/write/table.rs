//! What the library knows of a format that it writes: its [`Entry`], which stands in the file of its writer.
//!
//! The `outputs!` table in the parent module lists every entry once, with the variant of [`OutputFormat`] that it belongs
//! to. Names, the parser of names and its help, checks, writing and what a file keeps follow from the table.

use super::{Output, OutputFormat};
use crate::{
    error::{Error, Result},
    graph::Graph,
};
use std::str::FromStr;

/// Everything about a format that can be written.
pub(super) struct Entry {
    /// Its name, which is also its ending.
    pub(super) name: &'static str,
    /// Other names that the user may give, in small letters.
    pub(super) aliases: &'static [&'static str],
    /// The name of the format for graphs without weights, if this one is only for graphs with weights.
    pub(super) unweighted: Option<&'static str>,
    /// What a file keeps of a graph.
    pub(super) keeps: Keeps,
    /// Refuses a graph that a file cannot hold.
    pub(super) check: fn(&Graph) -> Result<()>,
    /// Writes a graph that has passed the check.
    pub(super) write: fn(&Graph, &mut Output<'_>) -> Result<()>,
}

/// What a file keeps of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Keeps {
    /// The name of the format that keeps weights, if this one does not.
    pub weighted: Option<&'static str>,
    /// True if the file says whether the graph is directed.
    pub direction: bool,
    /// True if vertices without edges are kept.
    pub isolated: bool,
    /// The first number, if vertices are numbered anew and lose their ids.
    pub renumbered_from: Option<u64>,
}

impl Keeps {
    /// Everything.
    pub(super) const ALL: Self =
        Self { weighted: None, direction: true, isolated: true, renumbered_from: None };
}

/// Declares [`OutputFormat`] from lines of `Variant = entry;`.
macro_rules! outputs {
    ($($(#[$attribute:meta])* $variant:ident = $entry:path;)+) => {
        /// A file format that can be written.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum OutputFormat {
            $($(#[$attribute])* $variant,)+
        }

        impl OutputFormat {
            /// Every format that can be written, in the order of the documentation.
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
    /// Returns its name, which is also its ending, e.g. `el`, `mtx` or `wg`.
    pub fn name(self) -> &'static str {
        self.entry().name
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

/// Names, which are also the endings, in any case.
impl FromStr for OutputFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wanted = text.to_ascii_lowercase();
        let is_wanted = |entry: &Entry| entry.name == wanted || entry.aliases.contains(&&*wanted);
        let found = Self::ALL.iter().copied().find(|format| is_wanted(format.entry()));
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|format| format.name()).collect();
            let help = format!("one of {}, as the file's ending or by name", names.join(", "));
            Error::invalid(format!("cannot write format {text:?}"), help)
        })
    }
}
