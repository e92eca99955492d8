//! Steering: a run can be cancelled and given a deadline, and watching it changes nothing.

use super::assert_same;
use crate::{Backend, fixtures};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use warpgraph::{
    Adsorption, Bc, Bfs, Closeness, Control, Dispatch, Error, Kcore, LabelPropagation, Mst, PageRank, Plan,
    Scc, Sssp, Triangles, Wcc, graph::Error as GraphError,
};

/// Each algorithm gives up when it was cancelled, also before it began.
pub fn a_cancelled_run_is_interrupted(backend: &impl Backend) {
    let control = Control::new();
    control.cancel();
    let is_interrupt = |e: &GraphError| matches!(e, GraphError::Interrupted { .. });
    each_ends(backend, &control, &is_interrupt);
}

/// Each algorithm gives up when its time is over.
pub fn a_passed_deadline_ends_a_run(backend: &impl Backend) {
    let control = Control::new().with_time_limit(Duration::ZERO);
    let is_deadline = |e: &GraphError| matches!(e, GraphError::DeadlinePassed { .. });
    each_ends(backend, &control, &is_deadline);
}

fn each_ends(backend: &impl Backend, control: &Control, is_right: &dyn Fn(&GraphError) -> bool) {
    for plan in backend.plans::<Bfs>(fixtures::named("two vertices, undirected")) {
        ends(backend, &Bfs::from(0), plan, control, is_right);
    }
    ends(backend, &Sssp::from(0), Plan::AUTO, control, is_right);
    ends(backend, &PageRank::default(), Plan::AUTO, control, is_right);
    ends(backend, &Wcc {}, Plan::AUTO, control, is_right);
    ends(backend, &Triangles::default(), Plan::AUTO, control, is_right);
    ends(backend, &Triangles::local(), Plan::AUTO, control, is_right);
    ends(backend, &Kcore {}, Plan::AUTO, control, is_right);
    ends(backend, &Scc {}, Plan::AUTO, control, is_right);
    ends(backend, &Mst {}, Plan::AUTO, control, is_right);
    ends(backend, &LabelPropagation::default(), Plan::AUTO, control, is_right);
    ends(backend, &Adsorption::default(), Plan::AUTO, control, is_right);
    ends(backend, &Bc::default(), Plan::AUTO, control, is_right);
    ends(backend, &Closeness::default(), Plan::AUTO, control, is_right);
}

fn ends<A: Dispatch>(
    backend: &impl Backend,
    config: &A,
    plan: Plan,
    control: &Control,
    is_right: &dyn Fn(&GraphError) -> bool,
) {
    if !backend.has::<A>() {
        return;
    }
    let shapes = [
        "weighted random 2000, directed",
        "negative and positive, forwards, directed",
        "two vertices, undirected",
    ];
    for fixture in shapes.map(fixtures::named) {
        let at = format!("{}, {}, {} by {plan}", backend.name(), fixture.name, A::NAME);
        match backend.ask_with(&fixture.graph, config, plan, control) {
            Err(Error::Graph(error)) => assert!(is_right(&error), "{at}: {error}"),
            Err(error) => panic!("{at}: {error}"),
            Ok(_) => panic!("{at}: it went on to the end"),
        }
    }
}

/// A control that never stops anything, but watches, leaves the answer as it is.
pub fn an_idle_control_changes_nothing(backend: &impl Backend) {
    let graph = &fixtures::named("random 4097, undirected").graph;
    let control = Control::new().with_time_limit(Duration::from_secs(600)).with_progress(|progress| {
        assert!(!progress.stage.is_empty(), "{progress:?}");
        assert!(progress.total.is_none_or(|total| progress.done <= total), "{progress:?}");
    });
    let watched = backend.ask_with(graph, &Bfs::from(0), Plan::AUTO, &control).expect("an answer");
    let alone = backend.ask(graph, &Bfs::from(0), Plan::AUTO).expect("an answer");
    assert_same(watched.distances(), alone.distances(), &backend.name());
    let watched = backend.ask_with(graph, &Wcc {}, Plan::AUTO, &control).expect("an answer");
    let alone = backend.ask(graph, &Wcc {}, Plan::AUTO).expect("an answer");
    assert_same(watched.components(), alone.components(), &backend.name());
    if !backend.has::<Kcore>() {
        return;
    }
    let watched = backend.ask_with(graph, &Kcore {}, Plan::AUTO, &control).expect("an answer");
    let alone = backend.ask(graph, &Kcore {}, Plan::AUTO).expect("an answer");
    assert_same(watched.cores(), alone.cores(), &backend.name());
    if !backend.has::<Triangles>() {
        return;
    }
    let watched = backend.ask_with(graph, &Triangles::default(), Plan::AUTO, &control).expect("an answer");
    let alone = backend.ask(graph, &Triangles::default(), Plan::AUTO).expect("an answer");
    assert_eq!(watched.triangles(), alone.triangles(), "{}", backend.name());
}

/// Whoever watches a long run hears of it, and never of more than there is.
pub fn a_long_run_tells_how_far_it_is(backend: &impl Backend) {
    let heard = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&heard);
    let control = Control::new().with_progress(move |progress| {
        assert!(!progress.stage.is_empty(), "{progress:?}");
        assert!(progress.total.is_none_or(|total| progress.done <= total), "{progress:?}");
        count.fetch_add(1, Ordering::Relaxed);
    });
    let graph = &fixtures::named("random 4097, undirected").graph;
    let endless = PageRank { max_iterations: 200, ..PageRank::default().tolerance(0.0) };
    backend.ask_with(graph, &endless, Plan::AUTO, &control).expect("an answer");
    assert!(heard.load(Ordering::Relaxed) > 0, "{} said nothing in 200 sweeps", backend.name());
}
