//! Properties of this machine and this process, as the system reports them.

pub(crate) use warpgraph_bench::machine::{peak_memory, processor};
