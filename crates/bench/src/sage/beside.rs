//! What stands beside the cells of a graph: what electing tiles costs, tiles that are met again, first runs.

use super::{
    Choice, How, Part, Question,
    cells::{Ran, Starts, Subject},
    seen::{First, Kept, TilesSeen, Tiling},
    suite::Asked,
};
use crate::{result::Failure, statistics::Spread};
use warpgraph::{Balance, Engine, Graph, Loaded, Plan, Result};

/// A graph that is measured.
pub(super) struct Beside<'a> {
    pub(super) engine: &'a Engine,
    pub(super) graph: &'a Graph,
    pub(super) asked: &'a Asked,
    pub(super) choice: &'a Choice,
    pub(super) how: &'a How<'a>,
    /// The graph as it is stored, where everything else ran.
    pub(super) natural: &'a Loaded,
    pub(super) starts: &'a Starts<'a>,
}

impl Beside<'_> {
    /// Table 3.
    pub(super) fn tilings(&self) -> Result<Vec<Tiling>> {
        let plans = self.choice.plans_like(|balance| matches!(balance, Balance::Tiled(_)), Balance::TILED);
        self.each(Part::Table3, &plans, |question, plan| {
            let ran = self.stopped(Subject { prices: true, ..self.subject(self.natural, question, plan) })?;
            let price = |ran: &Ran| {
                let tiling = ran.median(|run| run.tiling.unwrap_or(f64::NAN));
                Some(tiling).filter(|seconds| seconds.is_finite())
            };
            let ran = ran.as_ref();
            Ok(Tiling {
                graph: self.asked.name.clone(),
                algorithm: question,
                plan: plan.to_string(),
                kernel: ran.ok().map(|ran| ran.median(|run| run.kernels)),
                tiling: ran.ok().and_then(price),
                error: failure(ran),
            })
        })
    }

    /// Tiles of the first run on a fresh handle, and of the last.
    pub(super) fn tiles(&self) -> Result<Vec<Kept>> {
        let plans =
            self.choice.plans_like(|balance| matches!(balance, Balance::Resident(_)), Balance::RESIDENT);
        self.each(Part::Tiles, &plans, |question, plan| {
            let fresh = self.engine.load_as_stored(self.graph)?;
            let ran = self.stopped(self.subject(&fresh, question, plan))?;
            let ran = ran.as_ref();
            Ok(Kept {
                graph: self.asked.name.clone(),
                algorithm: question,
                plan: plan.to_string(),
                runs: ran.map_or(0, |ran| 1 + self.how.warmup + ran.timed.len() as u64),
                first: ran.ok().and_then(|ran| ran.tiles.0).map(TilesSeen::from),
                last: ran.ok().and_then(|ran| ran.tiles.1).map(TilesSeen::from),
                error: failure(ran),
            })
        })
    }

    /// The first bfs on a fresh handle, kernels compiled by a run elsewhere, and later ones from the same vertex.
    pub(super) fn firsts(&self) -> Result<Vec<First>> {
        if !self.choice.has(Part::First) {
            return Ok(Vec::new());
        }
        let plans = self.choice.plans().into_iter().map(|plan| Question::Bfs.plan(plan));
        plans.chain([Question::Bfs.balanced(None)]).map(|plan| self.first(plan)).collect()
    }

    fn first(&self, plan: Plan) -> Result<First> {
        (self.how.say)(&format!("the first bfs on {} by {plan}", self.asked.name));
        let compiled = self.subject(self.natural, Question::Bfs, plan).ask(0, false, self.how);
        let fresh = self.engine.load_as_stored(self.graph)?;
        let ran = match compiled {
            Ok(_) => {
                self.stopped(Subject { is_one_source: true, ..self.subject(&fresh, Question::Bfs, plan) })?
            }
            Err(failure) => Err(failure),
        };
        self.how.control.check("measuring")?;
        let blank = First { graph: self.asked.name.clone(), plan: plan.to_string(), ..First::default() };
        Ok(match &ran {
            Err(error) => First { error: Some(error.clone()), ..blank },
            Ok(ran) => First {
                first: Some(ran.first),
                transfer: ran.transfer,
                compile: ran.compile,
                prepare: ran.prepare,
                later: Spread::of(&ran.timed.iter().map(|run| run.seconds).collect::<Vec<f64>>()),
                error: ran.wrong(),
                ..blank
            },
        })
    }

    /// Every algorithm by every plan, if the part is wanted.
    fn each<T>(
        &self,
        part: Part,
        plans: &[Plan],
        measure: impl Fn(Question, Plan) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut all = Vec::new();
        for question in self.choice.questions().into_iter().filter(|_| self.choice.has(part)) {
            for plan in plans.iter().map(|&plan| question.plan(plan)) {
                (self.how.say)(&format!("{part}: {question} on {} by {plan}", self.asked.name));
                all.push(measure(question, plan)?);
            }
        }
        Ok(all)
    }

    fn subject<'b>(&'b self, loaded: &'b Loaded, question: Question, plan: Plan) -> Subject<'b> {
        Subject { loaded, starts: self.starts, question, plan, prices: false, is_one_source: false }
    }

    /// Its runs, or why there are none; an error only when all must stop.
    fn stopped(&self, subject: Subject<'_>) -> Result<Result<Ran, Failure>> {
        let ran = subject.run(self.how)?;
        self.how.control.check("measuring")?;
        Ok(ran)
    }
}

fn failure(ran: Result<&Ran, &Failure>) -> Option<Failure> {
    ran.map_or_else(|failure| Some(failure.clone()), Ran::wrong)
}
