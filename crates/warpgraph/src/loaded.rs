//! [`Loaded`]: a graph ready on an engine.

use crate::{
    Adsorption, Bc, Bfs, Choice, Closeness, Dispatch, Engine, Job, Kcore, LabelPropagation, Mst, PageRank,
    ProgramJob, Scc, Sssp, Triangles, Wcc, accelerator::is_full, learning::Learning, program::VertexProgram,
    view::View, worth::Asked,
};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{Error, Order, Result, Round};
use warpgraph_device::Gpu;
use warpgraph_gpu::{DeviceGraph, sampling_bytes};
use warpgraph_graph::{Control, Graph, Stored};
use warpgraph_transform::Transformed;

/// A graph on an engine, ready for any number of runs. What a run copies to a GPU stays there for later ones; clones share
/// it.
#[derive(Debug, Clone)]
pub struct Loaded {
    engine: Engine,
    graph: Graph,
    order: Order,
    reorder_seconds: Option<f64>,
    held: Held,
}

/// How a graph is held.
#[derive(Debug, Clone)]
enum Held {
    /// In an order that stays.
    Fixed(View),
    /// In one that gets better with every round.
    Learning(Arc<Learning>),
}

impl Held {
    fn new(order: Order, view: View) -> Self {
        match order {
            Order::Sampled => Self::Learning(Arc::new(Learning::from(view))),
            _ => Self::Fixed(view),
        }
    }
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
        match graph.stored().filter(|stored| *stored.label() == label || order == Order::Sampled) {
            _ if order == Order::Natural => Ok(Self::new(engine, graph, order, View::new(graph, None))),
            Some(stored) => Ok(Self::taken(engine, graph, order, stored)),
            None if order == Order::Sampled => Ok(Self::new(engine, graph, order, View::new(graph, None))),
            None => {
                let start = Instant::now();
                let Transformed { graph: inner, map, .. } = engine.reorder(graph, order, seed, control)?;
                let reorder_seconds = Some(start.elapsed().as_secs_f64());
                let view = View::new(&inner, Some(map));
                Ok(Self { reorder_seconds, ..Self::new(engine, graph, order, view) })
            }
        }
    }

    pub(crate) fn as_stored(engine: &Engine, graph: &Graph) -> Result<Self> {
        let Some(stored) = graph.stored() else {
            return Ok(Self::new(engine, graph, Order::Natural, View::new(graph, None)));
        };
        let name = &stored.label().name;
        let unknown = |_| Error::Refused {
            what: format!("{} is stored in order {name:?}, which is unknown here", graph.origin().name),
            help: "ask for another order, such as --order natural, or use a newer warpgraph".to_owned(),
        };
        Ok(Self::taken(engine, graph, name.parse().map_err(unknown)?, stored))
    }

    /// The graph in its stored order, as it is.
    fn taken(engine: &Engine, graph: &Graph, order: Order, stored: &Stored) -> Self {
        Self::new(engine, graph, order, View::new(stored.graph(), Some(stored.map().clone())))
    }

    fn new(engine: &Engine, graph: &Graph, order: Order, view: View) -> Self {
        let (engine, graph, held) = (engine.clone(), graph.clone(), Held::new(order, view));
        Self { engine, graph, order, reorder_seconds: None, held }
    }

    /// A handle on an edited graph over the same vertices, such as one with new edges. They keep the numbers that they have inside the engine: the
    /// order is not made anew, and `sampled` starts its rounds from what it has found.
    ///
    /// ```
    /// use warpgraph::{Bfs, Engine, Graph, Order};
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// let loaded = Engine::auto()?.load(&Graph::from_edges(3, &[(0, 1)], false)?, Order::Degree)?;
    /// let edited = loaded.edited(&Graph::from_edges(3, &[(0, 1), (1, 2)], false)?)?;
    /// assert_eq!(edited.bfs(Bfs::from(0)).run()?.distance(2), Some(2));
    /// assert!(loaded.edited(&Graph::from_edges(4, &[], false)?).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Refused`] when it has another number of vertices; when memory is short.
    pub fn edited(&self, graph: &Graph) -> Result<Self> {
        let (old, new) = (self.graph.vertices(), graph.vertices());
        if old != new {
            return Err(Error::Refused {
                what: format!(
                    "a graph of {new} vertices is no edited one of {old}: the order is of other vertices"
                ),
                help: "load it anew".to_owned(),
            });
        }
        let start = Instant::now();
        let view = match self.view().renumbered() {
            Some((_, map)) => {
                let inner = self.engine.install(|| graph.renumbered(map, &Control::new()))?;
                View::new(&inner, Some(map.clone()))
            }
            None => View::new(graph, None),
        };
        let reorder_seconds = view.renumbered().map(|_| start.elapsed().as_secs_f64());
        Ok(Self { reorder_seconds, ..Self::new(&self.engine, graph, self.order, view) })
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

    /// Seconds it took to bring the graph into its order, sampling and rounds included; `None` if it was in it already.
    pub fn reorder_seconds(&self) -> Option<f64> {
        match &self.held {
            Held::Fixed(_) => self.reorder_seconds,
            Held::Learning(learning) => Some(self.reorder_seconds.unwrap_or(0.0) + learning.seconds()),
        }
    }

    /// Bytes held beside the graph for its order; `None` if it was in it already.
    pub fn extra_bytes(&self) -> Option<u64> {
        self.reorder_seconds()?;
        self.view().renumbered().map(|(graph, map)| graph.bytes() + map.bytes())
    }

    /// Are answers brought back from another order than that of the ids?
    pub fn is_renumbered(&self) -> bool {
        self.view().renumbered().is_some()
    }

    /// The rounds of the order `sampled` so far; none for all others.
    pub fn rounds(&self) -> Vec<Round> {
        match &self.held {
            Held::Fixed(_) => Vec::new(),
            Held::Learning(learning) => learning.rounds(),
        }
    }

    /// Does the order stay as it is? True for all but `sampled`, and for that when rounds have stopped to pay.
    pub fn is_settled(&self) -> bool {
        match &self.held {
            Held::Fixed(_) => true,
            Held::Learning(learning) => learning.why_settled().is_some(),
        }
    }

    /// Why `sampled` makes no more rounds; `None` while it does, and for all other orders.
    pub fn why_settled(&self) -> Option<String> {
        match &self.held {
            Held::Fixed(_) => None,
            Held::Learning(learning) => learning.why_settled(),
        }
    }

    /// Has `sampled` make so many rounds at most, those so far included: it settles when what the last one brought is known, and samples
    /// nothing from then on. What it has found stays. A higher limit has it go on, unless rounds have stopped to pay: the next run copies
    /// the graph to the GPU anew.
    pub fn limit_rounds(&self, most: usize) {
        if let Held::Learning(learning) = &self.held {
            learning.limit(most);
        }
    }

    /// The graph as a run that begins now sees it.
    pub(crate) fn view(&self) -> View {
        match &self.held {
            Held::Fixed(view) => view.clone(),
            Held::Learning(learning) => learning.view(),
        }
    }

    /// Does `work` on the device that takes it: on the GPU with the graph there, or on the processor with none. What the
    /// engine chose to do on a GPU and failed there is done on the processor.
    pub(crate) fn run<T: Send>(
        &self,
        algorithm: &str,
        control: &Control,
        needed: impl Fn(&Graph) -> u64 + Sync,
        check: impl Fn(&str) -> Result<()> + Sync,
        work: impl Fn(&View, Option<&DeviceGraph>) -> Result<T> + Sync,
    ) -> Result<(T, Option<Choice>)> {
        let view = self.view();
        let needed =
            |graph: &Graph| needed(graph) + if self.is_settled() { 0 } else { sampling_bytes(graph) };
        let is_on_device = view.device_graph().is_some();
        let asked = Asked { graph: view.graph(), is_on_device, needed: &needed, check: &check };
        let (gpu, choice) = self.engine.place(&asked)?;
        let Some(gpu) = gpu else {
            return Ok((self.engine.install(|| work(&view, None))?, choice));
        };
        let on_gpu = self
            .on_gpu(gpu, control, &work)
            .map_err(|error| with_what_would_fit(error, gpu, algorithm, || needed(view.graph())));
        match (on_gpu, choice) {
            (Err(error @ Error::Device { .. }), Some(Choice::Worth { .. })) => {
                let error = Arc::new(error);
                self.engine.give_up_gpu(&error);
                Ok((self.engine.install(|| work(&view, None))?, Some(Choice::Failed { error })))
            }
            (answer, choice) => Ok((answer?, choice)),
        }
    }

    fn on_gpu<T: Send>(
        &self,
        gpu: &Gpu,
        control: &Control,
        work: &(impl Fn(&View, Option<&DeviceGraph>) -> Result<T> + Sync),
    ) -> Result<T> {
        let _turn = self.engine.turn();
        // Who waited for a round runs in the order it made.
        let view = &self.view();
        let device_graph = view.resident_on(gpu, !self.is_settled());
        let may_shrink = device_graph.is_there() || !self.is_settled();
        let run = || self.engine.install(|| work(view, Some(device_graph)));
        let answer = match run() {
            // What other algorithms left there, such as weights, and what is sampled makes room.
            Err(error) if may_shrink && is_full(&error) => {
                device_graph.let_go();
                run()
            }
            answer => answer,
        };
        if let (Ok(_), Held::Learning(learning)) = (&answer, &self.held) {
            self.engine.install(|| learning.after_run(view, control));
        }
        answer
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
