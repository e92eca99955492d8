//! [`Job`]: one question to a loaded graph, with how it is to be answered.

use crate::{Ask, Choice, Loaded, Program, ask::Within, program::VertexProgram};
use std::sync::Arc;
use warpgraph_core::{Options, Plan, Result};
use warpgraph_graph::Control;

/// A question, before it is asked with [`Job::run`].
#[derive(Debug, Clone)]
pub struct Job<'a, Q> {
    loaded: &'a Loaded,
    question: Q,
    options: Options,
}

impl<'a, Q: Ask> Job<'a, Q> {
    pub(crate) fn new(loaded: &'a Loaded, question: Q) -> Self {
        Self { loaded, question, options: Options::default() }
    }

    /// Uses these options instead of the defaults, all at once.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Runs by this plan instead of the engine's choice.
    pub fn plan(mut self, plan: Plan) -> Self {
        self.options.plan = plan;
        self
    }

    /// Lets this control cancel and watch the run.
    pub fn control(mut self, control: &Control) -> Self {
        self.options.control = control.clone();
        self
    }

    /// Records every superstep in the answer's run.
    pub fn trace(mut self, on: bool) -> Self {
        self.options.trace = on;
        self
    }

    /// Gives the same bits run after run: smallest-id ties, sums in a fixed order.
    pub fn deterministic(mut self, on: bool) -> Self {
        self.options.deterministic = on;
        self
    }

    /// Draws a random source from this seed and the number of the run.
    pub fn seed(mut self, seed: u64, run: u64) -> Self {
        (self.options.seed, self.options.run) = (seed, run);
        self
    }

    /// Asks.
    ///
    /// # Errors
    /// When the question or the plan is refused, the run is interrupted, memory is short, a sum does not converge, or the
    /// device fails.
    pub fn run(self) -> Result<Q::Reply> {
        self.run_chosen().map(|(answer, _)| answer)
    }

    /// Asks as [`Job::run`] does, and says where it ran and why, if that was left to the engine.
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
    pub fn run_chosen(self) -> Result<(Q::Reply, Option<Choice>)> {
        self.loaded.run(&self.question, self.options)
    }
}

impl<P: VertexProgram> Job<'_, Program<P>> {
    /// Allows this mean relative error of values, measured on other sources: `with_source` makes the same program with another
    /// source, given by its original number. The first such run on a graph tries approximations of the graph, and later runs of
    /// programs with the same name use what it found; [`Run::accuracy`](warpgraph_core::Run::accuracy) has it. Pays off for many
    /// runs.
    ///
    /// ```
    /// use warpgraph::{Answer, Engine, Graph, Order, program::library::ShortestPaths};
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// let graph = Graph::from_edges(4, &[(0, 1), (1, 2), (0, 2), (2, 3)], false)?;
    /// let loaded = Engine::auto()?.load(&graph, Order::Natural)?;
    /// let paths = loaded.program(ShortestPaths::<f64>::from(0)).max_error(0.05, ShortestPaths::from);
    /// let answer = paths.run()?;
    /// assert_eq!(answer.run().accuracy.as_ref().map(|accuracy| accuracy.asked), Some(0.05));
    /// # Ok(())
    /// # }
    /// ```
    pub fn max_error(mut self, error: f64, with_source: impl Fn(u32) -> P + Send + Sync + 'static) -> Self {
        self.question.within = Some(Within { error, with_source: Arc::new(with_source) });
        self
    }
}
