//! States between supersteps: a run that is started anew continues from each of them with the same answer.

use crate::common::{Parted, cuts, on_each, question};
use serde_json::json;
use std::{sync::Arc, sync::Mutex};
use warpgraph::{
    Halt,
    graph::Control,
    program::{Ways, library},
};
use warpgraph_conformance::fixtures;
use warpgraph_parts::{Column, Exchange, Part, PartRun, Result, State, drive, start, start_program};

type Columns = Vec<(&'static str, Column)>;
type Start<'a> = &'a (dyn Fn(&Arc<Part>, &mut dyn Exchange) -> Result<Box<dyn PartRun>> + Sync);

/// Runs to the end, keeping the states of all parts after each superstep, or from a state.
fn run(parted: &Parted, start: Start<'_>, from: Option<&[State]>) -> (Vec<Vec<State>>, Vec<Columns>) {
    let kept = Mutex::new(vec![Vec::new(); parted.parts.len()]);
    let columns = on_each(&parted.parts, |part, mut member| {
        let number = member.part();
        let mut run = start(part, &mut member).unwrap();
        if let Some(states) = from {
            run.restore(&states[number]).unwrap();
            assert_eq!(run.supersteps(), states[number].superstep);
        }
        let answer = drive(run, &mut member, &Control::new(), &mut |run, _| {
            kept.lock().unwrap()[number].push(run.state());
            Ok(())
        });
        answer.unwrap().columns
    });
    (kept.into_inner().unwrap(), columns)
}

fn check(parted: &Parted, name: &str, start: Start<'_>) {
    let (kept, whole) = run(parted, start, None);
    let steps = kept[0].len();
    assert!(kept.iter().all(|states| states.len() == steps), "{}: equally many supersteps", parted.name);
    for step in (0..steps).step_by(steps.div_ceil(6).max(1)) {
        let states: Vec<State> = kept.iter().map(|states| states[step].clone()).collect();
        let (_, columns) = run(parted, start, Some(&states));
        let exact = |columns: &[Columns]| -> Vec<Column> {
            // Any parent is right, and which one is found depends on who came first.
            columns
                .iter()
                .flatten()
                .filter(|(name, _)| *name != "parent")
                .map(|(_, column)| column.clone())
                .collect()
        };
        assert_eq!(
            exact(&columns),
            exact(&whole),
            "{}, {name}: from superstep {step} of {steps}",
            parted.name
        );
    }
}

pub(crate) fn a_run_continues_from_every_superstep() {
    for name in ["weighted random 2000, undirected", "random 4097, directed", "weighted grid, undirected"] {
        let fixture = fixtures::named(name);
        for parted in cuts(fixture).into_iter().step_by(2) {
            for algorithm in ["bfs", "sssp", "wcc", "pagerank"] {
                let asked = question(algorithm, json!(null));
                check(&parted, algorithm, &|part, exchange| start(&asked, part, exchange, &Control::new()));
            }
            let hops = Arc::new(library::Hops::from(0));
            check(&parted, "hops", &|part, exchange| {
                start_program(&hops, part, Ways::Out, exchange, &Control::new())
            });
            let ranks = library::Ranks::<f64>::of(&fixture.graph, 0.85, Halt::l1(1e-6).or(Halt::rounds(20)));
            let ranks = Arc::new(ranks);
            check(&parted, "ranks", &|part, exchange| {
                start_program(&ranks, part, Ways::Out, exchange, &Control::new())
            });
        }
    }
}

pub(crate) fn states_of_other_runs_are_refused() {
    let parted = &cuts(fixtures::named("weighted random 2000, undirected"))[1];
    for algorithm in ["bfs", "sssp", "wcc", "pagerank"] {
        let asked = question(algorithm, json!(null));
        let ends = on_each(&parted.parts, |part, mut member| {
            let mut run = start(&asked, part, &mut member, &Control::new())?;
            run.step(&mut member, &Control::new())?;
            let good = run.state();
            run.restore(&good)?;
            let mut errors = Vec::new();
            for at in 0..good.arrays.len() {
                let mut missing = good.clone();
                missing.arrays.remove(at);
                errors.push(run.restore(&missing));
                let mut short = good.clone();
                short.arrays[at].1.pop();
                errors.push(run.restore(&short));
            }
            let mut wild = good;
            wild.arrays.iter_mut().for_each(|(_, bytes)| bytes.fill(0xee));
            if !["sssp", "pagerank"].contains(&algorithm) {
                errors.push(run.restore(&wild));
            }
            Ok::<_, warpgraph_parts::Error>(errors)
        });
        for error in ends.into_iter().flat_map(Result::unwrap) {
            // An empty array of a part that waits for nothing has no last byte.
            if let Err(error) = error {
                assert_eq!(error.kind(), "state", "{algorithm}: {error}");
                assert!(error.help().is_some());
            } else {
                assert_eq!(algorithm, "sssp");
            }
        }
    }
}
