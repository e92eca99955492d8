//! Damaged answers of sssp.

use super::*;

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

#[test]
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

#[test]
fn a_ring_of_weight_zero_does_not_hold_itself_up() {
    let graph = Edges::new(4, [(0, 1), (2, 3), (3, 2)]).weigh(|_| 0).build(true);
    assert_eq!(verdict(&graph, Distances::U32(vec![0, 0, NONE, NONE].into())), "");
    assert_eq!(verdict(&graph, Distances::U32(vec![0, 0, 5, 5].into())), NO_PATH);
}

#[test]
fn distances_that_wrapped_are_found() {
    let graph = Edges::new(3, [(0, 1), (1, 2)]).weigh(|i| [u32::MAX - 1, 5][i]).build(true);
    let wrapped = (u32::MAX - 1).wrapping_add(5);
    assert_eq!(verdict(&graph, Distances::U32(vec![0, u32::MAX - 1, wrapped].into())), NO_PATH);
    assert_eq!(verdict(&graph, Distances::U64(vec![0, 4_294_967_294, 4_294_967_299].into())), "");
}

#[test]
fn a_type_that_cannot_hold_the_sums_is_refused() {
    let negative = weighted(EdgeWeights::I32(vec![-3, 1, 2, 1, 1]));
    assert_eq!(verdict(&negative, Distances::I64(vec![0, -3, 1, -2, i64::MAX].into())), "");
    assert_eq!(verdict(&negative, Distances::U32(vec![0, 3, 1, 4, NONE].into())), TYPE);
    let decimal = weighted(EdgeWeights::F64(vec![0.5, 0.5, 0.5, 0.5, 0.5]));
    assert_eq!(verdict(&decimal, Distances::U64(vec![0, 0, 0, 0, u64::MAX].into())), TYPE);
}

#[test]
fn decimals_are_held_to_the_last_bit() {
    let graph = weighted(EdgeWeights::F64(vec![10.0, 0.1, 0.2, 0.3, 1.0]));
    let far = f64::INFINITY;
    let right = [0.0, 0.1 + 0.2, 0.1, 0.1 + 0.2 + 0.3, far];
    let verdict = |d: [f64; 5]| verdict(&graph, Distances::F64(d.to_vec().into()));
    assert_eq!(verdict(right), "");
    let [zero, one, two, three, _] = right;
    assert_eq!(verdict([zero, one, two, three.next_up(), far]), SHORTER);
    assert_eq!(verdict([zero, one, two, three.next_down(), far]), NO_PATH);
    assert_eq!(verdict([zero, one, two, f64::NEG_INFINITY, far]), NO_PATH);
    assert_eq!(verdict([zero, one, two, f64::NAN, far]), "every distance is a number");
}
