//! Damaged answers of closeness.

use super::*;
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

#[test]
fn every_damage_is_named() {
    let (near, sums, found) =
        ("neighbours differ by one hop", "sums that distances can have", "a search finds the same sums");
    assert_eq!(verdict(&COUNTS, None), "");
    assert_eq!(verdict(&COUNTS, Some(vec![1, 4])), "");
    assert_eq!(damaged(0, [3, 0, 0]), found, "as if next to all");
    assert_eq!(damaged(0, [1, 1, 0]), near, "one was not counted");
    assert_eq!(damaged(0, [0, 1, 2]), sums, "nobody next to it");
    assert_eq!(damaged(0, [0, 0, 3]), sums);
    assert_eq!(damaged(4, [1, 0, 0]), found, "nobody reaches it");
    assert_eq!(damaged(1, [1, 2, 0]), found, "one step too far");
    assert_eq!(verdict(&COUNTS[..4], None), "one value a vertex");
}

#[test]
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
