//! [`Watch`]: sees which rows a run on a GPU reads, superstep by superstep.

use crate::{Result, Transfer};
use std::fmt;
use warpgraph_graph::Vertex;

/// Sees which rows a run on a GPU reads, and what has crossed the bus after each superstep.
///
/// The host copies every frontier for it, and waits, so a run that is watched is not to be timed. Only general forms have
/// supersteps that the host knows: of a fast form it sees nothing.
pub trait Watch: fmt::Debug + Send + Sync {
    /// Sees that a superstep reads the rows of some vertices, by increasing number as the engine counts them, each once;
    /// `None`: of all vertices. A superstep may read rows several times.
    ///
    /// # Errors
    /// Those of the watcher. They end the run.
    fn reads(&self, rows: Rows, vertices: Option<&[Vertex]>) -> Result<()>;

    /// Sees that a superstep has ended, and what has crossed the bus since the run began; `None` if nothing counts it.
    ///
    /// # Errors
    /// Those of the watcher. They end the run.
    fn ends(&self, crossed: Option<Transfer>) -> Result<()>;
}

/// Rows of arcs of one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Outgoing arcs.
    Out,
    /// Incoming arcs; those of an undirected graph are its outgoing ones.
    In,
}
