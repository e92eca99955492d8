//! [`Claim`]: a run's use of a graph on a device. While a run uses it, the edges stay where its kernels look for them.
//!
//! Callers outside of the engine take turns, but one on an engine's own thread does not wait: the run ahead may need that
//! thread. So runs can overlap. Those that store the edges alike share them. A run that needs them elsewhere, or that
//! counts what crosses the bus while another is there, works on a handle of its own. Nothing ever waits, so no two runs
//! can wait for each other.

use super::{DeviceGraph, Held};
use crate::edges::Layout;
use std::ops::Deref;
use warpgraph_device::Address;

/// The runs that use a graph at the moment.
#[derive(Debug, Default)]
pub(super) struct Users {
    runs: usize,
    /// True if the only run counts what crosses the bus.
    is_counting: bool,
}

impl Users {
    /// True if there is a run.
    pub(super) fn are_there(&self) -> bool {
        self.runs > 0
    }
}

/// A graph while a run uses it. Dropping it ends the use.
#[derive(Debug)]
pub(crate) struct Claim<'d>(&'d DeviceGraph);

impl DeviceGraph {
    /// Stores edges by a layout for a run. `None` if a run that is there needs another layout, or if that run or this one
    /// counts what crosses the bus.
    pub(crate) fn claim(&self, layout: Layout, counts: bool) -> Option<Claim<'_>> {
        let mut held = self.held();
        let is_taken = held.users.are_there();
        if is_taken && (counts || held.users.is_counting || !held.stays(layout)) {
            return None;
        }
        held.place(layout);
        held.users = Users { runs: held.users.runs + 1, is_counting: counts };
        Some(Claim(self))
    }
}

impl Held {
    /// Returns where kernels count what crosses the bus; null if they do not.
    pub(super) fn counted_at(&self) -> Address<u64> {
        self.counts.as_ref().map_or(Address::NULL, |counts| counts.address())
    }

    /// Stores edges by another layout from now on. What is stored otherwise leaves the device.
    pub(super) fn place(&mut self, layout: Layout) {
        if !self.stays(layout) {
            *self = Self { counts: None, ..self.left() };
        }
        self.layout = Some(layout);
    }

    /// Takes everything off the device but counters and original numbers, and returns what is left.
    pub(super) fn left(&mut self) -> Self {
        let Self { seconds, epoch, control, is_short, originals, layout, users, counts, .. } =
            std::mem::take(self);
        let epoch = epoch + 1;
        Self { seconds, epoch, control, is_short, originals, layout, users, counts, ..Self::default() }
    }

    /// Returns true if edges stored by another layout lie in the same places. Heads are prepared beside the edges.
    pub(super) fn stays(&self, layout: Layout) -> bool {
        self.layout.is_some_and(|old| {
            old.residency.without_heads() == layout.residency.without_heads()
                && (old.hot_pages, old.staged_pages) == (layout.hot_pages, layout.staged_pages)
        })
    }
}

impl Deref for Claim<'_> {
    type Target = DeviceGraph;

    fn deref(&self) -> &DeviceGraph {
        self.0
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.held().users.runs -= 1;
    }
}
