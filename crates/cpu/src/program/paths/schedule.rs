//! [`Schedule`]: the chunks that have something to do, in a hot queue for hub chunks and a cold one for all others.
//!
//! The state of a chunk has two bits. `QUEUED`: it must be handled (again). `RUNNING`: a worker handles it. A chunk is
//! in its queue if it is queued and not running. A chunk that is woken while it runs gets `QUEUED`, and its worker
//! queues it when it is done, so that one worker handles a chunk at a time: `seen` and `sent` belong to that worker.
//! `pending` counts the chunks with either bit; if it is 0, all is done.
//!
//! **No wake-up is lost.** A worker that changes a master does, in this order: write the master; fence; read the state of
//! a home, or set its `QUEUED`. The worker that takes the home does: clear `QUEUED`; fence; read the masters. Fences are
//! sequentially consistent, so one of them is first:
//! - The changer's fence is first: the taker's reads come after the write of the master, and see it.
//! - The taker's fence is first: the changer then sees that this taker has cleared `QUEUED`. It sets the bit, and the
//!   chunk is handled once more: now, if it is not running, else when its worker is done.
//!
//! A changer that finds `QUEUED` set has nothing to do: a later taker will clear it, and for that one the changer's fence
//! is first. The same holds for the vertices of a [`Crowd`]: who changes one notes it after its fence, and who takes the
//! note away fences before it wakes the chunks, so that the fences of the changer, of that worker and of a taker are in
//! this order. `pending` counts notes, too.

use super::{
    crowd::{Crowd, CrowdLists},
    ring::{Apart, Ring},
};
use crate::parts::atomics;
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, SeqCst},
    fence,
};
use warpgraph_core::Result;
use warpgraph_graph::{
    Pages, Vertex,
    paths::{Homes, Paths, REPEATED},
};

/// It must be handled, now or again.
const QUEUED: u32 = 1;
/// A worker handles it.
const RUNNING: u32 = 2;
/// It has been handled before.
const STARTED: u32 = 4;

/// The arrays of a schedule.
pub(super) struct Lists {
    states: Pages<u32>,
    hot: Pages<u32>,
    cold: Pages<u32>,
    crowd: CrowdLists,
}

impl Lists {
    /// Returns arrays for these paths. The chunks of vertices with more homes than `most` are woken together.
    pub(super) fn of(paths: &Paths, homes: &Homes, most: usize) -> Result<Self> {
        let (chunks, hubs) = (paths.chunks(), paths.hub_chunks());
        Ok(Self {
            states: Pages::zeroed(chunks)?,
            hot: Pages::zeroed(hubs)?,
            cold: Pages::zeroed(chunks - hubs)?,
            crowd: CrowdLists::of(homes, most)?,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.states.len() + self.hot.len() + self.cold.len()) + self.crowd.bytes()
    }
}

pub(super) struct Schedule<'a> {
    homes: &'a Homes,
    states: &'a [AtomicU32],
    pub(super) hot: Ring<'a>,
    pub(super) cold: Ring<'a>,
    crowd: Crowd<'a>,
    hub_chunks: u32,
    pending: Apart<AtomicU64>,
    #[cfg(test)]
    faults: super::tests::Faults,
}

impl<'a> Schedule<'a> {
    pub(super) fn new(lists: &'a mut Lists, homes: &'a Homes) -> Self {
        let hub_chunks = lists.hot.len() as u32;
        Self {
            homes,
            states: atomics(&mut lists.states),
            hot: Ring::new(atomics(&mut lists.hot)),
            cold: Ring::new(atomics(&mut lists.cold)),
            crowd: Crowd::new(&mut lists.crowd),
            hub_chunks,
            pending: Apart::default(),
            #[cfg(test)]
            faults: super::tests::Faults::wanted(),
        }
    }

    /// Returns true if a test makes it drop wake-ups.
    pub(super) fn drops(&self) -> bool {
        #[cfg(test)]
        return self.faults.drops();
        #[cfg(not(test))]
        false
    }

    /// Returns true if no chunk is queued or running, and no vertex noted.
    pub(super) fn is_quiet(&self) -> bool {
        self.pending.0.load(Acquire) == 0
    }

    /// Returns true if a queue seems to have a chunk, or the crowd a vertex.
    pub(super) fn has_work(&self) -> bool {
        let has_chunk = |ring: &Ring<'_>| {
            let (head, tail) = ring.span();
            head < tail
        };
        has_chunk(&self.hot) || has_chunk(&self.cold) || self.crowd.len() > 0
    }

    /// Wakes a chunk: it will be handled, or handled again. After a change of masters, the caller calls
    /// [`Schedule::changed`] instead.
    pub(super) fn wake(&self, chunk: u32) {
        let state = &self.states[chunk as usize];
        if state.load(Relaxed) & QUEUED == 0 && state.fetch_or(QUEUED, AcqRel) & (QUEUED | RUNNING) == 0 {
            // While workers run, the caller's own chunk is pending too, so the count is not 0 before this.
            self.pending.0.fetch_add(1, Relaxed);
            self.push(chunk);
        }
    }

    /// Wakes all chunks with mirrors of these vertices, whose masters the handling of chunk `by` has changed. That chunk
    /// is among them only where a vertex has other mirrors in it.
    pub(super) fn changed(&self, vertices: &mut Vec<Vertex>, by: u32) {
        if vertices.is_empty() {
            return;
        }
        vertices.sort_unstable();
        vertices.dedup();
        #[cfg(test)]
        self.faults.stumble();
        fence(SeqCst);
        for v in vertices.drain(..) {
            let homes = self.homes.of_vertex(v);
            if self.crowd.has(homes.len()) {
                self.crowd.note(v, || _ = self.pending.0.fetch_add(1, Relaxed));
                continue;
            }
            for &home in homes {
                if home == by {
                    continue;
                }
                #[cfg(test)]
                if self.faults.strike() {
                    continue;
                }
                self.wake(home & !REPEATED);
            }
        }
    }

    /// Wakes the chunks of the vertices that are noted now. Returns false if there are none.
    pub(super) fn wake_crowd(&self) -> bool {
        let noted = self.crowd.len();
        for _ in 0..noted {
            let Some(v) = self.crowd.take() else { break };
            fence(SeqCst);
            self.wake_all(v);
            self.pending.0.fetch_sub(1, AcqRel);
        }
        noted > 0
    }

    /// Wakes all chunks of a vertex.
    pub(super) fn wake_all(&self, v: Vertex) {
        self.homes.of_vertex(v).iter().for_each(|home| self.wake(home & !REPEATED));
    }

    /// Begins to handle a chunk that was popped. Returns true if it is the first time.
    pub(super) fn begin(&self, chunk: u32) -> bool {
        let state = &self.states[chunk as usize];
        // It is queued and not running, so this clears the one bit and sets the other.
        let old = state.fetch_xor(QUEUED | RUNNING, AcqRel);
        debug_assert!(old & (QUEUED | RUNNING) == QUEUED, "handled by one worker at a time");
        fence(SeqCst);
        #[cfg(test)]
        self.faults.stumble();
        let is_first = old & STARTED == 0;
        if is_first {
            state.fetch_or(STARTED, Relaxed);
        }
        is_first
    }

    /// Ends the handling of a chunk, after all that it woke.
    pub(super) fn end(&self, chunk: u32) {
        #[cfg(test)]
        self.faults.stumble();
        if self.states[chunk as usize].fetch_and(!RUNNING, AcqRel) & QUEUED != 0 {
            self.push(chunk);
        } else {
            self.pending.0.fetch_sub(1, AcqRel);
        }
    }

    fn push(&self, chunk: u32) {
        if chunk < self.hub_chunks { &self.hot } else { &self.cold }.push(chunk);
    }
}
