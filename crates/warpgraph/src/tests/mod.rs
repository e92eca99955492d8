//! What an engine does with GPUs that are missing, small or failing, on one that is made up.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod auto;
mod fake;
mod named;
