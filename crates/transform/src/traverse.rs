//! The searches that orders are made from: from many sources at once, on the processor or on a device.

use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Vertex};

/// The most sources of one [`Traverse::traverse`].
pub const AT_ONCE: usize = 64;

/// Breadth-first searches from many sources at once. [`OnCpu`] runs them on the processor; an engine may have a faster
/// way.
pub trait Traverse: Sync {
    /// Searches along outgoing arcs from at most [`AT_ONCE`] different sources. For every vertex and depth (1 or more)
    /// at which some sources first reach the vertex, calls `reach(v, depth, new)` once; bit i of `new` stands for
    /// `sources[i]`. Calls come from any thread. Calls for one vertex never overlap, and their depths increase.
    ///
    /// # Errors
    /// If interrupted, if memory is short, or if a device fails. The calls made by then are not a complete answer.
    fn traverse(
        &self,
        graph: &Graph,
        sources: &[Vertex],
        control: &Control,
        reach: &(dyn Fn(Vertex, u32, u64) + Sync),
    ) -> Result<()>;
}

/// Searches on the processor, with all threads of the current pool.
#[derive(Debug, Clone, Copy)]
pub struct OnCpu;

impl Traverse for OnCpu {
    fn traverse(
        &self,
        graph: &Graph,
        sources: &[Vertex],
        control: &Control,
        reach: &(dyn Fn(Vertex, u32, u64) + Sync),
    ) -> Result<()> {
        warpgraph_cpu::traverse(graph, sources, control, reach)
    }
}
