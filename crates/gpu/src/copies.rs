//! The tables of copies and holes of a graph on a device, which every form that reflects copies shares: programs
//! ([`crate::program`]), the filters of bc and scc, and the kernels of mst.
//!
//! A *copy* has outgoing arcs of its master and no incoming ones; a *hole* stands for no vertex ([`Copies`]). The tables
//! lie on the device once per graph: 8 bytes per copy that has arcs, and per vertex a bit and an offset.

use crate::{
    DeviceGraph, Outline,
    device_graph::{Made, Prepare},
    error::lift,
};
use std::sync::Arc;
use warpgraph_core::{Options, Result, program::Copies};
use warpgraph_device::{Address, Array, Gpu, arguments};
use warpgraph_graph::{NodeMap, Vertex};

/// Graphs with more copies per vertex are not known; the estimate of a graph that is not read supposes so many.
const PER_COPY: u64 = 32;

arguments! {
    /// What the kernels of filters and forests need of copies; all null if there are neither copies nor holes.
    pub(crate) struct CopyArgs {
        /// A bit for every copy and every hole.
        pub(crate) idle: Address<u32>,
        /// Offsets whose differences are the out-degrees of masters with all their copies.
        pub(crate) degrees: Address<()>,
        /// Pairs of a copy and its master, in ascending order of masters.
        pub(crate) copies: Address<u32>,
        pub(crate) masters: Address<u32>,
        pub(crate) pairs: u64,
    }
}

/// The copies of a graph, on the device.
#[derive(Debug)]
pub(crate) struct CopyTable {
    /// A bit for every copy and every hole.
    idle: Array<u32>,
    /// Offsets whose differences are the degrees that programs see.
    degrees: Array<u8>,
    copies: Array<Vertex>,
    masters: Array<Vertex>,
    /// The map that the table was made of. It stays alive, so no other map can have its address.
    _map: NodeMap,
}

impl Prepare for CopyTable {
    type Slot = ();
    /// The address of the map.
    type Options = usize;
    const PURPOSE: &'static str = "copies";

    fn bytes(&self) -> u64 {
        self.idle.bytes() + self.degrees.bytes() + self.copies.bytes() + self.masters.bytes()
    }
}

/// Returns the copies of the graph of a run on the device, and copies them there if they are not; `None` if the graph has
/// neither copies nor holes.
///
/// # Errors
/// When memory is short.
pub(crate) fn table(device_graph: &DeviceGraph, options: &Options) -> Result<Option<Arc<Made<CopyTable>>>> {
    let Some(map) = options.map.as_ref().filter(|map| !map.is_renumbering()) else { return Ok(None) };
    let make = || match Copies::of(map, &device_graph.graph().out().csr)? {
        Some(copies) => CopyTable::new(device_graph, &copies, map),
        None => unreachable!("the map is no renumbering"),
    };
    device_graph.prepared((), address(map), make).map(Some)
}

/// Returns the same table, made of copies that the host has listed.
///
/// # Errors
/// When memory is short.
pub(crate) fn table_of(
    device_graph: &DeviceGraph,
    copies: Option<&Copies>,
    options: &Options,
) -> Result<Option<Arc<Made<CopyTable>>>> {
    let (Some(copies), Some(map)) = (copies, &options.map) else { return Ok(None) };
    device_graph.prepared((), address(map), || CopyTable::new(device_graph, copies, map)).map(Some)
}

/// Returns what tells maps apart.
fn address(map: &NodeMap) -> usize {
    map.originals().as_ptr() as usize
}

impl CopyTable {
    fn new(device_graph: &DeviceGraph, copies: &Copies, map: &NodeMap) -> Result<Self> {
        let (gpu, out) = (device_graph.gpu(), &device_graph.graph().out().csr);
        let (masters, all) = copies.pairs();
        // A copy without arcs sends nothing, and nothing reads it.
        let sending = || masters.iter().zip(all).filter(|&(_, &copy)| out.degree(copy) > 0);
        let pairs: (Vec<Vertex>, Vec<Vertex>) = sending().unzip();
        let idle: Vec<u32> =
            copies.idle().iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        Ok(Self {
            idle: gpu.array_of(&idle, "marks of copies").map_err(lift)?,
            degrees: differing_by(gpu, copies.degrees(), device_graph.is_wide())?,
            copies: gpu.array_of(&pairs.1, "copies").map_err(lift)?,
            masters: gpu.array_of(&pairs.0, "masters of copies").map_err(lift)?,
            _map: map.clone(),
        })
    }

    /// Returns where the bits of copies and holes lie.
    pub(crate) fn idle(&self) -> Address<u32> {
        self.idle.address()
    }

    /// Returns where the offsets lie.
    pub(crate) fn degrees(&self) -> Address<()> {
        self.degrees.address().cast()
    }

    /// Returns where the copies that have arcs lie, and the master of each of them.
    pub(crate) fn copies(&self) -> Address<Vertex> {
        self.copies.address()
    }

    /// Returns where their masters lie, in ascending order.
    pub(crate) fn masters(&self) -> Address<Vertex> {
        self.masters.address()
    }

    /// Returns what kernels of filters and forests need of the table.
    pub(crate) fn args(&self) -> CopyArgs {
        CopyArgs {
            idle: self.idle(),
            degrees: self.degrees(),
            copies: self.copies(),
            masters: self.masters(),
            pairs: self.pairs(),
        }
    }

    /// Returns the number of copies that have arcs.
    pub(crate) fn pairs(&self) -> u64 {
        self.copies.len() as u64
    }
}

/// Returns offsets on the device with these differences. Narrow ones wrap around, as their differences do, so the degrees
/// of copies need not fit beside those of their masters.
pub(crate) fn differing_by(gpu: &Gpu, degrees: &[u32], wide: bool) -> Result<Array<u8>> {
    let mut sum = 0u64;
    let sums = degrees.iter().map(|&degree| {
        sum += u64::from(degree);
        sum
    });
    let offsets = std::iter::once(0).chain(sums);
    let bytes: Vec<u8> = match wide {
        true => offsets.flat_map(u64::to_ne_bytes).collect(),
        false => offsets.flat_map(|offset| (offset as u32).to_ne_bytes()).collect(),
    };
    gpu.array_of(&bytes, "degrees").map_err(lift)
}

/// Returns the most bytes that the table takes on a graph with offsets of so many bytes.
pub(crate) fn bytes(options: &Options, offset: u64) -> u64 {
    let Some(map) = options.map.as_ref().filter(|map| !map.is_renumbering()) else { return 0 };
    let (inner, copies) = (map.inner_len() as u64, (map.inner_len() - map.len()) as u64);
    8 * copies + offset * (inner + 1) + 8 * inner.div_ceil(64)
}

/// Returns the bytes that the table will take on a graph that `coalesce` changed: with a copy per [`PER_COPY`] vertices.
pub(crate) fn bytes_ahead(outline: &Outline) -> u64 {
    let (n, offset) = (outline.vertices, if outline.wide { 8 } else { 4 });
    8 * n / PER_COPY + offset * (n + 1) + 8 * n.div_ceil(64)
}
