//! The model `paths` on the processor: workers walk along the paths of a graph without supersteps \[1\].
//!
//! All edges lie on paths, paths lie in chunks ([`warpgraph_graph::paths`]), and a worker handles one chunk at a time: it
//! copies the values of its vertices, the *masters*, into *mirrors*, one per slot, walks along the paths forward and
//! backward so that a change runs down a whole path at once, merges the mirrors that changed into their masters, and wakes
//! the chunks that have mirrors of these vertices. Hub chunks, which hold the sketch, are walked up to Np times each time.
//! The run ends when no chunk is pending.
//!
//! - [`schedule`]: which chunks are pending, in a hot and a cold queue ([`ring`]), and why no wake-up is lost; [`crowd`]:
//!   vertices of very many chunks;
//! - [`crew`]: the workers, and which queue each prefers; [`rounds`]: what counts as a round; [`tally`]: what is counted;
//! - [`course`]: the paths as a program sees them, checked to be of this graph;
//! - [`improve`]: `Min`, `Max` and `Or`; [`changes`]: sums that distribute.
//!
//! Work: O(slots of a chunk) per handling, however few of its vertices have changed. Memory: per vertex one value, per
//! slot one (`Min`, `Max`, `Or`) or one or two (sums, by the number of directions), 8 bytes per chunk.
//!
//! Differences from the paper: it walks until a path is inactive, we pass over a cold chunk once and wake it again if it
//! is still active; its hub chunks share the mirrors of a vertex within a chunk, ours merge them when the chunk is done;
//! one worker handles a chunk at a time, which sums need.
//!
//! \[1\] Y. Zhang et al., AsynGraph: maximizing data parallelism for efficient iterative graph processing on GPUs, TACO 2020.

mod changes;
mod course;
mod crew;
mod crowd;
mod improve;
mod ring;
mod rounds;
mod schedule;
mod tally;
#[cfg(test)]
mod tests;

use super::Ended;
use crate::{Options, Recorder};
use course::Course;
use crew::Crew;
use rounds::Rounds;
use schedule::{Lists, Schedule};
use std::time::Instant;
use warpgraph_core::{
    Error, Model, PathPlan, Plan, Result,
    program::{Combine, Prepared, Ran, Runs, VertexProgram, Ways},
};
use warpgraph_graph::{
    Graph, Offset,
    paths::{Homes, Paths},
    with_view,
};

/// The engine that runs programs along the paths of a graph, on the current rayon pool. [`Options::paths`] has the paths.
///
/// ```
/// # use warpgraph_cpu::{AlongPaths, Options};
/// # use warpgraph_core::{Plan, wcc};
/// # use warpgraph_graph::Graph;
/// let graph = Graph::from_edges(3, &[(0, 1)], false)?;
/// let options = Options { plan: Plan::PATHS, ..Options::default() };
/// let refused = wcc::by_program(&AlongPaths::new(&graph), &options).unwrap_err();
/// assert_eq!(refused.to_string(), "components on cpu cannot run with `paths`: the paths of the graph are not made");
/// # Ok::<(), warpgraph_graph::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AlongPaths<'a> {
    graph: &'a Graph,
}

impl<'a> AlongPaths<'a> {
    /// Takes the graph of the runs.
    pub fn new(graph: &'a Graph) -> Self {
        Self { graph }
    }
}

impl Runs for AlongPaths<'_> {
    fn graph(&self) -> &Graph {
        self.graph
    }

    fn label(&self) -> String {
        "cpu".to_owned()
    }

    /// Runs a program.
    ///
    /// # Errors
    /// [`Error::Refused`] if the program cannot run along paths, or if [`Options::paths`] has none of this graph; as
    /// [`Runs::run`] otherwise.
    fn run<P: VertexProgram>(
        &self,
        prepared: &Prepared<'_, P>,
        options: &Options,
        ways: Ways,
    ) -> Result<Ran<P::Value>> {
        let began = Instant::now();
        let plan = options.plan.paths().unwrap_or_default();
        refuse(prepared)?;
        let Some(paths) = options.paths.as_deref() else {
            let help = "make them with transform::paths, or ask an Engine, which does";
            return Err(refused::<P>("the paths of the graph are not made", help));
        };
        course::check(paths, self.graph)?;
        let homes = paths.homes(self.graph.vertices())?;
        let weights = prepared.weights(self.graph.out())?;
        let mut recorder = Recorder::start(options, began);
        let ended = with_view!(self.graph.out().csr, |out| {
            let course = Course::new(prepared, (self.graph, paths), out, &weights, (ways, plan.np));
            let recorder = &mut recorder;
            let graph = self.graph;
            Task { graph, prepared, course: &course, homes, plan, options, recorder }.run()?
        });
        let plan = Plan { model: Some(Model::Paths(plan)), residency: None };
        let run = recorder.finish(plan, ended.halted, ended.state_bytes);
        Ok(Ran { values: ended.values, residual: ended.residual, run })
    }
}

/// Refuses programs that do not converge to the same answer without supersteps.
fn refuse<P: VertexProgram>(prepared: &Prepared<'_, P>) -> Result<()> {
    let why = match P::COMBINE {
        Combine::Sum if !P::DISTRIBUTES => {
            "a sum that does not declare DISTRIBUTES needs all messages of a superstep at once"
        }
        _ if !prepared.traced.plain => "it applies messages by itself, and mirrors only join them",
        Combine::Min | Combine::Max | Combine::Or if prepared.program.halt().limit().is_some() => {
            "a limit of supersteps has no meaning without supersteps"
        }
        _ => return Ok(()),
    };
    Err(refused::<P>(why, "leave --plan out"))
}

fn refused<P: VertexProgram>(why: &str, help: &str) -> Error {
    let what = format!("{} on cpu cannot run with `{}`: {why}", P::NAME, PathPlan::NAME);
    Error::Refused { what, help: help.to_owned() }
}

/// A program on its way along paths.
struct Task<'a, 'c, P: VertexProgram, O> {
    graph: &'a Graph,
    prepared: &'a Prepared<'c, P>,
    course: &'a Course<'c, P, O>,
    homes: &'a Homes,
    plan: PathPlan,
    options: &'a Options,
    recorder: &'a mut Recorder,
}

impl<P: VertexProgram, O: Offset> Task<'_, '_, P, O> {
    fn run(&mut self) -> Result<Ended<P::Value>> {
        match P::COMBINE {
            Combine::Sum => changes::run(self),
            _ => improve::run(self),
        }
    }

    fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    fn paths(&self) -> &Paths {
        self.course.paths
    }

    /// Returns the arrays of a schedule. The chunks of vertices with more homes than `most` are woken together.
    fn lists(&self, most: usize) -> Result<Lists> {
        Lists::of(self.paths(), self.homes, most)
    }

    /// Returns a crew with as many workers as the pool has threads.
    fn crew<'s>(&'s mut self, schedule: &'s Schedule<'s>) -> Crew<'s> {
        let control = &self.options.control;
        let hub_workers = self.plan.hub_workers(self.paths(), rayon::current_num_threads());
        let arcs = self.paths().found().edges() * if self.course.backward { 2 } else { 1 };
        let rounds = Rounds::new(self.recorder, control, P::NAME, (self.prepared.program.halt(), arcs));
        Crew::new(schedule, control, rounds, hub_workers)
    }
}
