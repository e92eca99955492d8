//! [`ProgramJob`]: a program of the user's own, with how it is to be run.

use crate::{Device, Loaded};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Answer, Options, Plan, Result,
    program::{ProgramAnswer, VertexProgram},
};
use warpgraph_graph::{Control, Graph};

/// A program, before it is run with [`ProgramJob::run`].
#[derive(Debug, Clone)]
pub struct ProgramJob<'a, P> {
    loaded: &'a Loaded,
    program: Arc<P>,
    options: Options,
}

impl<'a, P: VertexProgram> ProgramJob<'a, P> {
    pub(crate) fn new(loaded: &'a Loaded, program: P) -> Self {
        Self { loaded, program: Arc::new(program), options: Options::default() }
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

    /// With the same bits run after run: sums in a fixed order.
    pub fn deterministic(mut self, on: bool) -> Self {
        self.options.deterministic = on;
        self
    }

    /// Runs it.
    ///
    /// # Errors
    /// When the program, the graph or the plan is refused, the run is interrupted, memory is short, or a sum does not converge.
    pub fn run(mut self) -> Result<ProgramAnswer<P::Value>> {
        let (engine, graph) = (self.loaded.engine(), self.loaded.graph());
        self.options.plan.check_program::<P>(self.options.deterministic, &engine.device().to_string())?;
        self.options.order = self.loaded.order();
        engine.install(|| {
            self.program.check(graph)?;
            let Some((inner, map)) = self.loaded.renumbered() else { return self.on_device(graph) };
            self.options.map = Some(map.clone());
            let answer = self.on_device(inner)?;
            let start = Instant::now();
            let mut answer = answer.restore(graph, map)?;
            answer.run_mut().fetch_seconds += start.elapsed().as_secs_f64();
            Ok(answer)
        })
    }

    fn on_device(&self, graph: &Graph) -> Result<ProgramAnswer<P::Value>> {
        match self.loaded.engine().device() {
            Device::Cpu => warpgraph_cpu::program(graph, &self.program, &self.options),
        }
    }
}
