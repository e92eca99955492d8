//! What can go wrong between a file and a graph.
//!
//! Every error says what happened, where, what was got, what was expected, and what to do next. [`Error::kind`] is the
//! stable word a program can match on, [`Error::place`] the position, [`Error::help`] the next step.

use std::{fmt, io, path::Path};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A position in a text file, printed as `file:line:column` (both counted from 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The file as the user named it (`<stdin>` for standard input).
    pub file: String,
    /// The line, where the format has lines.
    pub line: Option<u64>,
    /// The column in bytes, where it is known.
    pub column: Option<u64>,
}

impl Position {
    /// A position that is the whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, column: None }
    }

    /// A line of a file.
    pub fn line(file: impl Into<String>, line: u64) -> Self {
        Self { file: file.into(), line: Some(line), column: None }
    }

    /// A column of a line of a file.
    pub fn column(file: impl Into<String>, line: u64, column: u64) -> Self {
        Self { file: file.into(), line: Some(line), column: Some(column) }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        Ok(())
    }
}

/// Why a graph could not be read, built, generated or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused: missing file, directory, permission, full disk.
    #[error("{path}: cannot {doing}: {source}")]
    Io {
        /// The file as the user named it.
        path: String,
        /// What was being done: "open", "read", "create", "write", "sync", "rename".
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// A token is not what the format asks for at this place.
    #[error("{at}: expected {expected}, got {got}")]
    Parse {
        /// Where.
        at: Position,
        /// What the format asks for, e.g. `a weight`.
        expected: String,
        /// What stands there, quoted and shortened by [`quote`].
        got: String,
        /// What to do next.
        help: String,
    },
    /// The file as a whole contradicts itself or is damaged: truncated, a header that promises more than follows.
    #[error("{at}: {problem}")]
    Format {
        /// Where.
        at: Position,
        /// What is wrong, with the figures found and expected.
        problem: String,
        /// What to do next.
        help: String,
    },
    /// More than this build or this machine can hold; found out before allocating.
    #[error("{what} needs {needed}, the limit is {limit}")]
    TooLarge {
        /// What is too large, e.g. `road.mtx:2: a graph of 2^64-1 vertices`.
        what: String,
        /// What it needs, in words.
        needed: String,
        /// What there is, in words.
        limit: String,
        /// What to do next.
        help: String,
    },
    /// An option, a generator description or an argument makes no sense.
    #[error("{what}")]
    Invalid {
        /// What is wrong, with what was got and expected.
        what: String,
        /// What to do next.
        help: String,
    },
    /// A vertex that is not in the graph.
    #[error("vertex {id} is not in the graph ({universe})")]
    NoSuchVertex {
        /// The id as given.
        id: String,
        /// What ids there are, e.g. `ids 0 to 4038`.
        universe: String,
    },
    /// An output file is there already.
    #[error("{path}: exists already")]
    Exists {
        /// The file.
        path: String,
    },
    /// Cancelled through [`crate::Control`].
    #[error("interrupted while {during}")]
    Interrupted {
        /// What was being done.
        during: String,
    },
    /// The deadline of [`crate::Control`] has passed.
    #[error("the time limit passed while {during}")]
    DeadlinePassed {
        /// What was being done.
        during: String,
    },
}

impl Error {
    /// Wraps an I/O error with the path and what was being done ("open", "read", "write", ...).
    pub fn io(path: impl AsRef<Path>, doing: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.as_ref().display().to_string(), doing, source }
    }

    /// An [`Error::Invalid`].
    pub fn invalid(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Invalid { what: what.into(), help: help.into() }
    }

    /// An [`Error::Format`].
    pub fn format(at: Position, problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Format { at, problem: problem.into(), help: help.into() }
    }

    /// A stable word for the kind of error, the `kind` of the JSON form.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::Parse { .. } => "parse",
            Self::Format { .. } => "format",
            Self::TooLarge { .. } => "too-large",
            Self::Invalid { .. } => "invalid",
            Self::NoSuchVertex { .. } => "no-such-vertex",
            Self::Exists { .. } => "exists",
            Self::Interrupted { .. } => "interrupted",
            Self::DeadlinePassed { .. } => "deadline",
        }
    }

    /// Where it happened: a file or a position in it.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Io { path, .. } | Self::Exists { path } => Some(path.clone()),
            Self::Parse { at, .. } | Self::Format { at, .. } => Some(at.to_string()),
            _ => None,
        }
    }

    /// What to do next, one line.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Io { source, .. } => Some(io_help(source).to_owned()),
            Self::Parse { help, .. }
            | Self::Format { help, .. }
            | Self::TooLarge { help, .. }
            | Self::Invalid { help, .. } => Some(help.clone()).filter(|h| !h.is_empty()),
            Self::NoSuchVertex { .. } => {
                Some("ids are the file's own; `warpgraph info` shows their range".to_owned())
            }
            Self::Exists { .. } => Some("pass --force to overwrite it, or choose another name".to_owned()),
            Self::Interrupted { .. } => None,
            Self::DeadlinePassed { .. } => Some("allow more time, or ask for less".to_owned()),
        }
    }
}

fn io_help(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "check the path; a generator such as kron:20 needs no file",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and of its folder",
        io::ErrorKind::IsADirectory => "name a file in it",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or write to another disk; nothing was left behind"
        }
        _ => "try again, or copy the file to a local disk first",
    }
}

/// Quotes a piece of input for an error message: escaped, at most 40 characters.
pub fn quote(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(160)]);
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if bytes.len() > 160 || text.chars().nth(40).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}
