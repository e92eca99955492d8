//! [`Loops`]: how kernels find the arcs from vertices to themselves, wherever the edges are stored.

use super::{DeviceGraph, DeviceRows, Made, Prepare};
use crate::arguments::Edges;
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::Array;
use warpgraph_graph::{Pages, Vertex, par};

/// `LOOPS_IN_TABLE` in `kernels/rows.cuh`.
const LOOPS_IN_TABLE: u8 = 2;

/// How kernels find the arcs from vertices to themselves.
pub(crate) struct Loops {
    pub(crate) targets: Edges,
    /// One of `LOOPS_` in `kernels/rows.cuh`.
    pub(crate) are: u8,
    _table: Option<Arc<Made<LoopTable>>>,
}

/// The number of arcs from each vertex to itself, for streamed edges.
#[derive(Debug)]
pub(crate) struct LoopTable(Array<u32>);

impl Prepare for LoopTable {
    type Slot = ();
    type Options = ();
    const PURPOSE: &'static str = "loops";

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

impl DeviceGraph {
    /// Returns how kernels find the arcs from vertices to themselves.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn loops(&self, out: &DeviceRows) -> Result<Loops> {
        let (targets, has_loops) = (out.targets(), self.graph.counts().self_loops > 0);
        if !has_loops || targets.streamed().is_none() {
            return Ok(Loops { targets, are: u8::from(has_loops), _table: None });
        }
        let table = self.prepared::<LoopTable>((), (), || {
            let loops_of = |v: usize| {
                let row = &out.host.targets()[out.host.arcs_of(v as Vertex)];
                let end = row.partition_point(|&u| u as usize <= v);
                (end - row.partition_point(|&u| (u as usize) < v)) as u32
            };
            let mut loops = Pages::<u32>::scratch(self.graph.vertices())?;
            par::parts_mut(&mut loops, par::FINE, |first, part| {
                part.iter_mut().enumerate().for_each(|(i, loops)| *loops = loops_of(first + i));
            });
            self.copied::<u32, u32>(&loops, "loops of vertices").map(LoopTable)
        })?;
        let targets = Edges::plain(table.0.address().cast());
        Ok(Loops { targets, are: LOOPS_IN_TABLE, _table: Some(table) })
    }
}
