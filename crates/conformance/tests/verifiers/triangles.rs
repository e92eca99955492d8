//! Damaged answers of triangles.

use super::*;

/// Two triangles that share an edge, 0 1 2 and 1 2 3, an arm 3 - 4, and 5 alone; one edge has both directions, one is
/// there twice, and there is a loop.
fn graph() -> Graph {
    Edges::new(6, [(0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (2, 3), (3, 1), (3, 4), (4, 4)]).build(true)
}

const COUNTS: [u64; 6] = [1, 2, 2, 1, 0, 0];
const DEGREES: [u32; 6] = [2, 3, 3, 3, 1, 0];

fn verdict(total: u64, counts: &[u64], degrees: &[u32]) -> &'static str {
    let local = Local { triangles: counts.to_vec().into(), degrees: degrees.to_vec().into() };
    broken(&TrianglesAnswer::new(&graph(), total, Some(local), run(Halted::Converged)), &graph())
}

fn total(total: u64) -> &'static str {
    broken(&TrianglesAnswer::new(&graph(), total, None, run(Halted::Converged)), &graph())
}

#[test]
fn every_damage_is_named() {
    assert_eq!(verdict(2, &COUNTS, &DEGREES), "");
    assert_eq!(verdict(2, &COUNTS, &[2, 3, 3, 4, 1, 0]), "a degree counts every other vertex once");
    assert_eq!(verdict(2, &COUNTS, &[3, 3, 3, 3, 1, 0]), "a degree counts every other vertex once");
    assert_eq!(verdict(2, &[1, 2, 2, 0, 1, 0], &DEGREES), "no more triangles than pairs of neighbours");
    assert_eq!(verdict(2, &[1, 2, 2, 2, 0, 0], &DEGREES), "every triangle has three vertices");
    let at_every = "a recount finds as many triangles at every vertex";
    assert_eq!(verdict(2, &[1, 3, 1, 1, 0, 0], &DEGREES), at_every, "one moved");
    assert_eq!(verdict(3, &[1, 3, 3, 2, 0, 0], &DEGREES), "a recount finds as many triangles");
    assert_eq!(verdict(2, &[2], &DEGREES), "one value a vertex");
}

#[test]
fn a_total_alone_is_recounted() {
    assert_eq!(total(2), "");
    assert_eq!(total(1), "a recount finds as many triangles");
    assert_eq!(total(12), "a recount finds as many triangles", "each counted six times");
}
