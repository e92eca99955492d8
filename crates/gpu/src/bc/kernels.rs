//! The kernels of a run, by the types of distances and weights.

use super::Task;
use crate::{
    advance::{Balancer, Expand, Expansion},
    arguments::{Along, BcArgs, Edges},
    machine::{Launch, Machine},
    variants,
};
use warpgraph_core::{Result, program::ScalarType};

/// Indices into [`BcArgs::counters`]: the arcs of the layers, whether counts of paths approach the limit of f64, and
/// the copy in which a weight vanished.
pub(crate) const ARCS: usize = 0;
pub(crate) const MANY: usize = 1;
pub(crate) const VANISHED: usize = 2;
/// The length of the queue of layers, and of the frontier of a search by weights.
pub(super) const LENGTH: usize = 3;
pub(super) const NEXT: usize = 4;
pub(super) const COUNTERS: usize = 5;

/// The types of distances and weights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Types {
    pub(crate) distance: ScalarType,
    /// `None` if every arc is one hop.
    pub(crate) weight: Option<ScalarType>,
}

/// All types that occur: hops, whole weights, decimals.
pub(crate) const TYPES: [Types; 5] = [
    Types { distance: ScalarType::U32, weight: None },
    Types { distance: ScalarType::U64, weight: Some(ScalarType::U32) },
    Types { distance: ScalarType::U64, weight: Some(ScalarType::I32) },
    Types { distance: ScalarType::F64, weight: Some(ScalarType::F32) },
    Types { distance: ScalarType::F64, weight: Some(ScalarType::F64) },
];

impl Expand for BcArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }

    fn weights(&mut self) -> Option<&mut Edges> {
        Some(&mut self.weights)
    }
}

/// The kernels over vertices.
pub(super) struct Vertices {
    pub(super) clear: Launch<BcArgs>,
    pub(super) begin: Launch<BcArgs>,
    pub(super) collect: Launch<BcArgs>,
    pub(super) arcs: Launch<BcArgs>,
    pub(super) normalise: Launch<BcArgs>,
    pub(super) ends: Launch<BcArgs>,
    pub(super) score: Launch<BcArgs>,
}

impl Vertices {
    pub(super) fn new(task: Task<'_>, machine: &Machine<'_>) -> Result<Self> {
        let source = variants::betweenness_vertices(task.device_graph.is_wide(), task.types)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            clear: kernel("bc_clear")?,
            begin: kernel("bc_begin")?,
            collect: kernel("bc_collect")?,
            arcs: kernel("bc_arcs")?,
            normalise: kernel("bc_normalise")?,
            ends: kernel("bc_ends")?,
            score: kernel("bc_score")?,
        })
    }
}

/// The kernels over arcs.
pub(super) struct Filters {
    /// Distances, and the number of tight arcs that lead to each vertex; only with weights.
    pub(super) relax: Option<Expansion<BcArgs>>,
    pub(super) expect: Option<Expansion<BcArgs>>,
    pub(super) forward: Expansion<BcArgs>,
    pub(super) count: Expansion<BcArgs>,
    pub(super) backward: Expansion<BcArgs>,
    /// Compiled when first needed.
    pub(super) scaled: Option<Scaled>,
}

/// The kernels that count paths with an exponent.
pub(super) struct Scaled {
    pub(super) exponent: Expansion<BcArgs>,
    pub(super) count: Expansion<BcArgs>,
    pub(super) backward: Expansion<BcArgs>,
}

impl Filters {
    pub(super) fn new(task: Task<'_>, machine: &Machine<'_>, balancer: &Balancer) -> Result<Self> {
        let source = |scheme| variants::betweenness_walk(task.device_graph.is_wide(), task.types, scheme);
        let filter = |name| balancer.expansion(machine, source, name);
        let by_weight = |name| task.types.weight.map(|_| filter(name)).transpose();
        Ok(Self {
            relax: by_weight("bc_relax")?,
            expect: by_weight("bc_expect")?,
            forward: filter("bc_forward")?,
            count: filter("bc_count")?,
            backward: filter("bc_backward")?,
            scaled: None,
        })
    }
}

impl Scaled {
    pub(super) fn new(task: Task<'_>, machine: &Machine<'_>, balancer: &Balancer) -> Result<Self> {
        let source = |scheme| variants::betweenness_scaled(task.device_graph.is_wide(), task.types, scheme);
        let filter = |name| balancer.expansion(machine, source, name);
        Ok(Self {
            exponent: filter("bc_exponent")?,
            count: filter("bc_scaled_count")?,
            backward: filter("bc_scaled_backward")?,
        })
    }
}
