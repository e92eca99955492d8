//! [`Backend`]: an engine under test, the order it holds graphs in, and how much it is asked.

use crate::{
    covering::{self, PLANS},
    fixtures::{self, Fixture},
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};
use warpgraph::{
    AnyAnswer, Control, Device, Dispatch, Engine, Graph, Options, Order, Plan, Question, Result, Rules,
    graph::Vertex,
};
use warpgraph_device::Gpu;

/// No fixture takes nearly as long; an engine that does not end fails instead of hanging.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// An engine under test.
#[derive(Debug, Clone)]
pub struct Backend {
    engine: Arc<Engine>,
    order: Order,
    scope: Scope,
}

/// How much a backend is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Every fixture by every plan.
    All,
    /// Every fixture that is not large, by the plans that [`covering::dealt`] gives it.
    Dealt,
    /// These fixtures, by every plan.
    Only(&'static [&'static str]),
}

impl Backend {
    /// Returns the native engine on a number of threads; all tests of a process share one engine per number.
    ///
    /// # Panics
    /// When the system gives no threads.
    pub fn cpu(threads: usize) -> Self {
        static ENGINES: OnceLock<Mutex<BTreeMap<usize, Arc<Engine>>>> = OnceLock::new();
        let mut engines = ENGINES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        let engine = engines
            .entry(threads)
            .or_insert_with(|| Arc::new(Engine::on(Device::Cpu, Some(threads)).expect("threads for a test")));
        Self { engine: Arc::clone(engine), order: Order::Natural, scope: Scope::All }
    }

    /// Returns the GPU engine on an open device. The simulator is asked less, and so is every device when `WARPGRAPH_DEALT` is set.
    ///
    /// # Panics
    /// When the system gives no threads.
    pub fn gpu(gpu: Gpu) -> Self {
        let is_slow = gpu.properties().label == "simt" || std::env::var_os("WARPGRAPH_DEALT").is_some();
        let engine = Arc::new(Engine::of(gpu, Some(2)).expect("threads for a test"));
        Self { engine, order: Order::Natural, scope: if is_slow { Scope::Dealt } else { Scope::All } }
    }

    /// Returns the GPU engine on several open devices, each of which gets a part of every graph. It is asked less, as one
    /// simulator is.
    ///
    /// # Panics
    /// When the system gives no threads.
    pub fn several(gpus: Vec<Gpu>) -> Self {
        let engine = Engine::of_several(gpus, Some(2)).expect("threads for a test, and several devices");
        Self { engine: Arc::new(engine), order: Order::Natural, scope: Scope::Dealt }
    }

    /// Returns this backend, asked less: no large fixtures, and on each fixture a few plans of all.
    #[must_use]
    pub fn dealt(self) -> Self {
        Self { scope: Scope::Dealt, ..self }
    }

    /// Returns this backend, asked about these fixtures only, by every plan.
    #[must_use]
    pub fn only(self, fixtures: &'static [&'static str]) -> Self {
        Self { scope: Scope::Only(fixtures), ..self }
    }

    /// Returns this backend with graphs held in an order.
    #[must_use]
    pub fn in_order(&self, order: Order) -> Self {
        Self { order, ..self.clone() }
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The order it holds graphs in.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        let name = format!("{} with {} threads", self.engine.device(), self.engine.threads());
        if self.order == Order::Natural { name } else { format!("{name}, order {}", self.order) }
    }

    /// Answers, or says why not; gives up after a minute.
    ///
    /// # Errors
    /// The engine's.
    pub fn ask<A: Dispatch>(&self, graph: &Graph, config: &A, plan: Plan) -> Result<A::Answer> {
        let loaded = self.engine.load(graph, self.order)?;
        loaded.job(config.clone()).plan(plan).control(&Control::new().with_time_limit(TIME_LIMIT)).run()
    }

    /// Answers a question of any algorithm.
    ///
    /// # Errors
    /// The engine's.
    pub fn ask_any(&self, graph: &Graph, question: &dyn Question, options: &Options) -> Result<AnyAnswer> {
        self.engine.load(graph, self.order)?.ask(question, options).map(|(answer, _)| answer)
    }

    /// Returns options of a plan that give up after a minute.
    pub fn options(plan: Plan) -> Options {
        Options { plan, control: Control::new().with_time_limit(TIME_LIMIT), ..Options::default() }
    }

    /// Returns whether it is asked less than everything. Then few sources are taken too.
    pub fn is_dealt(&self) -> bool {
        self.scope != Scope::All
    }

    /// The graphs it is asked about.
    pub fn fixtures(&self) -> Vec<&'static Fixture> {
        match self.scope {
            Scope::All => fixtures::all().iter().collect(),
            Scope::Dealt => fixtures::all().iter().filter(|fixture| !fixture.is_large()).collect(),
            Scope::Only(names) => names.iter().copied().map(fixtures::named).collect(),
        }
    }

    /// Where searches in a graph start: in all of its sources, or the first one and the vertex of largest degree.
    pub fn sources(&self, fixture: &Fixture) -> Vec<Vertex> {
        let mut sources = fixture.sources();
        if self.is_dealt() && sources.len() > 2 {
            let most = fixture.graph.counts().max_degree_vertex;
            let other = if sources[0] == most { sources[1] } else { sources[0] };
            sources = vec![most.min(other), most.max(other)];
        }
        sources
    }

    /// Refuses a plan that what has these rules cannot run with here.
    ///
    /// # Errors
    /// The refusal.
    pub fn takes(&self, rules: &Rules, plan: Plan) -> Result<()> {
        rules.check(self.engine.device(), &Options { plan, ..Options::default() })
    }

    /// The plans that an algorithm is asked with on a graph; [`crate::cases::plans`] sees that the others are refused.
    pub fn plans<A: Dispatch>(&self, fixture: &Fixture) -> Vec<Plan> {
        self.plans_by(&A::RULES, fixture)
    }

    /// The plans that something with these rules is asked with on a graph.
    pub fn plans_by(&self, rules: &Rules, fixture: &Fixture) -> Vec<Plan> {
        let takes = |&plan: &Plan| self.takes(rules, plan).is_ok() && suits(rules, plan, &fixture.graph);
        let plans: Vec<Plan> = PLANS.iter().copied().filter(takes).collect();
        if self.scope == Scope::Dealt { covering::dealt(rules.name, fixture, &plans) } else { plans }
    }
}

/// Returns false if a plan is refused for the graph alone: shortest paths with negative weights do not run along paths.
pub fn suits(rules: &Rules, plan: Plan, graph: &Graph) -> bool {
    let is_negative = || graph.weight_range().is_some_and(|(least, _)| least < 0.0);
    !(rules.name == "sssp" && plan.paths().is_some() && is_negative())
}
