//! What tables, figures and statements ask of a report: cells beside other cells, bytes over the bus, and bounds.

use super::{DEVICE, residency};
use crate::{
    evaluation::{
        Cell, GraphCase, Held, Report,
        report::{SCHEMA, figure},
        tables::over,
    },
    gpu_limits::Bus,
    read_back::read_back,
};
use serde::{Deserialize, Serialize};
use std::path::Path;
use warpgraph::{Graph, Residency as Edges, Result};

/// Bytes of a graph that a run reads, as they are stored.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Sizes {
    pub(super) offsets: u64,
    pub(super) targets: u64,
    pub(super) weights: u64,
}

impl Sizes {
    pub(super) fn of(graph: &Graph) -> Self {
        let (csr, weights) = (&graph.out().csr, graph.out().weights.bytes());
        let targets = 4 * graph.arcs() as u64;
        Self { offsets: csr.bytes() - targets, targets, weights }
    }

    /// Returns the bytes of the edges that an algorithm reads.
    pub(super) fn edges(&self, algorithm: &str) -> u64 {
        self.targets + if algorithm == "sssp" { self.weights } else { 0 }
    }
}

/// The time of `device` for an algorithm on a graph, in a run that had memory for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Whole {
    pub(super) graph: String,
    pub(super) algorithm: String,
    pub(super) seconds: f64,
}

impl Whole {
    pub(super) fn of(report: &Report) -> Vec<Self> {
        let is_it = |cell: &&Cell| cell.parts.contains_key("budget") && cell.label() == DEVICE;
        let time = |cell: &Cell| {
            let (graph, algorithm) = (cell.graph.clone(), cell.algorithm.clone());
            Some(Self { graph, algorithm, seconds: cell.median()? })
        };
        report.cells.iter().filter(is_it).filter_map(time).collect()
    }

    pub(super) fn read(path: &Path) -> Result<Vec<Self>> {
        let help = "make it with `warpgraph bench residency --only budget --out DIR`, without --gpu-memory";
        Ok(Self::of(&read_back(path, "bench residency", SCHEMA, help)?))
    }
}

/// A cell of a part, and the report it is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) report: &'a Report,
    pub(super) part: &'a str,
    pub(super) cell: &'a Cell,
}

impl<'a> At<'a> {
    /// Returns the cells of a part on a graph by its algorithms, in the order of the part.
    pub(super) fn all(report: &'a Report, part: &'a str, graph: &str) -> Vec<Self> {
        let algorithms = report.algorithms_of(part);
        let cells = algorithms.into_iter().flat_map(|name| report.cells_of(part, graph, name));
        cells.map(|cell| Self { report, part, cell }).collect()
    }

    /// Returns the order without its option: `halo2`. One made from random places is none of these.
    pub(super) fn order(self) -> &'static str {
        if let Held::Order(order) = self.cell.order { order.name() } else { "" }
    }

    /// Returns the cell of the same part, graph and algorithm in another order by another plan.
    pub(super) fn beside(self, order: &str, label: &str) -> Option<Self> {
        let Cell { graph, algorithm, .. } = self.cell;
        let all = Self::all(self.report, self.part, graph).into_iter();
        all.filter(|at| at.cell.algorithm == *algorithm)
            .find(|at| at.order() == order && at.cell.label() == label)
    }

    pub(super) fn natural(self) -> Option<Self> {
        self.beside("natural", self.cell.label())
    }

    /// Returns the time in the natural order over its own.
    pub(super) fn over_natural(self) -> Option<f64> {
        over(self.natural()?.cell.median(), self.cell.median())
    }

    pub(super) fn case(self) -> Option<&'a GraphCase> {
        self.report.graph(&self.cell.graph)
    }

    /// Returns bytes per second that copies to the device reach.
    pub(super) fn link(self) -> Option<f64> {
        Some(self.case()?.figure::<Bus>("bus")?.to_device)
    }

    /// Returns the share of the link that the bytes of the counted run take in the time of the run from the same source.
    pub(super) fn of_link(self) -> Option<f64> {
        let seconds = self.cell.runs.first()?.seconds;
        over(over(Some(self.cell.transfer?.moved as f64), Some(seconds)), self.link())
    }

    /// Returns bytes moved per byte that must move.
    pub(super) fn amplification(self) -> Option<f64> {
        Some(self.cell.transfer?.amplification())
    }

    /// Returns the bytes of edges that its plan cannot have on the device within the budget.
    pub(super) fn beyond(self) -> Option<u64> {
        let edges = self.case()?.figure::<Sizes>("edges")?.edges(&self.cell.algorithm);
        match residency(&self.cell.plan_asked) {
            Some(Edges::Device { .. }) => None,
            Some(Edges::ZeroCopy { hot: false, .. }) => Some(edges),
            _ => {
                let room = self.report.gpu_memory?.saturating_sub(self.needed()?);
                Some(edges.saturating_sub(room)).filter(|beyond| *beyond > 0)
            }
        }
    }

    /// Returns the bytes beside the edges that are always on the device: offsets and state.
    pub(super) fn needed(self) -> Option<u64> {
        let memory = self.cell.memory?;
        Some(self.case()?.figure::<Sizes>("edges")?.offsets + memory.state + memory.extra)
    }

    /// Returns the least time of what `per` says, by the link.
    pub(super) fn bound(self) -> Option<f64> {
        over(Some(self.beyond()? as f64), self.link())
    }

    /// Returns its time over that of `device`, here or in the report beside.
    pub(super) fn of_device(self) -> Option<f64> {
        let wholes: Vec<Whole> = figure(&self.report.figures, DEVICE)?;
        let Cell { graph, algorithm, .. } = self.cell;
        let whole = wholes.iter().find(|whole| (&whole.graph, &whole.algorithm) == (graph, algorithm))?;
        over(self.cell.median(), Some(whole.seconds))
    }
}
