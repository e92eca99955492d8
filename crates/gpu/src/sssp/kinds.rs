//! The types of distances and weights of shortest paths: one decision for the run and for what is compiled ahead of it.

use super::Lengths;
use crate::{Outline, variants::Functor};
use warpgraph_core::{Result, program::ScalarType};
use warpgraph_graph::WeightType;

/// 2^53: f64 represents every whole number up to this one.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The type of distances, and that of weights.
pub(super) type Kinds = (ScalarType, ScalarType);

/// Returns the types for weights of a type and a range: the narrowest ones that hold the longest path. `None` if negative
/// whole weights cannot be added up exactly.
pub(super) fn of(weights: Option<WeightType>, (least, most): (f64, f64), vertices: u64) -> Option<Kinds> {
    use ScalarType::{F32, F64, I32, U32, U64};
    let longest = least.abs().max(most) * vertices as f64;
    let whole = if longest < f64::from(u32::MAX) { U32 } else { U64 };
    match weights {
        Some(WeightType::F32) => Some((F32, F32)),
        Some(WeightType::F64) => Some((F64, F64)),
        Some(WeightType::I32) if least < 0.0 => (longest < EXACT).then_some((F64, I32)),
        Some(WeightType::I32) => Some((whole, I32)),
        _ => Some((whole, U32)),
    }
}

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
    for kinds in ranges.into_iter().filter_map(|range| of(outline.weights, range, outline.vertices)) {
        if !all.contains(&kinds) {
            all.push(kinds);
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
