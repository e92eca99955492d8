//! [`Loaded`]: a graph ready on an engine.

use crate::{
    Adsorption, Bc, Bfs, Choice, Closeness, Dispatch, Engine, Job, Kcore, LabelPropagation, Mst, PageRank,
    ProgramJob, Scc, Sssp, Triangles, Wcc, accelerator::is_full, program::VertexProgram, worth::Asked,
};
use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};
use warpgraph_core::{Error, Order, Result};
use warpgraph_device::Gpu;
use warpgraph_gpu::Resident;
use warpgraph_graph::{Control, Graph, NodeMap, Stored};
use warpgraph_transform::Transformed;

/// A graph on an engine, ready for any number of runs. What a run copies to a GPU stays there for later ones; clones share
/// it.
#[derive(Debug, Clone)]
pub struct Loaded {
    engine: Engine,
    graph: Graph,
    order: Order,
    /// The graph in that order, and how it came to it; `None` where that is the original order.
    renumbered: Option<(Graph, NodeMap)>,
    reorder_seconds: Option<f64>,
    /// The graph it runs on, on the engine's GPU; made by the first run there.
    resident: Arc<OnceLock<Resident>>,
}

impl Loaded {
    pub(crate) fn in_order(
        engine: &Engine,
        graph: &Graph,
        order: Order,
        seed: u64,
        control: &Control,
    ) -> Result<Self> {
        let label = order.label(seed);
        match graph.stored().filter(|stored| *stored.label() == label) {
            _ if order == Order::Natural => Ok(Self::new(engine, graph, order)),
            Some(stored) => Ok(Self::taken(engine, graph, order, stored)),
            None => {
                let start = Instant::now();
                let Transformed { graph: inner, map, .. } = engine.reorder(graph, order, seed, control)?;
                let reorder_seconds = Some(start.elapsed().as_secs_f64());
                Ok(Self {
                    renumbered: Some((inner, map)),
                    reorder_seconds,
                    ..Self::new(engine, graph, order)
                })
            }
        }
    }

    pub(crate) fn as_stored(engine: &Engine, graph: &Graph) -> Result<Self> {
        let Some(stored) = graph.stored() else { return Ok(Self::new(engine, graph, Order::Natural)) };
        let name = &stored.label().name;
        let unknown = |_| Error::Refused {
            what: format!("{} is stored in order {name:?}, which is unknown here", graph.origin().name),
            help: "ask for another order, such as --order natural, or use a newer warpgraph".to_owned(),
        };
        Ok(Self::taken(engine, graph, name.parse().map_err(unknown)?, stored))
    }

    /// The graph in its stored order, as it is.
    fn taken(engine: &Engine, graph: &Graph, order: Order, stored: &Stored) -> Self {
        let renumbered = Some((stored.graph().clone(), stored.map().clone()));
        Self { renumbered, ..Self::new(engine, graph, order) }
    }

    fn new(engine: &Engine, graph: &Graph, order: Order) -> Self {
        let (engine, graph, resident) = (engine.clone(), graph.clone(), Arc::default());
        Self { engine, graph, order, renumbered: None, reorder_seconds: None, resident }
    }

    /// The engine it is on.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The order it is held in.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Seconds it took to bring the graph into its order; `None` if it was in it already.
    pub fn reorder_seconds(&self) -> Option<f64> {
        self.reorder_seconds
    }

    /// Bytes held beside the graph for its order; `None` if it was in it already.
    pub fn extra_bytes(&self) -> Option<u64> {
        self.reorder_seconds?;
        self.renumbered().map(|(graph, map)| graph.bytes() + map.bytes())
    }

    /// Are answers brought back from another order than that of the ids?
    pub fn is_renumbered(&self) -> bool {
        self.renumbered.is_some()
    }

    /// The graph in the order it is held in, and the map to it, if that is not the original order.
    pub(crate) fn renumbered(&self) -> Option<(&Graph, &NodeMap)> {
        self.renumbered.as_ref().map(|(graph, map)| (graph, map))
    }

    /// The graph that runs see.
    fn inner(&self) -> &Graph {
        self.renumbered().map_or(&self.graph, |(inner, _)| inner)
    }

    /// What it has on a GPU.
    #[cfg(test)]
    pub(crate) fn on_device(&self) -> &Arc<OnceLock<Resident>> {
        &self.resident
    }

    /// Does `work` on the device that takes it: on the GPU with the graph there, or on the processor with none. What the
    /// engine chose to do on a GPU and failed there is done on the processor.
    pub(crate) fn run<T: Send>(
        &self,
        algorithm: &str,
        needed: impl Fn(&Graph) -> u64 + Sync,
        check: impl Fn(&str) -> Result<()> + Sync,
        work: impl Fn(Option<&Resident>) -> Result<T> + Sync,
    ) -> Result<(T, Option<Choice>)> {
        let is_resident = self.resident.get().is_some();
        let asked = Asked { graph: self.inner(), is_resident, needed: &needed, check: &check };
        let (gpu, choice) = self.engine.place(&asked)?;
        let Some(gpu) = gpu else {
            return Ok((self.engine.install(|| work(None))?, choice));
        };
        let on_gpu = self
            .on_gpu(gpu, &work)
            .map_err(|error| with_what_would_fit(error, gpu, algorithm, || needed(self.inner())));
        match (on_gpu, choice) {
            (Err(error @ Error::Device { .. }), Some(Choice::Worth { .. })) => {
                let error = Arc::new(error);
                self.engine.give_up_gpu(&error);
                Ok((self.engine.install(|| work(None))?, Some(Choice::Failed { error })))
            }
            (answer, choice) => Ok((answer?, choice)),
        }
    }

    fn on_gpu<T: Send>(
        &self,
        gpu: &Gpu,
        work: &(impl Fn(Option<&Resident>) -> Result<T> + Sync),
    ) -> Result<T> {
        let resident = self.resident.get_or_init(|| Resident::new(gpu, self.inner()));
        let _turn = self.engine.turn();
        let was_there = resident.is_there();
        let run = || self.engine.install(|| work(Some(resident)));
        match run() {
            // What other algorithms left there, such as weights, makes room.
            Err(error) if was_there && is_full(&error) => {
                resident.let_go();
                run()
            }
            answer => answer,
        }
    }

    /// Any algorithm, by its configuration.
    pub fn job<A: Dispatch>(&self, config: A) -> Job<'_, A> {
        Job::new(self, config)
    }

    /// Breadth-first search.
    pub fn bfs(&self, config: Bfs) -> Job<'_, Bfs> {
        self.job(config)
    }

    /// Shortest paths.
    pub fn sssp(&self, config: Sssp) -> Job<'_, Sssp> {
        self.job(config)
    }

    /// A program of one's own; see `docs/programs.md`.
    pub fn program<P: VertexProgram>(&self, program: P) -> ProgramJob<'_, P> {
        ProgramJob::new(self, program)
    }

    /// Adsorption.
    pub fn adsorption(&self, config: Adsorption) -> Job<'_, Adsorption> {
        self.job(config)
    }

    /// PageRank.
    pub fn pagerank(&self, config: PageRank) -> Job<'_, PageRank> {
        self.job(config)
    }

    /// Weakly connected components.
    pub fn wcc(&self, config: Wcc) -> Job<'_, Wcc> {
        self.job(config)
    }

    /// Triangles.
    pub fn triangles(&self, config: Triangles) -> Job<'_, Triangles> {
        self.job(config)
    }

    /// Core numbers.
    pub fn kcore(&self, config: Kcore) -> Job<'_, Kcore> {
        self.job(config)
    }

    /// Strongly connected components.
    pub fn scc(&self, config: Scc) -> Job<'_, Scc> {
        self.job(config)
    }

    /// Minimum spanning forest.
    pub fn mst(&self, config: Mst) -> Job<'_, Mst> {
        self.job(config)
    }

    /// Label propagation.
    pub fn label_propagation(&self, config: LabelPropagation) -> Job<'_, LabelPropagation> {
        self.job(config)
    }

    /// Betweenness centrality.
    pub fn bc(&self, config: Bc) -> Job<'_, Bc> {
        self.job(config)
    }

    /// Closeness and harmonic centrality, and eccentricity.
    pub fn closeness(&self, config: Closeness) -> Job<'_, Closeness> {
        self.job(config)
    }
}

/// An error for want of device memory, with how much would do.
fn with_what_would_fit(error: Error, gpu: &Gpu, algorithm: &str, needed: impl FnOnce() -> u64) -> Error {
    let Error::Device { kind: kind @ "device-memory", what, .. } = error else { return error };
    let (label, total) = (&gpu.properties().label, gpu.memory().map_or(0, |memory| memory.total));
    let needed = needed();
    let (takes, next) = match needed <= total {
        true => (format!("{needed} of the {total} bytes"), "let go of what else is there"),
        false => (format!("{needed} bytes"), "allow it that much with --gpu-memory"),
    };
    let help =
        format!("{algorithm} on this graph takes about {takes} of {label}: {next}, or use --device cpu");
    Error::Device { kind, what, help }
}
