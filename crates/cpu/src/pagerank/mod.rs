//! PageRank by Gauss-Seidel sweeps that pull.
//!
//! The state is the *share* that every vertex sends along each of its arcs, `share[u] = y[u] / out-degree of u`. A
//! sweep computes `y[v] = (1 - d) t[v] + d * sum of share[u]` over incoming arcs u -> v, from the current shares, new
//! or old, and stores the new share at once, which halves the number of sweeps. Sinks send nothing. Dropping their mass
//! and scaling the sum to 1 at the end gives the same ranks as redistributing it by teleports, since both solve the
//! same equation up to a factor.
//!
//! Four techniques make sweeps fewer or cheaper: a good initial guess ([`guess`]), correcting the sum of ranks after
//! each sweep ([`sweep::Sweeper::balance`]), over-relaxation on graphs that converge slowly ([`relax`]), and gathering
//! shares as f32 while the tolerance allows it ([`share`]).
//!
//! O(m) work per sweep; 4 or 8 bytes of memory per vertex besides the answer.
//!
//! If the caller asks for determinism, sweeps go from one array of shares to another (Jacobi), and all sums are taken
//! in a fixed order: the same bits on any number of threads, for about twice the sweeps.

mod guess;
pub(crate) mod relax;
mod share;
mod sweep;

use crate::{
    AlongPaths, Options, Recorder,
    parts::{atomics, team},
};
use guess::Guess;
use relax::Relaxation;
use share::Share;
use std::time::Instant;
use sweep::Sweeper;
use warpgraph_core::{
    Direction, Halt, Halted, Plan, Result,
    pagerank::{PageRank, PageRankAnswer, by_program},
};
use warpgraph_graph::{Graph, Pages, par, with_views};

/// Computes the rank of every vertex.
///
/// # Errors
/// If interrupted, if memory is short, or if a personalised vertex is not in the graph.
pub fn pagerank(graph: &Graph, config: &PageRank, options: &Options) -> Result<PageRankAnswer> {
    if options.plan.paths().is_some() {
        return by_program(&AlongPaths::new(graph), config, options);
    }
    let prepared = Instant::now();
    graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    let mut ranks = Pages::scratch(graph.vertices())?;
    let teleport = config.teleport(graph)?;
    let strengths = config.weighted.then(|| sweep::strengths(graph.out()));
    let problem =
        Problem { graph, config, teleport: teleport.as_deref(), strengths: strengths.as_deref(), options };
    let mut ended = (0.0, Halted::Converged);
    if graph.vertices() > 0 {
        ended = problem.sweep_narrow_then_wide(&mut ranks, &mut recorder)?;
        normalise(&mut ranks);
    }
    let (residual, halted) = ended;
    let state = 16 * graph.vertices() as u64;
    let run = recorder.finish(Plan::bsp(Some(Direction::Pull)), halted, state);
    Ok(PageRankAnswer::new(graph, config, ranks, residual, run))
}

/// The question.
struct Problem<'a> {
    graph: &'a Graph,
    config: &'a PageRank,
    teleport: Option<&'a [f64]>,
    /// The sum of the outgoing weights of every vertex, if arcs are followed by weight.
    strengths: Option<&'a [f64]>,
    options: &'a Options,
}

impl Problem<'_> {
    /// Sweeps with f32 shares while they are precise enough, then with f64. Returns the last total change, and what
    /// ended the run.
    fn sweep_narrow_then_wide(&self, ranks: &mut [f64], recorder: &mut Recorder) -> Result<(f64, Halted)> {
        let config = self.config;
        let guess = Guess::new(self);
        if !self.fits_narrow() {
            return self.sweep::<f64>(|v, _| guess.of(v), ranks, config.halt(), recorder);
        }
        let tolerance = config.target().max(f32::FLOOR);
        let narrow = Halt::l1(tolerance).or(Halt::rounds(config.max_iterations));
        let ended = self.sweep::<f32>(|v, _| guess.of(v), ranks, narrow, recorder)?;
        if config.target() >= tolerance || ended.1 != Halted::Tolerance {
            return Ok(ended);
        }
        match config.halt().after(recorder.rounds(), f64::INFINITY) {
            Some(halted) => Ok((ended.0, halted)),
            None => self.sweep::<f64>(|v, ranks| ranks[v], ranks, config.halt(), recorder),
        }
    }

    /// Returns whether shares, which are ranks divided by sums of weights, stay well inside the range of f32.
    fn fits_narrow(&self) -> bool {
        let is_moderate = |&s: &f64| s == 0.0 || (1e-15..1e15).contains(&s);
        self.strengths.is_none_or(|strengths| strengths.iter().all(is_moderate))
    }

    /// Sweeps from ranks `start(v, ranks)` until a stopping rule fires. Leaves ranks whose sum is not yet 1. Returns
    /// the last total change.
    fn sweep<S: Share>(
        &self,
        start: impl Fn(usize, &[f64]) -> f64 + Sync + Send,
        ranks: &mut [f64],
        halt: Halt,
        recorder: &mut Recorder,
    ) -> Result<(f64, Halted)> {
        let (out, incoming) = (self.graph.out(), self.graph.incoming()?);
        with_views!(out.csr, incoming.csr, |o, i| {
            let mut shares = Pages::<S>::scratch(ranks.len())?;
            let deterministic = self.options.deterministic;
            let mut others = Pages::<S>::scratch(if deterministic { ranks.len() } else { 0 })?;
            let sweeper = Sweeper::<_, _, S>::new(o, i, &incoming.weights, self);
            sweeper.spread(|v| start(v, ranks), &mut shares);
            let mut cells = atomics(&mut shares);
            let mut next = if deterministic { atomics(&mut others) } else { cells };
            let ended = team(|team| -> Result<_> {
                let mut relaxation =
                    Relaxation::new(!self.graph.is_directed() && !deterministic, self.config.damping);
                loop {
                    self.options.control.check("ranking")?;
                    let swept = sweeper.sweep(team, cells, next, relaxation.factor());
                    std::mem::swap(&mut cells, &mut next);
                    let change = swept.residual(self.config.damping, relaxation.factor()) + S::ROUNDING;
                    recorder.step(ranks.len(), Direction::Pull, || format!("changed by {change:.3e}"));
                    self.options.control.report(
                        "pagerank",
                        recorder.rounds(),
                        Some(self.config.max_iterations),
                    );
                    if let Some(halted) = halt.after(recorder.rounds(), change) {
                        return Ok((change, halted));
                    }
                    relaxation.learn(change);
                    if relaxation.balances() {
                        sweeper.balance(team, cells, &swept);
                    }
                }
            })?;
            sweeper.collect(cells, ranks);
            Ok(ended)
        })
    }
}

/// Scales ranks to sum 1.
fn normalise(ranks: &mut [f64]) {
    let scale = 1.0 / par::sum_f64(ranks.len(), |v| ranks[v]);
    par::parts_mut(ranks, 1 << 14, |_, part| part.iter_mut().for_each(|rank| *rank *= scale));
}
