//! Configurations that make no sense, or not on this graph: refused before anything runs, in exact words.

use crate::{Backend, fixtures};
use warpgraph::{Bc, Bfs, Closeness, Dispatch, LabelPropagation, PageRank, Plan, Source, Sssp};

/// Every refusal, word for word.
pub fn impossible_questions_get_their_exact_answer(backend: &impl Backend) {
    sources(backend);
    widths(backend);
    stopping_rules(backend);
    shares(backend);
    weights(backend);
    betweenness(backend);
}

/// Asks on a fixture and compares the error.
fn refuses<A: Dispatch>(backend: &impl Backend, fixture: &str, config: &A, expected: &str) {
    match backend.ask(&fixtures::named(fixture).graph, config, Plan::AUTO) {
        Ok(_) => panic!("{fixture}: {} answered, expected: {expected}", A::NAME),
        Err(error) => assert_eq!(error.to_string(), expected, "{fixture}"),
    }
}

fn sources(backend: &impl Backend) {
    let nowhere = "vertex 9 is not in the graph (ids 0 to 1)";
    refuses(backend, "two vertices, directed", &Bfs::from(9), nowhere);
    refuses(backend, "two vertices, undirected", &Sssp::from(9), nowhere);
    refuses(backend, "ids from 1, directed", &Bfs::from(0), "vertex 0 is not in the graph (ids 1 to 5)");
    let gaps = "vertex 9 is not in the graph (5 ids from 7 to 18446744073709551615)";
    refuses(backend, "ids with gaps, directed", &Sssp::from(9), gaps);
    let names = "vertex nobody is not in the graph (5 names from \"10\" to \"max-degree\")";
    refuses(backend, "names, directed", &Bfs::from("nobody"), names);
    for (source, name) in [(Source::MaxDegree, "max-degree"), (Source::Random, "random")] {
        let nothing = format!("vertex {name} is not in the graph (no vertices)");
        refuses(backend, "empty, directed", &Bfs { source: source.clone(), max_depth: None }, &nothing);
        refuses(backend, "empty, undirected", &Sssp { source, delta: None }, &nothing);
    }
}

fn widths(backend: &impl Backend) {
    for (delta, said) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let expected = format!("sssp: delta must be a positive number, got {said}");
        refuses(backend, "path, directed", &Sssp::from(0).delta(delta), &expected);
    }
}

fn stopping_rules(backend: &impl Backend) {
    for (damping, said) in [(1.0, "1"), (1.5, "1.5"), (-0.1, "-0.1"), (f64::NAN, "NaN")] {
        let expected = format!("pagerank: damping must be in [0, 1), got {said}");
        refuses(backend, "path, directed", &PageRank { damping, ..PageRank::default() }, &expected);
    }
    for (tolerance, said) in [(f64::NAN, "NaN"), (-1e-6, "-0.000001"), (f64::INFINITY, "inf")] {
        let expected = format!("pagerank: tolerance must be a number from 0, got {said}");
        refuses(backend, "path, directed", &PageRank::default().tolerance(tolerance), &expected);
    }
}

fn shares(backend: &impl Backend) {
    let to = |vertex: u32, share: f64| PageRank::default().personalize(vertex, share);
    let path = "path, directed";
    refuses(backend, path, &to(10, 1.0), "vertex 10 is not in the graph (ids 0 to 9)");
    for (share, said) in [(-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let expected = format!("pagerank: the share of vertex 3 must be a number from 0, got {said}");
        refuses(backend, path, &to(3, share), &expected);
    }
    refuses(backend, path, &to(3, 0.0), "pagerank: the shares of --personalize sum to 0");
    let huge = to(3, f64::MAX).personalize(4, f64::MAX);
    refuses(backend, path, &huge, "pagerank: the shares of --personalize sum to inf");
}

fn weights(backend: &impl Backend) {
    let weighted = PageRank { weighted: true, ..PageRank::default() };
    let none = "pagerank: --weighted needs a weighted graph, and this one has no weights";
    refuses(backend, "path, undirected", &weighted, none);
    let negative = "pagerank: weights must not be negative, the least is -3";
    refuses(backend, "negative weights, directed", &weighted, negative);
    let weighted = LabelPropagation { weighted: true, ..LabelPropagation::default() };
    let none = "label-propagation: --weighted needs a weighted graph, and this one has no weights";
    refuses(backend, "path, undirected", &weighted, none);
    let negative = "label-propagation: weights must not be negative, the least is -3";
    refuses(backend, "negative weights, directed", &weighted, negative);
    let never = "label-propagation: max-iterations must be at least 1, got 0";
    refuses(backend, "path, undirected", &LabelPropagation::default().max_iterations(0), never);
}

fn betweenness(backend: &impl Backend) {
    let (plain, weighted) = (Bc::default, || Bc::default().weighted());
    let path = "path, directed";
    let none = "closeness: sources must be at least 1, got 0";
    refuses(backend, path, &Closeness::default().sources(0), none);
    let twice = "closeness: source 3 is named twice";
    refuses(backend, path, &Closeness::default().source(3).source(3), twice);
    refuses(backend, path, &plain().sources(0), "bc: sources must be at least 1, got 0");
    refuses(backend, path, &plain().sources(11), "bc: 11 sources asked for, the graph has 10 vertices");
    refuses(backend, path, &plain().sources(2).source(1), "bc: 2 sources to draw and 1 named ones");
    refuses(backend, path, &plain().source(3).source(4).source(3), "bc: source 3 is named twice");
    refuses(backend, path, &plain().source(10), "vertex 10 is not in the graph (ids 0 to 9)");
    refuses(backend, path, &weighted(), "bc: --weighted needs a weighted graph, and this one has no weights");
    let zero = "bc: weights must be greater than zero, the least is 0";
    refuses(backend, "a cycle of zero weights, directed", &weighted(), zero);
    refuses(backend, "f64 zeros, undirected", &weighted(), zero);
    let negative = "bc: weights must be greater than zero, the least is -3";
    refuses(backend, "negative weights, directed", &weighted(), negative);
    let tiny = "bc: the weight 1e-300 of 3 -> 4 vanishes beside the distance 6.000000000000001e-1";
    refuses(backend, "f64 of all sizes, directed", &weighted().source(0), tiny);
}
