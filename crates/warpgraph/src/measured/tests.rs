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

/// Returns the mean error on the source of a run; infinity if another set of vertices is reached.
fn error_of(changed: &Loaded, exact: &Loaded, question: &Sssp, options: &Options) -> f64 {
    let answers = [changed, exact].map(|loaded| loaded.run_once(question, options.clone()).unwrap().0);
    let [answer, exact] = answers.each_ref().map(|answer| answer.judged().unwrap());
    let off = Inaccuracy::of(&answer, &exact).unwrap();
    if off.unmatched == 0 { off.mean } else { f64::INFINITY }
}

#[test]
fn errors_of_validated_candidates_hold_on_unseen_sources() {
    let (mut trials, mut validated, mut missed) = (0, 0, 0);
    for spec in GRAPHS {
        let loaded = load(spec);
        for [_, text, _] in CANDIDATES {
            for seed in 0..14 {
                let changed = loaded.approximated(text.parse().unwrap(), seed, &Control::new()).unwrap();
                let question = Sssp { source: Source::Random, ..Sssp::default() };
                let options = Options { seed, ..Options::default() };
                // An error that some sources exceed and others do not: that of the median pilot.
                let errors: Vec<f64> = (0..PILOTS)
                    .map(|run| error_of(&changed, &loaded, &question, &Options { run, ..options.clone() }))
                    .collect();
                let error = 1.5 * median(&errors);
                let trial = Trial { loaded: &loaded, question: &question, error, options: &options };
                let held_out = trial.draw(FIRST, HELD_OUT).unwrap().unwrap();
                trials += 1;
                if trial.outcome(&changed, &held_out).unwrap().is_none() {
                    continue;
                }
                validated += 1;
                let unseen = Options { run: 1000, ..options.clone() };
                missed += u64::from(error_of(&changed, &loaded, &question, &unseen) > error);
            }
        }
    }
    println!(
        "{validated} of {trials} candidates were validated, and {missed} of them missed an unseen source"
    );
    assert!(trials >= 200 && validated >= 40, "{validated} of {trials}");
    assert!(20 * missed <= trials, "{missed} of {trials} missed");
}
