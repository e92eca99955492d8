//! Defines [`Entry`], which describes a format. The entry of each format stands in the format's own file.
//!
//! The `formats!` table in the parent module lists every entry once, with the variant of [`Format`] that it belongs to.
//! Names, the parser of names and its help, detection, reading and previews follow from the table.

use super::{Format, Header, IdKind, Input, Preview, ReadOptions};
use crate::{
    control::Control,
    error::{Error, Position, Result},
    graph::Graph,
};
use std::str::FromStr;

/// The description of a format: its names, how its files are recognised, and how they are read.
pub(super) struct Entry {
    /// The name of the format, which is also its name in JSON.
    pub(super) name: &'static str,
    /// Other names that the user may give, in lower case.
    pub(super) aliases: &'static [&'static str],
    /// The endings of its files, in lower case.
    pub(super) endings: &'static [&'static str],
    /// The sign by which its files are recognised.
    pub(super) sign: Sign,
    /// True if a file holds the finished arrays of a graph, so that reading it builds nothing.
    pub(super) is_finished: bool,
    /// The options that it uses, of those that [`Used`] lists. Reading refuses the others.
    pub(super) uses: &'static [Used],
    /// Reads a whole file.
    pub(super) read: Read,
    /// Reads several files as one graph; `None` if a graph of this format is always one file.
    pub(super) read_parts: Option<ReadParts>,
    /// Estimates the graph in a file. The input may be only the start of the file ([`Input::is_cut`]). The number is
    /// the length of its content, which is an estimate for a compressed file. Formats that do not state their size at
    /// the start use [`super::preview::not_at_start`].
    pub(super) preview: fn(Input, u64, &ReadOptions) -> Result<Preview>,
}

/// Reads files of one format, in their order, as the graph with this name.
pub(super) type ReadParts = fn(String, Vec<Input>, &ReadOptions, &Control) -> Result<Graph>;

/// An option of [`ReadOptions`] that some formats have no use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Used {
    /// `base`.
    Base,
    /// `base`, but only together with `vertices`: without it, the vertices are the ids that occur.
    BaseOfVertices,
    /// `vertices`.
    Vertices,
    /// `ids`.
    Ids,
    /// `narrow_weights`.
    WeightType,
    /// `columns`.
    Columns,
    /// `header`.
    Header,
}

/// Returns true if the caller asked for an option.
type IsAsked = fn(&ReadOptions) -> bool;

/// Every option of [`Used`], with its flag on the command line.
const OPTIONS: [(&str, Used, IsAsked); 6] = [
    ("--base", Used::Base, |options| options.base.is_some()),
    ("--vertices", Used::Vertices, |options| options.vertices.is_some()),
    ("--ids", Used::Ids, |options| options.ids != IdKind::Auto),
    ("--weight-type", Used::WeightType, |options| options.narrow_weights),
    ("--columns", Used::Columns, |options| !options.columns.is_empty()),
    ("--header", Used::Header, |options| options.header != Header::Auto),
];

/// Reads a whole file.
pub(super) type Read = fn(Input, &ReadOptions, &Control) -> Result<Graph>;

/// The sign by which the files of a format are recognised. If a file has no such sign, its ending decides.
pub(super) enum Sign {
    /// The ending alone.
    Ending,
    /// The ending, but only if the content passes this test.
    EndingIf(fn(&[u8]) -> bool),
    /// The content, if it passes this test. No content may pass the tests of two formats.
    Content(fn(&[u8]) -> bool),
    /// Another file beside it, which this test looks for. Detection runs it before the tests of the content.
    Companion(fn(&Input) -> Result<bool>),
}

/// Declares [`Format`] from lines of `Variant = entry;`.
macro_rules! formats {
    ($($(#[$attribute:meta])* $variant:ident = $entry:path;)+) => {
        /// A file format that can be read.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$attribute])* $variant,)+
        }

        impl Format {
            /// Every format, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub(in crate::format) fn entry(self) -> &'static table::Entry {
                match self {
                    $(Self::$variant => const { &$entry },)+
                }
            }
        }
    };
}
pub(super) use formats;

impl Format {
    /// Returns the name of the format, e.g. `edge-list`, `matrix-market` or `wg`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns true if files of this format hold the finished arrays of a graph, so that reading them builds nothing.
    pub fn is_finished(self) -> bool {
        self.entry().is_finished
    }

    /// Refuses options that reading `file` in this format would ignore.
    pub(super) fn refuse_ignored(self, options: &ReadOptions, file: &str) -> Result<()> {
        let uses = self.entry().uses;
        let is_based = uses.contains(&Used::BaseOfVertices);
        let is_used = |option| uses.contains(&option) || (option == Used::Base && is_based);
        if is_based && options.base.is_some() && options.vertices.is_none() {
            let problem = format!("--base has no effect on {self} files without --vertices");
            let help =
                "give the number of vertices too, or leave --base out: then the ids are those that occur";
            return Err(Error::format(Position::file(file), problem, help));
        }
        let ignored = OPTIONS.iter().find(|(_, option, is_asked)| is_asked(options) && !is_used(*option));
        let Some((flag, option, _)) = ignored else { return Ok(()) };
        let takes_it = |format: &&Self| format.entry().uses.contains(option);
        let others: Vec<&str> = Self::ALL.iter().filter(takes_it).map(|format| format.name()).collect();
        Err(Error::format(
            Position::file(file),
            format!("{flag} has no effect on {self} files"),
            format!("leave {flag} out; it is for {}", others.join(", ")),
        ))
    }

    /// Returns the names of all formats, each with its other names in brackets.
    pub fn names() -> String {
        let names = Self::ALL.iter().map(|format| match format.entry() {
            Entry { name, aliases: [], .. } => (*name).to_owned(),
            Entry { name, aliases, .. } => format!("{name} ({})", aliases.join(", ")),
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses the name or another name of a format, in upper or lower case.
impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wanted = text.to_ascii_lowercase();
        let is_wanted = |entry: &Entry| entry.name == wanted || entry.aliases.contains(&&*wanted);
        let found = Self::ALL.iter().copied().find(|format| is_wanted(format.entry()));
        found.ok_or_else(|| {
            Error::invalid(format!("unknown format {text:?}"), format!("one of {}", Self::names()))
        })
    }
}

/// Returns the error for a format whose reader this build leaves out.
#[allow(dead_code, reason = "a build with every reader does not call it")]
pub(super) fn left_out(input: &Input, what: &str, feature: &str) -> Error {
    Error::format(
        Position::file(input.name()),
        format!("this build is without {what}"),
        format!("build it with the feature {feature}, or convert the file with a build that has it"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_name_reads_back_as_its_format() {
        for &format in Format::ALL {
            assert_eq!(format.name().parse::<Format>().unwrap(), format);
            assert_eq!(serde_json::to_value(format).unwrap(), format.name());
            for alias in format.entry().aliases {
                assert_eq!(alias.to_uppercase().parse::<Format>().unwrap(), format);
            }
        }
    }

    #[test]
    fn no_name_and_no_ending_belongs_to_two_formats() {
        let (mut names, mut endings) = (HashSet::new(), HashSet::new());
        for entry in Format::ALL.iter().map(|format| format.entry()) {
            assert!(names.insert(entry.name), "{}", entry.name);
            assert!(entry.aliases.iter().all(|alias| names.insert(alias)), "{}", entry.name);
            assert!(entry.endings.iter().all(|ending| endings.insert(ending)), "{}", entry.name);
        }
    }

    #[test]
    fn an_unknown_format_is_answered_with_the_known_ones() {
        let error = "xls".parse::<Format>().unwrap_err();
        assert_eq!(error.to_string(), "unknown format \"xls\"");
        let help = error.help().unwrap();
        assert!(help.starts_with(
            "one of edge-list (el, wel, snap, csv, tsv, txt), matrix-market (mtx), dimacs (gr), "
        ));
        for entry in Format::ALL.iter().map(|format| format.entry()) {
            let name = [" ", entry.name].concat();
            assert!(help.contains(&name) && entry.aliases.iter().all(|alias| help.contains(alias)), "{help}");
        }
    }

    #[test]
    fn an_option_that_a_format_ignores_is_refused_with_the_formats_that_use_it() {
        let refused = |format: Format, options: ReadOptions| {
            let error = format.refuse_ignored(&options, "a").unwrap_err();
            [error.to_string(), error.help().unwrap()]
        };
        let based = ReadOptions { base: Some(1), ..ReadOptions::default() };
        assert_eq!(
            refused(Format::Wg, based.clone()),
            [
                "a: --base has no effect on wg files",
                "leave --base out; it is for matrix-market, dimacs, metis"
            ]
        );
        assert_eq!(
            refused(Format::EdgeList, based.clone())[0],
            "a: --base has no effect on edge-list files without --vertices"
        );
        let counted = ReadOptions { vertices: Some(9), ..based };
        assert!(Format::EdgeList.refuse_ignored(&counted, "a").is_ok());
        assert_eq!(refused(Format::Metis, counted)[0], "a: --vertices has no effect on metis files");
        let named = ReadOptions { ids: IdKind::Names, ..ReadOptions::default() };
        assert_eq!(refused(Format::MatrixMarket, named)[0], "a: --ids has no effect on matrix-market files");
        let narrow = ReadOptions { narrow_weights: true, ..ReadOptions::default() };
        assert_eq!(refused(Format::Metis, narrow)[0], "a: --weight-type has no effect on metis files");
        assert!(Format::ALL.iter().all(|f| f.refuse_ignored(&ReadOptions::default(), "a").is_ok()));
    }
}
