//! Errors of runs in several processes.

use std::{io, time::Duration};
use warpgraph_graph as graph;
use warpgraph_parts::exchange::ExchangeError;

/// Why a run in several processes failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or an argument is not what it should be.
    #[error(transparent)]
    Graph(#[from] graph::Error),
    /// Other processes cannot reach this one at its address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A process did not come.
    #[error("process {part} ({name}) did not come within {} s{}", wait.as_secs(), listed(what))]
    Absent {
        /// Its number.
        part: usize,
        /// Its address.
        name: String,
        /// How long this process waited.
        wait: Duration,
        /// What happened meanwhile.
        what: Vec<String>,
    },
    /// A process belongs to another run, or asks another question.
    #[error("process {part} ({name}) does not belong to this run: {what}")]
    Refused {
        /// Its number.
        part: usize,
        /// Its address.
        name: String,
        /// What differs.
        what: String,
    },
    /// A process was lost, sent what it must not, or failed.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// A thread of this process could not be started, or panicked.
    #[error("a thread failed: {0}")]
    Thread(&'static str),
}

fn listed(what: &[String]) -> String {
    if what.is_empty() { String::new() } else { format!(": {}", what.join("; ")) }
}

impl Error {
    /// Returns what the user can do about it, if anything.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Self::Graph(error) => return error.help(),
            Self::Listen { .. } => {
                "check that the address is one of this machine and free, or name one with --listen"
            }
            Self::Absent { .. } => "start it, and check its address, the network and the firewall",
            Self::Refused { .. } => {
                "start all processes with the same command line, hosts and secret; only --process, --listen, \
                 --threads, --json and --quiet may differ"
            }
            Self::Exchange(ExchangeError::Lost { .. }) => {
                "see what that process printed; with --checkpoint, the run can be continued by --resume"
            }
            Self::Exchange(_) | Self::Thread(_) => return None,
        };
        Some(help.to_owned())
    }
}
