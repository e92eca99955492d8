//! What must hold: one module per algorithm or theme, one function per case.
//!
//! A module that is named after an algorithm has a [`Subject`]: its cases, its questions, and wrong answers for its verifier. The
//! modules and [`SUBJECTS`] follow from the table of algorithms: an algorithm without its module does not compile. Themes
//! ([`plans`], [`orders`], [`determinism`], [`control`], [`widths`]) loop over [`SUBJECTS`].

pub mod control;
pub mod determinism;
pub mod orders;
mod paths;
pub mod plans;
pub mod programs;
mod walks;
pub mod widths;

use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use std::{collections::BTreeMap, fmt::Display};
use warpgraph::{
    Answer, Control, Dispatch, Plan, Question, Run, TableFormat,
    graph::{Graph, Vertex, Weights, hash},
};

macro_rules! subjects {
    ($($module:ident: $config:ident -> $answer:ident;)+) => {
        $(pub mod $module;)+

        /// Every algorithm.
        pub static SUBJECTS: &[Subject] = &[$($module::SUBJECT),+];

        /// Every algorithm in every order.
        static IN_ORDERS: &[Case] = &[$(Case {
            name: stringify!($module),
            run: |backend| orders::equals_the_oracle(backend, &$module::SUBJECT),
        }),+];
    };
}
warpgraph_core::for_each_algorithm!(subjects);

/// What conformance knows of one algorithm.
#[derive(Debug)]
pub struct Subject {
    /// The name of its module.
    pub name: &'static str,
    /// What must hold of it on every backend.
    pub cases: &'static [Case],
    /// Compares its answers on a fixture with the oracle, in the backend's order, by the engine's own plan.
    pub holds: fn(&Backend, &Fixture),
    /// Compares an answer to a drawn question with the oracle, by every plan.
    pub holds_drawn: fn(&Backend, &Fixture, &mut Draw),
    /// The questions that themes ask about a graph, which has a vertex; each is one that the graph can answer.
    pub questions: fn(&Graph) -> Vec<Box<dyn Question>>,
    /// Wrong answers, and the rules they break.
    pub wrong: &'static [Wrong],
}

/// One case.
#[derive(Debug)]
pub struct Case {
    /// What holds.
    pub name: &'static str,
    /// Sees that it holds of a backend; panics if not.
    pub run: fn(&Backend),
}

/// One list of wrong answers.
#[derive(Debug)]
pub struct Wrong {
    /// What is wrong.
    pub name: &'static str,
    /// Sees that the verifier names it; panics if not.
    pub run: fn(),
}

/// Lists functions as values of a struct with a `name` and a `run`: `named!(Case, one, two)`.
macro_rules! named {
    ($kind:ident, $($function:ident),+ $(,)?) => {
        &[$($kind { name: stringify!($function), run: $function }),+]
    };
}
pub(crate) use named;

/// Returns every case of every algorithm and theme, each with the name of its module.
pub fn all() -> Vec<(&'static str, &'static Case)> {
    let themes = [
        ("programs", programs::CASES),
        ("plans", plans::CASES),
        ("determinism", determinism::CASES),
        ("control", control::CASES),
        ("walks", walks::CASES),
        ("widths", widths::CASES),
        ("orders", orders::CASES),
        ("orders", IN_ORDERS),
    ];
    let subjects = SUBJECTS.iter().map(|subject| (subject.name, subject.cases));
    let cases = |(module, list): (&'static str, &'static [Case])| list.iter().map(move |case| (module, case));
    subjects.chain(themes).flat_map(cases).collect()
}

/// Numbers drawn from a seed, for the questions of random tests.
#[derive(Debug)]
pub struct Draw {
    seed: u64,
    drawn: u64,
}

impl Draw {
    /// Returns the numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// Draws a whole number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.drawn += 1;
        hash::mix(self.seed, self.drawn) % end
    }

    /// Draws yes or no.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    /// Draws a number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 32) as f64 / f64::from(u32::MAX)
    }

    /// Draws a vertex of a graph that has one.
    pub fn vertex(&mut self, graph: &Graph) -> Vertex {
        self.below(graph.vertices() as u64) as Vertex
    }
}

/// Returns whether a graph has weights, none of them below zero.
fn has_weights_from_0(graph: &Graph) -> bool {
    let weights = &graph.out().weights;
    !matches!(weights, Weights::None) && weights.range().is_none_or(|(least, _)| least >= 0.0)
}

/// Asks about a fixture, and expects an error with these words.
fn refuses<A: Dispatch>(backend: &Backend, fixture: &str, config: &A, expected: &str) {
    match backend.ask(&fixtures::named(fixture).graph, config, Plan::AUTO) {
        Ok(_) => panic!("{fixture}: {} answered, expected: {expected}", A::NAME),
        Err(error) => assert_eq!(error.to_string(), expected, "{fixture}"),
    }
}

/// Calls `holds` for every plan that an algorithm takes on a fixture.
fn by_every_plan<A: Dispatch>(backend: &Backend, fixture: &Fixture, holds: fn(&Backend, &Fixture, Plan)) {
    backend.plans::<A>(fixture).into_iter().for_each(|plan| holds(backend, fixture, plan));
}

/// Calls `holds` for every fixture and every plan that an algorithm takes on it.
fn on_every_fixture<A: Dispatch>(backend: &Backend, holds: fn(&Backend, &Fixture, Plan)) {
    backend.fixtures().into_iter().for_each(|fixture| by_every_plan::<A>(backend, fixture, holds));
}

/// Returns how many classes there are, the vertices of the largest, and the size of each by its name.
fn class_sizes(classes: &[Vertex]) -> (u64, u64, Vec<(Vertex, u64)>) {
    let mut sizes = BTreeMap::new();
    for &name in classes {
        *sizes.entry(name).or_insert(0u64) += 1;
    }
    let largest = sizes.values().copied().max().unwrap_or(0);
    (sizes.len() as u64, largest, sizes.into_iter().collect())
}

/// Asks and expects an answer that passes its own verifier and reports its run truly.
///
/// # Panics
/// When it does not.
fn answer<A: Dispatch>(backend: &Backend, fixture: &Fixture, config: &A, plan: Plan) -> A::Answer {
    let at = place::<A>(backend, fixture, plan);
    let answer = backend.ask(&fixture.graph, config, plan).unwrap_or_else(|e| panic!("{at}: {e}"));
    answer.verify(&fixture.graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
    check_run(backend, answer.run(), plan, &at);
    answer
}

/// Returns the figures and the table of an answer as bytes: two answers with the same bytes say the same.
///
/// # Panics
/// Never: the bytes are written to memory.
pub fn bytes_of(answer: &dyn Answer) -> Vec<u8> {
    let mut bytes = answer.summary().to_string().into_bytes();
    answer.table().write(TableFormat::Npy, &mut bytes, "memory", &Control::new()).expect("written");
    bytes
}

/// The words that start a message: backend, fixture, algorithm and plan.
fn place<A: Dispatch>(backend: &Backend, fixture: &Fixture, plan: Plan) -> String {
    format!("{}, {}, {} by {plan}", backend.name(), fixture.name, A::NAME)
}

fn check_run(backend: &Backend, run: &Run, asked: Plan, at: &str) {
    assert_eq!(run.device, backend.engine().device(), "{at}");
    assert_eq!(run.threads, backend.engine().threads(), "{at}");
    assert!(run.seconds >= 0.0 && run.prepare_seconds >= 0.0 && run.fetch_seconds >= 0.0, "{at}: {run:?}");
    assert_eq!(run.order, backend.order(), "{at}");
    assert!(run.trace.is_empty(), "{at}: no trace was asked for");
    if asked.direction().is_some() {
        assert_eq!(run.plan.direction(), asked.direction(), "{at}: another plan ran than the one asked for");
    }
    if asked.balance().is_some() {
        assert_eq!(run.plan.balance(), asked.balance(), "{at}: another plan ran than the one asked for");
    }
    assert_eq!(run.plan.paths(), asked.paths(), "{at}: another model ran than the one asked for");
    assert_eq!(run.paths.is_some(), asked.paths().is_some(), "{at}: {run:?}");
}

/// Compares value by value, so that a failure shows one vertex and not two long lists.
fn assert_same<T: PartialEq + std::fmt::Debug>(got: &[T], expected: &[T], at: &impl Display) {
    assert_eq!(got.len(), expected.len(), "{at}: one value per row");
    if let Some(v) = (0..got.len()).find(|&v| got[v] != expected[v]) {
        panic!("{at}: row number {v} has {:?}, the oracle says {:?}", got[v], expected[v]);
    }
}
