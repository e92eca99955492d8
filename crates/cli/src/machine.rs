//! What this machine and this process are, as far as the system tells.

pub(crate) use warpgraph_bench::machine::{peak_memory, processor};
