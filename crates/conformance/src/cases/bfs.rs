//! Breadth-first search: distances equal the oracle's, parents make shortest paths.

use super::{Case, Draw, Subject, answer, assert_same, named, paths, place, refuses};
use crate::oracle;
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{
    Answer, Bfs, BfsAnswer, Graph, Plan, Question, Source,
    bfs::{BfsSummary, UNREACHED},
    graph::Vertex,
};

/// Bfs under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "bfs",
    cases: named!(Case, equals_the_oracle, stops_at_the_depth_limit, refuses_what_makes_no_sense),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, from several sources, by every plan.
fn equals_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        for source in backend.sources(fixture) {
            for plan in backend.plans::<Bfs>(fixture) {
                holds(backend, fixture, source, None, plan);
            }
        }
    }
}

/// No further than asked, and all the way to there.
fn stops_at_the_depth_limit(backend: &Backend) {
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
pub fn holds(backend: &Backend, fixture: &Fixture, source: Vertex, depth: Option<u32>, plan: Plan) {
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

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    for source in backend.sources(fixture) {
        holds(backend, fixture, source, None, Plan::AUTO);
    }
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, draw: &mut Draw) {
    let source = draw.vertex(&fixture.graph);
    let depth = draw.flip().then(|| draw.below(6) as u32);
    backend.plans::<Bfs>(fixture).into_iter().for_each(|plan| holds(backend, fixture, source, depth, plan));
}

fn questions(graph: &Graph) -> Vec<Box<dyn Question>> {
    vec![Box::new(Bfs::from(graph.ids().id(0)))]
}

/// Every refusal, word for word.
fn refuses_what_makes_no_sense(backend: &Backend) {
    let nowhere = "vertex 9 is not in the graph (ids 0 to 1)";
    refuses(backend, "two vertices, directed", &Bfs::from(9), nowhere);
    refuses(backend, "ids from 1, directed", &Bfs::from(0), "vertex 0 is not in the graph (ids 1 to 5)");
    let names = "vertex elsewhere is not in the graph (5 names from \"10\" to \"max-degree\")";
    refuses(backend, "names, directed", &Bfs::from("elsewhere"), names);
    for source in [Source::MaxDegree, Source::Random] {
        refuses(
            backend,
            "empty, directed",
            &Bfs { source, max_depth: None },
            "the graph has no vertices to start from",
        );
    }
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        fixtures::Edges,
        wrong::{broken, graph, run},
    };
    use warpgraph::{Halted, graph::NO_VERTEX};

    pub(super) const ALL: &[Wrong] = named!(
        Wrong,
        the_right_tree_passes,
        every_damage_is_named,
        a_longer_way_is_no_answer,
        the_depth_limit_is_kept_and_reached,
        an_answer_of_another_graph_is_refused
    );

    const DISTANCES: [u32; 7] = [0, 1, 2, 2, 1, UNREACHED, UNREACHED];
    const PARENTS: [Vertex; 7] = [0, 0, 1, 4, 0, NO_VERTEX, NO_VERTEX];
    const ROOT: &str = "only the source has distance 0 and is its own parent";
    const BOTH: &str = "a parent if and only if a distance";
    const PARENT: &str = "the parent is a neighbour one hop nearer";
    const NEAR: &str = "no arc leads more than one hop further out";

    fn verdict(distances: &[u32], parents: &[Vertex], limit: Option<u32>) -> &'static str {
        let (distances, parents) = (distances.to_vec().into(), parents.to_vec().into());
        let answer = BfsAnswer::new(&graph(), 0, limit, distances, parents, run(Halted::Converged));
        broken(&answer, &graph())
    }

    /// The right answer with vertex `v` given another distance and parent.
    fn damaged(v: usize, distance: u32, parent: Vertex) -> &'static str {
        let (mut distances, mut parents) = (DISTANCES, PARENTS);
        (distances[v], parents[v]) = (distance, parent);
        verdict(&distances, &parents, None)
    }

    fn the_right_tree_passes() {
        assert_eq!(verdict(&DISTANCES, &PARENTS, None), "");
        assert_eq!(verdict(&DISTANCES, &PARENTS, Some(2)), "");
    }

    fn every_damage_is_named() {
        assert_eq!(damaged(0, 1, 0), ROOT);
        assert_eq!(damaged(0, 0, 1), ROOT);
        assert_eq!(damaged(1, 0, 0), ROOT);
        assert_eq!(damaged(2, 2, 2), ROOT);
        assert_eq!(damaged(2, 2, NO_VERTEX), BOTH);
        assert_eq!(damaged(6, UNREACHED, 0), BOTH);
        assert_eq!(damaged(6, 3, NO_VERTEX), BOTH);
        assert_eq!(damaged(3, 2, 2), PARENT, "an arc, but not from one hop nearer");
        assert_eq!(damaged(3, 2, 1), PARENT, "one hop nearer, but no arc");
        assert_eq!(damaged(3, 2, 100), PARENT, "not a vertex");
        assert_eq!(damaged(6, 1, 0), PARENT, "invented");
        assert_eq!(damaged(5, 1, 0), PARENT, "against the arc");
        assert_eq!(damaged(3, UNREACHED, NO_VERTEX), NEAR, "left out");
    }

    fn a_longer_way_is_no_answer() {
        let distances = [0, 1, 2, 3, 1, UNREACHED, UNREACHED];
        assert_eq!(verdict(&distances, &[0, 0, 1, 2, 0, NO_VERTEX, NO_VERTEX], None), NEAR);
    }

    fn the_depth_limit_is_kept_and_reached() {
        let near = [0, 1, UNREACHED, UNREACHED, 1, UNREACHED, UNREACHED];
        let parents = [0, 0, NO_VERTEX, NO_VERTEX, 0, NO_VERTEX, NO_VERTEX];
        assert_eq!(verdict(&near, &parents, Some(1)), "");
        assert_eq!(verdict(&near, &parents, Some(2)), NEAR, "it stopped too early");
        let beyond = "no distance is beyond the depth limit";
        assert_eq!(verdict(&DISTANCES, &PARENTS, Some(1)), beyond, "it went too far");
    }

    fn an_answer_of_another_graph_is_refused() {
        let answer = Backend::cpu(1).ask(&graph(), &Bfs::from(0), Plan::AUTO).expect("an answer");
        assert_eq!(broken(&answer, &Edges::new(3, [(0, 1)]).build(true)), "one value per vertex");
    }
}
