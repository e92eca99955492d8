//! One body of cases that every backend of warpgraph is held to.
//!
//! [`fixtures`] are small graphs of every shape, weight and id that has broken an engine. [`cases`] say what must hold of every
//! algorithm on each of them under every plan and order, judged by [`oracle`]; [`cases::SUBJECTS`] follows from the
//! table of algorithms, so that no algorithm can be left out. [`tests`] makes a test of each case for one [`Backend`]. A case
//! panics with the backend, the fixture and the plan at the first thing that does not hold.
//!
//! Integers equal the oracle's exactly. Decimal distances equal it to the last bit. Ranks are within the bound stated in
//! [`cases::pagerank`], scores within that of [`cases::bc`].

mod backend;
pub mod cases;
pub mod covering;
pub mod devices;
pub mod fixtures;
pub mod oracle;
mod wrong;

pub use backend::{Backend, suits};
pub use covering::PLANS;

use warpgraph_testing::Test;

/// Makes a test of every case, named `name::subject::case`; each opens a backend of its own by `open`, which is given the name.
pub fn tests(name: &str, open: fn(&str) -> Backend) -> Vec<Test> {
    tests_of(|_| true, name, open)
}

/// Makes a test of every case of what runs on several devices, algorithms that are programs and programs; otherwise as
/// [`tests`].
pub fn tests_in_parts(name: &str, open: fn(&str) -> Backend) -> Vec<Test> {
    let runs = ["adsorption", "bfs", "pagerank", "programs", "sssp", "wcc"];
    tests_of(|subject| runs.contains(&subject), name, open)
}

fn tests_of(is_wanted: impl Fn(&str) -> bool, name: &str, open: fn(&str) -> Backend) -> Vec<Test> {
    let test = |(subject, case): (&str, &cases::Case)| {
        let full = format!("{name}::{subject}::{}", case.name);
        let (run, named) = (case.run, full.clone());
        Test::new(full, move || run(&open(&named)))
    };
    cases::all().into_iter().filter(|(subject, _)| is_wanted(subject)).map(test).collect()
}

/// Makes a test of every list of wrong answers that a verifier must find.
pub fn verifier_tests() -> Vec<Test> {
    let of_subjects = cases::SUBJECTS.iter().map(|subject| (subject.name, subject.wrong));
    let all = of_subjects.chain([("programs", cases::programs::WRONG)]);
    all.flat_map(|(subject, list)| list.iter().map(move |wrong| (subject, wrong)))
        .map(|(subject, wrong)| Test::new(format!("verifier::{subject}::{}", wrong.name), wrong.run))
        .collect()
}
