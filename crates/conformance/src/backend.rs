//! What a backend is to the cases: something that answers a configuration under a plan.

use crate::fixtures::{self, Fixture};
use std::{
    collections::BTreeMap,
    sync::{LazyLock, Mutex, OnceLock, PoisonError},
    time::Duration,
};
use warpgraph::{
    Control, Device, Dispatch, Engine, Graph, Options, Order, Plan, Result,
    graph::{Vertex, hash},
};
use warpgraph_device::Gpu;

/// Options that plans are tested with beside their defaults: thresholds so low that rows of small graphs are cut.
const OPTIONS: [&str; 6] = [
    "edge(chunking=off)",
    "push+edge(condensing=off)",
    "split(mdt=1)",
    "push+split(mdt=3)",
    "hierarchical(mdt=1)",
    "hierarchical(bins=3)",
];

/// Every plan there is, and some with options.
pub static PLANS: LazyLock<Vec<Plan>> = LazyLock::new(|| {
    let options = OPTIONS.map(|text| text.parse().expect("a plan"));
    Plan::ALL.into_iter().chain(options).collect()
});

/// Plans that a graph is asked with on a slow engine.
const DEALT_TO_SMALL: usize = 6;
const DEALT_TO_LARGE: usize = 2;

/// Orders that a graph is asked in.
const ORDERS_DEALT: usize = 2;

/// No fixture takes nearly as long; an engine that does not end fails instead of hanging.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// An engine under test.
pub trait Backend {
    /// The engine.
    fn engine(&self) -> &Engine;

    /// The order it holds graphs in.
    fn order(&self) -> Order {
        Order::Natural
    }

    /// Its name in messages.
    fn name(&self) -> String {
        format!("{} with {} threads", self.engine().device(), self.engine().threads())
    }

    /// Answers, or says why not; gives up after a minute.
    ///
    /// # Errors
    /// The engine's.
    fn ask<A: Dispatch>(&self, graph: &Graph, config: &A, plan: Plan) -> Result<A::Answer> {
        self.ask_with(graph, config, plan, &Control::new().with_time_limit(TIME_LIMIT))
    }

    /// [`Backend::ask`], steered.
    ///
    /// # Errors
    /// The engine's.
    fn ask_with<A: Dispatch>(
        &self,
        graph: &Graph,
        config: &A,
        plan: Plan,
        control: &Control,
    ) -> Result<A::Answer> {
        let loaded = self.engine().load(graph, self.order())?;
        loaded.job(config.clone()).plan(plan).control(control).run()
    }

    /// Is it so slow that it is asked less: a simulator? Then large fixtures are left out, few sources are taken, and the plans are dealt
    /// out over the fixtures, so that every algorithm still meets every plan and every fixture.
    fn is_slow(&self) -> bool {
        false
    }

    /// Orders, but not the natural one, that the fixture of this turn is asked in: all have their turn.
    fn orders(&self, turn: usize) -> Vec<Order> {
        let orders = Order::ALL.into_iter().filter(|&order| order != Order::Natural).cycle();
        orders.skip(turn * ORDERS_DEALT).take(ORDERS_DEALT).collect()
    }

    /// The graphs it is asked about.
    fn fixtures(&self) -> Vec<&'static Fixture> {
        fixtures::all().iter().filter(|fixture| !(self.is_slow() && fixture.is_large())).collect()
    }

    /// Where searches in a graph start.
    fn sources(&self, fixture: &Fixture) -> Vec<Vertex> {
        let mut sources = fixture.sources();
        if self.is_slow() && sources.len() > 2 {
            let most = fixture.graph.counts().max_degree_vertex;
            let other = if sources[0] == most { sources[1] } else { sources[0] };
            sources = vec![most.min(other), most.max(other)];
        }
        sources
    }

    /// Has it a form for an algorithm?
    fn has<A: Dispatch>(&self) -> bool {
        A::RULES.check(self.engine().device(), &Options::default()).is_ok()
    }

    /// The plans that this backend lets an algorithm run with on a graph; the refusals are asserted by [`crate::cases::plans`].
    fn plans<A: Dispatch>(&self, fixture: &Fixture) -> Vec<Plan> {
        let device = self.engine().device();
        let allowed = PLANS
            .iter()
            .copied()
            .filter(|&plan| A::RULES.check(device, &Options { plan, ..Options::default() }).is_ok());
        self.dealt(A::NAME, fixture, allowed.collect())
    }

    /// Of the plans that something may run with, those that a graph is asked with: all, or a few on a slow engine, others for each graph.
    /// There every plan is seen with every algorithm by [`crate::cases::plans`].
    fn dealt(&self, name: &str, fixture: &Fixture, plans: Vec<Plan>) -> Vec<Plan> {
        if !self.is_slow() {
            return plans;
        }
        let all = [name, &fixture.name].concat();
        let draw = all.bytes().fold(0, |h, byte| hash::mix(h, u64::from(byte)));
        let mut dealt: Vec<(u64, Plan)> =
            plans.into_iter().enumerate().map(|(i, plan)| (hash::mix(draw, i as u64), plan)).collect();
        dealt.sort_unstable_by_key(|&(place, _)| place);
        let count = if fixture.is_small() { DEALT_TO_SMALL } else { DEALT_TO_LARGE };
        dealt.into_iter().take(count).map(|(_, plan)| plan).collect()
    }
}

/// The native engine on a number of threads.
#[derive(Debug, Clone, Copy)]
pub struct Cpu {
    engine: &'static Engine,
}

impl Cpu {
    /// With this many threads; all tests of a process share one engine a number.
    ///
    /// # Panics
    /// When the system gives no threads.
    pub fn threads(threads: usize) -> Self {
        static ENGINES: OnceLock<Mutex<BTreeMap<usize, &'static Engine>>> = OnceLock::new();
        let mut engines = ENGINES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        let engine = engines.entry(threads).or_insert_with(|| {
            let engine = Engine::on(Device::Cpu, Some(threads)).expect("threads for a test");
            Box::leak(Box::new(engine))
        });
        Self { engine }
    }
}

impl Backend for Cpu {
    fn engine(&self) -> &Engine {
        self.engine
    }
}

/// A GPU, real or simulated.
#[derive(Debug)]
pub struct OnGpu {
    engine: Engine,
    slow: bool,
}

impl OnGpu {
    /// A device that was opened by the test.
    ///
    /// # Panics
    /// When the system gives no threads.
    pub fn new(gpu: Gpu) -> Self {
        // Minutes of a real GPU may be few, too.
        let slow = gpu.properties().label == "simt" || std::env::var_os("WARPGRAPH_DEALT").is_some();
        Self { engine: Engine::of(gpu, Some(2)).expect("threads for a test"), slow }
    }
}

impl Backend for OnGpu {
    fn engine(&self) -> &Engine {
        &self.engine
    }

    fn is_slow(&self) -> bool {
        self.slow
    }
}

/// A backend that holds graphs in another order.
#[derive(Debug, Clone, Copy)]
pub struct Ordered<'a, B> {
    backend: &'a B,
    order: Order,
}

impl<'a, B: Backend> Ordered<'a, B> {
    /// The backend under an order.
    pub fn new(backend: &'a B, order: Order) -> Self {
        Self { backend, order }
    }
}

impl<B: Backend> Backend for Ordered<'_, B> {
    fn engine(&self) -> &Engine {
        self.backend.engine()
    }

    fn order(&self) -> Order {
        self.order
    }

    fn is_slow(&self) -> bool {
        self.backend.is_slow()
    }

    fn name(&self) -> String {
        format!("{}, order {}", self.backend.name(), self.order)
    }
}
