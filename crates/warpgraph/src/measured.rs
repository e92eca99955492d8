//! The measured form of `--max-error`: which approximation of a graph is faster than exact runs and stays within an error, found
//! on other sources.
//!
//! The metric of a question is the mean relative error of its answer ([`Inaccuracy::mean`]); a vertex that only one of the two
//! answers reaches disqualifies. All sources are drawn in the same way, from vertices with outgoing arcs.
//!
//! 1. *Pilot*: each candidate answers [`PILOTS`] questions. Those within the error and faster than exact runs go on, the fastest
//!    first. A technique whose weaker knob fails is not tried with a stronger one.
//! 2. *Validation*: at most [`VALIDATED`] of them answer [`HELD_OUT`] new questions, until all errors of one are within the error
//!    and it is still faster. If none is left, runs are exact.
//!
//! How sure that is: let p be the share of sources whose error under a candidate exceeds E. The chance that m held-out sources
//! do not show it and the next one does is p (1 - p)^m, at most 1/(m + 1) (m/(m + 1))^m: 1.2 % for 31. The sum over the
//! validated candidates bounds the chance that the procedure picks a candidate and an unseen source then exceeds E. So the bound
//! is measured, and never certain; it says nothing about sources that are chosen rather than drawn.

#[cfg(test)]
mod tests;

use crate::{Ask, Choice, Loaded, measure::median};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};
use warpgraph_core::{
    Accuracy, Answer as _, Approximation, Error, Exactness, Inaccuracy, Options, Plan, Result, Run, Word,
};
use warpgraph_graph::{Graph, timeline::Phase};

/// Questions that every candidate answers first.
const PILOTS: u64 = 8;
/// New questions that validate a candidate.
const HELD_OUT: u64 = 31;
/// The most candidates that are validated.
const VALIDATED: usize = 3;
/// The number of the first held-out question; runs count from 0.
const FIRST: u64 = 1 << 61;
/// The error that is measured.
const OF: &str = "mean relative error of values";

/// Candidates by technique, weaker knobs first.
const CANDIDATES: [[&str; 3]; 3] = [
    ["coalesce(threshold=0.8)", "coalesce(threshold=0.6)", "coalesce(threshold=0.4)"],
    ["divergence(share=0.1)", "divergence(share=0.25)", "divergence(share=0.5)"],
    ["latency(threshold=0.8)", "latency(threshold=0.65)", "latency(threshold=0.5)"],
];

/// What was decided for the questions about a graph; clones share it.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Vec<Decided>>>);

/// Questions, and what was decided for them.
type Decided = (Key, Arc<Decision>);

/// The questions that a decision is for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Key {
    name: &'static str,
    error: f64,
    plan: Plan,
    deterministic: bool,
}

/// How questions are answered.
struct Decision {
    /// The changed graph that answers; `None` for exact answers.
    changed: Option<Loaded>,
    accuracy: Accuracy,
    /// Seconds that finding out took.
    seconds: f64,
}

impl Kept {
    fn find(&self, is_it: impl Fn(&Key, &Decision) -> bool) -> Option<Arc<Decision>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|(key, decision)| is_it(key, decision)).map(|(_, decision)| Arc::clone(decision))
    }

    fn keep(&self, key: Key, decision: &Arc<Decision>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((key, Arc::clone(decision)));
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_list().entries(all.iter().map(|(key, decision)| (key, &decision.accuracy))).finish()
    }
}

impl Loaded {
    /// Answers within a greatest error, as the first such run of its kind on this graph decides.
    pub(crate) fn run_within<Q: Ask>(
        &self,
        question: &Q,
        error: f64,
        options: Options,
    ) -> Result<(Q::Reply, Option<Choice>)> {
        question.check(self.graph())?;
        let Options { plan, deterministic, .. } = options;
        let key = Key { name: question.rules().name, error, plan, deterministic };
        let (decision, seconds) = match self.measured().find(|known, _| *known == key) {
            Some(decision) => (decision, 0.0),
            None => {
                let _span = options.control.span(Phase::Preparing);
                let rank = Outcome::seconds_if_faster;
                let trial = Trial { loaded: self, question, error, options: &options, rank };
                let decision = Arc::new(trial.decide()?);
                self.measured().keep(key, &decision);
                let seconds = decision.seconds;
                (decision, seconds)
            }
        };
        let loaded = decision.changed.as_ref().unwrap_or(self);
        let accepted = options.accepted.clone().filter(|_| decision.changed.is_none());
        let (mut answer, choice) = loaded.run_once(question, Options { accepted, ..options })?;
        let run = answer.run_mut();
        run.accuracy = Some(decision.accuracy.clone());
        run.prepare_seconds += seconds;
        Ok((answer, choice))
    }

    /// Returns the graph that an answer of this handle is about: [`Loaded::answered`], unless a run within a greatest error chose
    /// an approximation. Such an answer verifies on this graph.
    pub fn answered_by(&self, run: &Run) -> Graph {
        let used = run.exactness.as_ref();
        let is_used = |decision: &Decision| {
            decision.changed.as_ref().is_some_and(|changed| changed.exactness() == used)
        };
        let decision =
            if used == self.exactness() { None } else { self.measured().find(|_, one| is_used(one)) };
        let changed = decision.as_ref().and_then(|decision| decision.changed.as_ref());
        changed.unwrap_or(self).answered().clone()
    }
}

/// The search for a candidate.
struct Trial<'a, Q> {
    loaded: &'a Loaded,
    question: &'a Q,
    error: f64,
    options: &'a Options,
    /// Returns the rank of a candidate that stays within the error, the best first; `None` if it is not worth taking. Tests rank
    /// without times, so that they see the same candidates on every machine.
    rank: fn(&Outcome) -> Option<f64>,
}

/// Held-out questions.
struct HeldOut<Q: Ask> {
    questions: Vec<(Q, Options)>,
    /// The exact answers, or none, and then each is computed when it is needed: many answers may not fit memory.
    answers: Vec<Q::Reply>,
}

/// What a candidate did on held-out questions.
struct Outcome {
    /// The largest error.
    worst: f64,
    /// The median time.
    seconds: f64,
    /// The median time of exact runs.
    exact_seconds: f64,
}

impl Outcome {
    fn seconds_if_faster(&self) -> Option<f64> {
        (self.seconds < self.exact_seconds).then_some(self.seconds)
    }
}

/// A candidate that may answer, or why none does.
type Found = Result<(Loaded, Accuracy), &'static str>;

impl<Q: Ask> Trial<'_, Q> {
    fn decide(&self) -> Result<Decision> {
        let start = Instant::now();
        let (changed, accuracy) = match self.find()? {
            Ok((changed, accuracy)) => (Some(changed), accuracy),
            Err(reason) => (None, Accuracy::exact(OF, self.error, reason)),
        };
        Ok(Decision { changed, accuracy, seconds: start.elapsed().as_secs_f64() })
    }

    /// Returns the candidate that stays within the error and is faster.
    fn find(&self) -> Result<Found> {
        let (Some(mut pilots), Some(held_out)) =
            (self.draw(FIRST, PILOTS)?, self.draw(FIRST + PILOTS, HELD_OUT)?)
        else {
            return Ok(Err("no other question of this kind is known"));
        };
        for (question, options) in &pilots.questions {
            pilots.answers.push(self.loaded.run_once(question, options.clone())?.0);
        }
        let mut ranked = self.pilot(&pilots)?;
        ranked.sort_by(|a, b| f64::total_cmp(&a.0, &b.0));
        for (tried, &(_, approximation)) in ranked.iter().take(VALIDATED).enumerate() {
            let changed = self.changed(approximation)?;
            let outcome = self.outcome(&changed, &held_out)?;
            if let Some(outcome) = outcome.filter(|outcome| (self.rank)(outcome).is_some()) {
                return Ok(Ok((changed, self.accuracy(approximation, &outcome, tried + 1))));
            }
        }
        Ok(Err("no approximation was both within the error on other sources and faster"))
    }

    /// Returns the candidates that pass the pilot, with their ranks.
    fn pilot(&self, pilots: &HeldOut<Q>) -> Result<Vec<(f64, Approximation)>> {
        let mut ranked = Vec::new();
        for technique in CANDIDATES {
            for text in technique {
                let approximation: Approximation = text.parse()?;
                let changed = match self.changed(approximation) {
                    // The order, for example.
                    Err(Error::Refused { .. }) => break,
                    changed => changed?,
                };
                // Nothing was changed, so the answer is exact and no faster for it.
                if changed.exactness().is_none_or(Exactness::is_exact) {
                    continue;
                }
                let Some(outcome) = self.outcome(&changed, pilots)? else { break };
                ranked.extend((self.rank)(&outcome).map(|rank| (rank, approximation)));
            }
        }
        Ok(ranked)
    }

    fn changed(&self, approximation: Approximation) -> Result<Loaded> {
        self.loaded.approximated(approximation, self.options.seed, &self.options.control)
    }

    /// Draws held-out questions; `None` if there are none of this kind.
    fn draw(&self, first: u64, count: u64) -> Result<Option<HeldOut<Q>>> {
        let mut questions = Vec::new();
        for number in first..first + count {
            let graph = self.loaded.graph();
            let Some(question) = self.question.held_out(graph, self.options.seed, number)? else {
                return Ok(None);
            };
            let options = Options { run: number, trace: false, accepted: None, ..self.options.clone() };
            questions.push((question, options));
        }
        Ok(Some(HeldOut { questions, answers: Vec::new() }))
    }

    /// Asks a changed graph held-out questions. Returns `None` at the first answer that is too far from the exact one, and if the
    /// plan is refused.
    fn outcome(&self, changed: &Loaded, held_out: &HeldOut<Q>) -> Result<Option<Outcome>> {
        let (mut worst, mut times, mut exact_times) = (0.0f64, Vec::new(), Vec::new());
        for (place, (question, options)) in held_out.questions.iter().enumerate() {
            if place == 0 && !self.is_accepted(changed, question, options)? {
                return Ok(None);
            }
            let (answer, _) = changed.run_once(question, options.clone())?;
            let computed;
            let exact = match held_out.answers.get(place) {
                Some(known) => known,
                None => {
                    computed = self.loaded.run_once(question, options.clone())?.0;
                    &computed
                }
            };
            let judged = answer.judged().zip(exact.judged());
            let off = judged.and_then(|(answer, exact)| Inaccuracy::of(&answer, &exact));
            let Some(off) = off.filter(|off| off.unmatched == 0 && off.mean <= self.error) else {
                return Ok(None);
            };
            worst = worst.max(off.mean);
            times.push(answer.run().seconds);
            exact_times.push(exact.run().seconds);
        }
        Ok(Some(Outcome { worst, seconds: median(&times), exact_seconds: median(&exact_times) }))
    }

    /// Returns true if the question accepts its plan on a changed graph. Makes one run, whose time does not count.
    fn is_accepted(&self, changed: &Loaded, question: &Q, options: &Options) -> Result<bool> {
        match changed.run_once(question, options.clone()) {
            Err(Error::Refused { .. }) => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    fn accuracy(&self, approximation: Approximation, outcome: &Outcome, tried: usize) -> Accuracy {
        let m = HELD_OUT as f64;
        let missed = tried as f64 / (m + 1.0) * (m / (m + 1.0)).powf(m);
        let faster = outcome.exact_seconds / outcome.seconds;
        Accuracy {
            word: Word::Measured,
            of: OF.to_owned(),
            asked: self.error,
            achieved: outcome.worst,
            confidence: 1.0 - missed,
            samples: Some(HELD_OUT),
            fixed_samples: None,
            exact_seconds: Some(outcome.exact_seconds),
            reason: format!(
                "{approximation} stayed within the error on {HELD_OUT} other sources, {faster:.2} times as fast as exact runs"
            ),
        }
    }
}
