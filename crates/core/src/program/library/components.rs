//! Connected components as a program.

use crate::{
    Error, Result,
    program::{Combine, Dialect, Edge, Vertex, VertexProgram},
};
use warpgraph_graph::Graph;

/// Finds the smallest vertex of each component: `x[v] = min(x[v], x[u])`. Messages follow arcs, so the graph must be
/// undirected.
#[derive(Debug, Clone, Default)]
pub struct Components {}

impl VertexProgram for Components {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "components";
    const COMBINE: Combine = Combine::Min;
    const DISTRIBUTES: bool = true;

    fn init<D: Dialect>(&self, _: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        v.id
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value
    }
    fn check(&self, graph: &Graph) -> Result<()> {
        if graph.is_directed() {
            let help = "read the graph with --undirected, or use wcc";
            return Err(Error::config(Self::NAME, "messages follow arcs, and this graph is directed", help));
        }
        Ok(())
    }
}
