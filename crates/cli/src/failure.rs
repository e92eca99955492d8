//! [`Failure`]: the error type of all commands, with its text, its JSON and its exit code.
//!
//! Exit codes: 0 success (also on a broken pipe: the reader has seen enough), 1 verification failed, 2 error, 130
//! interrupted.

use crate::console;
use serde_json::json;
use std::io;
use warpgraph::graph;

/// A result whose error is [`Failure`].
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// What went wrong, where, and what to do next.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: String,
    message: String,
    place: Option<String>,
    help: Option<String>,
    broken_pipe: bool,
}

impl Failure {
    /// Returns an error of the given kind.
    pub(crate) fn new(kind: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        let help = Some(help.into()).filter(|h: &String| !h.is_empty());
        Self { kind: kind.to_owned(), message: message.into(), place: None, help, broken_pipe: false }
    }

    /// Returns the error for standard output that cannot be written.
    pub(crate) fn stdout(error: io::Error) -> Self {
        graph::Error::io("standard output", "write", error).into()
    }

    /// Replaces the next step.
    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Returns the error that the JSON form of another process describes; `None` if it is none.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_json(line: &str) -> Option<Self> {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| value["error"][key].as_str().map(str::to_owned);
        let (kind, message) = (text("kind")?, text("message")?);
        Some(Self { kind, message, place: text("where"), help: text("help"), broken_pipe: false })
    }

    /// Returns the stable name of the kind of error.
    #[cfg(feature = "cluster")]
    pub(crate) fn kind(&self) -> &str {
        &self.kind
    }

    /// Returns the message.
    #[cfg(feature = "cluster")]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Puts words before the message.
    #[cfg(feature = "cluster")]
    pub(crate) fn of(self, whose: &str) -> Self {
        Self { message: format!("{whose}: {}", self.message), ..self }
    }

    /// Returns the error as a value for a report.
    pub(crate) fn value(&self) -> warpgraph_bench::result::Failure {
        let (kind, message, help) = (self.kind.clone(), self.message.clone(), self.help.clone());
        warpgraph_bench::result::Failure { kind, message, help }
    }

    /// Prints the error, as text on standard error or as JSON on standard output, and returns the exit code.
    pub(crate) fn report(&self, as_json: bool) -> u8 {
        if self.broken_pipe {
            return 0;
        }
        if as_json {
            let error = json!({
                "kind": self.kind, "message": self.message, "where": self.place, "help": self.help
            });
            // If this fails, there is nowhere left to report it.
            let _ = console::raw(format!("{}\n", json!({ "schema": 1, "error": error })).as_bytes());
        } else {
            console::error(&self.message, self.help.as_deref());
        }
        if self.kind == "interrupted" { 130 } else { 2 }
    }
}

impl From<graph::Error> for Failure {
    fn from(error: graph::Error) -> Self {
        let broken_pipe =
            matches!(&error, graph::Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe);
        Self {
            kind: error.kind().to_owned(),
            message: error.to_string(),
            place: error.place(),
            help: error.help(),
            broken_pipe,
        }
    }
}

impl From<warpgraph::Error> for Failure {
    fn from(error: warpgraph::Error) -> Self {
        match error {
            warpgraph::Error::Graph(error) => error.into(),
            error => Self {
                kind: error.kind().to_owned(),
                message: error.to_string(),
                place: error.place(),
                help: error.help(),
                broken_pipe: false,
            },
        }
    }
}

impl From<warpgraph_parts::Error> for Failure {
    fn from(error: warpgraph_parts::Error) -> Self {
        match error {
            warpgraph_parts::Error::Run(error) => error.into(),
            error => Self::new(error.kind(), error.to_string(), error.help().unwrap_or_default()),
        }
    }
}

#[cfg(feature = "cluster")]
impl From<warpgraph_cluster::Error> for Failure {
    fn from(error: warpgraph_cluster::Error) -> Self {
        match error {
            warpgraph_cluster::Error::Graph(error) => error.into(),
            warpgraph_cluster::Error::Exchange(error) => warpgraph_parts::Error::from(error).into(),
            error => Self::new("cluster", error.to_string(), error.help().unwrap_or_default()),
        }
    }
}
