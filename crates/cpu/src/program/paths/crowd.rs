//! [`Crowd`]: vertices with mirrors in so many chunks that waking them all for every change would cost more than the
//! change itself. A change only notes such a vertex here. Its chunks are woken when the round ends, or when the queues are
//! empty: once for all changes since the last time.
//!
//! In a sum, every chunk of a hub changes it in every round, and would wake all others: the square of its number of chunks.
//! `Min`, `Max` and `Or` change a hub a few times per run, and wake its chunks at once.

use super::ring::Ring;
use crate::parts::atomics;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{AcqRel, Relaxed},
};
use warpgraph_core::Result;
use warpgraph_graph::{Pages, Vertex, par, paths::Homes};

/// Vertices with mirrors in more chunks than this are of the crowd.
pub(super) const MANY: usize = if cfg!(test) { 3 } else { 64 };

/// The arrays of a crowd.
pub(super) struct CrowdLists {
    noted: Pages<u64>,
    places: Pages<u32>,
    /// The most chunks of a vertex that is not of the crowd.
    most: usize,
}

impl CrowdLists {
    /// Returns arrays for all vertices with more homes than `most`.
    pub(super) fn of(homes: &Homes, most: usize) -> Result<Self> {
        let (offsets, _) = homes.arrays();
        let n = offsets.len() - 1;
        let crowd = par::sum(n, par::FINE, |range| {
            range.filter(|&v| (offsets[v + 1] - offsets[v]) as usize > most).count() as u64
        });
        let bits = if crowd > 0 { n } else { 0 };
        Ok(Self { noted: Pages::zeroed(bits.div_ceil(64))?, places: Pages::zeroed(crowd as usize)?, most })
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.noted.len() + 4 * self.places.len()
    }
}

pub(super) struct Crowd<'a> {
    /// The vertices in the ring, one bit per vertex.
    noted: &'a [AtomicU64],
    ring: Ring<'a>,
    most: usize,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(lists: &'a mut CrowdLists) -> Self {
        Self {
            noted: atomics(&mut lists.noted),
            ring: Ring::new(atomics(&mut lists.places)),
            most: lists.most,
        }
    }

    /// Returns true if a vertex with so many homes is of the crowd.
    pub(super) fn has(&self, homes: usize) -> bool {
        homes > self.most
    }

    /// Returns the number of vertices that are noted.
    pub(super) fn len(&self) -> u64 {
        let (head, tail) = self.ring.span();
        tail.saturating_sub(head)
    }

    /// Notes a vertex that has changed, after a fence. Calls `first` before, unless it is noted already.
    pub(super) fn note(&self, v: Vertex, first: impl FnOnce()) {
        let (word, bit) = (&self.noted[v as usize / 64], 1 << (v % 64));
        if word.load(Relaxed) & bit == 0 && word.fetch_or(bit, AcqRel) & bit == 0 {
            first();
            self.ring.push(v);
        }
    }

    /// Takes a vertex that is noted. The caller then issues a fence and wakes its chunks.
    pub(super) fn take(&self) -> Option<Vertex> {
        let v = self.ring.pop()?;
        self.noted[v as usize / 64].fetch_and(!(1 << (v % 64)), AcqRel);
        Some(v)
    }
}
