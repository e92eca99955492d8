//! [`Kept`]: what a balance keeps of a graph, by direction.

use crate::device_graph::{Made, Prepare, Side};
use std::sync::Arc;
use warpgraph_core::{Error, Result};

/// What a balance keeps of the rows of each direction of a run.
#[derive(Debug)]
pub(super) struct Kept<T>(Vec<(Side, Arc<Made<T>>)>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Prepare> Kept<T> {
    /// Adds what is kept of a direction.
    pub(super) fn add(&mut self, side: Side, made: Arc<Made<T>>) {
        self.0.push((side, made));
    }

    /// Returns what is kept of a direction, if it was prepared.
    pub(super) fn get(&self, side: Side) -> Option<&Arc<Made<T>>> {
        self.0.iter().find(|(known, _)| *known == side).map(|(_, made)| made)
    }

    /// Returns what is kept of a direction.
    ///
    /// # Errors
    /// When the run was not prepared for it.
    pub(super) fn of(&self, side: Side) -> Result<Arc<Made<T>>> {
        self.get(side).map(Arc::clone).ok_or_else(|| Error::Device {
            kind: warpgraph_core::DeviceTrouble::Call,
            what: format!("the balance was not prepared for {side:?} arcs"),
            help: "this is a mistake in warpgraph: please report it".to_owned(),
        })
    }

    /// Returns everything that is kept, each once: arcs that are the same both ways are kept once.
    pub(super) fn different(&self) -> impl Iterator<Item = &Arc<Made<T>>> {
        let mut all: Vec<_> = self.0.iter().map(|(_, made)| made).collect();
        all.dedup_by(|a, b| Arc::ptr_eq(a, b));
        all.into_iter()
    }

    /// Returns the bytes of all of it.
    pub(super) fn bytes(&self) -> u64 {
        self.different().map(|made| made.bytes()).sum()
    }
}
