//! The answer of a vertex program.

use super::{Combine, Kind, Recorded, Scalar, ScalarType, VertexProgram};
use crate::{Answer, Judged, Result, Run, Table, Violation, table::Values};
use serde::Serialize;
use std::{borrow::Cow, fmt, sync::Arc};
use warpgraph_graph::{Graph, NodeMap, Pages, VertexId, par};

type Judge<T> = dyn Fn(&ProgramAnswer<T>, &Graph) -> Result<(), Violation> + Send + Sync;

/// The value of each vertex.
pub struct ProgramAnswer<T: Scalar> {
    graph: Graph,
    name: &'static str,
    combine: Combine,
    pub(super) values: Pages<T>,
    pub(super) residual: Option<f64>,
    pub(super) run: Run,
    judge: Arc<Judge<T>>,
}

/// The figures of a program's answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProgramSummary {
    /// The program's name.
    pub program: &'static str,
    /// Vertices whose value is not the identity of the program's monoid.
    pub reached: u64,
    /// The smallest of these values.
    pub least: Option<f64>,
    /// The largest of these values.
    pub greatest: Option<f64>,
    /// For sums: the total change that another superstep would make.
    pub residual: Option<f64>,
}

impl<T: Scalar> ProgramAnswer<T> {
    /// Builds an answer; `residual` is for sums.
    pub fn new<P: VertexProgram<Value = T>>(
        graph: &Graph,
        program: Arc<P>,
        values: Pages<T>,
        residual: Option<f64>,
        run: Run,
    ) -> Self {
        let judge = move |answer: &Self, graph: &Graph| super::verify::verify(&*program, answer, graph);
        let graph = graph.clone();
        Self { graph, name: P::NAME, combine: P::COMBINE, values, residual, run, judge: Arc::new(judge) }
    }

    /// Builds the answer of a recorded program; `residual` is for sums.
    pub fn of_recorded(
        graph: &Graph,
        program: Arc<Recorded>,
        values: Pages<T>,
        residual: Option<f64>,
        run: Run,
    ) -> Self {
        let Kind { name, combine, .. } = program.kind();
        let judge = move |answer: &Self, graph: &Graph| program.verify(answer, graph);
        Self { graph: graph.clone(), name, combine, values, residual, run, judge: Arc::new(judge) }
    }

    /// Maps the answer back to the original `graph`; `map` is the renumbering.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn restore(self, graph: &Graph, map: &NodeMap) -> Result<Self> {
        Ok(Self { graph: graph.clone(), values: map.restore(&self.values)?, ..self })
    }

    /// Returns the value of a vertex; `None` if it is not in the graph.
    pub fn value(&self, id: impl Into<VertexId>) -> Option<T> {
        Some(self.values[self.graph.ids().find(&id.into())? as usize])
    }

    /// Returns the values, in the order of the original ids.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Returns the values, and drops the rest of the answer.
    pub fn into_values(self) -> Pages<T> {
        self.values
    }

    /// Returns the values scaled to sum 1, as rankings need them; unscaled if they sum to 0.
    pub fn normalised(&self) -> Vec<f64> {
        let sum = par::sum_f64(self.values.len(), |v| self.values[v].to_f64());
        let scale = if sum == 0.0 { 1.0 } else { 1.0 / sum };
        par::map(self.values.len(), |v| self.values[v].to_f64() * scale)
    }

    /// Returns, for sums, the total change that another superstep would make, or that the last one made.
    pub fn residual(&self) -> Option<f64> {
        self.residual
    }

    /// Returns the figures of the run.
    pub fn figures(&self) -> ProgramSummary {
        let identity = self.combine.identity::<T>();
        let none = || (0u64, f64::INFINITY, f64::NEG_INFINITY);
        let join = |a: (u64, f64, f64), b: (u64, f64, f64)| (a.0 + b.0, a.1.min(b.1), a.2.max(b.2));
        let block = |range: std::ops::Range<usize>| {
            let values = self.values[range].iter().filter(|x| **x != identity);
            values.fold(none(), |all, x| join(all, (1, x.to_f64(), x.to_f64())))
        };
        let figures = par::reduce(self.values.len(), par::FINE, block, join);
        let (reached, least, greatest) = figures.unwrap_or_else(none);
        let some = |x: f64| Some(x).filter(|_| reached > 0);
        let (least, greatest) = (some(least), some(greatest));
        ProgramSummary { program: self.name, reached, least, greatest, residual: self.residual }
    }
}

impl<T: Scalar> Answer for ProgramAnswer<T> {
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
        let values = &*self.values;
        let values = match T::TYPE {
            ScalarType::U32 | ScalarType::Bool => Values::U32(Cow::Borrowed(bytemuck::cast_slice(values))),
            ScalarType::U64 => Values::U64(Cow::Borrowed(bytemuck::cast_slice(values))),
            ScalarType::I32 => Values::I64(values.iter().map(|x| i64::from(x.cast::<i32>())).collect()),
            ScalarType::F32 => Values::F32(Cow::Borrowed(bytemuck::cast_slice(values))),
            ScalarType::F64 => Values::F64(Cow::Borrowed(bytemuck::cast_slice(values))),
        };
        Table::of_vertices(self.graph.ids()).with("value", values)
    }

    fn verify(&self, graph: &Graph) -> Result<(), Violation> {
        (self.judge)(self, graph)
    }

    fn judged(&self) -> Option<Judged<'_>> {
        let identity = self.combine.identity::<T>();
        let number = |v: usize| match self.values[v] {
            value if value == identity && self.combine != Combine::Sum => f64::INFINITY,
            value => value.to_f64(),
        };
        Some(Judged::Values(par::map(self.values.len(), number).into()))
    }

    fn arcs_reached(&self) -> u64 {
        if self.combine == Combine::Sum {
            return self.graph.arcs() as u64 * self.run.rounds;
        }
        let identity = self.combine.identity::<T>();
        self.graph.arcs_where(|v| self.values[v as usize] != identity)
    }
}

impl<T: Scalar> fmt::Debug for ProgramAnswer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = f.debug_struct("ProgramAnswer");
        text.field("figures", &self.figures()).field("run", &self.run).finish_non_exhaustive()
    }
}
