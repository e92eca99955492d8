//! Breadth-first search.
//!
//! A plan that leaves everything open gets [`walk`]: direction-optimising, by one kernel. A plan that names anything, a wish for the same
//! parents run after run, and graphs of nearly 2^32 arcs and more get the [`program`].

mod program;
mod walk;

pub(crate) use walk::{BfsArgs, Rows, scratch_words};

use crate::{Resident, walk::can_walk};
use warpgraph_core::{
    Options, Result,
    bfs::{Bfs, BfsAnswer},
};

/// Hops from a source to every vertex, and a tree of shortest ways.
///
/// # Errors
/// When interrupted, when memory is short, when the source is not in the graph, or when the device fails.
pub fn bfs(resident: &Resident, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    if options.is_open() && !options.deterministic && can_walk(resident) {
        walk::bfs(resident, config, options)
    } else {
        program::bfs(resident, config, options)
    }
}
