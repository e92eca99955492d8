//! [`Violation`]: what a verifier reports; and the loop that all verifiers share.

use warpgraph_graph::{Vertex, par};

/// A property that the right answer has and this answer lacks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {what}")]
pub struct Violation {
    /// The property.
    pub rule: &'static str,
    /// Where it does not hold, with the values found.
    pub what: String,
}

impl Violation {
    /// Returns a violation of `rule`.
    pub fn new(rule: &'static str, what: impl Into<String>) -> Self {
        Self { rule, what: what.into() }
    }
}

/// Checks all vertices in parallel, and reports the violation with the smallest vertex.
pub(crate) fn first(
    vertices: usize,
    check: impl Fn(Vertex) -> Option<Violation> + Sync,
) -> Result<(), Violation> {
    let search = |mut range: std::ops::Range<usize>| range.find(|&v| check(v as Vertex).is_some());
    match par::find_first(vertices, 1024, search).and_then(|v| check(v as Vertex)) {
        Some(violation) => Err(violation),
        None => Ok(()),
    }
}
