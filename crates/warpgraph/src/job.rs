//! [`Job`]: one question to a loaded graph, with how it is to be answered.

use crate::{
    Adsorption, Bc, Bfs, Choice, Closeness, Kcore, LabelPropagation, Loaded, Mst, PageRank, Scc, Sssp,
    Triangles, Wcc, view::View,
};
use std::time::Instant;
use warpgraph_core::{Algorithm, Answer, Error, Options, Plan, Result};
use warpgraph_gpu::DeviceGraph;
use warpgraph_graph::{Control, Graph};

/// An algorithm the engines know: which function answers it on which device.
pub trait Dispatch: Algorithm<Answer: Send + Sync> + Send + Sync {
    /// Answers on the processor.
    ///
    /// # Errors
    /// The engine's.
    fn on_cpu(&self, graph: &Graph, options: &Options) -> Result<Self::Answer>;

    /// Answers on a GPU.
    ///
    /// # Errors
    /// The engine's; by default that there is none, in the words of [`Plan::check`].
    fn on_gpu(&self, graph: &DeviceGraph, options: &Options) -> Result<Self::Answer> {
        let _ = options;
        Err(no_form(Self::NAME, &graph.gpu().properties().label))
    }
}

/// What [`Plan::check`] says of an algorithm that GPUs have no form of.
fn no_form(algorithm: &str, device: &str) -> Error {
    Error::Refused {
        what: format!("{algorithm} on {device} cannot run: it has no form for GPUs"),
        help: "use --device cpu, or leave --device out".to_owned(),
    }
}

macro_rules! dispatch {
    ($($config:ty => $cpu:path, gpu: $gpu:path;)*) => {$(
        impl Dispatch for $config {
            fn on_cpu(&self, graph: &Graph, options: &Options) -> Result<Self::Answer> {
                $cpu(graph, self, options)
            }
            fn on_gpu(&self, graph: &DeviceGraph, options: &Options) -> Result<Self::Answer> {
                $gpu(graph, self, options)
            }
        }
    )*};
}
/// Shortest paths on a GPU. It sees that a negative cycle is there; which one, the processor says.
fn sssp_on_gpu(
    graph: &DeviceGraph,
    config: &Sssp,
    options: &Options,
) -> Result<warpgraph_core::sssp::SsspAnswer> {
    match warpgraph_gpu::sssp(graph, config, options) {
        Err(Error::NegativeCycle { vertices, .. }) if vertices.is_empty() => {
            let options = Options { plan: Plan::Auto, ..options.clone() };
            warpgraph_cpu::sssp(graph.graph(), config, &options)
        }
        answered => answered,
    }
}

dispatch!(
    Bfs => warpgraph_cpu::bfs, gpu: warpgraph_gpu::bfs;
    Sssp => warpgraph_cpu::sssp, gpu: sssp_on_gpu;
    PageRank => warpgraph_cpu::pagerank, gpu: warpgraph_gpu::pagerank;
    Adsorption => warpgraph_cpu::adsorption, gpu: warpgraph_gpu::adsorption;
    Bc => warpgraph_cpu::bc, gpu: warpgraph_gpu::bc;
    Wcc => warpgraph_cpu::wcc, gpu: warpgraph_gpu::wcc;
    Triangles => warpgraph_cpu::triangles, gpu: warpgraph_gpu::triangles;
    Kcore => warpgraph_cpu::kcore, gpu: warpgraph_gpu::kcore;
    Scc => warpgraph_cpu::scc, gpu: warpgraph_gpu::scc;
    Mst => warpgraph_cpu::mst, gpu: warpgraph_gpu::mst;
    LabelPropagation => warpgraph_cpu::label_propagation, gpu: warpgraph_gpu::label_propagation;
    Closeness => warpgraph_cpu::closeness, gpu: warpgraph_gpu::closeness;
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

    /// Also finding out what electing tiles costs, for a plan with `tiled` or `resident`: every kernel that expands is started a second
    /// time, to elect tiles and do nothing with them.
    pub fn price_tiling(mut self, on: bool) -> Self {
        self.options.price_tiling = on;
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
    /// When the configuration or the plan is refused, the run is interrupted, memory is short, or the device fails.
    pub fn run(self) -> Result<A::Answer> {
        self.run_chosen().map(|(answer, _)| answer)
    }

    /// [`Job::run`], and where it ran and why, if that was left to the engine.
    ///
    /// ```
    /// use warpgraph::{Choice, Device, Engine, Graph, Order, Wcc};
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// let graph = Graph::from_edges(3, &[(0, 1)], false)?;
    /// let (answer, choice) = Engine::auto()?.load(&graph, Order::Natural)?.wcc(Wcc {}).run_chosen()?;
    /// assert_eq!(answer.components(), [0, 0, 2]);
    /// assert!(matches!(choice, Some(Choice::Small { arcs: 2 })));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Job::run`].
    pub fn run_chosen(mut self) -> Result<(A::Answer, Option<Choice>)> {
        self.config.check(self.loaded.graph())?;
        self.options.order = self.loaded.order();
        let Options { plan, order, deterministic, .. } = self.options;
        let check = |device: &str| plan.check(A::NAME, device, order, deterministic);
        let needed = |graph: &Graph| warpgraph_gpu::bytes_needed(graph, A::NAME, plan);
        self.loaded.run(A::NAME, &self.options.control, needed, check, |view, device_graph| {
            self.answer(view, device_graph)
        })
    }

    /// Asks the graph in the order it is held in; the answer speaks of the original vertices.
    fn answer(&self, view: &View, device_graph: Option<&DeviceGraph>) -> Result<A::Answer> {
        let Some((inner, map)) = view.renumbered() else {
            return on_device(&self.config, self.loaded.graph(), device_graph, &self.options);
        };
        let (graph, seed, run) = (self.loaded.graph(), self.options.seed, self.options.run);
        let options = Options { map: Some(map.clone()), ..self.options.clone() };
        let config = self.config.renumbered(graph, map, seed, run)?;
        let answer = on_device(&config, inner, device_graph, &options).map_err(|e| e.restore(graph, map))?;
        let start = Instant::now();
        let mut answer = self.config.restore(answer, graph, map)?;
        answer.run_mut().fetch_seconds += start.elapsed().as_secs_f64();
        Ok(answer)
    }
}

/// `resident` is `graph` on a GPU, if that is where it runs.
fn on_device<A: Dispatch>(
    config: &A,
    graph: &Graph,
    device_graph: Option<&DeviceGraph>,
    options: &Options,
) -> Result<A::Answer> {
    match device_graph {
        Some(device_graph) => config.on_gpu(device_graph, options),
        None => config.on_cpu(graph, options),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use warpgraph_core::Order;

    #[test]
    fn what_has_no_form_for_gpus_is_refused_in_the_words_of_the_plan() {
        let said = Plan::Auto.check("own", "cuda:2", Order::Natural, false).unwrap_err();
        let ours = no_form("own", "cuda:2");
        assert_eq!((ours.to_string(), ours.help()), (said.to_string(), said.help()));
    }
}
