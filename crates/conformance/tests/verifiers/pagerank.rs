//! Damaged answers of pagerank.

use super::*;

fn verdict(ranks: Vec<f64>, residual: f64, halt: Halted) -> &'static str {
    let config = PageRank::default();
    let answer = PageRankAnswer::new(&graph(), &config, Pages::from(ranks), residual, run(halt));
    broken(&answer, &graph())
}

fn right() -> Vec<f64> {
    warpgraph::oracle::pagerank(&graph(), &PageRank::default()).expect("ranks")
}

/// The right ranks with `amount` moved from vertex 3 to vertex `to`.
fn moved(amount: f64, to: usize) -> Vec<f64> {
    let mut ranks = right();
    ranks[3] -= amount;
    ranks[to] += amount;
    ranks
}

#[test]
fn every_damage_is_named() {
    let fixed = "a sweep does not change the ranks";
    let verdict = |ranks| verdict(ranks, 1e-7, Halted::Tolerance);
    assert_eq!(verdict(right()), "");
    assert_eq!(verdict(moved(1e-8, 6)), "", "within the tolerance");
    assert_eq!(verdict(moved(1e-5, 6)), fixed);
    assert_eq!(verdict(vec![1.0 / 7.0; 7]), fixed, "where it started");
    assert_eq!(verdict(moved(1.0, 0)), "every rank is a number from 0");
    assert_eq!(verdict(moved(f64::NAN, 0)), "every rank is a number from 0");
    assert_eq!(verdict(right().iter().map(|x| x * 7.0).collect()), "ranks sum to 1", "a sum of n");
    assert_eq!(verdict(vec![1.0]), "one value a vertex");
}

#[test]
fn a_run_that_used_its_sweeps_up_is_held_to_the_change_it_reported() {
    assert_eq!(verdict(moved(1e-3, 6), 1e-2, Halted::MaxIterations), "");
    let fixed = "a sweep does not change the ranks";
    assert_eq!(verdict(moved(1e-3, 6), 1e-5, Halted::MaxIterations), fixed);
    assert_eq!(verdict(moved(1e-3, 6), f64::NAN, Halted::MaxIterations), fixed);
}
