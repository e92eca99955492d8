//! [`Runs`]: an engine that runs programs. Algorithms that are programs (bfs, sssp, wcc, pagerank, adsorption) turn their
//! question into a program and its values into their answer once, for every engine: `by_program` in their modules.

use super::{Prepared, Scalar, VertexProgram};
use crate::{Options, Result, Run};
use warpgraph_graph::{Graph, Pages};

/// The arcs that messages go along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ways {
    /// Along outgoing arcs.
    Out,
    /// Along outgoing and incoming arcs: components of a directed graph.
    Both,
}

/// What a run of a program found.
#[derive(Debug)]
pub struct Ran<T: Scalar> {
    /// The value of every vertex of the graph that it ran on.
    pub values: Pages<T>,
    /// The residual of a sum.
    pub residual: Option<f64>,
    /// The report.
    pub run: Run,
}

/// A graph on an engine that runs programs.
pub trait Runs {
    /// Returns the graph.
    fn graph(&self) -> &Graph;

    /// Returns the name of its device, for messages.
    fn label(&self) -> String;

    /// Runs a program.
    ///
    /// # Errors
    /// When interrupted, when memory is short, when a sum does not converge, or when the device fails.
    fn run<P: VertexProgram>(
        &self,
        prepared: &Prepared<'_, P>,
        options: &Options,
        ways: Ways,
    ) -> Result<Ran<P::Value>>;
}
