//! [`Staged`]: what a device needs of a program, in Rust or recorded, beside its text.

use super::{
    chunks::{self, ChunkTable},
    stage::{Arcs, Places, arcs, arcs_with},
};
use crate::{
    DeviceGraph,
    device_graph::{Made, Side},
};
use std::sync::Arc;
use warpgraph_core::{
    Halt, Options, Result,
    program::{Copies, Kind, Prepared, Recorded, Scalar, ScalarType, VertexProgram, Ways},
};
use warpgraph_graph::{NodeMap, Vertex};

/// A program that is ready to be copied to a device.
pub(crate) trait Staged {
    /// Returns its types and promises.
    fn kind(&self) -> Kind;

    /// Returns when it stops.
    fn halt(&self) -> Halt;

    /// Returns true if it only joins messages.
    fn is_plain(&self) -> bool;

    /// Returns the vertices that send first; `None` for all.
    fn seeds(&self) -> Option<Vec<Vertex>>;

    /// Returns true if vertices have other numbers than the original ones.
    fn is_renumbered(&self) -> bool;

    /// Returns the copies of vertices.
    fn copies(&self) -> Option<&Copies>;

    /// Returns its columns, one behind the other.
    fn columns(&self) -> Vec<u8>;

    /// Returns what the vertices are, if the graph is a part of another one.
    fn places(&self) -> Option<&Places> {
        None
    }

    /// Copies the arcs of a direction, with weights in the type that it wants.
    ///
    /// # Errors
    /// When memory is short.
    fn arcs(&self, device_graph: &DeviceGraph, side: Side) -> Result<Arcs>;

    /// Copies the chunks that it iterates.
    ///
    /// # Errors
    /// When memory is short.
    fn chunks(
        &self,
        device_graph: &DeviceGraph,
        options: &Options,
        ways: Ways,
    ) -> Result<Option<Arc<Made<ChunkTable>>>>;
}

impl<P: VertexProgram> Staged for Prepared<'_, P> {
    fn kind(&self) -> Kind {
        Kind::of::<P>()
    }

    fn halt(&self) -> Halt {
        self.program.halt()
    }

    fn is_plain(&self) -> bool {
        self.traced.plain
    }

    fn seeds(&self) -> Option<Vec<Vertex>> {
        self.seeds.clone()
    }

    fn is_renumbered(&self) -> bool {
        self.originals().is_some()
    }

    fn copies(&self) -> Option<&Copies> {
        Prepared::copies(self)
    }

    fn columns(&self) -> Vec<u8> {
        Prepared::columns(self).flat_map(|column| bytemuck::cast_slice(column).iter().copied()).collect()
    }

    fn arcs(&self, device_graph: &DeviceGraph, side: Side) -> Result<Arcs> {
        arcs(device_graph, self, side)
    }

    fn chunks(
        &self,
        device_graph: &DeviceGraph,
        options: &Options,
        ways: Ways,
    ) -> Result<Option<Arc<Made<ChunkTable>>>> {
        chunks::table(device_graph, self, options, ways)
    }
}

/// A recorded program on a graph whose vertices `map` has renumbered. Such programs run on no changed graph.
pub(crate) struct OfRecorded<'a> {
    pub(crate) program: &'a Recorded,
    pub(crate) seeds: Option<Vec<Vertex>>,
    pub(crate) map: Option<&'a NodeMap>,
}

impl Staged for OfRecorded<'_> {
    fn kind(&self) -> Kind {
        self.program.kind()
    }

    fn halt(&self) -> Halt {
        self.program.halt()
    }

    fn is_plain(&self) -> bool {
        self.program.traced().plain
    }

    fn seeds(&self) -> Option<Vec<Vertex>> {
        self.seeds.clone()
    }

    fn is_renumbered(&self) -> bool {
        self.map.is_some()
    }

    fn copies(&self) -> Option<&Copies> {
        None
    }

    fn columns(&self) -> Vec<u8> {
        self.program.inner_columns(self.map).iter().flat_map(|column| column.bytes().to_vec()).collect()
    }

    fn arcs(&self, device_graph: &DeviceGraph, side: Side) -> Result<Arcs> {
        macro_rules! weighted {
            ($kind:ty) => {{
                let weights = self.program.weights(&device_graph.host(side)?.weights);
                let weights: &[$kind] = weights.numbers().unwrap_or_default();
                arcs_with(device_graph, side, Some(<$kind>::TYPE), |give| give(weights))
            }};
        }
        match self.kind().weight {
            None => arcs_with::<u32>(device_graph, side, None, |_| Ok(())),
            Some(ScalarType::U32 | ScalarType::Bool) => weighted!(u32),
            Some(ScalarType::I32) => weighted!(i32),
            Some(ScalarType::U64) => weighted!(u64),
            Some(ScalarType::F32) => weighted!(f32),
            Some(ScalarType::F64) => weighted!(f64),
        }
    }

    fn chunks(&self, _: &DeviceGraph, _: &Options, _: Ways) -> Result<Option<Arc<Made<ChunkTable>>>> {
        Ok(None)
    }
}
