//! What the wrong answers have in common: a verifier that accepts everything is no verifier, so right answers are damaged, and
//! the verifier must name the rule that the damage breaks.

use crate::fixtures::Edges;
use warpgraph::{Answer, Device, Direction, Form, Graph, Halted, Order, Plan, Run};

/// The report of a run that ended this way.
pub(crate) fn run(halt: Halted) -> Run {
    Run {
        device: Device::Cpu,
        form: Form::Native,
        plan: Plan::bsp(Some(Direction::Push)),
        order: Order::Natural,
        threads: 1,
        rounds: 1,
        halt,
        fetch_seconds: 0.0,
        prepare_seconds: 0.0,
        transfer_seconds: 0.0,
        compile_seconds: 0.0,
        device_bytes: 0,
        kernel_seconds: 0.0,
        extra_bytes: 0,
        tiles: None,
        partitions: None,
        parts: None,
        tiling_seconds: None,
        stored: None,
        transfer: None,
        work: None,
        paths: None,
        exactness: None,
        accuracy: None,
        seconds: 0.0,
        state_bytes: 0,
        trace: Vec::new(),
    }
}

/// Returns the rule that an answer breaks; empty if none.
pub(crate) fn broken(answer: &impl Answer, graph: &Graph) -> &'static str {
    answer.verify(graph).map_or_else(|violation| violation.rule, |()| "")
}

/// 0 -> 1 -> 2 -> 3, 0 -> 4 -> 3, 5 -> 0, 6 alone; vertices 5 and 6 are out of reach of 0.
pub(crate) fn graph() -> Graph {
    Edges::new(7, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 0)]).build(true)
}
