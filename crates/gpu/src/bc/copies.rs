//! Copies of vertices ([`crate::copies`]) in betweenness. The answer for masters is that of the graph in which copies are
//! merged into their masters:
//!
//! - a copy is on the layer of its master, with its distance and its number of paths, so the paths through its arcs count
//!   for the vertices behind them;
//! - on the way back a copy gathers over its own arcs, and what it gathered is added to the dependency of its master;
//! - only masters are sources, and only they count as ends of paths.
//!
//! Each layer takes two launches more on the way out and one more on the way back.

use super::Task;
use crate::{
    arguments::BcArgs,
    copies::{self, CopyArgs, CopyTable},
    device_graph::Made,
    machine::{Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{Result, program::Copies};
use warpgraph_graph::Vertex;

/// The copies of a graph, and the kernels that reflect them.
pub(super) struct Reflect {
    table: Arc<Made<CopyTable>>,
    wake: Launch<BcArgs>,
    /// Where paths have weights.
    by_weight: Option<[Launch<BcArgs>; 2]>,
    reflect: Launch<BcArgs>,
    combine: Launch<BcArgs>,
}

/// A step of the hook.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Copies take over distances and join the queue.
    Wake,
    /// Copies that are reached wait for their masters; by weights.
    Await,
    /// They join the layers of their masters.
    Place,
    /// They take over numbers of paths.
    Reflect,
    /// Masters take over what copies gathered.
    Combine,
}

impl Reflect {
    /// Compiles the kernels; `None` if the graph has no copies with arcs.
    ///
    /// # Errors
    /// When memory is short; those of compiling.
    pub(super) fn new(task: Task<'_>, machine: &Machine<'_>) -> Result<Option<Self>> {
        let table = copies::table(task.device_graph, task.options)?;
        let Some(table) = table.filter(|table| table.pairs() > 0) else { return Ok(None) };
        let source = variants::betweenness_copies(task.device_graph.is_wide(), task.types)?;
        let kernel = |name| machine.kernel(&source, name);
        let by_weight = match task.types.weight {
            Some(_) => Some([kernel("bc_await")?, kernel("bc_place")?]),
            None => None,
        };
        let (wake, reflect, combine) = (kernel("bc_wake")?, kernel("bc_reflect")?, kernel("bc_combine")?);
        Ok(Some(Self { table, wake, by_weight, reflect, combine }))
    }

    /// Starts a step on the queue that `args` name.
    ///
    /// # Safety
    /// All arrays of `args` have an entry per vertex of every copy of the graph and live until the next wait. The queue has
    /// room for every copy of a vertex once.
    pub(super) unsafe fn start(&self, machine: &Machine<'_>, step: Step, args: &BcArgs) -> Result<()> {
        let kernel = match (step, &self.by_weight) {
            (Step::Await, Some([wait, _])) => wait,
            (Step::Place, Some([_, place])) => place,
            (Step::Reflect, _) => &self.reflect,
            (Step::Combine, _) => &self.combine,
            // By hops a vertex is on a layer as soon as it has a distance.
            (Step::Wake | Step::Place | Step::Await, _) => &self.wake,
        };
        let grid = Grid::For(u64::from(args.copies) * self.table.pairs());
        let args = BcArgs { replicas: self.table.args(), ..*args };
        // SAFETY: copies and masters are vertices, and the table outlives the run; the caller promises the rest.
        unsafe { machine.start(kernel, grid, &args) }
    }
}

/// The copies of sources, as the host knows them.
pub(super) struct Sources {
    copies: Option<Copies>,
}

impl Sources {
    /// Lists the copies of the graph of a run.
    ///
    /// # Errors
    /// When memory is short.
    pub(super) fn new(task: Task<'_>) -> Result<Self> {
        Ok(Self { copies: Copies::of_run(task.device_graph.graph(), task.options)? })
    }

    /// Returns true if paths begin at a vertex: it is no copy, and it has arcs, or its copies have.
    pub(super) fn leads_on(&self, task: Task<'_>, v: Vertex) -> bool {
        self.copies.as_ref().is_none_or(|copies| copies.is_master(v)) && self.arcs(task, v) > 0
    }

    /// Returns the arcs of a vertex and its copies.
    pub(super) fn arcs(&self, task: Task<'_>, v: Vertex) -> u64 {
        match &self.copies {
            Some(copies) => u64::from(copies.degrees()[v as usize]),
            None => task.device_graph.graph().out().csr.degree(v) as u64,
        }
    }

    /// Returns how many copies of a vertex have arcs.
    pub(super) fn copies(&self, task: Task<'_>, v: Vertex) -> u64 {
        let csr = &task.device_graph.graph().out().csr;
        let of = self.copies.as_ref().map_or(&[][..], |copies| copies.of_master(v));
        of.iter().filter(|&&copy| csr.degree(copy) > 0).count() as u64
    }
}

/// Returns what kernels need to tell copies and holes from masters.
///
/// # Errors
/// When memory is short.
pub(super) fn marks(task: Task<'_>) -> Result<CopyArgs> {
    let table = copies::table(task.device_graph, task.options)?;
    Ok(table.map_or(CopyArgs::zeroed(), |table| table.args()))
}
