//! Determinism: a caller that asks for the same bits run after run gets them, on any number of threads.

use super::{Case, SUBJECTS, bytes_of, named};
use crate::{Backend, fixtures::Fixture};
use warpgraph::{Device, Options, Plan, Question};

pub(super) const CASES: &[Case] = named!(Case, two_runs_give_the_same_bits);

/// Every algorithm twice on this backend, and once on one thread of the processor.
fn two_runs_give_the_same_bits(backend: &Backend) {
    let is_asked = |f: &&Fixture| f.graph.vertices() > 0 && (f.is_small() || !backend.is_dealt());
    for fixture in backend.fixtures().into_iter().filter(is_asked) {
        let questions = SUBJECTS.iter().flat_map(|subject| (subject.questions)(&fixture.graph));
        questions.for_each(|question| gives_the_same(backend, fixture, &*question));
    }
}

fn gives_the_same(backend: &Backend, fixture: &Fixture, question: &dyn Question) {
    let at = format!("{}, {}, {}", backend.name(), fixture.name, question.entry().name);
    let first = bytes(backend, fixture, question);
    assert!(first == bytes(backend, fixture, question), "{at}: another run gives other bits");
    // Another engine adds up in another order: it must agree to the last bit with itself only.
    if backend.engine().device() == Device::Cpu {
        assert!(first == bytes(&Backend::cpu(1), fixture, question), "{at}: one thread gives other bits");
    }
}

/// The whole answer as a file, and its figures.
fn bytes(backend: &Backend, fixture: &Fixture, question: &dyn Question) -> Vec<u8> {
    let options = Options { deterministic: true, ..Backend::options(Plan::AUTO) };
    let answer = backend.ask_any(&fixture.graph, question, &options).expect("an answer");
    answer.verify(&fixture.graph).expect("a right answer");
    bytes_of(&*answer)
}
