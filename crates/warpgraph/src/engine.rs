//! [`Engine`]: a device ready to work, and [`Loaded`]: a graph ready on it.

use crate::{
    Adsorption, Bc, Bfs, Closeness, Dispatch, Job, Kcore, LabelPropagation, Mst, PageRank, ProgramJob, Scc,
    Sssp, Triangles, Wcc, program::VertexProgram,
};
use std::{fmt, str::FromStr, sync::Arc, time::Instant};
use warpgraph_core::{DEFAULT_SEED, Error, Order, Result};
use warpgraph_graph::{Control, Graph, NodeMap, Stored};
use warpgraph_transform::Transformed;

/// A device to run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Device {
    /// The processor's cores.
    #[default]
    Cpu,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
        }
    }
}

/// `auto` or `cpu`.
impl FromStr for Device {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" | "cpu" => Ok(Self::Cpu),
            _ => Err(Error::Refused {
                what: format!("there is no device {text:?}"),
                help: "devices: auto, cpu".to_owned(),
            }),
        }
    }
}

/// A device and its threads; a clone shares them.
#[derive(Debug, Clone)]
pub struct Engine {
    device: Device,
    pool: Arc<rayon::ThreadPool>,
}

impl Engine {
    /// The best device there is, with all its cores.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn auto() -> Result<Self> {
        Self::on(Device::Cpu, None)
    }

    /// A device, with this many threads (`None`: one a core).
    ///
    /// # Errors
    /// When the system gives no threads, or `threads` is 0.
    pub fn on(device: Device, threads: Option<usize>) -> Result<Self> {
        let refuse = |what: String| Error::Refused { what, help: "ask for 1 thread or more".to_owned() };
        if threads == Some(0) {
            return Err(refuse("0 threads cannot work".to_owned()));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .thread_name(|i| format!("warpgraph-{i}"))
            .build()
            .map_err(|e| refuse(format!("cannot start threads: {e}")))?;
        Ok(Self { device, pool: Arc::new(pool) })
    }

    /// The device.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Its threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs something, such as reading a graph, on this engine's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Makes a graph ready to be asked, its vertices numbered in an order. What is asked and answered stays in original
    /// ids.
    ///
    /// # Errors
    /// When the device cannot hold it.
    pub fn load(&self, graph: &Graph, order: Order) -> Result<Loaded> {
        self.load_with(graph, order, DEFAULT_SEED, &Control::new())
    }

    /// [`Engine::load`] with the seed of a random order, and a handle to stop the reordering.
    ///
    /// # Errors
    /// As [`Engine::load`], and what `control` asks for.
    pub fn load_with(&self, graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<Loaded> {
        let label = order.label(seed);
        match graph.stored().filter(|stored| *stored.label() == label) {
            _ if order == Order::Natural => Ok(self.loaded(graph, order)),
            Some(stored) => Ok(self.taken(graph, order, stored)),
            None => {
                let start = Instant::now();
                let Transformed { graph: inner, map } =
                    self.install(|| warpgraph_transform::reorder(graph, order, seed, control))?;
                let reorder_seconds = Some(start.elapsed().as_secs_f64());
                Ok(Loaded { renumbered: Some((inner, map)), reorder_seconds, ..self.loaded(graph, order) })
            }
        }
    }

    /// [`Engine::load`] in the order that the graph is stored in: the natural one, unless its file was reordered.
    ///
    /// # Errors
    /// When the stored order has a name that this version does not know.
    pub fn load_as_stored(&self, graph: &Graph) -> Result<Loaded> {
        let Some(stored) = graph.stored() else { return self.load(graph, Order::Natural) };
        let name = &stored.label().name;
        let unknown = |_| Error::Refused {
            what: format!("{} is stored in order {name:?}, which is unknown here", graph.origin().name),
            help: "ask for another order, such as --order natural, or use a newer warpgraph".to_owned(),
        };
        Ok(self.taken(graph, name.parse().map_err(unknown)?, stored))
    }

    /// The graph in its stored order, as it is.
    fn taken(&self, graph: &Graph, order: Order, stored: &Stored) -> Loaded {
        let renumbered = Some((stored.graph().clone(), stored.map().clone()));
        Loaded { renumbered, ..self.loaded(graph, order) }
    }

    fn loaded(&self, graph: &Graph, order: Order) -> Loaded {
        let (engine, graph) = (self.clone(), graph.clone());
        Loaded { engine, graph, order, renumbered: None, reorder_seconds: None }
    }
}

/// A graph on a device, ready for any number of runs.
#[derive(Debug, Clone)]
pub struct Loaded {
    engine: Engine,
    graph: Graph,
    order: Order,
    /// The graph in that order, and how it came to it; `None` where that is the original order.
    renumbered: Option<(Graph, NodeMap)>,
    reorder_seconds: Option<f64>,
}

impl Loaded {
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
