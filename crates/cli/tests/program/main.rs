//! The program as a user runs it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "../common/mod.rs"]
mod common;

mod accuracy;
mod answers;
mod approximate;
mod bounds;
mod columns;
mod errors;
mod estimate;
mod every_pair;
mod files;
mod flags;
mod json;
mod machine;
mod orders;
mod partition;
mod parts;
mod paths;
mod timeline;
