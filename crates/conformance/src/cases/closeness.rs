//! Closeness: eccentricities equal the oracle's, sums are near it.
//!
//! Sums of distances are whole numbers, so closeness differs by the rounding of three operations; a harmonic sum has as many
//! terms as there are distances, 10^4 at most: [`RELATIVE`] leaves room for 10^5.

use super::{Case, Draw, Subject, answer, named, place, refuses};
use crate::oracle::{self, Nearness};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{
    Answer as _, Closeness, ClosenessAnswer, Device, Engine, Graph, Order, Plan, Question,
    closeness::ClosenessSummary, graph::Vertex,
};

/// The relative error allowed.
pub const RELATIVE: f64 = 1e-11;

/// Can the oracle search from every vertex of it?
pub fn is_small(fixture: &Fixture) -> bool {
    let graph = &fixture.graph;
    graph.vertices() * (graph.vertices() + graph.arcs()) < 30_000_000
}

/// Closeness under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "closeness",
    cases: named!(
        Case,
        equals_the_oracle,
        asks_about_some,
        is_within_the_error,
        samples_alike_on_every_device,
        refuses_what_makes_no_sense
    ),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture that the oracle can search from every vertex of.
fn equals_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures().into_iter().filter(|f| is_small(f)) {
        holds(backend, fixture, &Closeness::default());
        let plans = backend.plans::<Closeness>(fixture).into_iter().filter(|plan| plan.balance().is_some());
        plans.for_each(|plan| holds_by(backend, fixture, &Closeness::default(), plan));
    }
}

/// Those named or drawn have values, the others none; by one batch, and by several.
fn asks_about_some(backend: &Backend) {
    for name in ["random 130, directed", "random 130, undirected", "weighted random 2000, directed"] {
        let fixture = fixtures::named(name);
        for count in [1, 63, 64, 65, 130] {
            holds(backend, fixture, &Closeness::default().sources(count));
        }
        let ids = fixture.graph.ids();
        let named =
            backend.sources(fixture).into_iter().fold(Closeness::default(), |c, s| c.source(ids.id(s)));
        holds(backend, fixture, &named);
    }
    holds(backend, fixtures::named("weighted random 2000, undirected"), &Closeness::default().sources(700));
}

/// Estimated or exact, harmonic centralities are as near to the oracle's as the report proves, on every device that samples.
fn is_within_the_error(backend: &Backend) {
    let config = Closeness::default().max_error(0.2).confidence(0.9999);
    for fixture in backend.fixtures().into_iter().filter(|f| is_small(f)) {
        let at = place::<Closeness>(backend, fixture, Plan::AUTO);
        let answer = answer(backend, fixture, &config, Plan::AUTO);
        let accuracy = answer.run().accuracy.as_ref().unwrap_or_else(|| panic!("{at}: no report"));
        let others = fixture.graph.vertices() as f64 - 1.0;
        for (v, near) in oracle::closeness(&fixture.graph).iter().enumerate() {
            let off = (answer.harmonic()[v] - near.harmonic).abs();
            let is_near = off <= accuracy.achieved * others + RELATIVE * near.harmonic;
            assert!(is_near, "{at}: vertex number {v} is {off} off, {accuracy:?}");
            assert!(answer.eccentricity()[v] <= near.eccentricity, "{at}: vertex number {v}");
        }
    }
}

/// Several batches of searches from the same vertices give the same bits as on the processor, with the same proof.
fn samples_alike_on_every_device(backend: &Backend) {
    let config = Closeness::default().max_error(0.1);
    // Vertices are drawn by their numbers, and `sampled` has others than any order of the processor.
    if backend.order() == Order::Sampled {
        return;
    }
    let processor = Engine::on(Device::Cpu, Some(2)).expect("a processor");
    for name in ["weighted random 2000, directed", "weighted random 2000, undirected"] {
        let fixture = fixtures::named(name);
        let at = place::<Closeness>(backend, fixture, Plan::AUTO);
        let got = answer(backend, fixture, &config, Plan::AUTO);
        let loaded = processor.load(&fixture.graph, backend.order()).expect("memory");
        let expected = loaded.closeness(config.clone()).run().expect("an answer");
        assert_eq!(got.drawn(), expected.drawn(), "{at}");
        assert!(got.drawn().is_some_and(|drawn| drawn.len() > 256), "{at}: one batch");
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(got.closeness()), bits(expected.closeness()), "{at}");
        assert_eq!(bits(got.harmonic()), bits(expected.harmonic()), "{at}");
        assert_eq!(got.reached(), expected.reached(), "{at}");
        assert_eq!(got.eccentricity(), expected.eccentricity(), "{at}");
        let report = |answer: &ClosenessAnswer| {
            let accuracy = answer.run().accuracy.clone().expect("a report");
            (accuracy.word, accuracy.achieved, accuracy.samples, accuracy.confidence)
        };
        assert_eq!(report(&got), report(&expected), "{at}");
    }
}

/// One answer is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, config: &Closeness) {
    holds_by(backend, fixture, config, Plan::AUTO);
}

/// [`holds`] by a plan.
fn holds_by(backend: &Backend, fixture: &Fixture, config: &Closeness, plan: Plan) {
    let at = format!("{}, {config:?}", place::<Closeness>(backend, fixture, plan));
    let answer = answer(backend, fixture, config, plan);
    let sources = config.resolve(&fixture.graph, 0, 0).expect("vertices of the graph");
    assert_eq!(answer.sources(), sources.as_deref(), "{at}");
    let expected = oracle::closeness(&fixture.graph);
    assert_eq!(answer.closeness().len(), expected.len(), "{at}");
    let mut asked = Vec::new();
    for (v, near) in expected.iter().enumerate() {
        if sources.as_ref().is_none_or(|list| list.contains(&(v as Vertex))) {
            check_vertex(&answer, v, near, &at);
            asked.push(*near);
        } else {
            assert!(
                answer.closeness()[v].is_nan() && answer.harmonic()[v].is_nan(),
                "{at}: vertex number {v}"
            );
            assert_eq!(answer.eccentricity()[v], u32::MAX, "{at}: vertex number {v}");
        }
    }
    check_figures(&answer, &asked, &at);
}

fn check_vertex(answer: &ClosenessAnswer, v: usize, expected: &Nearness, at: &str) {
    let (closeness, harmonic) = (answer.closeness()[v], answer.harmonic()[v]);
    let is_near = |got: f64, exact: f64| (got - exact).abs() <= RELATIVE * exact;
    let is_right = is_near(closeness, expected.closeness)
        && is_near(harmonic, expected.harmonic)
        && answer.eccentricity()[v] == expected.eccentricity;
    assert!(is_right, "{at}: vertex number {v} has {closeness} {harmonic}, the oracle says {expected:?}");
}

fn check_figures(answer: &ClosenessAnswer, asked: &[Nearness], at: &str) {
    let ClosenessSummary { sources, diameter, radius, top } = answer.figures();
    let far = || asked.iter().map(|near| near.eccentricity);
    assert_eq!(sources, asked.len() as u64, "{at}");
    assert_eq!(diameter, far().max().unwrap_or(0), "{at}");
    assert_eq!(radius, far().filter(|&e| e > 0).min().unwrap_or(0), "{at}");
    let mut order: Vec<f64> = answer.closeness().iter().copied().filter(|c| !c.is_nan()).collect();
    order.sort_by(|a, b| b.total_cmp(a));
    order.truncate(10);
    assert_eq!(top.iter().map(|near| near.closeness).collect::<Vec<_>>(), order, "{at}: top");
}

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    let ids = fixture.graph.ids();
    let sources = backend.sources(fixture).into_iter();
    if is_small(fixture) {
        holds(backend, fixture, &sources.fold(Closeness::default(), |config, s| config.source(ids.id(s))));
    }
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, draw: &mut Draw) {
    let all = Closeness::default();
    let config = if draw.flip() { all.source(draw.vertex(&fixture.graph)) } else { all };
    holds(backend, fixture, &config);
}

fn questions(graph: &Graph) -> Vec<Box<dyn Question>> {
    vec![Box::new(Closeness::default().sources(graph.vertices().min(70) as u64))]
}

/// Every refusal, word for word.
fn refuses_what_makes_no_sense(backend: &Backend) {
    let path = "path, directed";
    let none = "closeness: sources must be at least 1, got 0";
    refuses(backend, path, &Closeness::default().sources(0), none);
    let twice = "closeness: source 3 is named twice";
    refuses(backend, path, &Closeness::default().source(3).source(3), twice);
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        fixtures::Edges,
        wrong::{broken, run},
    };
    use warpgraph::Halted;

    pub(super) const ALL: &[Wrong] = named!(Wrong, every_damage_is_named, values_are_for_those_asked_about);

    use warpgraph::closeness::Distances;

    /// 0 - 1 - 2 - 3, and 4 alone: how many are at distance 1, 2 and 3 of each.
    const COUNTS: [[u64; 3]; 5] = [[1, 1, 1], [2, 1, 0], [2, 1, 0], [1, 1, 1], [0, 0, 0]];

    fn path() -> Graph {
        Edges::new(5, [(0, 1), (1, 2), (2, 3)]).build(false)
    }

    fn verdict(counts: &[[u64; 3]], sources: Option<Vec<Vertex>>) -> &'static str {
        let mut distances = Distances::none(counts.len()).expect("a small graph");
        for (v, counts) in counts.iter().enumerate() {
            let v = v as Vertex;
            if sources.as_ref().is_none_or(|list| list.contains(&v)) {
                distances.add(v, 0, 0);
                counts.iter().zip(1..).for_each(|(&count, distance)| distances.add(v, distance, count));
            }
        }
        let run = run(Halted::Converged);
        broken(&ClosenessAnswer::new(&path(), sources, distances, run), &path())
    }

    /// The right answer with other counts for vertex `v`.
    fn damaged(v: usize, counts: [u64; 3]) -> &'static str {
        let mut all = COUNTS;
        all[v] = counts;
        verdict(&all, None)
    }

    fn every_damage_is_named() {
        let (near, sums, found) =
            ("neighbours differ by one hop", "sums that distances can have", "a search finds the same sums");
        assert_eq!(verdict(&COUNTS, None), "");
        assert_eq!(verdict(&COUNTS, Some(vec![1, 4])), "");
        assert_eq!(damaged(0, [3, 0, 0]), found, "as if next to all");
        assert_eq!(damaged(0, [1, 1, 0]), near, "one was not counted");
        assert_eq!(damaged(0, [0, 1, 2]), sums, "it has no neighbour");
        assert_eq!(damaged(0, [0, 0, 3]), sums);
        assert_eq!(damaged(4, [1, 0, 0]), found, "no vertex reaches it");
        assert_eq!(damaged(1, [1, 2, 0]), found, "one step too far");
        assert_eq!(verdict(&COUNTS[..4], None), "one value per vertex");
    }

    fn values_are_for_those_asked_about() {
        let answer = |sources| {
            let mut distances = Distances::none(5).expect("a small graph");
            distances.add(4, 0, 0);
            ClosenessAnswer::new(&path(), sources, distances, run(Halted::Converged))
        };
        assert_eq!(broken(&answer(Some(vec![4])), &path()), "");
        let asked = "values for the vertices asked about";
        assert_eq!(broken(&answer(Some(vec![3])), &path()), asked);
        assert_eq!(broken(&answer(None), &path()), asked);
    }
}
