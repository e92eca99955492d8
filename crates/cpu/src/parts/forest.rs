//! Trees of pointers that several threads join: union-find as in Afforest.
//!
//! `cells[v]` always points to a vertex of the same tree that is at most `v`; a root points to itself. Hooking the
//! larger root below the smaller one joins two trees, so that in the end the root of a tree is its smallest vertex.

use super::Team;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use warpgraph_core::program::Copies;
use warpgraph_graph::{Vertex, hash};

/// Vertices sampled to find the largest component.
const SAMPLES: u64 = 1024;
/// Vertices that a thread takes at a time.
const BATCH: usize = 1 << 12;

/// Pointers to vertices that are not larger; see the module head.
pub(crate) struct Forest<'a> {
    pub(crate) cells: &'a [AtomicU32],
}

impl Forest<'_> {
    #[inline(always)]
    pub(crate) fn get(&self, v: Vertex) -> Vertex {
        debug_assert!((v as usize) < self.cells.len());
        // SAFETY: v is a vertex: callers pass vertices, and pointers point to vertices.
        unsafe { self.cells.get_unchecked(v as usize).load(Relaxed) }
    }

    /// Runs `work` for all vertices in roughly increasing order, so that what a vertex points to was mostly processed
    /// before it.
    pub(crate) fn for_all(&self, team: &Team, work: impl Fn(Vertex) + Sync) {
        let n = self.cells.len();
        team.round(n.div_ceil(BATCH), &|_, batch| {
            for v in batch * BATCH..n.min((batch + 1) * BATCH) {
                work(v as Vertex);
            }
        });
    }

    /// Puts every copy into the tree of its master.
    pub(crate) fn unite(&self, team: &Team, copies: &Copies) {
        self.for_all(team, |v| copies.of_master(v).iter().for_each(|&copy| _ = self.link(v, copy)));
    }

    /// Joins the trees of `u` and `v`. Returns false if they were one tree already, or another thread has just joined
    /// them.
    #[inline(always)]
    pub(crate) fn link(&self, u: Vertex, v: Vertex) -> bool {
        let (mut a, mut b) = (self.get(u), self.get(v));
        while a != b {
            let (high, low) = (a.max(b), a.min(b));
            let above = self.get(high);
            if above == low {
                return false;
            }
            if above == high
                && self.cells[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok()
            {
                return true;
            }
            a = self.get(self.get(high));
            b = self.get(low);
        }
        false
    }

    /// Returns the root of `v`, and halves the path to it for later calls.
    #[inline(always)]
    pub(crate) fn find(&self, mut v: Vertex) -> Vertex {
        loop {
            let above = self.get(v);
            let higher = self.get(above);
            if above == higher {
                return above;
            }
            // Whatever other threads do, `higher` is a vertex of the same tree that is not larger.
            self.cells[v as usize].store(higher, Relaxed);
            v = higher;
        }
    }

    /// Points every vertex to its root.
    pub(crate) fn compress(&self, team: &Team) {
        self.for_all(team, |v| {
            let mut root = self.get(v);
            let mut above = self.get(root);
            if above == root {
                return;
            }
            while above != root {
                root = above;
                above = self.get(root);
            }
            self.cells[v as usize].store(root, Relaxed);
        });
    }

    /// Returns the component that occurs most often among some vertices.
    pub(crate) fn sample(&self, n: u64) -> Option<Vertex> {
        let mut met: Vec<Vertex> =
            (0..SAMPLES.min(n)).map(|i| self.get((hash::mix(i, n) % n) as Vertex)).collect();
        met.sort_unstable();
        met.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
    }
}
