//! Damaged answers of bfs.

use super::*;

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

#[test]
fn the_right_tree_passes() {
    assert_eq!(verdict(&DISTANCES, &PARENTS, None), "");
    assert_eq!(verdict(&DISTANCES, &PARENTS, Some(2)), "");
}

#[test]
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

#[test]
fn a_longer_way_is_no_answer() {
    let distances = [0, 1, 2, 3, 1, UNREACHED, UNREACHED];
    assert_eq!(verdict(&distances, &[0, 0, 1, 2, 0, NO_VERTEX, NO_VERTEX], None), NEAR);
}

#[test]
fn the_depth_limit_is_kept_and_reached() {
    let near = [0, 1, UNREACHED, UNREACHED, 1, UNREACHED, UNREACHED];
    let parents = [0, 0, NO_VERTEX, NO_VERTEX, 0, NO_VERTEX, NO_VERTEX];
    assert_eq!(verdict(&near, &parents, Some(1)), "");
    assert_eq!(verdict(&near, &parents, Some(2)), NEAR, "it stopped too early");
    let beyond = "no distance is beyond the depth limit";
    assert_eq!(verdict(&DISTANCES, &PARENTS, Some(1)), beyond, "it went too far");
}

#[test]
fn an_answer_of_another_graph_is_refused() {
    let answer = Cpu::threads(1).ask(&graph(), &Bfs::from(0), Plan::AUTO).expect("an answer");
    assert_eq!(broken(&answer, &Edges::new(3, [(0, 1)]).build(true)), "one value a vertex");
}
