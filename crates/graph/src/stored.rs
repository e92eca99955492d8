//! [`Stored`]: a graph that lies in another order than that of its ids, as files written by `reorder` do.
//!
//! Such a [`Graph`] *is* the original graph: its vertices are numbered by their ids, and its hash is the original's.
//! Beside that it holds the arcs in the stored order, which an engine takes as they are. The arcs in the original order
//! are put together when [`Graph::out`] is first asked for them, which a run and its answer need not; the memory is
//! reserved when the file is read, so that this cannot fail.

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

/// Which order it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLabel {
    /// Its name: `degree`, ...
    pub name: String,
    /// The seed, where the order is drawn from one.
    pub seed: Option<u64>,
}

/// The arcs in the order they are stored in.
#[derive(Debug)]
pub struct Stored {
    label: OrderLabel,
    graph: Graph,
    map: NodeMap,
    /// For the arcs in the original order; taken when they are put together.
    room: Mutex<Option<Room>>,
}

impl Stored {
    /// Takes a graph in another order, and the map that leads from the original order to it.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the map is no renumbering of this graph.
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

    /// Which order it is.
    pub fn label(&self) -> &OrderLabel {
        &self.label
    }

    /// The graph in that order; its ids are its vertex numbers.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// From the original vertices to those of [`Stored::graph`].
    pub fn map(&self) -> &NodeMap {
        &self.map
    }

    /// Memory it takes.
    pub fn bytes(&self) -> u64 {
        self.graph.bytes() + self.map.bytes()
    }

    /// Reserves the memory for the arcs in the original order, and none that is written to yet.
    pub(crate) fn reserve(&mut self) -> Result<()> {
        let arcs = self.graph.out();
        refuse_beyond_memory(arcs.csr.bytes() + arcs.weights.bytes())?;
        self.room = Mutex::new(Some(Room::of(arcs)?));
        Ok(())
    }

    /// The arcs in the original order, in the memory that was reserved.
    pub(crate) fn restore(&self) -> Arcs {
        let room = self.room.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(mut room), Some(back)) = (room, self.map.inverse()) else {
            unreachable!("reserved when the graph was made, and restored once")
        };
        match room.fill(self.graph.out(), &back, &Control::new()) {
            // SAFETY: filled.
            Ok(()) => unsafe { room.finish() },
            Err(_) => unreachable!("nobody else holds this control"),
        }
    }
}
