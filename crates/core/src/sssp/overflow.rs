//! Finds a distance that is beyond the range of its floating-point type.
//!
//! A sum of finite weights can be infinite after rounding. Infinity also marks unreached vertices, so such an answer
//! would call a vertex unreached that the source reaches. [`refuse`] turns it into an error that names the vertex.
//!
//! Nearly all graphs cost nothing: a path has fewer than n arcs, so no sum exceeds `2 n max |w|` (an addition in floating
//! point adds less than twice the weight, or nothing). Only where that bound is out of range, the search looks at every
//! arc once, O(n + m).

use super::{
    Distances,
    parents::{FromWeight, weight},
};
use crate::{Error, Result};
use warpgraph_graph::{Graph, Vertex, par};

/// Refuses distances that left the range of their type.
///
/// # Errors
/// [`Error::Overflow`] with the first such vertex.
pub(super) fn refuse(graph: &Graph, distances: &Distances) -> Result<()> {
    let found = match distances {
        Distances::F32(d) if is_possible(graph, f32::MAX.into()) => find(graph, d),
        Distances::F64(d) if is_possible(graph, f64::MAX) => find(graph, d),
        _ => None,
    };
    let Some((vertex, before)) = found else { return Ok(()) };
    let id = |v: Vertex| graph.ids().id(v);
    Err(Error::Overflow { vertex: id(vertex), before: before.map(id), kind: distances.type_name() })
}

/// Returns true if a sum of weights along a path may exceed `largest`.
fn is_possible(graph: &Graph, largest: f64) -> bool {
    let (least, most) = graph.weight_range().unwrap_or((1.0, 1.0));
    2.0 * least.abs().max(most.abs()) * graph.vertices() as f64 > largest
}

/// Returns a vertex whose distance is out of range: below all numbers, or unreached although an arc leads to it from a
/// reached vertex, which is returned too.
fn find<D: FromWeight>(graph: &Graph, distance: &[D]) -> Option<(Vertex, Option<Vertex>)> {
    let arcs = graph.out();
    let beyond = |u: usize| {
        let here = distance[u];
        if here.as_f64() == f64::NEG_INFINITY {
            return Some((u as Vertex, None));
        }
        let is_beyond = |&i: &usize| {
            let there = distance[arcs.csr.targets()[i] as usize];
            there >= D::UNREACHED && here.along(weight(&arcs.weights, i)) >= D::UNREACHED
        };
        let found = (here < D::UNREACHED).then(|| arcs.csr.arcs_of(u as Vertex).find(is_beyond))?;
        found.map(|i| (arcs.csr.targets()[i], Some(u as Vertex)))
    };
    let search = |mut range: std::ops::Range<usize>| range.find(|&u| beyond(u).is_some());
    par::find_first(distance.len(), 1024, search).and_then(beyond)
}
