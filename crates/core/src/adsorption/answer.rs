//! The answer of adsorption.

use super::Adsorption;
use crate::{Answer, Result, Run, Table, Violation, table::Values, top::top};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, VertexId};

/// How much of the injected label arrived at each vertex.
#[derive(Debug)]
pub struct AdsorptionAnswer {
    graph: Graph,
    pub(super) config: Adsorption,
    pub(super) values: Pages<f64>,
    pub(super) residual: f64,
    pub(super) run: Run,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AdsorptionSummary {
    /// Number of sweeps.
    pub iterations: u64,
    /// The total change that another sweep would make.
    pub residual: f64,
    /// The vertices with the largest values, smallest id first on ties.
    pub top: Vec<Adsorbed>,
}

/// A vertex and its value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Adsorbed {
    /// The vertex.
    pub vertex: VertexId,
    /// Its value.
    pub value: f64,
}

const TOP: usize = 10;

impl AdsorptionAnswer {
    /// Builds an answer; `residual` is the total change that another sweep would make.
    pub fn new(graph: &Graph, config: &Adsorption, values: Pages<f64>, residual: f64, run: Run) -> Self {
        Self { graph: graph.clone(), config: config.clone(), values, residual, run }
    }

    /// Maps the answer back to the original `graph`, as the answer to `config`; `map` is the renumbering.
    pub(super) fn restore(self, config: &Adsorption, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self::new(graph, config, map.restore(&self.values)?, self.residual, self.run))
    }

    /// Returns the value of a vertex; `None` if it is not in the graph.
    pub fn value(&self, id: impl Into<VertexId>) -> Option<f64> {
        Some(self.values[self.graph.ids().find(&id.into())? as usize])
    }

    /// Returns the values by internal vertex.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the `count` vertices with the largest values, smallest id first on ties.
    pub fn top(&self, count: usize) -> Vec<Adsorbed> {
        let named = |v: u32| Adsorbed { vertex: self.graph.ids().id(v), value: self.values[v as usize] };
        top(&self.values, count).into_iter().map(named).collect()
    }

    /// Returns the figures of the run.
    pub fn figures(&self) -> AdsorptionSummary {
        AdsorptionSummary { iterations: self.run.rounds, residual: self.residual, top: self.top(TOP) }
    }
}

impl Answer for AdsorptionAnswer {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn summary(&self) -> serde_json::Value {
        serde_json::to_value(self.figures()).unwrap_or_default()
    }

    fn table(&self) -> Table<'_> {
        Table::of_vertices(self.graph.ids()).with("value", Values::F64(Cow::Borrowed(&self.values)))
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        super::verify::verify(self, graph)
    }

    fn arcs_reached(&self) -> u64 {
        self.graph.arcs() as u64 * self.run.rounds
    }
}
