//! Damaged answers of bc.

use super::*;

const NUMBER: &str = "every score is a number from 0";
const END: &str = "no path leads through an end";
const SHARES: &str = "scores are sums of shares of shortest paths";
const SUM: &str = "scores sum to the inner vertices of all paths";

/// A ring of 6 with a tail, 5 - 6 - 7.
fn ring() -> Graph {
    Edges::new(8, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (5, 6), (6, 7)]).build(false)
}

/// The verdict on raw sums from all vertices, each path counted both ways.
fn verdict(config: &Bc, sources: Option<Vec<Vertex>>, sums: Vec<f64>) -> &'static str {
    broken(&BcAnswer::new(&ring(), config, sources, sums.into(), 0, run(Halted::Converged)), &ring())
}

fn raw(config: &Bc) -> Vec<f64> {
    warpgraph::oracle::bc(&ring(), config, None).into_iter().map(|score| 2.0 * score).collect()
}

#[test]
fn every_damage_is_named() {
    let config = Bc::default();
    let damaged = |v: usize, sum: f64| {
        let mut sums = raw(&config);
        sums[v] = sum;
        verdict(&config, None, sums)
    };
    let right = raw(&config);
    assert_eq!(verdict(&config, None, right.clone()), "");
    assert_eq!(damaged(3, -1.0), NUMBER);
    assert_eq!(damaged(3, f64::NAN), NUMBER);
    assert_eq!(damaged(3, f64::INFINITY), NUMBER);
    assert_eq!(damaged(7, 1e-3), END, "a leaf");
    assert_eq!(damaged(5, right[5] + 0.5), SHARES, "the highest");
    assert_eq!(damaged(5, right[5] * (1.0 + 1e-7)), SHARES, "by a little");
    assert_eq!(verdict(&config, None, vec![0.0; 8]), SHARES, "nothing done");
    assert_eq!(verdict(&config, None, vec![1.0]), "one value a vertex");
    let wrong = (0..5).map(|v| damaged(v, right[v] + 1e-6)).collect::<Vec<_>>();
    assert!(wrong.contains(&SUM) && wrong.iter().all(|rule| [SUM, SHARES].contains(rule)), "{wrong:?}");
}

#[test]
fn ends_and_sources_are_taken_as_asked() {
    let ends = Bc::default().endpoints();
    assert_eq!(verdict(&ends, None, raw(&ends)), "");
    assert_eq!(verdict(&ends, None, raw(&Bc::default())), SHARES, "ends left out");
    assert_eq!(verdict(&Bc::default(), None, raw(&ends)), END, "ends counted");
    let one = vec![0.0, 1.5, 0.5, 0.0, 0.5, 3.5, 1.0, 0.0];
    assert_eq!(verdict(&Bc::default(), Some(vec![0]), one.clone()), "");
    assert_eq!(verdict(&Bc::default(), Some(vec![1]), one.clone()), SHARES, "another source");
    let mut own = one;
    own[0] = 1.0;
    assert_eq!(verdict(&Bc::default().endpoints(), Some(vec![0]), own), SHARES);
}

#[test]
fn only_the_only_source_may_be_nan() {
    let config = Bc::default().source(0);
    let answer = Cpu::threads(1).ask(&ring(), &config, Plan::AUTO).expect("an answer");
    assert!(answer.scores()[0].is_nan() && broken(&answer, &ring()).is_empty());
    assert!(answer.figures().top.iter().all(|scored| !scored.score.is_nan()));
}
