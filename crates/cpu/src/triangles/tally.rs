//! Notes triangles at their vertices, besides the total.

use crate::parts::atomics;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_graph::Vertex;

/// Notes triangles at their vertices. Vertices are in the order in which the method counts.
pub(super) trait Tally: Sync {
    /// Whether it notes anything. Finding w costs more than counting it.
    const NOTES: bool;

    /// Adds `count` triangles at `v`.
    fn add(&self, v: Vertex, count: u64);

    /// Adds one triangle.
    #[inline(always)]
    fn triangle(&self, corners: [Vertex; 3]) {
        corners.into_iter().for_each(|v| self.add(v, 1));
    }

    /// Turns the counts, which are by rank, into counts by vertex.
    fn restore(&self, ranks: &[Vertex]);
}

/// Counts only the total.
pub(super) struct Nowhere;

impl Tally for Nowhere {
    const NOTES: bool = false;
    #[inline(always)]
    fn add(&self, _: Vertex, _: u64) {}
    fn restore(&self, _: &[Vertex]) {}
}

/// One counter per vertex.
pub(super) struct Everywhere<'a> {
    counts: &'a [AtomicU64],
}

impl<'a> Everywhere<'a> {
    /// Wraps counters, which keep their current values.
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
