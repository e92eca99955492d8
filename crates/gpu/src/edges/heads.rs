//! The heads of rows: see [`warpgraph_core::Heads`]. Searches that pull look at the heads first; most vertices find a
//! visited neighbour there and never read their row.

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{Prepare, Side},
    error::lift,
    machine::{Grid, Machine},
    variants,
};
use std::sync::Arc;
use warpgraph_core::{Heads as Asked, Residency, Result};
use warpgraph_device::{Address, Array, arguments};

/// Arcs of a row that are looked at. In longer rows of a hub, which search finds early anyway, any arc will do.
pub(crate) const FROM: u32 = 1024;

arguments! {
    /// The arguments of the kernel that makes heads.
    pub(crate) struct HeadsArgs {
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        pub(crate) vertices: u64,
        pub(crate) heads: Address<u32>,
    }
}

/// The heads of all rows of one direction, on the device.
#[derive(Debug)]
pub(crate) struct Heads(Array<u32>, u32);

impl Prepare for Heads {
    type Slot = Side;
    type Options = u32;
    const PURPOSE: &'static str = "heads";

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

impl Heads {
    /// Returns the heads of a direction, made now or by an earlier run; `None` if the residency keeps none.
    ///
    /// # Errors
    /// When memory is short or the device fails.
    pub(crate) fn of(
        machine: &Machine<'_>,
        device_graph: &DeviceGraph,
        side: Side,
    ) -> Result<Option<KeptHeads>> {
        let size = size(Some(device_graph.layout().residency));
        if size == 0 {
            return Ok(None);
        }
        let kept = device_graph
            .prepared(device_graph.kept_side(side), size, || Self::make(machine, device_graph, side, size))?;
        Ok(Some(KeptHeads(kept)))
    }

    fn make(machine: &Machine<'_>, device_graph: &DeviceGraph, side: Side, size: u32) -> Result<Self> {
        let (rows, vertices) = (device_graph.rows(side)?, device_graph.graph().vertices());
        let heads = machine.gpu().array::<u32>(vertices * size as usize, "heads of rows").map_err(lift)?;
        let kernel = machine.kernel(&*variants::heads(device_graph.is_wide(), size)?, "heads_make")?;
        let args = HeadsArgs {
            offsets: rows.offsets(),
            targets: rows.targets(),
            vertices: vertices as u64,
            heads: heads.address(),
        };
        // SAFETY: there is room for `size` heads per vertex; rows and heads live until the wait.
        unsafe { machine.start(&kernel, Grid::For(32 * args.vertices), &args)? };
        machine.wait()?;
        Ok(Self(heads, size))
    }
}

/// Heads that later runs use again.
#[derive(Debug)]
pub(crate) struct KeptHeads(Arc<crate::device_graph::Made<Heads>>);

impl KeptHeads {
    /// Returns the heads per vertex.
    pub(crate) fn size(&self) -> u32 {
        self.0.1
    }

    /// Returns where they lie.
    pub(crate) fn address(&self) -> Address<u32> {
        self.0.0.address()
    }
}

/// Returns the heads per vertex of a residency whose options are all decided.
pub(crate) fn size(residency: Option<Residency>) -> u32 {
    match residency.map(|residency| residency.heads()) {
        Some(Asked::Each(count)) => count,
        Some(Asked::Auto) | None => 0,
    }
}
