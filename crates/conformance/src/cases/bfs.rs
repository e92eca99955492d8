//! Breadth-first search: distances equal the oracle's, parents make shortest paths.

use super::{answer, assert_same, paths, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{
    Answer, Bfs, BfsAnswer, Plan,
    bfs::{BfsSummary, UNREACHED},
    graph::Vertex,
    oracle,
};

/// On every fixture, from several sources, by every plan.
pub fn equals_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures() {
        for source in backend.sources(fixture) {
            for plan in backend.plans::<Bfs>(fixture) {
                holds(backend, fixture, source, None, plan);
            }
        }
    }
}

/// No further than asked, and all the way to there.
pub fn stops_at_the_depth_limit(backend: &impl Backend) {
    let shapes = ["path, directed", "grid, undirected", "random 4097, directed", "star inwards, undirected"];
    for fixture in shapes.map(fixtures::named) {
        for depth in [0, 1, 2, 3, 7, u32::MAX] {
            for plan in backend.plans::<Bfs>(fixture) {
                backend
                    .sources(fixture)
                    .into_iter()
                    .for_each(|s| holds(backend, fixture, s, Some(depth), plan));
            }
        }
    }
}

/// One search is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, source: Vertex, depth: Option<u32>, plan: Plan) {
    let graph = &fixture.graph;
    let at = format!("{} from {source} to depth {depth:?}", place::<Bfs>(backend, fixture, plan));
    let mut config = Bfs::from(graph.ids().id(source));
    config.max_depth = depth;
    let answer = answer(backend, fixture, &config, plan);
    let expected = oracle::bfs(graph, source, depth);
    let coded: Vec<u32> = expected.iter().map(|d| d.unwrap_or(UNREACHED)).collect();
    assert_same(answer.distances(), &coded, &at);
    check_figures(&answer, fixture, source, &expected, &at);
    for target in paths::targets(graph) {
        check_path(&answer, fixture, source, target, expected[target as usize], &at);
    }
}

fn check_figures(answer: &BfsAnswer, fixture: &Fixture, source: Vertex, expected: &[Option<u32>], at: &str) {
    let graph = &fixture.graph;
    let reached = || expected.iter().flatten().copied();
    let figures = BfsSummary {
        source: graph.ids().id(source),
        reached: reached().count() as u64,
        depth: reached().max().unwrap_or(0),
        sum: reached().map(u64::from).sum(),
    };
    assert_eq!(answer.figures(), figures, "{at}");
    let degrees = (0..graph.vertices() as Vertex).map(|v| graph.out().csr.degree(v) as u64);
    let arcs: u64 = degrees.zip(expected).filter(|(_, d)| d.is_some()).map(|(degree, _)| degree).sum();
    assert_eq!(answer.arcs_reached(), arcs, "{at}: arcs reached");
}

fn check_path(
    answer: &BfsAnswer,
    fixture: &Fixture,
    source: Vertex,
    target: Vertex,
    expected: Option<u32>,
    at: &str,
) {
    let id = fixture.graph.ids().id(target);
    assert_eq!(answer.distance(id.clone()), expected, "{at}: the distance of {id}");
    assert_eq!(answer.parent(id.clone()).is_some(), expected.is_some(), "{at}: the parent of {id}");
    let path = answer.path_to(id.clone());
    assert_eq!(path.is_some(), expected.is_some(), "{at}: the path to {id}");
    if let (Some(path), Some(hops)) = (path, expected) {
        let arcs = paths::arcs(&fixture.graph, &path, source, target, at);
        assert_eq!(arcs.len(), hops as usize, "{at}: the path to {id} is {path:?}");
    }
}
