//! Deterministic parents: of all possible ones, the parent with the smallest original id.
//!
//! One more pass over the incoming arcs of the vertices reached, O(m). In the original order it stops at the first
//! parent of each vertex, since adjacency lists are sorted.

use super::Tree;
use crate::Options;
use std::sync::atomic::Ordering::Relaxed;
use warpgraph_core::bfs::UNREACHED;
use warpgraph_graph::{Offset, Vertex, View, par};

/// Vertices that a thread takes at a time.
const BATCH: usize = 1 << 10;

/// Gives every vertex that was reached, except the source, its parent with the smallest original id.
pub(super) fn settle<I: Offset>(incoming: View<'_, I>, tree: Tree<'_>, options: &Options) {
    let settle = |v: Vertex| {
        let distance = tree.distances[v as usize].load(Relaxed);
        if distance == 0 || distance == UNREACHED {
            return;
        }
        let is_parent = |u: &Vertex| tree.distances[*u as usize].load(Relaxed) == distance - 1;
        let mut parents = incoming.neighbors(v).iter().copied().filter(is_parent);
        let parent = match options.map {
            None => parents.next(),
            Some(_) => parents.min_by_key(|&u| options.original(u)),
        };
        if let Some(parent) = parent {
            tree.parents[v as usize].store(parent, Relaxed);
        }
    };
    par::ranges(incoming.vertices(), BATCH, |range| range.for_each(|v| settle(v as Vertex)));
}
