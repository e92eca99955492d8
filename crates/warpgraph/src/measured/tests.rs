//! What held-out sources allow holds on unseen ones, whatever times the candidates took.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::*;
use crate::{Engine, Sssp};
use warpgraph_core::{Device, Order, Source};
use warpgraph_graph::{Control, generate::Spec};

const GRAPHS: [&str; 5] = [
    "kron:9,w=1..64",
    "powerlaw:1000,w=1..100",
    "grid:30x30,w=1..9",
    "uniform:9,w=1..255",
    "community:9,w=1..99",
];

fn load(spec: &str) -> Loaded {
    let graph = spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    Engine::on(Device::Cpu, Some(2)).unwrap().load(&graph, Order::Natural).unwrap()
}

/// Unseen sources per decision.
const UNSEEN: u64 = 8;

/// Returns the mean error on the source of a run; infinity if another set of vertices is reached.
fn error_of(changed: &Loaded, exact: &Loaded, question: &Sssp, options: &Options) -> f64 {
    let answers = [changed, exact].map(|loaded| loaded.run_once(question, options.clone()).unwrap().0);
    let [answer, exact] = answers.each_ref().map(|answer| answer.judged().unwrap());
    let off = Inaccuracy::of(&answer, &exact).unwrap();
    if off.unmatched == 0 { off.mean } else { f64::INFINITY }
}

/// Returns the search for an approximation of a graph. It takes the least accurate candidate first that passes the pilot, and
/// does not ask for times.
fn trial<'a>(loaded: &'a Loaded, question: &'a Sssp, error: f64, options: &'a Options) -> Trial<'a, Sssp> {
    Trial { loaded, question, error, options, rank: |outcome| Some(-outcome.worst) }
}

/// Returns the greatest error of a candidate on as many sources as a pilot has: other sources may well exceed it.
fn worst_of_few(loaded: &Loaded, changed: &Loaded, question: &Sssp, options: &Options) -> f64 {
    let error = |run| error_of(changed, loaded, question, &Options { run, ..options.clone() });
    (100..100 + PILOTS).map(error).fold(0.0, f64::max)
}

#[test]
fn approximate_answers_hold_from_unseen_sources_in_19_of_20_trials() {
    let question = Sssp { source: Source::Random, ..Sssp::default() };
    let (mut trials, mut held, mut tight) = (0, 0, 0);
    for spec in GRAPHS {
        let (loaded, before) = (load(spec), trials);
        for (text, seed) in CANDIDATES.iter().flatten().flat_map(|text| (0..8).map(move |seed| (text, seed)))
        {
            let options = Options { seed, ..Options::default() };
            let changed = loaded.approximated(text.parse().unwrap(), seed, &Control::new()).unwrap();
            let worst = worst_of_few(&loaded, &changed, &question, &options);
            if worst == 0.0 || worst == f64::INFINITY {
                continue;
            }
            for error in [worst, 1.5 * worst] {
                let decision = trial(&loaded, &question, error, &options).decide().unwrap();
                let Some(changed) = decision.changed else { continue };
                assert_eq!(decision.accuracy.word, Word::Measured);
                for run in 0..UNSEEN {
                    let options = Options { run, ..options.clone() };
                    let off = error_of(&changed, &loaded, &question, &options);
                    // An answer that happens to be exact proves nothing.
                    trials += u64::from(off > 0.0);
                    held += u64::from(off > 0.0 && off <= error);
                    tight += u64::from(off > error / 2.0);
                }
            }
        }
        let of_graph = trials - before;
        println!("{spec}: {of_graph} approximate answers");
        assert!(of_graph >= 20, "{of_graph} approximate answers on {spec}");
    }
    println!("{held} of {trials} approximate answers held; {tight} were off by more than half the error");
    assert!(trials >= 200 && tight >= 20, "{trials} trials, {tight} near the error");
    assert!(20 * held >= 19 * trials, "only {held} of {trials} held");
}

#[test]
fn candidates_that_miss_every_other_source_are_not_validated() {
    let question = Sssp { source: Source::Random, ..Sssp::default() };
    let mut tried = 0;
    for spec in GRAPHS {
        let loaded = load(spec);
        for (text, seed) in CANDIDATES.iter().flatten().flat_map(|text| (0..4).map(move |seed| (text, seed)))
        {
            let changed = loaded.approximated(text.parse().unwrap(), seed, &Control::new()).unwrap();
            let options = Options { seed, ..Options::default() };
            let error_of = |run| error_of(&changed, &loaded, &question, &Options { run, ..options.clone() });
            let error = 0.9 * median(&(0..PILOTS).map(error_of).collect::<Vec<_>>());
            if error == 0.0 || error == f64::INFINITY {
                continue;
            }
            let trial = trial(&loaded, &question, error, &options);
            let held_out = trial.draw(FIRST, HELD_OUT).unwrap().unwrap();
            let outcome = trial.outcome(&changed, &held_out).unwrap();
            assert!(outcome.is_none(), "{text} on {spec} within {error}");
            tried += 1;
        }
    }
    assert!(tried >= 20, "only {tried} candidates had errors");
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn approximations_are_chosen_and_hold_on_a_simulated_gpu() {
    let graph = "kron:7,w=1..20".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    let loaded = Engine::on(Device::Simt, Some(2)).unwrap().load(&graph, Order::Natural).unwrap();
    let question = Sssp { source: Source::Random, ..Sssp::default() };
    let (mut trials, mut held) = (0, 0);
    for (seed, error) in [(1, 0.05), (2, 0.3)] {
        let options = Options { seed, ..Options::default() };
        let decision = trial(&loaded, &question, error, &options).decide().unwrap();
        let changed = decision.changed.expect("an approximation within the error");
        let Accuracy { word, samples, achieved, .. } = decision.accuracy;
        assert!(word == Word::Measured && samples == Some(HELD_OUT) && achieved <= error, "{achieved}");
        for run in 0..UNSEEN {
            let options = Options { run, ..options.clone() };
            let (answer, _) = changed.run_once(&question, options.clone()).unwrap();
            assert_eq!(answer.run().device, Device::Simt);
            answer.verify(changed.answered()).unwrap();
            let off = error_of(&changed, &loaded, &question, &options);
            trials += u64::from(off > 0.0);
            held += u64::from(off > 0.0 && off <= error);
        }
    }
    assert!(trials >= UNSEEN && 20 * held >= 19 * trials, "{held} of {trials} held");
}
