//! The model `paths` on a device: persistent warps walk chunks of paths \[1\]. `kernels/paths.cuh` says how chunks are queued
//! and woken; [`warpgraph_graph::paths`] how they are laid out.
//!
//! A launch ends when no chunk is awake, when its rounds are used up, or when a queue is full. Between two launches the host
//! collects the chunks that are awake, reports progress and checks limits. A *round* ends when every chunk that was queued at
//! its start has been taken; warps without work take chunks of the next round early.
//!
//! A sum also has an outer loop. A launch sends every change that exceeds a threshold. Then a kernel adds up the messages that
//! have not been sent, which bounds the residual `sum |F(x) - x|`. If that is above the tolerance, the threshold falls.
//!
//! So have `Min` and `Max`: a launch sends every value up to a limit, the best first, and what is worse waits ([`Pace`](warpgraph_core::program::Pace)). Then a
//! kernel finds the best value that waits, and the limit rises. A value that waits is mostly sent once instead of once per
//! correction, and a wake-up that a launch lost would be found by that kernel.
//!
//! Memory: 4 bytes per slot, 128 per chunk and 4 per home for the paths; the width of a value per slot (a sum: 8 bytes per slot
//! and direction) and 12 to 36 bytes per chunk for queues and states; the weight of every slot, if the program reads weights.
//!
//! \[1\] Y. Zhang et al., AsynGraph: maximizing data parallelism for efficient iterative graph processing on GPUs, TACO 2020.
//! Departures: chunks are woken by those who change their vertices instead of being looked at in every round; queues are arrays
//! that a launch uses once instead of rings, so that a warp never waits for room; vertices stay in global memory while mirrors
//! are in shared memory.

mod chunks;
mod rounds;
mod stage;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;

pub(crate) use chunks::bytes;
pub(crate) use stage::{PathArgs, run};

use std::fmt::Write as _;
use warpgraph_core::program::Combine;

/// Threads per block: two warps, whose mirrors take at most 32 KiB of shared memory.
pub(crate) const BLOCK: u32 = 64;

/// Control words: the heads, tails and marks of both queues; chunks that are queued or being handled; the round; whether the
/// launch is to end; and what was counted.
pub(crate) const WORDS: [&str; 21] = [
    "HOT_HEAD",
    "HOT_TAIL",
    "HOT_MARK",
    "COLD_HEAD",
    "COLD_TAIL",
    "COLD_MARK",
    "PENDING",
    "ROUND",
    "STOPPED",
    "TURNING",
    "WOKEN",
    "UPDATES",
    "MERGES",
    "EDGES",
    "SENT",
    "HANDLED",
    "STOLEN",
    "IDLE",
    "SPENT",
    "LARGEST",
    "BEST",
];

/// Returns the index of a control word.
const fn word(name: &str) -> usize {
    let mut at = 0;
    while at < WORDS.len() {
        if is_same(WORDS[at].as_bytes(), name.as_bytes()) {
            return at;
        }
        at += 1;
    }
    panic!("no such control word")
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The most rounds that are traced; later ones count to the last.
const LOGGED: usize = 1 << 12;
/// Numbers per traced round: chunks handled, edges, updates, changes sent, and the time when the last chunk was done.
const LOG_ENTRY: usize = 5;

/// Returns true if values have an order in which they are sent: the best first.
pub(crate) fn is_ordered(combine: Combine) -> bool {
    matches!(combine, Combine::Min | Combine::Max)
}

/// Returns the `#define` lines that the kernels need.
pub(crate) fn defines(combine: Combine) -> String {
    let mut text = String::new();
    for (at, name) in WORDS.iter().enumerate() {
        let _ = writeln!(text, "#define {name} {at}u");
    }
    let flags = [
        ("IS_SUM", combine == Combine::Sum),
        ("IS_MAX", combine == Combine::Max),
        ("IS_ORDERED", is_ordered(combine)),
    ];
    for (name, flag) in flags {
        let _ = writeln!(text, "#define {name} {}", u32::from(flag));
    }
    let _ = writeln!(text, "#define PATH_BLOCK {BLOCK}");
    let _ = writeln!(text, "#define LOGGED {LOGGED}u\n#define LOG_ENTRY {LOG_ENTRY}u");
    text
}
