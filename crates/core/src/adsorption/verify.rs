//! Verifies an adsorption answer:
//!
//! 1. every value is a finite number;
//! 2. no value exceeds what is injected: with `L` the label of largest magnitude, `|x| <= p_inject * L / (1 -
//!    p_continue)`;
//! 3. one exact sweep of the formula in [`crate::adsorption`] changes the values by no more than the tolerance in total
//!    (or, if the run stopped at its limit, than the run reported), plus rounding.

use super::AdsorptionAnswer;
use crate::{Halted, Result, Violation, verify::first};
use warpgraph_graph::{Graph, Vertex, par};

/// Rounding error allowed in a sum, relative to its terms.
const ROUNDING: f64 = 1e-12;

pub(super) fn verify(answer: &AdsorptionAnswer, graph: &Graph) -> Result<(), Violation> {
    let (x, config) = (answer.values(), &answer.config);
    if x.len() != graph.vertices() {
        let what = format!("{} for {} vertices", x.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    let failed = |e: crate::Error| Violation::new("the sweep can be made", e.to_string());
    let injected = config.injected(graph).map_err(failed)?;
    let most = injected.iter().fold(0.0, |most: f64, x| most.max(x.abs())) / (1.0 - config.p_continue);
    first(x.len(), |v| {
        let value = x[v as usize];
        let what = || format!("vertex {} has {value}", graph.ids().id(v));
        if !value.is_finite() {
            return Some(Violation::new("every value is a number", what()));
        }
        (value.abs() > most * (1.0 + 1e-9)).then(|| {
            Violation::new("no value is beyond what is injected", format!("{}, allowed are {most}", what()))
        })
    })?;
    let residual = residual(answer, graph, &injected).map_err(failed)?;
    let met = match answer.run.halt {
        Halted::MaxIterations => answer.residual.max(config.tolerance),
        _ => config.tolerance,
    };
    let allowed = met + ROUNDING * (1.0 + most * x.len() as f64);
    if residual <= allowed {
        return Ok(());
    }
    let what = format!("a sweep changes them by {residual:e}, allowed are {allowed:e}");
    Err(Violation::new("a sweep does not change the values", what))
}

/// Returns `sum |F(x) - x|`.
fn residual(answer: &AdsorptionAnswer, graph: &Graph, injected: &[f64]) -> Result<f64> {
    let (x, config, incoming) = (answer.values(), &answer.config, graph.incoming()?);
    let change = |v: Vertex| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for arc in incoming.csr.arcs_of(v) {
            let weight = if config.weighted { incoming.weights.get(arc) } else { 1.0 };
            sum += weight * x[incoming.csr.targets()[arc] as usize];
            weights += weight;
        }
        let mean = if weights > 0.0 { sum / weights } else { 0.0 };
        (injected[v as usize] + config.p_continue * mean - x[v as usize]).abs()
    };
    Ok(par::sum_f64(x.len(), |v| change(v as Vertex)))
}
