//! Tests an engine with GPUs that are missing, too small or failing, on a fake GPU.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod auto;
mod fake;
mod named;
mod paths;
