//! The fuzzing corpus of plans, and damaged copies, through the fuzz target.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]
#![allow(dead_code, reason = "what only the tests of other targets use")]

#[allow(unreachable_pub, reason = "the targets of another crate")]
#[path = "../../../fuzz/src/plan.rs"]
mod fuzzed;
#[path = "../../graph/tests/corpus/replay.rs"]
mod replay;

#[test]
fn plan() {
    replay::replay("plan", fuzzed::plan);
}
