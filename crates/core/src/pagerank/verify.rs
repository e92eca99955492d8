//! Verifies ranks:
//!
//! 1. every rank is a number of at least 0;
//! 2. the ranks sum to 1 (to 1e-9);
//! 3. fixed point: one exact sweep of the formula in [`crate::pagerank`], in f64, changes the ranks by no more than the
//!    tolerance in total (or, if the run stopped at its limit, than the change the run reported), plus rounding.

use super::PageRankAnswer;
use crate::{Halted, Violation, verify::first};
use warpgraph_graph::{Graph, Vertex, par};

/// Rounding error allowed in a sum of ranks.
const ROUNDING: f64 = 1e-9;

pub(super) fn verify(answer: &PageRankAnswer, graph: &Graph) -> Result<(), Violation> {
    let ranks = answer.ranks();
    if ranks.len() != graph.vertices() {
        let what = format!("{} for {} vertices", ranks.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    if ranks.is_empty() {
        return Ok(());
    }
    first(ranks.len(), |v| {
        let rank = ranks[v as usize];
        let is_rank = rank.is_finite() && rank >= 0.0;
        (!is_rank).then(|| {
            Violation::new(
                "every rank is a number from 0",
                format!("vertex {} has {rank}", graph.ids().id(v)),
            )
        })
    })?;
    let sum = par::sum_f64(ranks.len(), |v| ranks[v]);
    if (sum - 1.0).abs() > ROUNDING {
        return Err(Violation::new("ranks sum to 1", format!("they sum to {sum}")));
    }
    let residual =
        residual(answer, graph).map_err(|e| Violation::new("the sweep can be made", e.to_string()))?;
    let allowed = match answer.run_halt() {
        Halted::MaxIterations => answer.residual.max(answer.config.target()),
        _ => answer.config.target(),
    } + ROUNDING;
    if residual > allowed {
        let what = format!("a sweep changes them by {residual:e}, allowed are {allowed:e}");
        return Err(Violation::new("a sweep does not change the ranks", what));
    }
    Ok(())
}

impl PageRankAnswer {
    fn run_halt(&self) -> Halted {
        use crate::Answer;
        self.run().halt
    }
}

/// Returns `sum |F(x) - x|` for the formula of the module.
fn residual(answer: &PageRankAnswer, graph: &Graph) -> crate::Result<f64> {
    let (x, config) = (answer.ranks(), &answer.config);
    let (out, incoming) = (graph.out(), graph.incoming()?);
    let n = x.len();
    let strength = |u: Vertex| -> f64 {
        if config.weighted {
            out.csr.arcs_of(u).map(|i| out.weights.get(i)).sum()
        } else {
            out.csr.degree(u) as f64
        }
    };
    let strengths: Vec<f64> = par::map(n, |v| strength(v as Vertex));
    let sunk = par::sum_f64(n, |v| if strengths[v] == 0.0 { x[v] } else { 0.0 });
    let teleport = config.teleport(graph)?;
    let change = |v: Vertex| {
        let gathered: f64 = incoming
            .csr
            .arcs_of(v)
            .map(|i| {
                let u = incoming.csr.targets()[i] as usize;
                let weight = if config.weighted { incoming.weights.get(i) } else { 1.0 };
                if strengths[u] > 0.0 { x[u] * weight / strengths[u] } else { 0.0 }
            })
            .sum();
        let t = teleport.as_ref().map_or(1.0 / n as f64, |t| t[v as usize]);
        (config.damping * (gathered + t * sunk) + (1.0 - config.damping) * t - x[v as usize]).abs()
    };
    Ok(par::sum_f64(n, |v| change(v as Vertex)))
}
