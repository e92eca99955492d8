//! [`State`]: the arrays of a batch of sources on the device, and how many sources fit.

use super::{Task, Types, kernels::COUNTERS};
use crate::{
    advance::Balancer, arguments::BcArgs, device_graph::DeviceRows, machine::Machine, program::width,
};
use bytemuck::Zeroable;
use warpgraph_core::{Result, program::Scalar};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::{Pages, Vertex};

/// The most sources at once. More would not keep more threads of a GPU busy, except on graphs of a few vertices.
const MOST_AT_ONCE: u64 = 256;
/// A batch of sources takes at most the free memory divided by this.
const SHARE: u64 = 2;

/// Returns the bytes of the state of one copy of a graph with this many vertices.
fn bytes_a_copy(types: Types, vertices: u64) -> u64 {
    let queues = if types.weight.is_some() { 2 * 4 } else { 4 };
    vertices * (width(types.distance) as u64 + 4 + 8 + 8 + queues) + 2 * 4
}

/// Returns how many sources run at once: all, or as many as fit, in batches of equal size.
pub(super) fn at_once(
    task: Task<'_>,
    machine: &Machine<'_>,
    balancer: &Balancer,
    rows: &DeviceRows,
    sources: usize,
) -> Result<usize> {
    let each =
        bytes_a_copy(task.types, task.device_graph.graph().vertices() as u64) + balancer.bytes_per_copy();
    let free = machine.gpu().memory().map_err(crate::lift)?.free;
    let most = (free / SHARE / each).min(MOST_AT_ONCE).min(balancer.most_copies(rows)).max(1);
    let batches = sources.div_ceil(most as usize).max(1);
    Ok(sources.div_ceil(batches).max(1))
}

/// Arrays for the vertices of all copies, and the scores.
pub(super) struct State {
    vertices: usize,
    sources: Array<Vertex>,
    reached: Option<Array<u32>>,
    distances: Array<u8>,
    pending: Array<u32>,
    counts: Array<f64>,
    dependencies: Array<f64>,
    scores: Array<f64>,
    /// All layers, one after the other.
    pub(super) queue: Array<Vertex>,
    /// A second queue; only with weights.
    pub(super) front: Array<Vertex>,
    counters: Array<u64>,
    seen: Pinned<u64>,
}

impl State {
    /// Allocates the state for this many sources at once, with all scores 0.
    pub(super) fn new(task: Task<'_>, machine: &Machine<'_>, copies: usize) -> Result<Self> {
        let n = task.device_graph.graph().vertices();
        let (slots, by_weight) = (n * copies, task.types.weight.is_some());
        let ends = || machine.array(copies, "counts of vertices");
        Ok(Self {
            vertices: n,
            sources: machine.array(copies, "sources")?,
            reached: if task.config.endpoints { Some(ends()?) } else { None },
            distances: machine.array(slots * width(task.types.distance), "distances")?,
            pending: machine.array(slots, "arcs to come")?,
            counts: machine.array(slots, "counts of paths")?,
            dependencies: machine.array(slots, "dependencies")?,
            scores: machine.zeros(n, "scores")?,
            queue: machine.array(slots, "a queue")?,
            front: machine.array(if by_weight { slots } else { 0 }, "a queue")?,
            counters: machine.zeros(COUNTERS, "counters")?,
            seen: machine.gpu().pinned(COUNTERS, "counters").map_err(crate::lift)?,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        let decimals = [&self.counts, &self.dependencies, &self.scores].map(Array::bytes);
        let numbers = [&self.sources, &self.pending, &self.queue, &self.front].map(Array::bytes);
        let reached = self.reached.as_ref().map_or(0, Array::bytes);
        self.distances.bytes() + decimals.iter().chain(&numbers).sum::<u64>() + reached
    }

    /// Begins a batch from these sources. Nothing may be running: a copy from pageable memory would wait for it and
    /// could not be stopped.
    pub(super) fn begin(&mut self, sources: &[Vertex]) -> Result<()> {
        self.sources.write(sources).map_err(crate::lift)?;
        self.clear_counters()
    }

    /// Returns the arguments that describe this state.
    pub(super) fn args(&self, copies: usize) -> BcArgs {
        BcArgs {
            vertices: self.vertices as u64,
            sources: self.sources.address(),
            reached: self.reached.as_ref().map_or(Address::NULL, Array::address),
            distances: self.distances.address().cast(),
            pending: self.pending.address(),
            counts: self.counts.address(),
            dependencies: self.dependencies.address(),
            scores: self.scores.address(),
            counters: self.counters.address(),
            copies: copies as u32,
            ..BcArgs::zeroed()
        }
    }

    /// Returns the address of a counter.
    pub(super) fn counter(&self, which: usize) -> Address<u64> {
        Address::new(self.counters.address().raw() + 8 * which as u64)
    }

    pub(super) fn clear_counters(&mut self) -> Result<()> {
        self.counters.fill_bytes(0).map_err(crate::lift)
    }

    /// Waits and reads the counters.
    pub(super) fn read_counters(&mut self, machine: &Machine<'_>) -> Result<[u64; COUNTERS]> {
        machine.fetch(&mut self.seen, &self.counters)?;
        Ok(std::array::from_fn(|i| self.seen.get(i)))
    }

    /// Clears the counts of pending arcs.
    pub(super) fn clear_pending(&mut self) -> Result<()> {
        self.pending.fill_bytes(0).map_err(crate::lift)
    }

    /// Clears the counts of reached vertices.
    pub(super) fn clear_reached(&mut self) -> Result<()> {
        self.reached.as_mut().map_or(Ok(()), |reached| reached.fill_bytes(0)).map_err(crate::lift)
    }

    /// Copies the distances of one copy to the host.
    pub(super) fn distances_of<T: Scalar>(&self, copy: usize) -> Result<Vec<T>> {
        let mut all = Pages::<T>::scratch((copy + 1) * self.vertices)?;
        self.distances.read(bytemuck::cast_slice_mut(&mut all)).map_err(crate::lift)?;
        Ok(all[copy * self.vertices..].to_vec())
    }

    /// Copies the scores to the host.
    pub(super) fn scores(&self) -> Result<Pages<f64>> {
        let mut scores = Pages::<f64>::scratch(self.vertices)?;
        self.scores.read(&mut scores).map_err(crate::lift)?;
        Ok(scores)
    }
}
