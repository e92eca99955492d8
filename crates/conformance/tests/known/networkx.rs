//! Figures of NetworkX 3.6.1, written down: its scaling of betweenness, and its directions of closeness.

use warpgraph::{Bc, Closeness, Graph, Plan, graph::build::EdgeWeights};
use warpgraph_conformance::{Backend, fixtures::Edges};

/// `nx.krackhardt_kite_graph()`.
fn kite() -> Graph {
    let edges =
        [(0, 1), (0, 2), (0, 3), (0, 5), (1, 3), (1, 4), (1, 6), (2, 3), (2, 5), (3, 4), (3, 5), (3, 6)];
    let tail = [(4, 6), (5, 6), (5, 7), (6, 7), (7, 8), (8, 9)];
    Edges::new(10, edges.into_iter().chain(tail)).build(false)
}

/// Seven vertices with weights 1 to 3; nothing leaves 4.
fn directed() -> Graph {
    let edges = [
        (0, 1),
        (0, 2),
        (1, 3),
        (2, 1),
        (2, 3),
        (2, 5),
        (2, 6),
        (3, 0),
        (3, 2),
        (5, 0),
        (5, 2),
        (5, 6),
        (6, 4),
    ];
    let weights = EdgeWeights::U32(vec![3, 3, 3, 3, 3, 1, 3, 1, 3, 1, 3, 3, 2]);
    Edges::new(7, edges).weights(weights).build(true)
}

fn near(got: &[f64], expected: &[f64], what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    let off = got.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-12, "{what}: {got:?}, NetworkX says {expected:?}");
}

fn scores(graph: &Graph, config: Bc, expected: &[f64]) {
    let answer = Backend::cpu(2).ask(graph, &config, Plan::AUTO).unwrap();
    near(answer.scores(), expected, &format!("{config:?}"));
}

pub(crate) fn betweenness_of_the_kite() {
    let (graph, all) = (kite(), Bc::default);
    let some = || Bc::default().source(0).source(3).source(9);
    let (a, b, c) = (5.0 / 6.0, 11.0 / 3.0, 25.0 / 3.0);
    let plain = [a, a, 0.0, b, 0.0, c, c, 14.0, 8.0, 0.0];
    scores(&graph, all(), &plain);
    scores(&graph, all().normalized(), &plain.map(|x| x / 36.0));
    let (a, b, c) = (0.21851851851851853, 0.28148148148148144, 0.38518518518518524);
    let ends = [a, a, 0.2, b, 0.2, c, c, 0.5111111111111112, 0.37777777777777777, 0.2];
    scores(&graph, all().normalized().endpoints(), &ends);
    let drawn = [0.0, 1.25, 0.0, 1.875, 0.0, 11.0, 6.0, 16.5, 15.0, 0.0];
    scores(&graph, some(), &drawn);
    scores(&graph, some().normalized(), &drawn.map(|x| x / 36.0));
    let drawn = [
        18.333333333333336,
        6.388888888888888,
        5.0,
        19.722222222222225,
        5.0,
        17.222222222222225,
        11.666666666666668,
        23.333333333333336,
        21.666666666666668,
        18.333333333333336,
    ];
    scores(&graph, some().endpoints(), &drawn);
}

pub(crate) fn betweenness_with_directions_and_weights() {
    let graph = directed();
    scores(&graph, Bc::default(), &[1.0, 0.5, 11.5, 5.5, 0.0, 0.5, 5.0]);
    scores(&graph, Bc::default().weighted(), &[2.0, 0.5, 10.5, 5.0, 0.0, 1.0, 5.0]);
    let ends = [12.0, 10.5, 20.5, 15.0, 6.0, 11.0, 11.0].map(|x| x / 42.0);
    scores(&graph, Bc::default().weighted().normalized().endpoints(), &ends);
    let some = Bc::default().source(1).source(4).weighted().normalized();
    scores(&graph, some, &[0.0, 0.0, 0.3, 0.5, 0.0, 0.0, 0.1]);
}

pub(crate) fn closeness_towards_a_vertex() {
    let ask = |graph: &Graph| Backend::cpu(2).ask(graph, &Closeness::default(), Plan::AUTO).unwrap();
    let kite = ask(&kite());
    let (a, b) = (9.0 / 17.0, 9.0 / 14.0);
    near(kite.closeness(), &[a, a, 0.5, 0.6, 0.5, b, b, 0.6, 3.0 / 7.0, 9.0 / 29.0], "closeness");
    let harmonic = [73.0, 73.0, 67.0, 85.0, 67.0, 82.0, 82.0, 72.0, 56.0, 41.0].map(|x| x / 12.0);
    near(kite.harmonic(), &harmonic, "harmonic");
    assert_eq!((kite.figures().diameter, kite.figures().radius), (4, 2));
    let directed = ask(&directed());
    let closeness = [4.0 / 9.0, 4.0 / 9.0, 8.0 / 15.0, 4.0 / 9.0, 0.4, 1.0 / 3.0, 25.0 / 54.0];
    near(directed.closeness(), &closeness, "closeness, directed");
    let harmonic = [36.0, 36.0, 42.0, 36.0, 35.0, 28.0, 40.0].map(|x| x / 12.0);
    near(directed.harmonic(), &harmonic, "harmonic, directed");
}
