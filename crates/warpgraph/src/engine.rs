//! [`Engine`]: a device ready to work, and [`Loaded`]: a graph ready on it.

use crate::{Bc, Bfs, Closeness, Dispatch, Job, PageRank, Sssp, Wcc};
use std::{fmt, str::FromStr, sync::Arc};
use warpgraph_core::{Error, Order, Result};
use warpgraph_graph::{Graph, NodeMap};

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

    /// Makes a graph ready to be asked.
    ///
    /// # Errors
    /// When the device cannot hold it.
    pub fn load(&self, graph: &Graph, order: Order) -> Result<Loaded> {
        Ok(Loaded { engine: self.clone(), graph: graph.clone(), order, renumbered: None })
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

    /// PageRank.
    pub fn pagerank(&self, config: PageRank) -> Job<'_, PageRank> {
        self.job(config)
    }

    /// Weakly connected components.
    pub fn wcc(&self, config: Wcc) -> Job<'_, Wcc> {
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
