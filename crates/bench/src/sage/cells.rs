//! The runs of one cell: one that is verified and prepares everything, warm-up, timed ones. [`in_turn`] has the order they are made in.

use super::{
    measure::How,
    question::{Asked, Question},
    report::{Cell, WRONG},
    turns::in_turn,
};
use crate::{
    gpu::sources::Sources,
    result::Failure,
    runner,
    statistics::{self, Spread},
};
use serde_json::Value;
use warpgraph::{Graph, Loaded, Plan, Result, TileUse, VertexId, Violation};

/// Where searches of a graph start.
pub(super) struct Starts<'a> {
    graph: &'a Graph,
    seed: u64,
    sources: Result<Sources, Failure>,
}

impl<'a> Starts<'a> {
    /// By an own run of wcc.
    ///
    /// # Errors
    /// Only when the whole measurement must stop.
    pub(super) fn find(graph: &'a Graph, loaded: &Loaded, how: &How<'_>) -> Result<Self> {
        Ok(Self { graph, seed: how.seed, sources: Sources::find(loaded, how.control)? })
    }

    /// The source of a run, if the algorithm has one; why there is none to be had.
    pub(super) fn draw(&self, question: Question, run: u64) -> Result<Option<VertexId>, Failure> {
        match &self.sources {
            _ if !question.has_source() => Ok(None),
            Ok(sources) => Ok(Some(sources.draw(self.graph, self.seed, run))),
            Err(failure) => Err(failure.clone()),
        }
    }
}

/// A run of a cell.
pub(super) struct Timed {
    pub(super) seconds: f64,
    pub(super) kernels: f64,
    pub(super) tiling: Option<f64>,
    pub(super) arcs: u64,
    pub(super) rounds: u64,
}

/// What the runs of a cell gave.
#[derive(Default)]
pub(super) struct Ran {
    pub(super) timed: Vec<Timed>,
    pub(super) config: Value,
    pub(super) plan: Option<String>,
    /// Tiles of the first run of all and of the last.
    pub(super) tiles: (Option<TileUse>, Option<TileUse>),
    /// Seconds of the first run, and what was made for it.
    pub(super) first: f64,
    pub(super) transfer: f64,
    pub(super) compile: f64,
    pub(super) prepare: f64,
    pub(super) verdict: Option<&'static str>,
    pub(super) violation: Option<Violation>,
}

/// What is to be run, and where.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) starts: &'a Starts<'a>,
    pub(super) question: Question,
    pub(super) plan: Plan,
    /// Find out what electing tiles costs.
    pub(super) prices: bool,
    /// Start at the same vertex in every run.
    pub(super) is_one_source: bool,
}

impl Subject<'_> {
    /// One run: numbered, since sources are drawn by number.
    pub(super) fn ask(&self, number: u64, verify: bool, how: &How<'_>) -> Result<Asked, Failure> {
        let source = self.starts.draw(self.question, if self.is_one_source { 0 } else { number })?;
        let one = runner::How {
            plan: self.plan,
            seed: how.seed,
            price_tiling: self.prices,
            verify,
            limit: Some(how.case_limit),
            ..runner::How::new(how.control)
        };
        let asked = self.question.ask(self.loaded, source, &one);
        asked.map_err(|error| crate::balance::explained(&error, &one))
    }

    /// All runs; no further one is started after the limit of a cell, verification aside.
    ///
    /// # Errors
    /// Only when the whole measurement must stop.
    pub(super) fn run(&self, how: &How<'_>) -> Result<Result<Ran, Failure>> {
        Ok(in_turn([|number, verify| self.ask(number, verify, how)], how)?.remove(0))
    }
}

impl Ran {
    /// The verified run.
    pub(super) fn note_first(&mut self, asked: Asked) {
        let run = &asked.run;
        self.tiles.0 = run.tiles;
        (self.first, self.transfer, self.compile, self.prepare) =
            (run.seconds, run.transfer_seconds, run.compile_seconds, run.prepare_seconds);
        self.verdict = asked.figures.verdict();
        (self.config, self.violation) = (asked.config, asked.figures.violation);
    }

    /// A timed run.
    pub(super) fn note(&mut self, asked: &Asked) {
        let run = &asked.run;
        self.plan = Some(run.plan.to_string());
        self.tiles.1 = run.tiles;
        self.timed.push(Timed {
            seconds: run.seconds,
            kernels: run.kernel_seconds,
            tiling: run.tiling_seconds,
            arcs: asked.figures.arcs.first().copied().unwrap_or(0),
            rounds: run.rounds,
        });
    }

    /// What is said of a wrong answer.
    pub(super) fn wrong(&self) -> Option<Failure> {
        let message = self.violation.as_ref()?.to_string();
        Some(Failure { kind: WRONG.to_owned(), message, help: None })
    }

    /// The median of something of every timed run.
    pub(super) fn median(&self, of: impl Fn(&Timed) -> f64) -> f64 {
        statistics::median(&self.timed.iter().map(of).collect::<Vec<f64>>())
    }
}

impl Cell {
    /// Fills in what its runs gave.
    pub(super) fn fill(&mut self, ran: Ran) {
        let parts = |run: &Timed| match self.algorithm {
            Question::PageRank => run.rounds.max(1) as f64,
            _ => 1.0,
        };
        let seconds: Vec<f64> = ran.timed.iter().map(|run| run.seconds / parts(run)).collect();
        self.seconds = Spread::of(&seconds);
        self.outliers = statistics::outliers(&seconds);
        self.arcs = Some(ran.median(|run| run.arcs as f64 / parts(run))).filter(|arcs| arcs.is_finite());
        self.speed = Some(ran.median(|run| run.arcs as f64 / run.seconds.max(1e-9) / 1e9))
            .filter(|speed| speed.is_finite());
        self.supersteps = ran.timed.last().map(|run| run.rounds);
        self.runs = ran.timed.iter().map(|run| run.seconds).collect();
        self.kernels = ran.timed.iter().map(|run| run.kernels).collect();
        self.prepare = ran.prepare;
        self.verify = ran.verdict.map(str::to_owned);
        self.error = ran.wrong();
        (self.config, self.plan) = (ran.config, ran.plan);
    }
}
