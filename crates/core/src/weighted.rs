//! Checks that a graph has the weights that `--weighted` needs.

use crate::{Error, Result};
use warpgraph_graph::Graph;

/// The smallest weights that an algorithm accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Least {
    /// Zero and more.
    Zero,
    /// More than zero.
    Positive,
}

/// Refuses a graph without weights, with weights that are too small, or with weights so large that their sum may be
/// beyond the range of f64, in which all algorithms add them.
///
/// # Errors
/// [`Error::Config`] of `algorithm`. `instead` says what leaving `--weighted` out would do.
pub(crate) fn check(algorithm: &'static str, graph: &Graph, least: Least, instead: &str) -> Result<()> {
    let refuse = |what: String, help: String| Err(Error::config(algorithm, what, help));
    let help = || format!("leave --weighted out {instead}");
    match graph.weight_range() {
        Some((w, _)) if w < 0.0 && least == Least::Zero => {
            refuse(format!("weights must not be negative, the least is {w}"), help())
        }
        Some((w, _)) if w <= 0.0 && least == Least::Positive => {
            let what = format!("weights must be greater than zero, the least is {}", w + 0.0);
            refuse(what, format!("{}, or give positive weights", help()))
        }
        Some((_, w)) if !(2.0 * w * graph.arcs() as f64).is_finite() => refuse(
            format!("sums of weights may be beyond the range of f64, the largest is {w:e}"),
            format!("{}, or divide all weights by the same number", help()),
        ),
        None if graph.weight_type().is_none() && graph.arcs() > 0 => {
            refuse("--weighted needs a weighted graph, and this one has no weights".to_owned(), help())
        }
        _ => Ok(()),
    }
}
