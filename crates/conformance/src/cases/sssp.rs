//! Shortest paths: distances equal the oracle's, to the last bit also for decimals; their type is the one the head of
//! [`warpgraph::sssp`] promises; paths have the length they claim; a negative cycle within reach is named, and so is a
//! vertex whose distance is out of range.

use super::{Case, Draw, Subject, answer, assert_same, named, paths, place, refuses};
use crate::oracle::{self, Lengths, NegativeCycle};
use crate::{
    Backend,
    fixtures::{self, Edges, Fixture},
};
use warpgraph::{
    Answer, Error, Plan, Question, Source, Sssp, SsspAnswer,
    graph::{Graph, NO_VERTEX, Vertex, VertexId, Weights, build::EdgeWeights},
    sssp::Distances,
};

/// Sssp under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "sssp",
    cases: named!(
        Case,
        equals_the_oracle,
        takes_any_bucket_width,
        names_a_negative_cycle_within_reach,
        names_a_distance_out_of_range,
        refuses_what_makes_no_sense
    ),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, from several sources, by every plan.
fn equals_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        for source in backend.sources(fixture) {
            for plan in backend.plans::<Sssp>(fixture) {
                holds(backend, fixture, source, None, plan);
            }
        }
    }
}

/// The width of buckets changes the way, not the distances.
fn takes_any_bucket_width(backend: &Backend) {
    let weighted = [
        "weighted grid, undirected",
        "f64 random 2000, directed",
        "all weights zero, directed",
        "the largest weights in a row, directed",
        "negative weights, directed",
    ];
    for fixture in weighted.map(fixtures::named) {
        for delta in [1e-300, 1e-3, 1.0, 64.0, 1e30] {
            backend
                .sources(fixture)
                .into_iter()
                .for_each(|s| holds(backend, fixture, s, Some(delta), Plan::AUTO));
        }
    }
}

/// A cycle that is the only one is given whole, with its weight, in the words of the error.
pub(super) fn names_a_negative_cycle_within_reach(backend: &Backend) {
    let expected: [(&str, &[u64], f64); 4] = [
        ("a negative cycle within reach, directed", &[1, 2, 3], -2.0),
        ("a negative cycle of decimals, directed", &[1, 2, 3], -0.25),
        ("a negative loop, directed", &[1], -1.0),
        ("a negative undirected edge, undirected", &[1, 2], -2.0),
    ];
    for (name, cycle, weight) in expected {
        let fixture = fixtures::named(name);
        let error = backend.ask(&fixture.graph, &Sssp::from(0), Plan::AUTO).expect_err(name);
        let Error::NegativeCycle { vertices, weight: got } = &error else { panic!("{name}: {error}") };
        let mut members = vertices[1..].to_vec();
        members.sort();
        assert_eq!(
            members,
            cycle.iter().map(|&v| v.into()).collect::<Vec<VertexId>>(),
            "{name}: {vertices:?}"
        );
        assert_eq!(*got, weight, "{name}");
        let way: Vec<String> = vertices.iter().map(ToString::to_string).collect();
        let message = format!("the graph has a negative cycle of weight {weight}: {}", way.join(" -> "));
        assert_eq!(error.to_string(), message);
    }
}

/// A sum of finite weights that is infinite is an error, on any engine; a shorter way round it is an answer.
fn names_a_distance_out_of_range(backend: &Backend) {
    let row = [(0, 1), (1, 2), (2, 3)];
    let refused: [(EdgeWeights, Option<u64>, &str); 3] = [
        (EdgeWeights::F64(vec![1.7e308; 3]), Some(1), "f64"),
        (EdgeWeights::F32(vec![3e38; 3]), Some(1), "f32"),
        (EdgeWeights::F64(vec![-1.7e308; 3]), None, "f64"),
    ];
    for (weights, expected, type_name) in refused {
        let graph = Edges::new(5, row).weights(weights).build(true);
        let error = backend.ask(&graph, &Sssp::from(0), Plan::AUTO).expect_err(type_name);
        let Error::Overflow { vertex, before, kind } = &error else { panic!("{type_name}: {error}") };
        let at_two = (VertexId::from(2), expected.map(VertexId::from));
        assert_eq!((vertex.clone(), before.clone()), at_two, "{error}");
        assert_eq!(*kind, type_name, "{error}");
    }
    let around = EdgeWeights::F64(vec![1.7e308, 1.7e308, 5.0]);
    let graph = Edges::new(3, [(0, 1), (1, 2), (0, 2)]).weights(around).build(true);
    let answer = backend.ask(&graph, &Sssp::from(0), Plan::AUTO).expect("a way in range");
    assert_eq!([1, 2].map(|v| answer.distance(v)), [Some(1.7e308), Some(5.0)]);
}

/// One search is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, source: Vertex, delta: Option<f64>, plan: Plan) {
    let graph = &fixture.graph;
    let at = format!("{} from {source}, delta {delta:?}", place::<Sssp>(backend, fixture, plan));
    let mut config = Sssp::from(graph.ids().id(source));
    config.delta = delta;
    match oracle::sssp(graph, source) {
        Err(NegativeCycle) => match backend.ask(graph, &config, plan) {
            Err(Error::NegativeCycle { vertices, weight }) => {
                check_cycle(graph, source, &vertices, weight, &at);
            }
            Err(other) => panic!("{at}: expected a negative cycle, got: {other}"),
            Ok(_) => panic!("{at}: a negative cycle is within reach, and an answer came"),
        },
        Ok(expected) => {
            let answer = answer(backend, fixture, &config, plan);
            check_distances(&answer, graph, &expected, &at);
            check_figures(&answer, graph, source, &expected, &at);
            check_paths(&answer, graph, source, &at);
        }
    }
}

/// Is it a closed way of arcs, within reach, whose least weights sum to less than 0 and to what was said?
fn check_cycle(graph: &Graph, source: Vertex, vertices: &[VertexId], weight: f64, at: &str) {
    assert!(vertices.len() >= 2 && vertices.first() == vertices.last(), "{at}: {vertices:?} is not closed");
    let start = graph.ids().find(&vertices[0]).unwrap_or_else(|| panic!("{at}: {vertices:?}"));
    let arcs = paths::arcs(graph, vertices, start, start, at);
    let sum: f64 = arcs.iter().map(|&i| graph.out().weights.get(i)).sum();
    assert!(sum < 0.0 && weight == sum, "{at}: {vertices:?} weighs {sum}, reported {weight}");
    let mut inner = vertices[1..].to_vec();
    inner.sort();
    inner.dedup();
    assert_eq!(inner.len(), vertices.len() - 1, "{at}: {vertices:?} passes a vertex twice");
    assert!(oracle::bfs(graph, source, None)[start as usize].is_some(), "{at}: {start} is out of reach");
}

fn check_distances(answer: &SsspAnswer, graph: &Graph, expected: &Lengths, at: &str) {
    let distances = answer.distances();
    if let Some(name) = promised_type(graph) {
        assert_eq!(distances.type_name(), name, "{at}");
    }
    match expected {
        Lengths::Integers(expected) => assert_same(&integers(distances), expected, &at),
        Lengths::Decimals(expected) => {
            let bits = |d: Option<f64>| d.map(|d| (d + 0.0).to_bits());
            let got: Vec<_> = (0..distances.len()).map(|v| Some(distances.get(v))).collect();
            let got: Vec<_> = got.into_iter().map(|d| bits(d.filter(|d| d.is_finite()))).collect();
            assert_same(&got, &expected.iter().map(|&d| bits(d)).collect::<Vec<_>>(), &at);
        }
    }
}

/// The exact distances of an answer, which must be integers.
fn integers(distances: &Distances) -> Vec<Option<i128>> {
    fn list<T: Copy + Into<i128> + PartialEq>(d: &[T], none: T) -> Vec<Option<i128>> {
        d.iter().map(|&d| (d != none).then(|| d.into())).collect()
    }
    match distances {
        Distances::U32(d) => list(d, u32::MAX),
        Distances::U64(d) => list(d, u64::MAX),
        Distances::I64(d) => list(d, i64::MAX),
        Distances::F32(_) | Distances::F64(_) => panic!("decimal distances for whole weights"),
    }
}

/// The narrowest type that holds every sum, where the documentation is exact about it.
fn promised_type(graph: &Graph) -> Option<&'static str> {
    let (least, most) = graph.out().weights.range().unwrap_or((0.0, 1.0));
    let longest = most * graph.vertices() as f64;
    match &graph.out().weights {
        Weights::F32(_) => Some("f32"),
        Weights::F64(_) => Some("f64"),
        _ if least < 0.0 => Some("i64"),
        Weights::I32(_) => None,
        _ if longest < f64::from(u32::MAX) => Some("u32"),
        _ => Some("u64"),
    }
}

fn check_figures(answer: &SsspAnswer, graph: &Graph, source: Vertex, expected: &Lengths, at: &str) {
    let figures = answer.figures();
    let (reached, farthest, sum) = match expected {
        Lengths::Integers(d) => {
            let (most, sum) = (d.iter().flatten().max(), d.iter().flatten().sum::<i128>());
            (d.iter().flatten().count(), most.map(ToString::to_string), sum.to_string())
        }
        Lengths::Decimals(d) => {
            let reached = || d.iter().flatten().copied();
            let sum = serde_json::Number::from_f64(reached().sum()).map(|n| n.to_string());
            let most = reached().max_by(f64::total_cmp).and_then(serde_json::Number::from_f64);
            (reached().count(), most.map(|n| n.to_string()), sum.unwrap_or_default())
        }
    };
    assert_eq!(figures.source, graph.ids().id(source), "{at}");
    assert_eq!(figures.reached, reached as u64, "{at}");
    assert_eq!(figures.farthest.map(|n| n.to_string()), farthest, "{at}: farthest");
    assert_eq!(figures.sum.map(|n| n.to_string()).unwrap_or_default(), sum, "{at}: sum");
}

/// Every path is one of arcs, and adding its weights up from the source gives the distance, to the last bit.
fn check_paths(answer: &SsspAnswer, graph: &Graph, source: Vertex, at: &str) {
    let weights = &graph.out().weights;
    let is_narrow = matches!(weights, Weights::F32(_));
    let add = |d: f64, w: f64| if is_narrow { f64::from(d as f32 + w as f32) } else { d + w };
    for target in paths::targets(graph) {
        let is_reached = answer.distances().is_reached(target as usize);
        let path = answer.path(target);
        assert_eq!(path.is_some(), is_reached, "{at}: the path to number {target}");
        assert_eq!(
            answer.parents()[target as usize] != NO_VERTEX,
            is_reached,
            "{at}: the parent of {target}"
        );
        let Some(path) = path else { continue };
        assert_eq!(answer.path_to(graph.ids().id(target)).as_ref(), Some(&path.vertices), "{at}");
        let arcs = paths::arcs(graph, &path.vertices, source, target, at);
        let length = arcs.iter().map(|&i| weights.get(i)).fold(0.0, add);
        let said = path.length.as_f64().unwrap_or(f64::NAN);
        assert_eq!(said, answer.distances().get(target as usize), "{at}: {path:?}");
        assert_eq!(said, length, "{at}: {path:?}");
    }
}

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    for source in backend.sources(fixture) {
        holds(backend, fixture, source, None, Plan::AUTO);
    }
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, draw: &mut Draw) {
    let source = draw.vertex(&fixture.graph);
    let delta = draw.flip().then(|| 10f64.powf(draw.between(-1.0, 10.0)));
    backend.plans::<Sssp>(fixture).into_iter().for_each(|plan| holds(backend, fixture, source, delta, plan));
}

fn questions(graph: &Graph) -> Vec<Box<dyn Question>> {
    // From a negative cycle within reach there is no answer.
    if oracle::sssp(graph, 0).is_err() { Vec::new() } else { vec![Box::new(Sssp::from(graph.ids().id(0)))] }
}

/// Every refusal, word for word.
fn refuses_what_makes_no_sense(backend: &Backend) {
    let negative = fixtures::named("negative weights, directed");
    let refused = backend.ask(&negative.graph, &Sssp::from(0), Plan::PATHS);
    let refusal = refused.expect_err("walks would never end").to_string();
    let why = match backend.engine().device().several() {
        None => "cannot run with `paths`: weights are negative, the least is",
        Some(_) => "cannot run with `paths`: several GPUs exchange values between supersteps",
    };
    assert!(refusal.contains(why), "{refusal}");
    refuses(backend, "two vertices, undirected", &Sssp::from(9), "vertex 9 is not in the graph (ids 0 to 1)");
    let gaps = "vertex 9 is not in the graph (5 ids from 7 to 18446744073709551615)";
    refuses(backend, "ids with gaps, directed", &Sssp::from(9), gaps);
    for source in [Source::MaxDegree, Source::Random] {
        refuses(
            backend,
            "empty, undirected",
            &Sssp { source, ..Sssp::default() },
            "the graph has no vertices to start from",
        );
    }
    for (delta, said) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let expected = format!("sssp: delta must be a positive number, got {said}");
        refuses(backend, "path, directed", &Sssp::from(0).delta(delta), &expected);
    }
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        wrong::{broken, run},
    };
    use warpgraph::Halted;

    pub(super) const ALL: &[Wrong] = named!(
        Wrong,
        every_damage_is_named,
        a_ring_of_weight_zero_does_not_hold_itself_up,
        distances_that_wrapped_are_found,
        a_vertex_behind_an_overflow_is_not_unreached,
        a_type_that_cannot_hold_the_sums_is_refused,
        decimals_are_held_to_the_last_bit
    );

    const NONE: u32 = u32::MAX;
    const SHORTER: &str = "no arc makes a distance shorter";
    const NO_PATH: &str = "every distance is the length of a path";
    const TYPE: &str = "distances hold sums of the weights";

    fn verdict(graph: &Graph, distances: Distances) -> &'static str {
        broken(&SsspAnswer::new(graph, 0, distances, run(Halted::Converged)), graph)
    }

    fn weighted(weights: EdgeWeights) -> Graph {
        Edges::new(5, [(0, 1), (0, 2), (2, 1), (1, 3), (4, 0)]).weights(weights).build(true)
    }

    fn every_damage_is_named() {
        let graph = weighted(EdgeWeights::U32(vec![10, 1, 2, 1, 1]));
        let verdict = |d: [u32; 5]| verdict(&graph, Distances::U32(d.to_vec().into()));
        assert_eq!(verdict([0, 3, 1, 4, NONE]), "");
        assert_eq!(verdict([1, 3, 1, 4, NONE]), "the source has distance 0");
        assert_eq!(verdict([NONE, 3, 1, 4, NONE]), "the source has distance 0");
        assert_eq!(verdict([0, 10, 1, 11, NONE]), SHORTER, "the detour is shorter");
        assert_eq!(verdict([0, 3, 1, NONE, NONE]), SHORTER, "left out");
        assert_eq!(verdict([0, 3, 1, 3, NONE]), NO_PATH, "too short");
        assert_eq!(verdict([0, 2, 1, 3, NONE]), NO_PATH, "a vertex and what hangs on it, too short");
        assert_eq!(verdict([0, 3, 1, 4, 0]), NO_PATH, "invented");
    }

    fn a_ring_of_weight_zero_does_not_hold_itself_up() {
        let graph = Edges::new(4, [(0, 1), (2, 3), (3, 2)]).weigh(|_| 0).build(true);
        assert_eq!(verdict(&graph, Distances::U32(vec![0, 0, NONE, NONE].into())), "");
        assert_eq!(verdict(&graph, Distances::U32(vec![0, 0, 5, 5].into())), NO_PATH);
    }

    fn distances_that_wrapped_are_found() {
        let graph = Edges::new(3, [(0, 1), (1, 2)]).weigh(|i| [u32::MAX - 1, 5][i]).build(true);
        let wrapped = (u32::MAX - 1).wrapping_add(5);
        assert_eq!(verdict(&graph, Distances::U32(vec![0, u32::MAX - 1, wrapped].into())), NO_PATH);
        assert_eq!(verdict(&graph, Distances::U64(vec![0, 4_294_967_294, 4_294_967_299].into())), "");
    }

    fn a_vertex_behind_an_overflow_is_not_unreached() {
        let graph = Edges::new(3, [(0, 1), (1, 2)]).weights(EdgeWeights::F64(vec![1.7e308; 2])).build(true);
        let reach = "every vertex that an arc reaches has a distance";
        assert_eq!(verdict(&graph, Distances::F64(vec![0.0, 1.7e308, f64::INFINITY].into())), reach);
        let graph = Edges::new(3, [(0, 1), (1, 2)]).weigh(|i| [u32::MAX - 1, 5][i]).build(true);
        assert_eq!(verdict(&graph, Distances::U32(vec![0, u32::MAX - 1, NONE].into())), reach);
    }

    fn a_type_that_cannot_hold_the_sums_is_refused() {
        let negative = weighted(EdgeWeights::I32(vec![-3, 1, 2, 1, 1]));
        assert_eq!(verdict(&negative, Distances::I64(vec![0, -3, 1, -2, i64::MAX].into())), "");
        assert_eq!(verdict(&negative, Distances::U32(vec![0, 3, 1, 4, NONE].into())), TYPE);
        let decimal = weighted(EdgeWeights::F64(vec![0.5, 0.5, 0.5, 0.5, 0.5]));
        assert_eq!(verdict(&decimal, Distances::U64(vec![0, 0, 0, 0, u64::MAX].into())), TYPE);
    }

    fn decimals_are_held_to_the_last_bit() {
        let graph = weighted(EdgeWeights::F64(vec![10.0, 0.1, 0.2, 0.3, 1.0]));
        let far = f64::INFINITY;
        let right = [0.0, 0.1 + 0.2, 0.1, 0.1 + 0.2 + 0.3, far];
        let verdict = |d: [f64; 5]| verdict(&graph, Distances::F64(d.to_vec().into()));
        assert_eq!(verdict(right), "");
        let [zero, one, two, three, _] = right;
        assert_eq!(verdict([zero, one, two, three.next_up(), far]), SHORTER);
        assert_eq!(verdict([zero, one, two, three.next_down(), far]), NO_PATH);
        for number in [f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(verdict([zero, one, two, number, far]), "every distance is a number");
        }
    }
}
