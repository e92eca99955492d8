//! [`Meter`]: takes the figures of every superstep while a run reads.

use super::arrays::Arrays;
use std::{
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
};
use warpgraph_core::{Code, Residency, Result, Rows, Transfer, Watch};
use warpgraph_gpu::Footprint;
use warpgraph_graph::{Control, Graph, Vertex};
use warpgraph_transform::{
    Frontiers, Traversal,
    unified::{Model, REGION, Settings, Totals},
};

/// Bytes per edge of [`Traversal`], of which only the gaps are used.
const EDGE_BYTES: u32 = 4;

/// The figures of a superstep.
#[derive(Debug, Default)]
pub(super) struct Step {
    /// Vertices whose rows it reads.
    pub(super) vertices: u64,
    /// The gaps between them.
    pub(super) gaps: Traversal,
    /// What the model says of it; `None` if its reads are not known.
    pub(super) totals: Option<Totals>,
    /// What crossed the bus in it, if that was counted: bytes moved, and the least.
    pub(super) crossed: Option<[u64; 2]>,
}

/// Takes figures.
#[derive(Debug)]
pub(super) struct Meter {
    graph: Graph,
    control: Control,
    arrays: Arrays,
    /// Reads the arrays; `None` if rows do not tell what is read, because targets are coded.
    model: Option<Model>,
    /// The superstep under way.
    now: Step,
    /// What was there when it began.
    before: ([u64; 2], Totals),
    pub(super) steps: Vec<Step>,
}

impl Meter {
    /// For runs of this footprint on a graph whose edges are in these places. `memory` is what the model of unified memory has
    /// for edges; `None`: it has room for all.
    ///
    /// # Errors
    /// When memory is short.
    pub(super) fn new(
        graph: &Graph,
        footprint: Footprint,
        residency: Residency,
        memory: Option<u64>,
        control: &Control,
    ) -> Result<Self> {
        let arrays = Arrays::new(graph, footprint);
        let all = arrays.bytes().next_multiple_of(REGION).max(REGION);
        let write_back = residency == Residency::Unified { advice: false };
        let settings = Settings {
            edge_bytes: 1,
            prefetch: memory.is_some(),
            write_back,
            ..Settings::with_memory(memory.unwrap_or(all))
        };
        let is_plain = residency.code() == Code::Plain;
        let model = is_plain.then(|| Model::new(arrays.bytes(), settings)).transpose()?;
        Ok(Self {
            graph: graph.clone(),
            control: control.clone(),
            arrays,
            model,
            now: Step::default(),
            before: Default::default(),
            steps: Vec::new(),
        })
    }

    /// Returns the graph.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Adds active vertices, in increasing order.
    ///
    /// # Errors
    /// When interrupted, or when memory is short.
    pub(super) fn active(&mut self, vertices: &[Vertex]) -> Result<()> {
        let csr = &self.graph.out().csr;
        let frontier = Frontiers::of_level(vertices, csr.vertices())?;
        self.now.gaps.add(&Traversal::of(csr, &frontier, EDGE_BYTES, &self.control)?);
        self.now.vertices += vertices.len() as u64;
        Ok(())
    }

    /// Reads stretches of arcs.
    ///
    /// # Errors
    /// When interrupted.
    pub(super) fn read(
        &mut self,
        rows: Rows,
        stretches: impl Iterator<Item = Range<usize>> + Clone,
    ) -> Result<()> {
        self.control.check("tracing what crosses the bus")?;
        if let Some(model) = &mut self.model {
            model.access(self.arrays.reads(rows, stretches))?;
        }
        Ok(())
    }

    /// Reads the rows of some vertices.
    ///
    /// # Errors
    /// As [`Meter::read`].
    pub(super) fn read_rows(&mut self, rows: Rows, vertices: &[Vertex]) -> Result<()> {
        let graph = self.graph.clone();
        let csr = &if rows == Rows::In { graph.incoming()? } else { graph.out() }.csr;
        self.read(rows, vertices.iter().map(|&v| csr.arcs_of(v)))
    }

    /// Ends a superstep after which so much has crossed the bus. `is_known`: its reads were told.
    pub(super) fn end(&mut self, crossed: Option<Transfer>, is_known: bool) {
        let (moved, totals) = self.before;
        let after = self.model.as_ref().map_or(totals, Model::totals);
        let so_far = crossed.map(|Transfer { moved, ideal, .. }| [moved, ideal]);
        self.now.totals = (is_known && self.model.is_some()).then(|| after - totals);
        self.now.crossed = so_far.map(|[all, ideal]| [all - moved[0], ideal - moved[1]]);
        self.before = (so_far.unwrap_or(moved), after);
        self.steps.push(std::mem::take(&mut self.now));
    }

    /// Ends a last superstep that the run does not report, if anything was read after the last one: some sums sweep once more
    /// for their residual.
    pub(super) fn end_rest(&mut self, crossed: Option<Transfer>) {
        let has_read = self.now.vertices > 0
            || self.model.as_ref().is_some_and(|model| model.totals() != self.before.1)
            || crossed.is_some_and(|Transfer { moved, ideal, .. }| [moved, ideal] != self.before.0);
        if has_read {
            self.end(crossed, true);
        }
    }

    /// Returns the totals of the model; `None` if rows do not tell what is read.
    pub(super) fn totals(&self) -> Option<Totals> {
        self.model.as_ref().map(Model::totals)
    }
}

/// Shows a run to a meter.
#[derive(Debug)]
pub(super) struct Watcher(Mutex<Meter>);

impl Watcher {
    /// Of a meter that has seen nothing yet.
    pub(super) fn new(meter: Meter) -> Self {
        Self(Mutex::new(meter))
    }

    /// Returns the meter.
    pub(super) fn meter(&self) -> MutexGuard<'_, Meter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Watcher {
    fn reads(&self, rows: Rows, vertices: Option<&[Vertex]>) -> Result<()> {
        let mut meter = self.meter();
        let Some(vertices) = vertices else {
            let (n, arcs) = (meter.graph.vertices() as u64, meter.graph.arcs());
            meter.now.vertices += n;
            return meter.read(rows, std::iter::once(0..arcs));
        };
        meter.active(vertices)?;
        meter.read_rows(rows, vertices)
    }

    fn ends(&self, crossed: Option<Transfer>) -> Result<()> {
        self.meter().end(crossed, true);
        Ok(())
    }
}
