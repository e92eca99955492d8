//! Members of runs: over loopback, in one process and in several.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;
mod exchange;
mod processes;
mod strangers;
