//! Defines [`Stored`]: the arcs of a graph in another order than that of its ids, as in files written by `reorder`.
//!
//! A [`Graph`] with such arcs is still the original graph: its vertices are numbered by their ids, and its hash is that
//! of the original. In addition it holds the arcs in the stored order, which an engine uses directly. The first call of
//! [`Graph::out`] restores the arcs in the original order; a run and its result do not need that call. The memory is
//! reserved when the file is read, so that restoring cannot fail.

use crate::{
    control::Control,
    error::{Error, Result},
    graph::{Arcs, Graph},
    memory::refuse_beyond_memory,
    node_map::NodeMap,
    renumber::Room,
};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// The name and the seed of a vertex order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLabel {
    /// The name of the order: `degree`, ...
    pub name: String,
    /// The seed, if the order is random.
    pub seed: Option<u64>,
}

/// The arcs of a graph in their stored order.
#[derive(Debug)]
pub struct Stored {
    label: OrderLabel,
    graph: Graph,
    map: NodeMap,
    /// Memory for the arcs in the original order, until they are restored.
    room: Mutex<Option<Room>>,
}

impl Stored {
    /// Takes a graph in another order, and the map from the original order to it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the map is not a renumbering of this graph.
    pub fn new(label: OrderLabel, graph: Graph, map: NodeMap) -> Result<Self> {
        if !map.is_renumbering() || map.len() != graph.vertices() {
            let (from, to, n) = (map.len(), map.inner_len(), graph.vertices());
            return Err(Error::invalid(
                format!("a map from {from} to {to} vertices does not fit a graph of {n}"),
                "reorder the graph anew",
            ));
        }
        Ok(Self { label, graph, map, room: Mutex::new(None) })
    }

    /// Returns the label of the order.
    pub fn label(&self) -> &OrderLabel {
        &self.label
    }

    /// Returns the graph in the stored order; its ids are its vertex numbers.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the map from the original vertices to those of [`Stored::graph`].
    pub fn map(&self) -> &NodeMap {
        &self.map
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.graph.bytes() + self.map.bytes()
    }

    /// Reserves the memory for the arcs in the original order, most of it not touched yet.
    pub(crate) fn reserve(&mut self) -> Result<()> {
        let arcs = self.graph.out();
        refuse_beyond_memory(arcs.csr.bytes() + arcs.weights.bytes())?;
        self.room = Mutex::new(Some(Room::of(arcs)?));
        Ok(())
    }

    /// Returns the arcs in the original order, in the reserved memory. May be called once.
    pub(crate) fn restore(&self) -> Arcs {
        let room = self.room.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(mut room), Some(back)) = (room, self.map.inverse()) else {
            unreachable!("reserved when the graph was made, and restored once")
        };
        match room.fill(self.graph.out(), &back, &Control::new()) {
            // SAFETY: `fill` has succeeded.
            Ok(()) => unsafe { room.finish() },
            Err(_) => unreachable!("this control has no other handle"),
        }
    }
}
