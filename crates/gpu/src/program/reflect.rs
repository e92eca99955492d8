//! The reflect hook: copies of vertices stay equal to their masters during a run on a device.
//!
//! A graph may have *copies*, which have outgoing arcs of their masters and no incoming ones, and *holes*, which stand for
//! no vertex ([`Copies`]). The answer for masters is that of the graph in which copies are merged into their masters:
//!
//! - copies start as their masters do, and holes with the identity, for which nothing of a program is computed;
//! - after a superstep, a copy takes the value of its master, or the change that it has yet to send, and joins the next
//!   frontier if the master did. If messages also went against the direction of arcs, masters first join what their
//!   copies received;
//! - after a sweep, a copy takes the value of its master. Residuals leave copies and holes out;
//! - programs see the degree of the merged vertex.
//!
//! The tables lie on the device once per graph: 8 bytes per copy that has arcs, and per vertex a bit and an offset. The
//! hook costs one launch per superstep and reads no edges, so they may be stored anywhere. A graph without copies and
//! holes has no tables, and runs what it always ran.

use super::stage::Stage;
use crate::{
    DeviceGraph,
    arguments::ProgramArgs,
    device_graph::{Made, Prepare},
    error::lift,
    machine::{Grid, Launch, Machine},
};
use std::sync::Arc;
use warpgraph_core::{Options, Result, program::Copies};
use warpgraph_device::{Address, Array, Gpu, arguments};
use warpgraph_graph::{NodeMap, Vertex};

arguments! {
    /// The arguments of the kernels in `reflect.cu`.
    pub(crate) struct ReflectArgs {
        /// The values, the frontier, and the parameters.
        pub(crate) program: ProgramArgs,
        /// Pairs of a copy and its master.
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

/// Returns the copies of a graph on the device, and copies them there if they are not.
///
/// # Errors
/// When memory is short.
pub(super) fn table(
    device_graph: &DeviceGraph,
    copies: Option<&Copies>,
    options: &Options,
) -> Result<Option<Arc<Made<CopyTable>>>> {
    let (Some(copies), Some(map)) = (copies, &options.map) else { return Ok(None) };
    let address = map.originals().as_ptr() as usize;
    device_graph.prepared((), address, || CopyTable::new(device_graph, copies, map)).map(Some)
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
    pub(super) fn idle(&self) -> Address<u32> {
        self.idle.address()
    }

    /// Returns where the offsets lie.
    pub(super) fn degrees(&self) -> Address<()> {
        self.degrees.address().cast()
    }

    /// Returns the number of copies that have arcs.
    pub(super) fn pairs(&self) -> u64 {
        self.copies.len() as u64
    }
}

/// Returns offsets on the device with these differences. Narrow ones wrap around, as their differences do, so the degrees
/// of copies need not fit beside those of their masters.
fn differing_by(gpu: &Gpu, degrees: &[u32], wide: bool) -> Result<Array<u8>> {
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

/// A kernel of the hook, ready to run.
pub(super) struct Reflect {
    kernel: Launch<ReflectArgs>,
    table: Arc<Made<CopyTable>>,
}

impl Reflect {
    /// Compiles a kernel; `None` if there are no copies to reflect.
    ///
    /// # Errors
    /// Those of compiling.
    pub(super) fn new(stage: &Stage<'_>, name: &'static str) -> Result<Option<Self>> {
        let Some(table) = stage.copies.as_ref().filter(|table| table.pairs() > 0) else { return Ok(None) };
        let source = stage.functor.reflect(stage.device_graph.is_wide())?;
        Ok(Some(Self { kernel: stage.machine.kernel(&source, name)?, table: Arc::clone(table) }))
    }

    /// Returns the number of pairs.
    pub(super) fn pairs(&self) -> u64 {
        self.table.pairs()
    }

    /// Starts the kernel. Copies that are woken join the next frontier of `program`.
    ///
    /// # Safety
    /// The arrays of `program` have an entry per vertex and live until the next wait; the next frontier has room for all
    /// that join.
    pub(super) unsafe fn start(&self, machine: &Machine<'_>, program: ProgramArgs) -> Result<()> {
        let (copies, masters) = (self.table.copies.address(), self.table.masters.address());
        let args = ReflectArgs { program, copies, masters, pairs: self.pairs() };
        // SAFETY: copies and masters are vertices, and the table outlives the run; the caller promises the rest.
        unsafe { machine.start(&self.kernel, Grid::For(self.pairs()), &args) }
    }
}

/// Returns the most bytes that the table takes on a graph with offsets of so many bytes.
pub(crate) fn bytes(options: &Options, offset: u64) -> u64 {
    let Some(map) = options.map.as_ref().filter(|map| !map.is_renumbering()) else { return 0 };
    let (inner, copies) = (map.inner_len() as u64, (map.inner_len() - map.len()) as u64);
    8 * copies + offset * (inner + 1) + 8 * inner.div_ceil(64)
}
