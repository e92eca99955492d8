//! Where triangles are noted beside the total.

use crate::parts::atomics;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_graph::Vertex;

/// A place to note triangles at their vertices; vertices are in the order that a way counts in.
pub(super) trait Tally: Sync {
    /// Does it note anything? Finding w costs more than counting it.
    const NOTES: bool;

    /// `count` more triangles at `v`.
    fn add(&self, v: Vertex, count: u64);

    /// One triangle more.
    #[inline(always)]
    fn triangle(&self, corners: [Vertex; 3]) {
        corners.into_iter().for_each(|v| self.add(v, 1));
    }

    /// Brings the counts, which are by rank, back to vertices.
    fn restore(&self, ranks: &[Vertex]);
}

/// Only the total counts.
pub(super) struct Nowhere;

impl Tally for Nowhere {
    const NOTES: bool = false;
    #[inline(always)]
    fn add(&self, _: Vertex, _: u64) {}
    fn restore(&self, _: &[Vertex]) {}
}

/// One counter a vertex.
pub(super) struct Everywhere<'a> {
    counts: &'a [AtomicU64],
}

impl<'a> Everywhere<'a> {
    /// Counters that start from what is there.
    pub(super) fn new(counts: &'a mut [u64]) -> Self {
        Self { counts: atomics(counts) }
    }
}

impl Tally for Everywhere<'_> {
    const NOTES: bool = true;

    #[inline(always)]
    fn add(&self, v: Vertex, count: u64) {
        if count > 0 {
            self.counts[v as usize].fetch_add(count, Relaxed);
        }
    }

    fn restore(&self, ranks: &[Vertex]) {
        let by_rank: Vec<u64> = self.counts.iter().map(|count| count.load(Relaxed)).collect();
        for (count, &rank) in self.counts.iter().zip(ranks) {
            count.store(by_rank[rank as usize], Relaxed);
        }
    }
}
