//! [`Loaded`]: a graph prepared on an engine, on which algorithms run.

use crate::{
    Ask, Choice, Dispatch, Engine, Job, Place, Program, Purpose, accelerator::is_full,
    approximate::Approximate, learning::Learning, measured::Kept, paths, program::VertexProgram, view::View,
    worth::Asked,
};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Accepted, Accuracy, Answer as _, Balance, Bound, DeviceTrouble, Error, Options, Order, Plan, Residency,
    Result, Round,
};
use warpgraph_device::Gpu;
use warpgraph_gpu::{DeviceGraph, sampling_bytes};
use warpgraph_graph::{Control, Graph, Stored, timeline::Phase};
use warpgraph_transform::Transformed;

/// What errors of an exact answer would be of.
const ALL: &str = "all values";
/// Why an engine that could report a proved error answers exactly instead.
const FASTER: &str = "this device computes the exact answer faster than it would draw samples";
/// The flag for a memory budget: help with its name in it says how much memory would do.
const BUDGET: &str = "--gpu-memory";

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
                let (start, _span) = (Instant::now(), control.span(Phase::Reordering));
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

    /// Answers a question. If it allows an error that only other questions can measure, these decide how.
    pub(crate) fn run<Q: Ask>(&self, question: &Q, options: Options) -> Result<(Q::Reply, Option<Choice>)> {
        self.refuse_bound(question)?;
        match (question.max_error(), question.bound()) {
            (Some(error), Bound::Measured) => self.run_within(question, error, options),
            _ => self.run_once(question, options),
        }
    }

    /// Answers a question on the device that [`Engine::place`] chooses. If the engine itself chose a GPU and the GPU
    /// fails, the CPU answers.
    pub(crate) fn run_once<Q: Ask>(
        &self,
        question: &Q,
        mut options: Options,
    ) -> Result<(Q::Reply, Option<Choice>)> {
        let _span = options.control.span(Phase::Asking);
        let rules = question.rules();
        options.order = self.order;
        options.approximation = self.approximation();
        let accepted = match options.accepted.take() {
            Some(accepted) => accepted,
            None => rules.accept(self.engine.device(), &options)?,
        };
        let (view, gpu_options) = self.seen_by(question, &options, true);
        // First of all: to read a page that a file no longer has would end the process.
        let reads_file = self.reads_file(&view, &accepted);
        let check_file = || if reads_file { view.graph().check_file().map_err(Error::from) } else { Ok(()) };
        check_file()?;
        question.check(&self.graph)?;
        let making_seconds = self.with_paths(&mut options)?;
        let gpu_options = Options { paths: options.paths.clone(), ..gpu_options };
        // An open residency ends with this one.
        let is_open = options.plan.residency.is_none_or(|residency| residency == Residency::ZERO_COPY);
        let needed = |graph: &Graph| {
            let bytes = question.device_bytes(graph, &gpu_options);
            let is_listed = matches!(options.plan.balance(), Some(Balance::Edge { .. }));
            let stays =
                is_listed || options.plan.residency.is_some_and(|residency| self.engine.must_fit(residency));
            match self.is_settled() {
                false => bytes.total() + sampling_bytes(graph),
                true if stays => bytes.total(),
                // The edges may be stored elsewhere.
                true if is_open => bytes.least(),
                true => bytes.rest,
            }
        };
        let is_on_device = view.device_graph().is_some();
        let asked = Asked { graph: view.graph(), is_on_device, needed: &needed, accepted: &accepted };
        let (gpu, choice) = self.engine.place(&asked)?;
        let recorded = |mut answer: Q::Reply| {
            paths::record(answer.run_mut(), making_seconds);
            self.record_bound(question, &mut answer);
            answer
        };
        let Some(gpu) = gpu else { return Ok((recorded(self.on_cpu(question, &options)?), choice)) };
        let is_least =
            is_open && self.is_settled() && !matches!(options.plan.balance(), Some(Balance::Edge { .. }));
        let instead = if is_open { "use --device cpu" } else { "leave the residency open" };
        let on_gpu = self.on_gpu(gpu, question, &gpu_options).map_err(|error| {
            with_what_would_fit(error, gpu, (rules.name, instead), is_least, || needed(view.graph()))
        });
        // Before the processor reads the same file.
        check_file()?;
        match (on_gpu, choice) {
            (Err(error @ Error::Device { .. }), Some(Choice::Worth { .. })) => {
                let error = Arc::new(error);
                self.engine.give_up_gpu(&error);
                let answer = self.on_cpu(question, &options)?;
                Ok((recorded(answer), Some(Choice::Failed { error })))
            }
            // On a graph with copies only a GPU notices that the cycle is there; the merged graph names it.
            (Err(Error::NegativeCycle { vertices, .. }), choice) if vertices.is_empty() => {
                let answer = self.on_cpu(question, &Options { plan: Plan::AUTO, ..options })?;
                Ok((recorded(answer), choice))
            }
            (answer, choice) => Ok((recorded(answer?), choice)),
        }
    }

    fn on_cpu<Q: Ask>(&self, question: &Q, options: &Options) -> Result<Q::Reply> {
        let (view, options) = self.seen_by(question, options, false);
        let place =
            Place { original: &self.graph, answered: self.answered(), view: &view, device_graph: None };
        self.engine.install(|| question.answer(&place, &options))
    }

    /// Refuses a greatest error on a graph that is approximate already.
    fn refuse_bound<Q: Ask>(&self, question: &Q) -> Result<()> {
        if question.max_error().is_none() || self.approximate.is_none() {
            return Ok(());
        }
        let (name, approximation) = (question.rules().name, self.approximation());
        Err(Error::Refused {
            what: format!(
                "{name} cannot keep within --max-error with --approx {approximation}: how far the changed graph is \
                           off is not known"
            ),
            help: "leave one of them out; --compare measures the error of an approximation".to_owned(),
        })
    }

    /// Adds to the report what was changed in the graph, and that an answer is exact if the question allows an error and the
    /// engine reports none. The error of a measured answer is added where it was measured.
    fn record_bound<Q: Ask>(&self, question: &Q, answer: &mut Q::Reply) {
        let run = answer.run_mut();
        run.exactness = self.exactness().cloned();
        let Some(asked) = question.max_error().filter(|_| run.accuracy.is_none()) else { return };
        let why = match question.bound() {
            Bound::Exact(why) => why,
            Bound::Proved => FASTER,
            Bound::Measured => return,
        };
        run.accuracy = Some(Accuracy::exact(ALL, asked, why));
    }

    /// Returns true if a run on a GPU that starts now reads edges from the file of the graph: where they lie in it, or to copy
    /// them. If the file changes meanwhile, what the run finds may be wrong.
    fn reads_file(&self, view: &View, accepted: &Accepted) -> bool {
        let (graph, accepted) = (view.graph(), Some(accepted));
        let is_for_gpu =
            self.engine.is_for_gpu(graph.arcs() as u64, Purpose { accepted, ..Purpose::default() });
        let is_in_place = || view.device_graph().is_none_or(|device_graph| !device_graph.has_all_edges());
        is_for_gpu && is_in_place()
    }

    fn on_gpu<Q: Ask>(&self, gpu: &Gpu, question: &Q, options: &Options) -> Result<Q::Reply> {
        let _turn = self.engine.turn();
        // A run that waited for a round of `sampled` uses the order made by that round.
        let (view, _) = &self.seen_by(question, options, true);
        let device_graph = view.device_graph_on(gpu, !self.is_settled());
        let may_shrink = device_graph.is_there() || !self.is_settled();
        let (original, answered) = (&self.graph, self.answered());
        let place = Place { original, answered, view, device_graph: Some(device_graph) };
        let run = || self.engine.install(|| question.answer(&place, options));
        let answer = match run() {
            // Frees what other algorithms left on the device, such as weights, and the samples; then tries once more.
            Err(error) if may_shrink && is_full(&error) => {
                device_graph.let_go();
                run()
            }
            answer => answer,
        };
        if let (Ok(_), Held::Learning(learning)) = (&answer, &self.held) {
            self.engine.install(|| learning.after_run(view, &options.control));
        }
        answer
    }

    /// Returns a job that runs any algorithm, given its configuration.
    pub fn job<A: Dispatch>(&self, config: A) -> Job<'_, A> {
        Job::new(self, config)
    }

    /// Returns a job that runs a user's vertex program; see `docs/programs.md`.
    pub fn program<P: VertexProgram>(&self, program: P) -> Job<'_, Program<P>> {
        Job::new(self, Program::new(program))
    }
}

/// Says in an out-of-memory error how much memory the run needs, unless the error does. `is_least`: the run needs that much
/// with all edges off the device. `instead` is another way out.
fn with_what_would_fit(
    error: Error,
    gpu: &Gpu,
    (algorithm, instead): (&str, &str),
    is_least: bool,
    needed: impl FnOnce() -> u64,
) -> Error {
    let (kind, what, help) = match error {
        Error::Device { kind: kind @ DeviceTrouble::Memory, what, help } => (kind, what, help),
        error => return error,
    };
    let (label, needed) = (&gpu.properties().label, needed());
    let (total, free) = gpu.memory().map_or((0, 0), |memory| (memory.total, memory.free + memory.held));
    if is_least && needed > free {
        let what = format!(
            "{label} has {free} bytes free, and {algorithm} on this graph needs {needed} there even with all edges \
             off the device"
        );
        let help = format!("allow it at least {needed} bytes with {BUDGET}, or {instead}");
        return Error::Device { kind, what, help };
    }
    if help.contains(BUDGET) {
        return Error::Device { kind, what, help };
    }
    let (takes, next) = match needed <= total {
        true => (format!("{needed} of the {total} bytes"), "let go of what else is there".to_owned()),
        false => (format!("{needed} bytes"), format!("allow it that much with {BUDGET}")),
    };
    let help = format!("{algorithm} on this graph takes about {takes} of {label}: {next}, or {instead}");
    Error::Device { kind, what, help }
}
