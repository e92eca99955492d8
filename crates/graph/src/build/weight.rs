//! Represents weights as raw bits while the builder moves them.
//!
//! Sorting and scattering move weights without interpreting them, so those loops are compiled for three widths (0, 32
//! and 64 bits) and not for each type of weight. Only merging parallel edges depends on the type.

use super::Parallel;
use crate::{
    memory::Pages,
    weights::{WeightType, Weights},
};
use bytemuck::Pod;

/// The bits of a weight: `()` for an unweighted edge, `u32` or `u64`.
pub(crate) trait Bits: Pod + Send + Sync {
    /// Widens the bits with zeroes.
    fn wide(self) -> u64;
    /// Drops the bits beyond the width.
    fn narrow(wide: u64) -> Self;
    /// Returns the weights of the finished arcs; `kind` has this width.
    fn finish(pages: Pages<Self>, kind: Option<WeightType>) -> Weights;
}

impl Bits for () {
    fn wide(self) -> u64 {
        0
    }
    fn narrow(_: u64) -> Self {}
    fn finish(_: Pages<()>, _: Option<WeightType>) -> Weights {
        Weights::None
    }
}

impl Bits for u32 {
    #[inline(always)]
    fn wide(self) -> u64 {
        self.into()
    }
    #[inline(always)]
    fn narrow(wide: u64) -> Self {
        wide as Self
    }
    fn finish(pages: Pages<Self>, kind: Option<WeightType>) -> Weights {
        match kind {
            Some(WeightType::I32) => Weights::I32(pages.cast().into()),
            Some(WeightType::F32) => Weights::F32(pages.cast().into()),
            _ => Weights::U32(pages.into()),
        }
    }
}

impl Bits for u64 {
    #[inline(always)]
    fn wide(self) -> u64 {
        self
    }
    #[inline(always)]
    fn narrow(wide: u64) -> Self {
        wide
    }
    fn finish(pages: Pages<Self>, _: Option<WeightType>) -> Weights {
        Weights::F64(pages.cast().into())
    }
}

/// Returns the merged weight of two parallel edges, `kept` listed first; `None` if their sum exceeds the type.
pub(super) fn merge(kind: WeightType, kept: u64, other: u64, rule: Parallel) -> Option<u64> {
    match kind {
        WeightType::U32 => {
            let wide = |w: u32| Some(w.into());
            choose(kept as u32, other as u32, rule, u32::checked_add).and_then(wide)
        }
        WeightType::I32 => {
            let wide = |w: i32| Some((w as u32).into());
            choose(kept as i32, other as i32, rule, i32::checked_add).and_then(wide)
        }
        WeightType::F32 => {
            let (kept, other) = (f32::from_bits(kept as u32), f32::from_bits(other as u32));
            let sum = |a: f32, b: f32| Some(a + b).filter(|sum| sum.is_finite());
            choose(kept, other, rule, sum).map(|w| w.to_bits().into())
        }
        WeightType::F64 => {
            let sum = |a: f64, b: f64| Some(a + b).filter(|sum| sum.is_finite());
            choose(f64::from_bits(kept), f64::from_bits(other), rule, sum).map(f64::to_bits)
        }
    }
}

fn choose<W: PartialOrd>(kept: W, other: W, rule: Parallel, sum: impl Fn(W, W) -> Option<W>) -> Option<W> {
    match rule {
        Parallel::Sum => sum(kept, other),
        Parallel::Min if other < kept => Some(other),
        _ => Some(kept),
    }
}

/// Returns true if a graph may hold this weight, which must be finite.
pub(super) fn is_valid(kind: Option<WeightType>, bits: u64) -> bool {
    match kind {
        Some(WeightType::F32) => f32::from_bits(bits as u32).is_finite(),
        Some(WeightType::F64) => f64::from_bits(bits).is_finite(),
        _ => true,
    }
}
