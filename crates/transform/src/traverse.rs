//! Searches that orders are made from: from many sources at once, wherever they are done.

use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Vertex};

/// Sources of one [`Traverse::traverse`].
pub const AT_ONCE: usize = 64;

/// Breadth-first searches from many sources at once. [`OnCpu`] does them on the processor; an engine may have a faster way.
pub trait Traverse: Sync {
    /// Searches along outgoing arcs from at most [`AT_ONCE`] different sources. `reach(v, depth, new)` is called once for every
    /// vertex and depth from 1 on with the sources that reach it there, bit i for `sources[i]`; from any thread, but never
    /// twice at once for a vertex, and with rising depths.
    ///
    /// # Errors
    /// When interrupted, when memory is short, or when a device fails; what was reached by then is no answer.
    fn traverse(
        &self,
        graph: &Graph,
        sources: &[Vertex],
        control: &Control,
        reach: &(dyn Fn(Vertex, u32, u64) + Sync),
    ) -> Result<()>;
}

/// On the processor, with all threads of the pool it is called in.
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
