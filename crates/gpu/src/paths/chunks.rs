//! The paths of a graph on a device, and how much memory a run along them takes.

use crate::{
    DeviceGraph,
    device_graph::Prepare,
    error::lift,
    memory::{Extent, FIXED, Footprint, Needs, offset},
};
use std::sync::Arc;
use warpgraph_core::{
    Options, Result,
    program::{Prepared, Scalar, ScalarType, VertexProgram, Weight},
};
use warpgraph_device::Array;
use warpgraph_graph::{
    Offsets, Pages, Paths, Vertex, par,
    paths::{LANES, SLOTS, slot},
};

/// Paths on the device. Holding the paths keeps their memory from being used for others, so an address tells them apart.
#[derive(Debug)]
pub(super) struct Chunks {
    pub(super) vertices: Array<Vertex>,
    pub(super) joined: Array<u32>,
    pub(super) home_offsets: Array<u32>,
    pub(super) homes: Array<u32>,
    /// The offsets of outgoing arcs, which programs read degrees from.
    pub(super) offsets: Array<u8>,
    _paths: Arc<Paths>,
}

impl Prepare for Chunks {
    type Slot = ();
    type Options = usize;
    const PURPOSE: &'static str = "paths";

    fn bytes(&self) -> u64 {
        self.vertices.bytes()
            + self.joined.bytes()
            + self.home_offsets.bytes()
            + self.homes.bytes()
            + self.offsets.bytes()
    }
}

/// The weight of every slot's edge, as a program wants it.
#[derive(Debug)]
pub(super) struct SlotWeights {
    pub(super) weights: Array<u8>,
    _paths: Arc<Paths>,
}

impl Prepare for SlotWeights {
    type Slot = ScalarType;
    type Options = usize;
    const PURPOSE: &'static str = "paths";

    fn bytes(&self) -> u64 {
        self.weights.bytes()
    }
}

/// Tells paths apart that are alive at the same time.
pub(super) fn identity(paths: &Arc<Paths>) -> usize {
    Arc::as_ptr(paths) as usize
}

impl Chunks {
    pub(super) fn new(device_graph: &DeviceGraph, paths: &Arc<Paths>) -> Result<Self> {
        let (gpu, graph) = (device_graph.gpu(), device_graph.graph());
        let (home_offsets, homes) = paths.homes(graph.vertices())?.arrays();
        let offsets: &[u8] = match graph.out().csr.offsets() {
            Offsets::Narrow(offsets) => bytemuck::cast_slice(offsets),
            Offsets::Wide(offsets) => bytemuck::cast_slice(offsets),
        };
        Ok(Self {
            vertices: gpu.array_of(paths.vertices(), "paths").map_err(lift)?,
            joined: gpu.array_of(paths.joined(), "paths").map_err(lift)?,
            home_offsets: gpu.array_of(home_offsets, "homes").map_err(lift)?,
            homes: gpu.array_of(homes, "homes").map_err(lift)?,
            offsets: gpu.array_of(offsets, "offsets").map_err(lift)?,
            _paths: Arc::clone(paths),
        })
    }
}

impl SlotWeights {
    pub(super) fn new<P: VertexProgram>(
        device_graph: &DeviceGraph,
        prepared: &Prepared<'_, P>,
        paths: &Arc<Paths>,
    ) -> Result<Self> {
        let weights = prepared.weights(device_graph.graph().out())?;
        let by_slot =
            if is_shared::<P>(device_graph) { weights.to_vec().into() } else { in_slots(&weights, paths)? };
        let weights = device_graph.gpu().array_of(bytemuck::cast_slice(&by_slot), "weights").map_err(lift)?;
        Ok(Self { weights, _paths: Arc::clone(paths) })
    }
}

/// Returns the weight of the edge below every slot; 0 where there is none.
fn in_slots<T: Scalar>(weights: &[T], paths: &Paths) -> Result<Pages<T>> {
    let mut by_slot = Pages::<T>::scratch(paths.vertices().len())?;
    par::chunks_mut(&mut by_slot, SLOTS, |chunk, slots| {
        for (at, weight) in slots.iter_mut().enumerate() {
            let (row, lane) = (at / LANES, at % LANES);
            let is_joined = paths.joined()[chunk * LANES + lane] >> row & 1 == 1;
            *weight = if is_joined { weights[paths.arcs().get(slot(chunk, row, lane))] } else { T::ZERO };
        }
    });
    Ok(by_slot)
}

/// Returns true if every edge shares one weight.
pub(super) fn is_shared<P: VertexProgram>(device_graph: &DeviceGraph) -> bool {
    !P::Weight::USED || device_graph.graph().weight_type().is_none()
}

/// Places of a queue: so many per chunk, and some more.
pub(super) const PLACES: u64 = 8;
pub(super) const LEAST_PLACES: u64 = 1024;

/// Returns the bytes of device memory that a run along paths takes. Before the paths are made, an estimate.
pub(crate) fn bytes(graph: &dyn Extent, needs: Needs, options: &Options) -> Footprint {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let is_once = !graph.is_directed() && options.plan.paths().is_none_or(|paths| paths.backward);
    let (chunks, homes) = match (&options.paths, graph.graph()) {
        (Some(paths), Some(graph)) => {
            let homes = paths.homes(graph.vertices()).map_or(0, |homes| homes.arrays().1.len());
            (paths.chunks() as u64, homes as u64)
        }
        _ => {
            let plan = options.plan.paths().unwrap_or_default();
            let slots = plan.guessed_slots(m, graph.is_directed());
            (slots.div_ceil(SLOTS as u64) + 2, slots)
        }
    };
    let slots = chunks * SLOTS as u64;
    let walks_back = is_once || needs.both_ways;
    let sent = match (needs.is_sum, walks_back) {
        (true, true) => 16,
        (false, _) if needs.value > 0 => needs.value,
        _ => 8,
    };
    let weight = if graph.weight_type().is_some() { needs.weight } else { 0 };
    let of_slots = slots * (4 + sent + weight);
    let of_chunks = chunks * (4 * LANES as u64 + 4 + 4 * PLACES) + 2 * 4 * LEAST_PLACES;
    let of_vertices = n * (needs.vertex + 8 + 4) + n.div_ceil(32) * 4 + (offset(graph) + 4) * (n + 1);
    let control = 8 * (super::WORDS.len() + super::LOGGED * super::LOG_ENTRY + 1) as u64 + 8 * BLOCKS + 8;
    let rest = of_slots + of_chunks + 4 * homes + of_vertices + control + FIXED + needs.fixed;
    Footprint { rest, ..Footprint::default() }
}

/// More blocks than any device runs at a time.
const BLOCKS: u64 = 1 << 13;
