//! Verifies betweenness scores:
//!
//! 1. every score is a number of at least 0 (NaN for a single source without endpoints);
//! 2. a vertex that no path can pass through has score 0: it has no incoming arcs, no outgoing arcs, or both only from
//!    and to one neighbour;
//! 3. the sum: a path of h hops has h - 1 inner vertices, so the dependencies on one source sum to (mean hops of its
//!    shortest paths to t) - 1, summed over all t that it reaches;
//! 4. the definition, at the vertex of highest score and one other: the shares of shortest paths through them, counted
//!    forwards from each source, while engines sum dependencies backwards.
//!
//! Scores from sampled paths must meet rules 1 and 2. Rule 4 allows the error that the run reports, which fails with the
//! probability that the user allows; rule 3 is not checked.
//!
//! With endpoints, each path counts two more in rule 3, and counts for its ends in rule 4. The searches are serial and
//! use their own exponents. If there are too many sources to search from all ([`BUDGET`]), a sample is used, and rules
//! 3 and 4 become lower bounds.

use super::{BcAnswer, paths::Paths};
use crate::{Answer as _, Violation, Word, top::top, verify::first};
use warpgraph_graph::{Graph, Vertex, hash, par};

/// Arcs and vertices that all searches together may visit.
const BUDGET: u64 = 1 << 32;
/// Passes over the graph per source: searching, counting, and the definition at two vertices.
const PASSES: u64 = 4;
/// Relative error allowed in a score: the rounding of about 10^4 additions.
const ROUNDING: f64 = 1e-9;

pub(super) fn verify(answer: &BcAnswer, graph: &Graph) -> Result<(), Violation> {
    let n = graph.vertices();
    if answer.scores.len() != n {
        let what = format!("{} for {n} vertices", answer.scores.len());
        return Err(Violation::new("one value per vertex", what));
    }
    let raw = Raw::of(answer, graph);
    first(n, |v| check_vertex(&raw, graph, v))?;
    if n == 0 { Ok(()) } else { check_sources(&raw, graph) }
}

/// Scores before scaling.
struct Raw<'a> {
    answer: &'a BcAnswer,
    sums: Vec<f64>,
    /// The error of sampled sums; `None` if they are exact.
    error: Option<f64>,
}

impl<'a> Raw<'a> {
    fn of(answer: &'a BcAnswer, graph: &Graph) -> Self {
        let sources = answer.sources();
        let scales = answer.config.scales(graph, sources.map(<[_]>::len));
        let mut sums: Vec<f64> = answer.scores.iter().map(|score| score / scales.other).collect();
        for &s in sources.into_iter().flatten() {
            let score = answer.scores[s as usize];
            sums[s as usize] =
                if scales.source.is_nan() && score.is_nan() { 0.0 } else { score / scales.source };
        }
        let is_sampled = |accuracy: &&crate::Accuracy| accuracy.word == Word::Proved;
        let accuracy = answer.run().accuracy.as_ref().filter(is_sampled);
        let n = graph.vertices() as f64;
        let error = accuracy.map(|accuracy| accuracy.achieved * (n - 1.0) * (n - 2.0));
        Self { answer, sums, error }
    }

    fn endpoints(&self) -> bool {
        self.answer.config.endpoints
    }
}

fn check_vertex(raw: &Raw<'_>, graph: &Graph, v: Vertex) -> Option<Violation> {
    let sum = raw.sums[v as usize];
    let what = || format!("vertex {} has {}", graph.ids().id(v), raw.answer.scores[v as usize]);
    if !(sum.is_finite() && sum >= 0.0) {
        return Some(Violation::new("every score is a number from 0", what()));
    }
    (sum > 0.0 && !raw.endpoints() && is_end(graph, v))
        .then(|| Violation::new("no path leads through an end", what()))
}

/// Returns true if no shortest path can pass through `v`, whatever the weights.
fn is_end(graph: &Graph, v: Vertex) -> bool {
    let Ok(incoming) = graph.incoming() else { return false };
    let others = |row: &[Vertex]| {
        let mut row = row.iter().copied().filter(|&u| u != v);
        let least = row.next();
        (least, row.next_back().or(least))
    };
    let (from, to) = (others(incoming.csr.neighbors(v)), others(graph.out().csr.neighbors(v)));
    from.0.is_none() || to.0.is_none() || (from == to && from.0 == from.1)
}

/// What the searches from the chosen sources find.
struct Found {
    sum: f64,
    at: Vec<f64>,
}

fn check_sources(raw: &Raw<'_>, graph: &Graph) -> Result<(), Violation> {
    let n = graph.vertices() as Vertex;
    let all = raw.answer.sources().map_or_else(|| (0..n).collect(), <[_]>::to_vec);
    let cost = PASSES * (graph.arcs() + graph.vertices()) as u64;
    let step = all.len().div_ceil((BUDGET / cost).max(1) as usize);
    let some: Vec<Vertex> = all.iter().copied().step_by(step).collect();
    let mut at = top(&raw.sums, 1);
    at.push((hash::mix(1, u64::from(n)) % u64::from(n)) as Vertex);
    let zero = Found { sum: 0.0, at: vec![0.0; at.len()] };
    let searches = par::map(some.len(), |i| search(raw, graph, some[i], &at));
    let found = searches.into_iter().fold(zero, |mut a, b| {
        a.sum += b.sum;
        a.at.iter_mut().zip(b.at).for_each(|(a, b)| *a += b);
        a
    });
    let is_right = |got: f64, expected: f64| {
        let rounding = ROUNDING * got.max(expected) + 1e-12 + raw.error.unwrap_or(0.0);
        got >= expected - rounding && (step > 1 || got <= expected + rounding)
    };
    let least = if step > 1 { "at least " } else { "" };
    for (&v, &expected) in at.iter().zip(&found.at) {
        if !is_right(raw.sums[v as usize], expected) {
            let (id, got) = (graph.ids().id(v), raw.sums[v as usize]);
            let what = format!("{got} paths lead through vertex {id}, counting finds {least}{expected}");
            return Err(Violation::new("scores are sums of shares of shortest paths", what));
        }
    }
    let got = par::sum_f64(raw.sums.len(), |v| raw.sums[v]);
    if raw.error.is_some() || is_right(got, found.sum) {
        return Ok(());
    }
    let what = format!("they sum to {got}, the paths have {least}{} inner vertices", found.sum);
    Err(Violation::new("scores sum to the inner vertices of all paths", what))
}

fn search(raw: &Raw<'_>, graph: &Graph, source: Vertex, at: &[Vertex]) -> Found {
    let paths = Paths::from(graph, source, raw.answer.config.weighted);
    let others = paths.order.iter().filter(|&&t| t != source);
    let ends = if raw.endpoints() { 1.0 } else { -1.0 };
    let sum = others.map(|&t| paths.hops[t as usize] + ends).sum();
    let through = |&v: &Vertex| {
        let inner = if v == source { 0.0 } else { paths.through(v) };
        inner
            + match raw.endpoints() {
                true if v == source => (paths.order.len() - 1) as f64,
                true => f64::from(u8::from(!paths.counts[v as usize].is_zero())),
                false => 0.0,
            }
    };
    Found { sum, at: at.iter().map(through).collect() }
}
