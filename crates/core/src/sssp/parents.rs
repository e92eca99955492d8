//! Computes a tree of shortest paths from the distances alone.
//!
//! An arc u -> v is *tight* if `distance[u] + w == distance[v]`. Every shortest path consists of tight arcs, and tight
//! arcs connect every reached vertex to the source. The parent is the smallest tight predecessor that is strictly
//! nearer. If a vertex has none (because of arcs of weight zero or less), a search over tight arcs from the source
//! assigns all parents instead. The tree does not depend on the engine that found the distances.

use super::{Distance, Distances, with_distances};
use crate::Result;
use warpgraph_graph::{Arcs, Graph, NO_VERTEX, Vertex, Weights, par};

/// Returns the weight of arc `i` in the type of the distances.
pub(super) fn weight<D: FromWeight>(weights: &Weights, i: usize) -> D {
    match weights {
        Weights::None => D::from_integer(1),
        Weights::U32(w) => D::from_integer(w[i].into()),
        Weights::I32(w) => D::from_integer(w[i].into()),
        Weights::F32(w) => D::from_decimal(w[i].into()),
        Weights::F64(w) => D::from_decimal(w[i]),
    }
}

/// Distances that can be converted from any weight.
pub(super) trait FromWeight: Distance {
    fn from_integer(weight: i64) -> Self;
    fn from_decimal(weight: f64) -> Self;
    /// Returns the saturating sum. [`Distance::plus`] may wrap on a wrong answer, and a wrapped sum could make that
    /// answer look right.
    fn along(self, weight: Self) -> Self;
}

macro_rules! from_weight {
    ($along:expr => $($type:ty),*) => {$(
        impl FromWeight for $type {
            fn from_integer(weight: i64) -> Self {
                weight as $type
            }
            fn from_decimal(weight: f64) -> Self {
                weight as $type
            }
            fn along(self, weight: Self) -> Self {
                $along(self, weight)
            }
        }
    )*};
}
from_weight!(std::ops::Add::add => f32, f64);
from_weight!(u32::saturating_add => u32);
from_weight!(u64::saturating_add => u64);
from_weight!(i64::saturating_add => i64);

/// Returns the parents by internal vertex: the source is its own; [`NO_VERTEX`] for unreached vertices, and for reached
/// vertices without a tight path from the source (a right answer has none).
pub(super) fn parents(graph: &Graph, source: Vertex, distances: &Distances) -> Result<Vec<Vertex>> {
    let incoming = graph.incoming()?;
    Ok(with_distances!(distances, |d| tree(graph.out(), incoming, source, d)))
}

fn tree<D: FromWeight>(out: &Arcs, incoming: &Arcs, source: Vertex, distance: &[D]) -> Vec<Vertex> {
    let parent = |v: Vertex| if v == source { source } else { nearer(incoming, distance, v) };
    let mut parents = par::map(distance.len(), |v| parent(v as Vertex));
    let reached = |v: Vertex| distance[v as usize] < D::UNREACHED;
    let orphans = |parents: &[Vertex]| {
        let is_held = |v: usize| parents[v] != NO_VERTEX || !reached(v as Vertex);
        !par::all(parents.len(), par::FINE, |mut range| range.all(is_held))
    };
    if orphans(&parents) {
        adopt(out, distance, source, &mut parents);
    }
    parents
}

fn nearer<D: FromWeight>(incoming: &Arcs, distance: &[D], v: Vertex) -> Vertex {
    let here = distance[v as usize];
    if here >= D::UNREACHED {
        return NO_VERTEX;
    }
    let is_parent = |&i: &usize| {
        let there = distance[incoming.csr.targets()[i] as usize];
        there < here && there.along(weight(&incoming.weights, i)) == here
    };
    incoming.csr.arcs_of(v).find(is_parent).map_or(NO_VERTEX, |i| incoming.csr.targets()[i])
}

/// Searches from the source over tight arcs and gives each vertex it finds a parent, so that chains with arcs of weight
/// zero or less also end at the source.
fn adopt<D: FromWeight>(out: &Arcs, distance: &[D], source: Vertex, parents: &mut [Vertex]) {
    let mut met = vec![false; distance.len()];
    let mut queue = vec![source];
    met[source as usize] = true;
    parents.fill(NO_VERTEX);
    parents[source as usize] = source;
    let mut next = 0;
    while next < queue.len() {
        let u = queue[next];
        next += 1;
        for i in out.csr.arcs_of(u) {
            let v = out.csr.targets()[i];
            let is_tight = distance[u as usize].along(weight(&out.weights, i)) == distance[v as usize];
            if !met[v as usize] && is_tight {
                met[v as usize] = true;
                parents[v as usize] = u;
                queue.push(v);
            }
        }
    }
}
