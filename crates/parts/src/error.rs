//! [`Error`]: why a run in parts was refused, or ended without an answer.

use crate::exchange::ExchangeError;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can keep a run in parts from answering.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The question or the graph was refused, memory was short, or the run was interrupted.
    #[error(transparent)]
    Run(#[from] warpgraph_core::Error),
    /// Another member was lost, failed, or sent what it must not.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// Shortest paths do not exist.
    #[error("the source reaches a negative cycle, so there are no shortest paths")]
    NegativeCycle,
    /// A state that does not belong to the run which is to continue from it.
    #[error("the state cannot be restored: {what}")]
    State {
        /// What was expected, and what the state has.
        what: String,
    },
}

impl From<warpgraph_graph::Error> for Error {
    fn from(error: warpgraph_graph::Error) -> Self {
        Self::Run(error.into())
    }
}

impl Error {
    /// Returns the error for something that does not run in parts; `help` says what does.
    pub fn refused(what: impl Into<String>, help: impl Into<String>) -> Self {
        warpgraph_core::Error::Refused { what: what.into(), help: help.into() }.into()
    }

    /// Returns the error for a state that does not fit.
    pub fn state(what: impl Into<String>) -> Self {
        Self::State { what: what.into() }
    }

    /// Returns a stable name for the kind of error.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Run(e) => e.kind(),
            Self::Exchange(ExchangeError::Lost { .. }) => "member-lost",
            Self::Exchange(ExchangeError::Invalid { .. }) => "member-invalid",
            Self::Exchange(ExchangeError::Failed { .. }) => "member-failed",
            Self::NegativeCycle => "negative-cycle",
            Self::State { .. } => "state",
        }
    }

    /// Returns one line that says what to do next.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            Self::Run(e) => return e.help(),
            Self::Exchange(ExchangeError::Lost { .. }) => {
                "look at the output of that member, and start all of them again"
            }
            Self::Exchange(ExchangeError::Invalid { .. }) => {
                "run the same version of warpgraph with the same command line in every member"
            }
            Self::Exchange(ExchangeError::Failed { .. }) => {
                "mend what that member reports, and start all of them again"
            }
            Self::NegativeCycle => {
                "run sssp on one machine with --device cpu, which names the vertices of the cycle"
            }
            Self::State { .. } => {
                "continue with the same question, graph and number of parts, or start from the beginning"
            }
        };
        Some(text.to_owned())
    }
}
