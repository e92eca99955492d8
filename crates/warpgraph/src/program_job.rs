//! [`ProgramJob`]: a program of the user's own, with how it is to be run.

use crate::{Choice, Loaded, view::View};
use std::{sync::Arc, time::Instant};
use warpgraph_core::{
    Answer, Options, Plan, Result,
    program::{ProgramAnswer, VertexProgram},
};
use warpgraph_gpu::DeviceGraph;
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
    /// When the program, the graph or the plan is refused, the run is interrupted, memory is short, a sum does not converge, or
    /// the device fails.
    pub fn run(self) -> Result<ProgramAnswer<P::Value>> {
        self.run_chosen().map(|(answer, _)| answer)
    }

    /// [`ProgramJob::run`], and where it ran and why, if that was left to the engine.
    ///
    /// # Errors
    /// As [`ProgramJob::run`].
    pub fn run_chosen(mut self) -> Result<(ProgramAnswer<P::Value>, Option<Choice>)> {
        self.options.order = self.loaded.order();
        let Options { plan, order, deterministic, .. } = self.options;
        let check = |device: &str| plan.check_program::<P>(device, order, deterministic);
        let needed = |graph: &Graph| warpgraph_gpu::program_bytes_needed::<P>(graph, plan);
        self.loaded.run(P::NAME, &self.options.control, needed, check, |view, device_graph| {
            self.answer(view, device_graph)
        })
    }

    /// Runs it on the graph in the order that is held; the answer speaks of the original vertices.
    fn answer(&self, view: &View, device_graph: Option<&DeviceGraph>) -> Result<ProgramAnswer<P::Value>> {
        let graph = self.loaded.graph();
        self.program.check(graph)?;
        let Some((inner, map)) = view.renumbered() else {
            return self.on_device(graph, device_graph, &self.options);
        };
        let options = Options { map: Some(map.clone()), ..self.options.clone() };
        let answer = self.on_device(inner, device_graph, &options)?;
        let start = Instant::now();
        let mut answer = answer.restore(graph, map)?;
        answer.run_mut().fetch_seconds += start.elapsed().as_secs_f64();
        Ok(answer)
    }

    fn on_device(
        &self,
        graph: &Graph,
        device_graph: Option<&DeviceGraph>,
        options: &Options,
    ) -> Result<ProgramAnswer<P::Value>> {
        match device_graph {
            Some(device_graph) => warpgraph_gpu::program(device_graph, &self.program, options),
            None => warpgraph_cpu::program(graph, &self.program, options),
        }
    }
}
