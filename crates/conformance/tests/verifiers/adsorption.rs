//! Damaged answers of adsorption.

use super::*;

fn verdict(values: Vec<f64>, residual: f64, halt: Halted) -> &'static str {
    let answer = AdsorptionAnswer::new(&graph(), &config(), Pages::from(values), residual, run(halt));
    broken(&answer, &graph())
}

fn config() -> Adsorption {
    Adsorption::default().inject(0, 1.0)
}

fn right() -> Vec<f64> {
    warpgraph::oracle::adsorption(&graph(), &config()).expect("values")
}

/// The right values with `amount` more at vertex `at`.
fn with(amount: f64, at: usize) -> Vec<f64> {
    let mut values = right();
    values[at] += amount;
    values
}

#[test]
fn every_damage_is_named() {
    let still = "a sweep does not change the values";
    let verdict = |values| verdict(values, 1e-7, Halted::Tolerance);
    assert_eq!(verdict(right()), "");
    assert_eq!(verdict(with(1e-8, 3)), "", "within the tolerance");
    assert_eq!(verdict(with(1e-3, 3)), still);
    assert_eq!(verdict(with(1e-3, 6)), still, "a vertex nothing arrives at");
    assert_eq!(verdict(vec![0.0; 7]), still, "where it started");
    assert_eq!(verdict(with(2.0, 3)), "no value is beyond what is injected");
    assert_eq!(verdict(with(f64::NAN, 3)), "every value is a number");
    assert_eq!(verdict(vec![0.0]), "one value a vertex");
}

#[test]
fn a_run_that_used_its_sweeps_up_is_held_to_the_residual_it_reported() {
    assert_eq!(verdict(with(1e-3, 3), 1e-2, Halted::MaxIterations), "");
    let still = "a sweep does not change the values";
    assert_eq!(verdict(with(1e-3, 3), 1e-5, Halted::MaxIterations), still);
    assert_eq!(verdict(with(1e-3, 3), f64::NAN, Halted::MaxIterations), still);
}
