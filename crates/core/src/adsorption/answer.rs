//! What adsorption answers.

use super::Adsorption;
use crate::{Answer, Result, Run, Table, Violation, table::Values, top::top};
use serde::Serialize;
use std::borrow::Cow;
use warpgraph_graph::{Graph, NodeMap, Pages, VertexId};

/// How much of the injected label got to every vertex.
#[derive(Debug)]
pub struct AdsorptionAnswer {
    graph: Graph,
    pub(super) config: Adsorption,
    pub(super) values: Pages<f64>,
    pub(super) residual: f64,
    pub(super) run: Run,
}

/// The figures of an adsorption.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AdsorptionSummary {
    /// Sweeps made.
    pub iterations: u64,
    /// What another one would change, in all.
    pub residual: f64,
    /// The vertices of greatest value, the smallest id first on ties.
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
    /// Puts an answer together; `residual` is what another sweep would change.
    pub fn new(graph: &Graph, config: &Adsorption, values: Pages<f64>, residual: f64, run: Run) -> Self {
        Self { graph: graph.clone(), config: config.clone(), values, residual, run }
    }

    /// The same answer, to `config`, about the graph that was renumbered by `map`.
    pub(super) fn restore(self, config: &Adsorption, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self::new(graph, config, map.restore(&self.values)?, self.residual, self.run))
    }

    /// The value of a vertex; `None` if it is not in the graph.
    pub fn value(&self, id: impl Into<VertexId>) -> Option<f64> {
        Some(self.values[self.graph.ids().find(&id.into())? as usize])
    }

    /// All values by inner vertex.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The `count` vertices of greatest value, the smallest id first on ties.
    pub fn top(&self, count: usize) -> Vec<Adsorbed> {
        let named = |v: u32| Adsorbed { vertex: self.graph.ids().id(v), value: self.values[v as usize] };
        top(&self.values, count).into_iter().map(named).collect()
    }

    /// The figures.
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
