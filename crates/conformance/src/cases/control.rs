//! Steering: a run can be cancelled and given a deadline, and watching it changes nothing.

use super::{Case, SUBJECTS, bytes_of, named};
use crate::{Backend, fixtures};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use warpgraph::{Bfs, Control, Error, Options, PageRank, Plan, Question, graph::Error as GraphError};

pub(super) const CASES: &[Case] = named!(
    Case,
    a_cancelled_run_is_interrupted,
    a_passed_deadline_ends_a_run,
    an_idle_control_changes_nothing,
    a_long_run_tells_how_far_it_is,
);

/// Each algorithm gives up when it was cancelled, also before it began.
fn a_cancelled_run_is_interrupted(backend: &Backend) {
    let control = Control::new();
    control.cancel();
    each_ends(backend, &control, |error| matches!(error, GraphError::Interrupted { .. }));
}

/// Each algorithm gives up when its time is over.
fn a_passed_deadline_ends_a_run(backend: &Backend) {
    let control = Control::new().with_time_limit(Duration::ZERO);
    each_ends(backend, &control, |error| matches!(error, GraphError::DeadlinePassed { .. }));
}

fn each_ends(backend: &Backend, control: &Control, is_right: fn(&GraphError) -> bool) {
    let shapes = [
        "weighted random 2000, directed",
        "negative and positive, forwards, directed",
        "two vertices, undirected",
    ];
    for fixture in shapes.map(fixtures::named) {
        let options = |plan| Options { plan, control: control.clone(), ..Options::default() };
        let ends = |question: &dyn Question, plan| {
            let at = format!("{}, {}, {} by {plan}", backend.name(), fixture.name, question.entry().name);
            match backend.ask_any(&fixture.graph, question, &options(plan)) {
                Err(Error::Graph(error)) => assert!(is_right(&error), "{at}: {error}"),
                Err(error) => panic!("{at}: {error}"),
                Ok(_) => panic!("{at}: it went on to the end"),
            }
        };
        let questions = SUBJECTS.iter().flat_map(|subject| (subject.questions)(&fixture.graph));
        questions.for_each(|question| ends(&*question, Plan::AUTO));
        backend.plans::<Bfs>(fixture).into_iter().for_each(|plan| ends(&Bfs::from(0), plan));
    }
}

/// A control that never stops anything, but watches, leaves the answer as it is.
fn an_idle_control_changes_nothing(backend: &Backend) {
    let graph = &fixtures::named("random 4097, undirected").graph;
    let watching = Control::new().with_time_limit(Duration::from_secs(600)).with_progress(|progress| {
        assert!(!progress.stage.is_empty(), "{progress:?}");
        assert!(progress.total.is_none_or(|total| progress.done <= total), "{progress:?}");
    });
    let exact =
        SUBJECTS.iter().filter(|subject| ["bfs", "wcc", "kcore", "triangles"].contains(&subject.name));
    for question in exact.flat_map(|subject| (subject.questions)(graph)) {
        let [watched, alone] = [&watching, &Control::new()].map(|control| {
            let options = Options { control: control.clone(), deterministic: true, ..Options::default() };
            let answer = backend.ask_any(graph, &*question, &options).expect("an answer");
            bytes_of(&*answer)
        });
        assert!(watched == alone, "{}, {}", backend.name(), question.entry().name);
    }
}

/// A caller that watches a long run hears of it, and never of more than there is.
fn a_long_run_tells_how_far_it_is(backend: &Backend) {
    let heard = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&heard);
    let control = Control::new().with_progress(move |progress| {
        assert!(!progress.stage.is_empty(), "{progress:?}");
        assert!(progress.total.is_none_or(|total| progress.done <= total), "{progress:?}");
        count.fetch_add(1, Ordering::Relaxed);
    });
    let graph = &fixtures::named("random 4097, undirected").graph;
    let endless = PageRank { max_iterations: 200, ..PageRank::default().tolerance(0.0) };
    backend.ask_any(graph, &endless, &Options { control, ..Options::default() }).expect("an answer");
    assert!(heard.load(Ordering::Relaxed) > 0, "{} said nothing in 200 sweeps", backend.name());
}
