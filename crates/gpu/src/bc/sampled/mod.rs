//! Betweenness by sampling shortest paths, until the error of every score is proved to be small enough.
//!
//! [`core::bc::sampling`](warpgraph_core::bc::sampling) says how many samples to draw and when to stop. Here are the parts
//! that touch the graph: a bound on the [`diameter`], and a [`sampler`] whose blocks each draw paths of their own. Sample i
//! depends on the seed, the run and i alone, so the answer depends neither on the number of blocks nor on the order of the
//! graph: see `kernels/bc_paths.cu`.
//!
//! The run first times the exact form from a few sources. Whenever the rest of the samples would take longer than an exact
//! answer, it computes that; not under `--deterministic`, as two runs might decide differently.
//!
//! Memory: that of the exact form, one after the other; the samplers take what is free, 16 bytes per vertex and block.

mod diameter;
mod sampler;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;

pub(in crate::bc) use diameter::ahead;
pub(crate) use sampler::{BcPathsArgs, DEFINES};

use crate::{DeviceGraph, device_graph::Side, machine::Machine};
use sampler::Sampler;
use std::time::Instant;
use warpgraph_core::{
    Algorithm, Answer as _, Direction, Draws, Form, Halted, Options, Plan, Recorder, Result, Sources,
    bc::{
        Bc, BcAnswer,
        sampling::{Rule, Sampling},
    },
};
use warpgraph_graph::{Graph, Pages, Vertex, par};

/// The sources from which the time of an exact answer is extrapolated: a batch for the form that runs many at once, unless
/// each of them keeps the device busy.
const FEW: usize = 4;
const MANY: usize = 64;
/// Graphs of this many arcs keep a device busy from a few sources.
const MANY_ARCS: usize = 1 << 24;

/// Returns the score of every vertex within the error that the question allows; `exact` is the form that would answer
/// exactly.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub(super) fn bc(
    device_graph: &DeviceGraph,
    config: &Bc,
    exact: Form,
    options: &Options,
) -> Result<BcAnswer> {
    let machine = Machine::new(device_graph.gpu(), options, "sampling paths");
    machine.check()?;
    let transferred = device_graph.transfer_seconds();
    let (_out, _incoming) = (device_graph.rows(Side::Out)?, device_graph.rows(Side::In)?);
    let mut recorder = machine.recorder(device_graph.transfer_seconds() - transferred);
    let (begun, compiled) = (Instant::now(), machine.gpu().compile_seconds());
    let task = Task { device_graph, config, exact, options, begun, compiled };
    let (n, diameter) = (device_graph.graph().vertices(), diameter::bound(device_graph, &machine)?);
    recorder.step(n, Direction::Push, || format!("no path has more than {diameter} hops"));
    let Some(sampling) = Sampling::new(config, n, diameter) else {
        return task.instead("no number of samples is enough".to_owned());
    };
    let Some(exact_seconds) = task.time_exact()? else {
        return task.instead("a search from each vertex takes no longer than timing some".to_owned());
    };
    recorder.step(n, Direction::Push, || format!("an exact answer would take {exact_seconds:.3} s"));
    let settled = Drawing::new(task, &machine, recorder, exact_seconds)?.settle(sampling)?;
    settled.map_or_else(|why| task.instead(why), Ok)
}

/// The question, and how to answer it.
#[derive(Clone, Copy)]
struct Task<'a> {
    device_graph: &'a DeviceGraph,
    config: &'a Bc,
    /// The form of an exact answer.
    exact: Form,
    options: &'a Options,
    /// When the run began, and the seconds that had gone into compiling by then.
    begun: Instant,
    compiled: f64,
}

impl Task<'_> {
    fn graph(&self) -> &Graph {
        self.device_graph.graph()
    }

    /// Answers exactly, for this reason.
    fn instead(self, why: String) -> Result<BcAnswer> {
        let (spent, _) = self.spent();
        let mut answer = super::exactly(self.device_graph, self.config, self.exact, self.options, why)?;
        answer.run_mut().seconds += spent;
        Ok(answer)
    }

    /// Returns the seconds since the run began without those of compiling, and those of compiling.
    fn spent(&self) -> (f64, f64) {
        let late = self.device_graph.gpu().compile_seconds() - self.compiled;
        ((self.begun.elapsed().as_secs_f64() - late).max(0.0), late)
    }

    /// Returns the seconds of an exact answer, from those of a few sources; `None` if there are not many more.
    fn time_exact(self) -> Result<Option<f64>> {
        let (graph, csr) = (self.graph(), &self.graph().out().csr);
        let is_busy = matches!(self.exact, Form::Fast(_)) || graph.arcs() >= MANY_ARCS;
        let many = if is_busy { FEW } else { MANY };
        let n = graph.vertices() as u64;
        let count =
            |range: std::ops::Range<usize>| range.filter(|&v| csr.degree(v as Vertex) > 0).count() as u64;
        let all = par::sum(n as usize, par::FINE, count);
        if all <= 2 * many as u64 {
            return Ok(None);
        }
        let mut draws = Draws::of(self.options.seed, self.options.run, u64::MAX);
        let mut sources: Vec<Vertex> = Vec::new();
        while sources.len() < many {
            let v = draws.below(n) as Vertex;
            if csr.degree(v) > 0 && !sources.contains(&v) {
                sources.push(v);
            }
        }
        let source = sources.iter().map(|&v| graph.ids().id(v)).collect();
        let config = Bc { sources: Sources::All, source, max_error: None, top: None, ..self.config.clone() };
        let options = Options { trace: false, ..self.options.clone() };
        let answer = super::bc(self.device_graph, &config, self.exact, &options)?;
        Ok(Some(answer.run().seconds * all as f64 / many as f64))
    }
}

/// Samples in the making.
struct Drawing<'m, 'a> {
    task: Task<'a>,
    machine: &'m Machine<'a>,
    recorder: Recorder,
    sampler: Sampler<'m, 'a>,
    counts: Pages<u64>,
    exact_seconds: f64,
    /// Samples drawn, and work, before this step of the trace.
    drawn: u64,
    worked: u64,
}

/// An answer, or why it must be exact.
type Settled = std::result::Result<BcAnswer, String>;

impl<'m, 'a> Drawing<'m, 'a> {
    fn new(task: Task<'a>, machine: &'m Machine<'a>, recorder: Recorder, exact_seconds: f64) -> Result<Self> {
        let sampler = Sampler::new(machine, task.device_graph)?;
        let counts = Pages::scratch(task.graph().vertices())?;
        Ok(Self { task, machine, recorder, sampler, counts, exact_seconds, drawn: 0, worked: 0 })
    }

    /// Draws both phases.
    fn settle(mut self, sampling: Sampling) -> Result<Settled> {
        let first = sampling.first_phase();
        if let Some(why) = self.draw_to(first, "samples that show where scores are high")? {
            return Ok(Err(why));
        }
        let rule = sampling.calibrate(&self.counts, first);
        self.sampler.reset()?;
        for (look, samples) in rule.looks().iter().enumerate() {
            if let Some(why) = self.draw_to(first + samples, "samples")? {
                return Ok(Err(why));
            }
            if rule.is_done(look, &self.counts) {
                return self.answer(&rule, look).map(Ok);
            }
        }
        unreachable!("a rule is done at its last look")
    }

    /// Draws up to this many samples in total and copies the counts. Returns why not, if an exact answer takes less time.
    fn draw_to(&mut self, target: u64, what: &str) -> Result<Option<String>> {
        let control = &self.task.options.control;
        while self.sampler.found().samples < target {
            let drawn = self.sampler.found().samples;
            self.sampler.draw(drawn, target - drawn)?;
            let found = self.sampler.found();
            control.report(Bc::NAME, found.samples, Some(target));
            let left = (target - found.samples) as f64 / found.samples as f64 * found.seconds;
            if left > self.exact_seconds && !self.task.options.deterministic {
                let (exact, samples) = (self.exact_seconds, target - found.samples);
                return Ok(Some(format!("it takes {exact:.3} s, and {samples} further samples {left:.3} s")));
            }
        }
        self.sampler.read(&mut self.counts)?;
        let (found, blocks) = (self.sampler.found(), self.sampler.blocks());
        let (samples, work) = (found.samples - self.drawn, found.work - self.worked);
        (self.drawn, self.worked) = (found.samples, found.work);
        let note = || format!("{what}, {blocks} at a time; {} pairs are connected so far", found.connected);
        self.recorder.step_by(samples as usize, Some(work), Direction::Push, None, note);
        Ok(None)
    }

    /// Returns the answer after the samples of a look.
    fn answer(self, rule: &Rule, look: usize) -> Result<BcAnswer> {
        let accuracy = rule.accuracy(look, &self.counts, Some(self.exact_seconds));
        let scale = rule.scale(rule.looks()[look]);
        let mut sums: Pages<f64> = Pages::scratch(self.counts.len())?;
        let counts = &self.counts;
        par::parts_mut(&mut sums, par::FINE, |from, part| {
            part.iter_mut().zip(&counts[from..]).for_each(|(sum, &count)| *sum = count as f64 * scale);
        });
        let Self { task, machine, mut recorder, sampler, .. } = self;
        recorder.hold_on_device(machine.gpu().peak());
        let mut run = recorder.finish(Plan::AUTO, Halted::Tolerance, sampler.bytes());
        // Some kernels were compiled when they were first needed.
        let (_, late) = task.spent();
        run.compile_seconds += late;
        run.seconds = (run.seconds - late).max(0.0);
        run.accuracy = Some(accuracy);
        Ok(BcAnswer::new(task.graph(), task.config, None, sums, sampler.found().work, run))
    }
}
