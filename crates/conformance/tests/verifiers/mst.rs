//! Damaged answers of mst.

use super::*;
use warpgraph::graph::Weights;

/// A square with a diagonal, and an edge apart; ties between the sides of weight 2.
fn graph(directed: bool) -> Graph {
    Edges::new(7, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (4, 5)])
        .weigh(|i| [1, 2, 2, 3, 2, 9][i])
        .build(directed)
}

fn verdict(edges: &[(Vertex, Vertex, u32)]) -> &'static str {
    let ends =
        |end: fn(&(Vertex, Vertex, u32)) -> Vertex| Pages::from(edges.iter().map(end).collect::<Vec<_>>());
    let weights = Weights::U32(edges.iter().map(|e| e.2).collect::<Vec<_>>().into());
    let verdicts = [false, true].map(|directed| {
        let graph = graph(directed);
        let (sources, targets) = (ends(|e| e.0), ends(|e| e.1));
        broken(&MstAnswer::new(&graph, sources, targets, weights.clone(), run(Halted::Converged)), &graph)
    });
    assert_eq!(verdicts[0], verdicts[1], "directions are ignored");
    verdicts[0]
}

#[test]
fn every_damage_is_named() {
    let ordered = "edges come in order, the smaller end first";
    let real = "every edge is in the graph";
    let forest = "no edge closes a cycle";
    let spans = "both ends of an edge of the graph are in one tree";
    let least = "no edge of the graph is less than the greatest on the way between its ends";
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 5, 9)]), "");
    assert_eq!(verdict(&[(0, 1, 1), (1, 2, 2), (2, 3, 2), (4, 5, 9)]), least, "as light, but not the first");
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (0, 3, 3), (4, 5, 9)]), least, "too heavy");
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2)]), spans, "4 and 5 are apart");
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (4, 5, 9)]), spans, "3 is left out");
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (1, 2, 2), (4, 5, 9)]), forest);
    assert_eq!(verdict(&[(0, 1, 1), (0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 5, 9)]), forest, "twice");
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 1), (2, 3, 2), (4, 5, 9)]), real, "a lighter weight");
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 6, 9)]), real, "invented");
    assert_eq!(verdict(&[(0, 1, 1), (2, 0, 2), (2, 3, 2), (4, 5, 9)]), ordered, "turned round");
    assert_eq!(verdict(&[(0, 2, 2), (0, 1, 1), (2, 3, 2), (4, 5, 9)]), ordered);
    assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 100, 9)]), ordered, "not a vertex");
}
