//! Defines the errors of reading, building, generating and writing graphs.
//!
//! An error states what happened and, where they apply, the position, the value found, the value expected and the next
//! step. [`Error::kind`] is a stable word for programs to match on, [`Error::place`] the position, [`Error::help`] the
//! next step.

use std::{fmt, io, path::Path};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A position in a file, printed as `file:line:column`, with lines and columns counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The file as the user named it (`<stdin>` for standard input).
    pub file: String,
    /// The line, if the format has lines.
    pub line: Option<u64>,
    /// The column in bytes, if it is known.
    pub column: Option<u64>,
}

impl Position {
    /// Returns the position that stands for the whole file.
    pub fn file(file: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, column: None }
    }

    /// Returns the position of a line.
    pub fn line(file: impl Into<String>, line: u64) -> Self {
        Self { file: file.into(), line: Some(line), column: None }
    }

    /// Returns the position of a column in a line.
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

/// The reason why a graph could not be read, built, generated or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system reported an error: a missing file, a directory, a lack of permission, a full disk.
    #[error("{path}: cannot {doing}: {source}")]
    Io {
        /// The file as the user named it.
        path: String,
        /// The operation that failed: "open", "read", "create", "write", "sync" or "rename".
        doing: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A token does not match what the format requires at this position.
    #[error("{at}: expected {expected}, got {got}")]
    Parse {
        /// The position of the token.
        at: Position,
        /// What the format requires, e.g. `a weight`.
        expected: String,
        /// The token found, quoted and shortened by [`quote`].
        got: String,
        /// The next step for the user.
        help: String,
    },
    /// The file contradicts itself or is damaged: it is truncated, or its header announces more than follows.
    #[error("{at}: {problem}")]
    Format {
        /// The position of the problem.
        at: Position,
        /// The problem, with the values found and expected.
        problem: String,
        /// The next step for the user.
        help: String,
    },
    /// The input needs more than this build or this machine can hold; detected before allocation where possible.
    #[error("{what} needs {needed}, the limit is {limit}")]
    TooLarge {
        /// What is too large, e.g. `road.mtx:2: a graph of 2^64-1 vertices`.
        what: String,
        /// The amount needed, in words.
        needed: String,
        /// The amount available, in words.
        limit: String,
        /// The next step for the user.
        help: String,
    },
    /// An option, a generator description or an argument is not valid.
    #[error("{what}")]
    Invalid {
        /// The problem, with the value found and the value expected.
        what: String,
        /// The next step for the user.
        help: String,
    },
    /// A file that is read in place is no longer what it was when it was opened.
    #[error("{path} changed while it was in use: {how}; the answer may be wrong")]
    Changed {
        /// The file as the user named it.
        path: String,
        /// The difference, e.g. `it had 4096 bytes, and has 512`.
        how: String,
    },
    /// The graph has no such vertex.
    #[error("vertex {id} is not in the graph ({universe})")]
    NoSuchVertex {
        /// The id as the user gave it.
        id: String,
        /// The ids of the graph, in words, e.g. `ids 0 to 4038`.
        universe: String,
    },
    /// The output file exists already.
    #[error("{path}: exists already")]
    Exists {
        /// The output file.
        path: String,
    },
    /// The caller cancelled the work through [`crate::Control`].
    #[error("interrupted while {during}")]
    Interrupted {
        /// The work that was interrupted.
        during: String,
    },
    /// The deadline of [`crate::Control`] has passed.
    #[error("the time limit passed while {during}")]
    DeadlinePassed {
        /// The work that was interrupted.
        during: String,
    },
}

impl Error {
    /// Wraps an I/O error together with the path and the operation that failed ("open", "read", "write", ...).
    pub fn io(path: impl AsRef<Path>, doing: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.as_ref().display().to_string(), doing, source }
    }

    /// Returns an [`Error::Invalid`].
    pub fn invalid(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Invalid { what: what.into(), help: help.into() }
    }

    /// Returns an [`Error::Format`].
    pub fn format(at: Position, problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Format { at, problem: problem.into(), help: help.into() }
    }

    /// Returns a stable word for the kind of error, which is the `kind` of the JSON form.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Io { .. } => "io",
            Self::Parse { .. } => "parse",
            Self::Format { .. } => "format",
            Self::TooLarge { .. } => "too-large",
            Self::Invalid { .. } => "invalid",
            Self::Changed { .. } => "file",
            Self::NoSuchVertex { .. } => "no-such-vertex",
            Self::Exists { .. } => "exists",
            Self::Interrupted { .. } => "interrupted",
            Self::DeadlinePassed { .. } => "deadline",
        }
    }

    /// Returns the file or the position in a file that the error refers to, if there is one.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Io { path, .. } | Self::Changed { path, .. } | Self::Exists { path } => Some(path.clone()),
            Self::Parse { at, .. } | Self::Format { at, .. } => Some(at.to_string()),
            _ => None,
        }
    }

    /// Returns the next step for the user in one line, if there is one.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Io { source, doing, .. } => Some(io_help(source, doing).to_owned()),
            Self::Parse { help, .. }
            | Self::Format { help, .. }
            | Self::TooLarge { help, .. }
            | Self::Invalid { help, .. } => Some(help.clone()).filter(|h| !h.is_empty()),
            Self::Changed { .. } => Some(
                "run again when nothing writes to the file; a new file moved to its name does no harm"
                    .to_owned(),
            ),
            Self::NoSuchVertex { .. } => {
                Some("ids are the file's own; `warpgraph info` shows their range".to_owned())
            }
            Self::Exists { .. } => Some("pass --force to overwrite it, or choose another name".to_owned()),
            Self::Interrupted { .. } => None,
            Self::DeadlinePassed { .. } => Some("allow more time, or ask for less".to_owned()),
        }
    }
}

fn io_help(source: &io::Error, doing: &str) -> &'static str {
    let is_output = matches!(doing, "create" | "write" | "sync" | "rename");
    match source.kind() {
        _ if is_loop(source) => {
            "the link leads back to itself; `ls -l` shows where it leads: remove it, or name the file itself"
        }
        io::ErrorKind::NotFound if is_output => "create the folder first, or choose another one",
        io::ErrorKind::NotFound => "check the path; a generator such as kron:20 needs no file",
        io::ErrorKind::PermissionDenied => "check the permissions of the file and of its folder",
        io::ErrorKind::IsADirectory => "name a file in it",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or write to another disk; nothing was left behind"
        }
        io::ErrorKind::FileTooLarge => {
            "raise the limit on the size of files (ulimit -f), or write to another file system; nothing was left behind"
        }
        io::ErrorKind::OutOfMemory => "use a machine with more memory, or raise the limit of this process",
        _ if is_output => "try again, or write to a local disk",
        _ => "try again, or copy the file to a local disk first",
    }
}

/// Returns true if following symbolic links does not end.
pub(crate) fn is_loop(error: &io::Error) -> bool {
    #[cfg(unix)]
    let code = Some(libc::ELOOP);
    #[cfg(not(unix))]
    let code = None;
    code.is_some() && error.raw_os_error() == code
}

/// Quotes a piece of input for an error message: at most 40 characters, escaped.
pub fn quote(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(160)]);
    let mut short: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if bytes.len() > 160 || text.chars().nth(40).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}
