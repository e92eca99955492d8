//! Computes orders on an engine. The searches that some orders need run on the GPU if that pays off, and the order `degree`
//! is made there; all else runs on the CPU threads.

use crate::{Choice, Engine, accelerator::is_full, worth::Asked};
use std::sync::Arc;
use warpgraph_core::{Accepted, Error, Options, Order, Result};
use warpgraph_gpu::{DegreeOrdered, DeviceGraph, degree_ordered};
use warpgraph_graph::{Control, Graph, Vertex};
use warpgraph_transform::{Means, OnCpu, Traverse};

/// Runs searches on a GPU, in this graph.
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

/// Calls `work` with the means to compute an order. If the searches do not fit the GPU, or if the engine itself chose a
/// GPU and the GPU fails, `work` starts again on the CPU.
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
    let asked = Asked {
        graph,
        is_on_device: false,
        needed: &|graph| warpgraph_gpu::traverse_bytes(graph).total(),
        accepted: &accepted,
    };
    let (Some(gpu), choice) = engine.place(&asked)? else { return on(&OnCpu) };
    let turn = engine.turn();
    let done = on(&OnGpu(DeviceGraph::new(gpu, graph)));
    drop(turn);
    match (done, choice) {
        // The order is the same on every device, and later runs may fit where the searches did not.
        (Err(error), _) if is_full(&error) => on(&OnCpu),
        (Err(error @ Error::Device { .. }), Some(Choice::Worth { .. })) => {
            engine.give_up_gpu(&Arc::new(error));
            on(&OnCpu)
        }
        (done, _) => done,
    }
}

/// Returns the graph in the order `degree`, made on the engine's GPU, where it then is. `None` for other orders; if the engine
/// would choose the GPU itself and the graph is not there yet (`opened`); or if the GPU fails or has too little memory. The
/// CPU makes the same order.
pub(crate) fn on_gpu(
    engine: &Engine,
    graph: &Graph,
    order: Order,
    control: &Control,
    opened: Option<&DeviceGraph>,
) -> Result<Option<DegreeOrdered>> {
    // Several GPUs cut the graph after it was ordered in host memory.
    let names_one = engine.device().is_gpu() && engine.device().several().is_none();
    let is_for_gpu = order == Order::Degree && (names_one || opened.is_some());
    let Some(gpu) = is_for_gpu.then(|| engine.working_gpu()).flatten() else { return Ok(None) };
    let options = Options { control: control.clone(), ..Options::default() };
    let turn = engine.turn();
    let made = engine.install(|| match opened {
        Some(device_graph) => degree_ordered(device_graph, &options),
        None => degree_ordered(&DeviceGraph::new(gpu, graph), &options),
    });
    drop(turn);
    match made {
        // A run that needs the GPU meets the same trouble, and says what it means.
        Err(Error::Device { .. }) => Ok(None),
        made => made,
    }
}
