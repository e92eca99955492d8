//! Runs in several processes: the answers of `run`, and what happens when a process is lost.

#![cfg(feature = "cluster")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "../common/mod.rs"]
mod common;

mod answers;
mod checkpoints;
mod errors;
mod lost;
