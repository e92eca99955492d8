//! The types of distances and weights of shortest paths: one decision for every engine that computes them as a program.

use crate::program::ScalarType;
use warpgraph_graph::WeightType;

/// 2^53: f64 represents every whole number up to this one.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The type of distances, and that of weights.
pub type Kinds = (ScalarType, ScalarType);

/// Returns the types for weights of a type and a range: the narrowest ones that hold the longest path. `None` if negative
/// whole weights cannot be added up exactly.
pub fn kinds(weights: Option<WeightType>, (least, most): (f64, f64), vertices: u64) -> Option<Kinds> {
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
