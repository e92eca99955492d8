//! The types of distances and weights for which the kernels of shortest paths are compiled ahead of a run.

use crate::{Outline, variants::Functor};
use warpgraph_core::{
    Result,
    program::{ScalarType, library::Lengths},
    sssp::{Kinds, kinds},
};
use warpgraph_graph::WeightType;

/// Returns the types for such a graph, the likelier ones first. If the greatest weight is not known, distances along whole
/// weights have 32 or 64 bits.
pub(super) fn ahead(outline: &Outline) -> impl Iterator<Item = Kinds> {
    let least = outline.least_weight().unwrap_or(1.0);
    let ranges = match (outline.weight_range, outline.weights) {
        (Some(range), _) => vec![range],
        (None, None | Some(WeightType::F32 | WeightType::F64)) => vec![(1.0, 1.0)],
        (None, _) => vec![(least, 255.0), (least, f64::from(u32::MAX))],
    };
    let mut all: Vec<Kinds> = Vec::new();
    for found in ranges.into_iter().filter_map(|range| kinds(outline.weights, range, outline.vertices)) {
        if !all.contains(&found) {
            all.push(found);
        }
    }
    all.into_iter()
}

/// Returns the program of these types.
pub(super) fn functor(kinds: Kinds) -> Result<Functor> {
    use ScalarType::{F32, F64, I32, U32};
    match kinds {
        (F32, _) => Functor::of(&Lengths::<f32, f32>::from(0)),
        (F64, F64) => Functor::of(&Lengths::<f64, f64>::from(0)),
        (F64, _) => Functor::of(&Lengths::<f64, i32>::from(0)),
        (U32, I32) => Functor::of(&Lengths::<u32, i32>::from(0)),
        (_, I32) => Functor::of(&Lengths::<u64, i32>::from(0)),
        (U32, _) => Functor::of(&Lengths::<u32, u32>::from(0)),
        _ => Functor::of(&Lengths::<u64, u32>::from(0)),
    }
}
