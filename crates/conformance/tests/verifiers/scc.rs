//! Damaged answers of scc.

use super::*;

/// 0 <-> 1 -> 2 -> 3 -> 4 -> 2, and 5 alone.
fn graph() -> Graph {
    Edges::new(6, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]).build(true)
}

#[test]
fn every_damage_is_named() {
    let verdict = |names: &[Vertex]| {
        let names = Pages::from(names.to_vec());
        broken(&SccAnswer::new(&graph(), names, run(Halted::Converged)), &graph())
    };
    let named = "a component is named by its smallest vertex";
    let reached = "its name reaches all of a component inside it";
    let reaching = "all of a component reach its name inside it";
    let cycle = "no cycle joins two components";
    assert_eq!(verdict(&[0, 0, 2, 2, 2, 5]), "");
    assert_eq!(verdict(&[0, 0, 0, 0, 0, 5]), reaching, "one way only");
    assert_eq!(verdict(&[0, 0, 2, 2, 2, 2]), reached, "5 is alone");
    assert_eq!(verdict(&[0, 1, 2, 2, 2, 5]), cycle, "0 and 1 taken apart");
    assert_eq!(verdict(&[0, 0, 2, 3, 4, 5]), cycle, "a ring taken apart");
    assert_eq!(verdict(&[0, 0, 2, 3, 2, 5]), reached, "4 without the way to it");
    assert_eq!(verdict(&[0, 0, 3, 3, 3, 5]), named);
    assert_eq!(verdict(&[0, 0, 2, 2, 2, NO_VERTEX]), named);
    assert_eq!(verdict(&[0]), "one value a vertex");
}
