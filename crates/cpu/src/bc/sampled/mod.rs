//! Betweenness by sampling shortest paths, until the error of every score is proved to be small enough.
//!
//! [`sampling`](warpgraph_core::bc::sampling) says how many samples to draw and when to stop. Here are the parts that touch
//! the graph: a bound on the [`diameter`], and random shortest [`path`]s. Every thread has a sampler of its own and adds to
//! common counts. Sample i depends on the seed, the run and i alone, and the run looks at the counts only at numbers of
//! samples that do not depend on threads either. So the answer has the same bits on any number of threads.
//!
//! Whether the exact answer is faster is decided by arcs: a sweep from every vertex looks at every arc twice, at about a
//! [`FASTER`]th of the cost per arc, since a sample looks at arcs one by one and in no order. Walks, which deep graphs and small
//! blocks take, cost [`WALK`] times as much as sweeps. Searches of a folded graph ([`Folded`]) look at fewer arcs; folding is
//! tried if it costs little beside the samples. The time of an exact answer is
//! extrapolated from that of a few sources: at most as many as cost a quarter of the samples, but at least one.
//!
//! Memory: 8 bytes per vertex for the counts, 4 for the rule, and 24 per thread; fewer threads draw if memory is short.

mod choice;
mod diameter;
mod draw;
mod path;
#[cfg(test)]
mod tests;

use super::{Folded, Task, WALK, exact, sweep};
use crate::{Options, Recorder};
use draw::Drawing;
use std::time::Instant;
use warpgraph_core::{
    Accuracy, Answer as _, Direction, Draws, Halted, Plan, Result,
    bc::{
        Bc, BcAnswer,
        sampling::{OF, Rule, Sampling},
    },
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, with_views};

/// Sweeps from all vertices cost this many times less per arc than samples do.
const FASTER: u64 = 8;
/// Folding costs about as much per vertex and arc as this many arcs of samples.
const FOLDING: u64 = 8;
/// The most sources from which the time of an exact answer is extrapolated: those of one batch.
const TIMED: u64 = 8;
/// Why an answer is exact.
const FEW_ARCS: &str = "a search from every vertex costs no more than the samples would";
const NO_NUMBER: &str = "no feasible number of samples proves the error";

/// Computes betweenness within the error that the question allows.
///
/// # Errors
/// If interrupted, or if memory is short.
pub(super) fn bc(graph: &Graph, config: &Bc, options: &Options) -> Result<BcAnswer> {
    let prepared = Instant::now();
    let incoming = graph.incoming()?;
    let mut question = Question { graph, config, options, walks: false };
    let mut recorder = Recorder::start(options, prepared);
    options.control.check("bounding the diameter")?;
    let diameter = diameter::bound(graph, options)?;
    question.walks = sweep::is_likely_narrow(graph.vertices(), diameter);
    recorder.step(graph.vertices(), Direction::Push, || format!("no path has more than {diameter} hops"));
    let Some(sampling) = Sampling::new(config, graph.vertices(), diameter) else {
        return question.exactly(NO_NUMBER, question.fold()?, recorder);
    };
    if question.exact_arcs() <= FASTER * sampling.first_phase() {
        return question.exactly(FEW_ARCS, question.fold()?, recorder);
    }
    with_views!(graph.out().csr, incoming.csr, |out, incoming| {
        question.sample(sampling, Drawing::new(out, incoming, options)?, recorder)
    })
}

/// Samples even where the exact answer costs less.
#[cfg(test)]
fn sampled_anyway(graph: &Graph, config: &Bc, options: &Options) -> Result<BcAnswer> {
    let incoming = graph.incoming()?;
    let question = Question { graph, config, options, walks: false };
    let sampling = Sampling::new(config, graph.vertices(), diameter::bound(graph, options)?);
    let first = sampling.as_ref().map_or(0, Sampling::first_phase);
    with_views!(graph.out().csr, incoming.csr, |out, incoming| {
        let mut drawing = Drawing::new(out, incoming, options)?;
        drawing.draw_to(first)?;
        let rule = sampling.map(|sampling| sampling.calibrate(drawing.counts(), first)).expect("a rule");
        drawing.forget();
        question.settle(&rule, first, drawing, Recorder::start(options, Instant::now()), None)
    })
}

struct Question<'a> {
    graph: &'a Graph,
    config: &'a Bc,
    options: &'a Options,
    /// True if exact searches of the whole graph are likely to be walks.
    walks: bool,
}

impl Question<'_> {
    /// Returns the arcs and vertices that an exact answer visits without folding; those of walks count [`WALK`] times.
    fn exact_arcs(&self) -> u64 {
        let (n, m) = (self.graph.vertices() as u64, self.graph.arcs() as u64);
        let each = if self.walks { WALK } else { 1 };
        (each * n).saturating_mul(2 * (n + m))
    }

    /// Folds the graph, if that is possible.
    fn fold(&self) -> Result<Option<Folded>> {
        Folded::of(self.graph, self.config, &self.options.control)
    }

    /// Answers exactly, for a reason.
    fn exactly(&self, why: &str, folded: Option<Folded>, recorder: Recorder) -> Result<BcAnswer> {
        let task = Task::quiet(self.graph, self.config, self.options);
        let mut answer = exact(Task { recorder: Some(recorder), ..task }, None, folded)?;
        let asked = self.config.allowed().unwrap_or_default();
        answer.run_mut().accuracy = Some(Accuracy::exact(OF, asked, why));
        Ok(answer)
    }

    /// Draws the samples of the first phase, then those of the second unless the exact answer costs less.
    fn sample<O: Offset, I: Offset>(
        &self,
        sampling: Sampling,
        mut drawing: Drawing<'_, O, I>,
        mut recorder: Recorder,
    ) -> Result<BcAnswer> {
        let first = sampling.first_phase();
        drawing.draw_to(first)?;
        recorder.step(first as usize, Direction::Push, || "samples show where scores are high".to_owned());
        let rule = sampling.calibrate(drawing.counts(), first);
        let per_sample = drawing.arcs().div_ceil(first).saturating_mul(FASTER);
        let expected = per_sample.saturating_mul(rule.looks()[0]);
        let is_cheap = FOLDING * (self.graph.vertices() + self.graph.arcs()) as u64 <= expected / FASTER;
        let folded = if is_cheap { self.fold()? } else { None };
        let exact_arcs = folded.as_ref().map_or(self.exact_arcs(), |folded| folded.visits(self.walks));
        if exact_arcs <= expected {
            return self.exactly(FEW_ARCS, folded, recorder);
        }
        let left = exact_arcs as f64 / self.exact_arcs().max(1) as f64;
        let exact_seconds = self.time_exact(expected / FASTER)?.map(|seconds| seconds * left);
        drawing.forget();
        self.settle(&rule, first, drawing, recorder, exact_seconds)
    }

    /// Draws samples from look to look until the rule is met.
    fn settle<O: Offset, I: Offset>(
        &self,
        rule: &Rule,
        first: u64,
        mut drawing: Drawing<'_, O, I>,
        mut recorder: Recorder,
        exact_seconds: Option<f64>,
    ) -> Result<BcAnswer> {
        let last = rule.looks().len() - 1;
        let mut look = 0;
        loop {
            let samples = rule.looks()[look];
            drawing.draw_to(first + samples)?;
            let is_done = look == last || rule.is_done(look, drawing.counts());
            let note = || if is_done { "samples are enough" } else { "samples are not enough" }.to_owned();
            recorder.step(samples as usize, Direction::Push, note);
            if is_done {
                break;
            }
            look += 1;
        }
        let accuracy = rule.accuracy(look, drawing.counts(), exact_seconds);
        let scale = rule.scale(rule.looks()[look]);
        let mut sums = Pages::scratch(self.graph.vertices())?;
        sums.iter_mut().zip(drawing.counts()).for_each(|(sum, &count)| *sum = count as f64 * scale);
        let bytes = drawing.bytes() + 12 * sums.len() as u64;
        let mut run = recorder.finish(Plan::bsp(None), Halted::Tolerance, bytes);
        run.accuracy = Some(accuracy);
        Ok(BcAnswer::new(self.graph, self.config, None, sums, drawing.arcs(), run))
    }

    /// Returns the seconds that an exact answer would take without folding, from the time of a few sources; `None` if no vertex has arcs.
    /// The samples are expected to look at `sampled` arcs.
    fn time_exact(&self, sampled: u64) -> Result<Option<f64>> {
        let (n, csr) = (self.graph.vertices() as u64, &self.graph.out().csr);
        let many = (sampled * FASTER / 4 / (self.exact_arcs() / n).max(1)).clamp(1, TIMED);
        let mut draws = Draws::of(self.options.seed, self.options.run, u64::MAX);
        let drawn = (0..64 * many).map(|_| draws.below(n) as Vertex).filter(|&v| csr.degree(v) > 0);
        let mut sources: Vec<Vertex> = drawn.take(many as usize).collect();
        sources.sort_unstable();
        sources.dedup();
        let start = Instant::now();
        let config = Bc::default();
        let mut sums = Pages::zeroed(n as usize)?;
        Task::quiet(self.graph, &config, self.options).search(&sources, &mut sums)?;
        let all = (0..n as Vertex).filter(|&v| csr.degree(v) > 0).count();
        let seconds = start.elapsed().as_secs_f64() * all as f64 / sources.len() as f64;
        Ok(Some(seconds).filter(|seconds| seconds.is_finite()))
    }
}
