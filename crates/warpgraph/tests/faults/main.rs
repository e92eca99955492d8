//! What an engine does when its GPU fails: on the simulator, with faults that are put there on purpose. Each algorithm is asked,
//! fails as it should, and the engine is then as good as before, or lost for good and alone.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;
mod compiler;
mod endless;
mod lost;
mod memory;
mod watched;
