//! What a backend is to the cases: something that answers a configuration under a plan.

use std::{
    collections::BTreeMap,
    sync::{Mutex, OnceLock, PoisonError},
    time::Duration,
};
use warpgraph::{Control, Device, Dispatch, Engine, Graph, Order, Plan, Result};

/// Every plan there is.
pub const PLANS: [Plan; 10] = Plan::ALL;

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

    /// The plans that this backend lets an algorithm run with; the refusals are asserted by [`crate::cases::plans`].
    fn plans<A: Dispatch>(&self) -> Vec<Plan> {
        let device = self.engine().device().to_string();
        PLANS.into_iter().filter(|plan| plan.check(A::NAME, &device, false).is_ok()).collect()
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

    fn name(&self) -> String {
        format!("{}, order {}", self.backend.name(), self.order)
    }
}
