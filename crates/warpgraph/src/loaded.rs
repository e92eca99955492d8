//! [`Loaded`]: a graph prepared on an engine, on which algorithms run.

use crate::{
    Dispatch, Engine, Job, Program,
    approximate::Approximate,
    learning::Learning,
    measured::Kept,
    ordering,
    program::{Recorded, VertexProgram},
    view::View,
};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{Error, Order, Result, Round};
use warpgraph_gpu::{DegreeOrdered, DeviceGraph};
use warpgraph_graph::{Control, Graph, Stored, timeline::Phase};

/// A graph on an engine, ready for any number of runs. What a run copies to a GPU stays there for later runs. Clones
/// share it.
#[derive(Debug, Clone)]
pub struct Loaded {
    engine: Engine,
    graph: Graph,
    order: Order,
    reorder_seconds: Option<f64>,
    held: Held,
    /// What an approximation has changed.
    approximate: Option<Arc<Approximate>>,
    /// How runs within a greatest error are answered.
    measured: Kept,
}

/// How the graph is stored.
#[derive(Debug, Clone)]
enum Held {
    /// In an order that does not change.
    Fixed(View),
    /// In an order that improves with each round (`sampled`).
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
    /// Loads a graph in an order. `opened` is the graph on the engine's GPU, if it is there already.
    pub(crate) fn in_order(
        engine: &Engine,
        graph: &Graph,
        order: Order,
        seed: u64,
        control: &Control,
        opened: Option<&DeviceGraph>,
    ) -> Result<Self> {
        let label = order.label(seed);
        match graph.stored().filter(|stored| *stored.label() == label || order == Order::Sampled) {
            _ if order == Order::Natural => Ok(Self::new(engine, graph, order, View::new(graph, None))),
            Some(stored) => Ok(Self::taken(engine, graph, order, stored)),
            None if order == Order::Sampled => Ok(Self::new(engine, graph, order, View::new(graph, None))),
            None => {
                let (start, _span) = (Instant::now(), control.span(Phase::Reordering));
                let view = match ordering::on_gpu(engine, graph, order, control, opened)? {
                    Some(DegreeOrdered { device_graph, map }) => View::of(device_graph, map),
                    None => {
                        let reordered = engine.reorder(graph, order, seed, control)?;
                        View::new(&reordered.graph, Some(reordered.map))
                    }
                };
                let reorder_seconds = Some(start.elapsed().as_secs_f64());
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

    /// Uses the order stored with the graph, without reordering.
    fn taken(engine: &Engine, graph: &Graph, order: Order, stored: &Stored) -> Self {
        Self::new(engine, graph, order, View::new(stored.graph(), Some(stored.map().clone())))
    }

    fn new(engine: &Engine, graph: &Graph, order: Order, view: View) -> Self {
        let (engine, graph, held) = (engine.clone(), graph.clone(), Held::new(order, view));
        Self {
            engine,
            graph,
            order,
            reorder_seconds: None,
            held,
            approximate: None,
            measured: Kept::default(),
        }
    }

    /// Returns the same graph as an approximation has changed it.
    pub(crate) fn changed(&self, merged: View, approximate: Approximate) -> Self {
        let (held, approximate) = (Held::Fixed(merged), Some(Arc::new(approximate)));
        Self { held, approximate, measured: Kept::default(), ..self.clone() }
    }

    /// Returns what an approximation has changed.
    pub(crate) fn approximate(&self) -> Option<&Approximate> {
        self.approximate.as_deref()
    }

    /// Returns a handle on an edited graph over the same vertices, such as one with new edges. The vertices keep their
    /// numbers inside the engine: the order is not computed again, and `sampled` continues from the order that it has
    /// found.
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
    /// [`Error::Refused`] when `graph` has another number of vertices, or when an approximation has changed the graph; also
    /// when memory runs out.
    pub fn edited(&self, graph: &Graph) -> Result<Self> {
        if self.approximate.is_some() {
            return Err(Error::Refused {
                what: format!(
                    "a graph changed by {} cannot be edited: it fits the edges it was made of",
                    self.approximation()
                ),
                help: "load the edited graph with the approximation".to_owned(),
            });
        }
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

    /// Takes over the copy on the engine's GPU of the graph that runs use. An order that is learned starts without it.
    pub(crate) fn is_on_device(&self, device_graph: DeviceGraph) {
        if let Held::Fixed(view) = &self.held {
            view.is_on_device(device_graph);
        }
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the graph in its original numbering.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the order in which the graph is stored.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Returns the seconds spent on reordering, sampling and rounds included; `None` if the graph already was in this
    /// order.
    pub fn reorder_seconds(&self) -> Option<f64> {
        match &self.held {
            Held::Fixed(_) => self.reorder_seconds,
            Held::Learning(learning) => Some(self.reorder_seconds.unwrap_or(0.0) + learning.seconds()),
        }
    }

    /// Returns the bytes held beside the graph for its order and approximation; `None` if the graph already was in this order,
    /// and nothing has changed it.
    pub fn extra_bytes(&self) -> Option<u64> {
        let copied = self.approximate.as_ref().map(|approximate| approximate.bytes());
        self.reorder_seconds().or(copied.map(|_| 0.0))?;
        let held = self.view().renumbered().map(|(graph, map)| graph.bytes() + map.bytes());
        held.map(|bytes| bytes + copied.unwrap_or(0))
    }

    /// Returns true if runs use another numbering than the graph's ids, so that answers are mapped back.
    pub fn is_renumbered(&self) -> bool {
        self.view().renumbered().is_some()
    }

    /// Returns the rounds of the order `sampled` so far; empty for all other orders.
    pub fn rounds(&self) -> Vec<Round> {
        match &self.held {
            Held::Fixed(_) => Vec::new(),
            Held::Learning(learning) => learning.rounds(),
        }
    }

    /// Returns true if the order no longer changes: always, except for `sampled` before its rounds have ended.
    pub fn is_settled(&self) -> bool {
        match &self.held {
            Held::Fixed(_) => true,
            Held::Learning(learning) => learning.why_settled().is_some(),
        }
    }

    /// Returns why the rounds of `sampled` have ended; `None` while they go on, and for all other orders.
    pub fn why_settled(&self) -> Option<String> {
        match &self.held {
            Held::Fixed(_) => None,
            Held::Learning(learning) => learning.why_settled(),
        }
    }

    /// Limits `sampled` to `most` rounds, those so far included. It ends when the effect of the last round is known,
    /// samples nothing from then on and keeps its order. A higher limit resumes the rounds, unless they ended because
    /// they no longer pay off; the next run then copies the graph to the GPU again.
    pub fn limit_rounds(&self, most: usize) {
        if let Held::Learning(learning) = &self.held {
            learning.limit(most);
        }
    }

    /// Returns what the order `sampled` learns; `None` for all other orders.
    pub(crate) fn learning(&self) -> Option<&Learning> {
        match &self.held {
            Held::Fixed(_) => None,
            Held::Learning(learning) => Some(learning),
        }
    }

    /// Returns the graph in the order that a run starting now uses.
    pub(crate) fn view(&self) -> View {
        match &self.held {
            Held::Fixed(view) => view.clone(),
            Held::Learning(learning) => learning.view(),
        }
    }

    /// Returns how runs within a greatest error are answered.
    pub(crate) fn measured(&self) -> &Kept {
        &self.measured
    }

    /// Returns a job that runs any algorithm, given its configuration.
    pub fn job<A: Dispatch>(&self, config: A) -> Job<'_, A> {
        Job::new(self, config)
    }

    /// Returns a job that runs a user's vertex program; see `docs/programs.md`.
    pub fn program<P: VertexProgram>(&self, program: P) -> Job<'_, Program<P>> {
        Job::new(self, Program::new(program))
    }

    /// Returns a job that runs a program whose functions are expressions, such as one that was traced in another language.
    pub fn recorded(&self, program: Recorded) -> Job<'_, Arc<Recorded>> {
        Job::new(self, Arc::new(program))
    }
}
