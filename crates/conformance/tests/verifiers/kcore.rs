//! Damaged answers of kcore.

use super::*;

#[test]
fn every_damage_is_named() {
    // A triangle 0 1 2 with a tail 2 - 3 - 4, a loop at the end of it, and 5 alone.
    let graph = Edges::new(6, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 4)]).build(false);
    let verdict = |cores: &[u32]| {
        broken(&KcoreAnswer::new(&graph, cores.to_vec().into(), run(Halted::Converged)), &graph)
    };
    let (lower, higher) = ("as many arcs into its core as its number", "no vertex belongs to a higher core");
    assert_eq!(verdict(&[2, 2, 2, 1, 1, 0]), "");
    assert_eq!(verdict(&[2, 2, 2, 2, 1, 0]), lower);
    assert_eq!(verdict(&[2, 2, 2, 1, 1, 1]), lower, "5 has no arc");
    assert_eq!(verdict(&[2, 2, 2, 1, 2, 0]), lower, "a loop is no arc to another");
    assert_eq!(verdict(&[1, 1, 1, 1, 1, 0]), higher, "a triangle is a core of 2");
    assert_eq!(verdict(&[2, 2, 2, 0, 0, 0]), higher, "3 and 4 hold each other");
    assert_eq!(verdict(&[2, 2, 1, 1, 1, 0]), lower);
    assert_eq!(verdict(&[0; 6]), higher);
    assert_eq!(verdict(&[u32::MAX; 6]), lower);
    assert_eq!(verdict(&[2]), "one value a vertex");
}
