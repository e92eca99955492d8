//! [`Job`]: one question to a loaded graph, with how it is to be answered.

use crate::{
    Adsorption, Bc, Bfs, Closeness, Device, Kcore, LabelPropagation, Loaded, Mst, PageRank, Scc, Sssp,
    Triangles, Wcc,
};
use std::time::Instant;
use warpgraph_core::{Algorithm, Answer, Options, Plan, Result};
use warpgraph_graph::{Control, Graph};

/// An algorithm the engines know: which function answers it on which device.
pub trait Dispatch: Algorithm<Answer: Send + Sync> + Send + Sync {
    /// Answers on the processor.
    ///
    /// # Errors
    /// The engine's.
    fn on_cpu(&self, graph: &Graph, options: &Options) -> Result<Self::Answer>;
}

macro_rules! dispatch {
    ($($config:ty => $cpu:path),*) => {$(
        impl Dispatch for $config {
            fn on_cpu(&self, graph: &Graph, options: &Options) -> Result<Self::Answer> {
                $cpu(graph, self, options)
            }
        }
    )*};
}
dispatch!(
    Bfs => warpgraph_cpu::bfs,
    Sssp => warpgraph_cpu::sssp,
    PageRank => warpgraph_cpu::pagerank,
    Wcc => warpgraph_cpu::wcc,
    Triangles => warpgraph_cpu::triangles,
    Kcore => warpgraph_cpu::kcore,
    Scc => warpgraph_cpu::scc,
    Mst => warpgraph_cpu::mst,
    LabelPropagation => warpgraph_cpu::label_propagation,
    Adsorption => warpgraph_cpu::adsorption,
    Bc => warpgraph_cpu::bc,
    Closeness => warpgraph_cpu::closeness
);

/// A question, before it is asked with [`Job::run`].
#[derive(Debug, Clone)]
pub struct Job<'a, A> {
    loaded: &'a Loaded,
    config: A,
    options: Options,
}

impl<'a, A: Dispatch> Job<'a, A> {
    pub(crate) fn new(loaded: &'a Loaded, config: A) -> Self {
        Self { loaded, config, options: Options::default() }
    }

    /// With this plan instead of the engine's choice.
    pub fn plan(mut self, plan: Plan) -> Self {
        self.options.plan = plan;
        self
    }

    /// Steered by this control.
    pub fn control(mut self, control: &Control) -> Self {
        self.options.control = control.clone();
        self
    }

    /// With a record of every superstep in the answer's run.
    pub fn trace(mut self, on: bool) -> Self {
        self.options.trace = on;
        self
    }

    /// With the same bits run after run: smallest-id ties, sums in a fixed order.
    pub fn deterministic(mut self, on: bool) -> Self {
        self.options.deterministic = on;
        self
    }

    /// A random source is drawn from this seed and the number of the run.
    pub fn seed(mut self, seed: u64, run: u64) -> Self {
        (self.options.seed, self.options.run) = (seed, run);
        self
    }

    /// Asks.
    ///
    /// # Errors
    /// When the configuration or the plan is refused, the run is interrupted, or memory is short.
    pub fn run(self) -> Result<A::Answer> {
        self.config.check(self.loaded.graph())?;
        let engine = self.loaded.engine();
        self.options.plan.check(A::NAME, &engine.device().to_string(), self.options.deterministic)?;
        engine.install(|| self.answer())
    }

    /// Asks the graph in the order it is held in; the answer speaks of the original vertices.
    fn answer(mut self) -> Result<A::Answer> {
        self.options.order = self.loaded.order();
        let Some((inner, map)) = self.loaded.renumbered() else {
            return self.on_device(&self.config, self.loaded.graph());
        };
        let (graph, seed, run) = (self.loaded.graph(), self.options.seed, self.options.run);
        self.options.map = Some(map.clone());
        let config = self.config.renumbered(graph, map, seed, run)?;
        let answer = self.on_device(&config, inner).map_err(|error| error.restore(graph, map))?;
        let start = Instant::now();
        let mut answer = self.config.restore(answer, graph, map)?;
        answer.run_mut().fetch_seconds += start.elapsed().as_secs_f64();
        Ok(answer)
    }

    fn on_device(&self, config: &A, graph: &Graph) -> Result<A::Answer> {
        match self.loaded.engine().device() {
            Device::Cpu => config.on_cpu(graph, &self.options),
        }
    }
}
