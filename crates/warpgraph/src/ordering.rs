//! Orders on an engine: searches that an order is made from go to its GPU where that is worth it, all else to its threads.

use crate::{Choice, Engine, accelerator::is_full, worth::Asked};
use std::sync::Arc;
use warpgraph_core::{Accepted, Error, Order, Result};
use warpgraph_gpu::DeviceGraph;
use warpgraph_graph::{Control, Graph, Vertex};
use warpgraph_transform::{Means, OnCpu, Traverse};

/// Searches on a GPU; the graph they are in is there.
struct OnGpu(DeviceGraph);

impl Traverse for OnGpu {
    fn traverse(
        &self,
        _: &Graph,
        sources: &[Vertex],
        control: &Control,
        reach: &(dyn Fn(Vertex, u32, u64) + Sync),
    ) -> Result<()> {
        warpgraph_gpu::traverse(&self.0, sources, control, reach)
    }
}

/// Does `work` with what an order of this graph is made with. What does not fit a GPU is done on the processor, from the start,
/// and so is what the engine chose to do on a GPU and failed there.
pub(crate) fn with_means<T: Send>(
    engine: &Engine,
    graph: &Graph,
    (order, seed): (Order, u64),
    control: &Control,
    work: impl Fn(&Means<'_>) -> Result<T> + Sync,
) -> Result<T> {
    let on = |traverse: &dyn Traverse| engine.install(|| work(&Means { seed, traverse, control }));
    if !order.searches() {
        return on(&OnCpu);
    }
    let accepted = Accepted::default();
    let asked =
        Asked { graph, is_on_device: false, needed: &warpgraph_gpu::traverse_bytes, accepted: &accepted };
    let (Some(gpu), choice) = engine.place(&asked)? else { return on(&OnCpu) };
    let turn = engine.turn();
    let done = on(&OnGpu(DeviceGraph::new(gpu, graph)));
    drop(turn);
    match (done, choice) {
        // The order is the same wherever its searches are done, and what runs in it later may fit where they do not.
        (Err(error), _) if is_full(&error) => on(&OnCpu),
        (Err(error @ Error::Device { .. }), Some(Choice::Worth { .. })) => {
            engine.give_up_gpu(&Arc::new(error));
            on(&OnCpu)
        }
        (done, _) => done,
    }
}
