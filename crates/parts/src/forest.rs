//! Trees of pointers between places, which several threads join: union-find as in Afforest.
//!
//! `cells[place]` always points to a place of the same tree that is at most `place`; a root points to itself.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};
use warpgraph_graph::{Pages, Vertex, hash, par};

/// Vertices sampled to find the largest tree.
const SAMPLES: u64 = 1024;

/// The trees.
pub(crate) struct Forest<'a> {
    pub(crate) cells: &'a [AtomicU32],
}

/// Returns pointers of so many places, each a root.
pub(crate) fn roots(places: usize) -> warpgraph_graph::Result<Pages<Vertex>> {
    let mut parents = Pages::scratch(places)?;
    par::parts_mut(&mut parents, par::FINE, |first, part| {
        part.iter_mut().enumerate().for_each(|(at, parent)| *parent = (first + at) as Vertex);
    });
    Ok(parents)
}

impl Forest<'_> {
    #[inline(always)]
    pub(crate) fn get(&self, place: Vertex) -> Vertex {
        self.cells[place as usize].load(Relaxed)
    }

    /// Joins the trees of two places.
    #[inline(always)]
    pub(crate) fn link(&self, u: Vertex, v: Vertex) {
        let (mut a, mut b) = (self.get(u), self.get(v));
        while a != b {
            let (high, low) = (a.max(b), a.min(b));
            let above = self.get(high);
            if above == low {
                return;
            }
            if above == high
                && self.cells[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok()
            {
                return;
            }
            a = self.get(self.get(high));
            b = self.get(low);
        }
    }

    /// Points some places to their roots.
    pub(crate) fn compress(&self, places: Range<usize>) {
        par::ranges(places.len(), par::FINE, |range| {
            for place in range.start + places.start..range.end + places.start {
                let mut root = self.get(place as Vertex);
                loop {
                    let above = self.get(root);
                    if above == root {
                        break;
                    }
                    root = above;
                }
                self.cells[place].store(root, Relaxed);
            }
        });
    }

    /// Returns the root that occurs most often among some of `count` places from `first`.
    pub(crate) fn sample(&self, first: usize, count: usize) -> Option<Vertex> {
        let pick = |i: u64| self.get((first as u64 + hash::mix(i, count as u64) % count as u64) as Vertex);
        let mut met: Vec<Vertex> = (0..SAMPLES.min(count as u64)).map(pick).collect();
        met.sort_unstable();
        met.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
    }
}
