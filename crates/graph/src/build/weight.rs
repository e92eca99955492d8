//! What the builder needs to know about a type of weight; `()` is the weight of an unweighted edge.

use super::Parallel;
use crate::{memory::Pages, weights::Weights};
use bytemuck::Pod;

/// A weight that edges can be merged by.
pub(crate) trait Weight: Pod + Send + Sync {
    /// Its name in error messages.
    const NAME: &'static str;
    /// Is this one the smaller?
    fn is_below(self, other: Self) -> bool;
    /// The sum, unless it leaves the type's range.
    fn plus(self, other: Self) -> Option<Self>;
    /// Is it a number the graph may hold?
    fn is_valid(self) -> bool {
        true
    }
    /// The weights of finished arcs.
    fn finish(pages: Pages<Self>) -> Weights;
}

/// One weight for two parallel edges, `kept` listed first; `None` if their sum leaves the type's range.
#[inline(always)]
pub(super) fn merge<W: Weight>(kept: W, other: W, rule: Parallel) -> Option<W> {
    match rule {
        Parallel::Sum => kept.plus(other),
        Parallel::Min if other.is_below(kept) => Some(other),
        _ => Some(kept),
    }
}

impl Weight for () {
    const NAME: &'static str = "none";
    fn is_below(self, (): ()) -> bool {
        false
    }
    fn plus(self, (): ()) -> Option<()> {
        Some(())
    }
    fn finish(_: Pages<()>) -> Weights {
        Weights::None
    }
}

macro_rules! integer_weight {
    ($type:ty, $variant:ident) => {
        impl Weight for $type {
            const NAME: &'static str = stringify!($type);
            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            fn finish(pages: Pages<Self>) -> Weights {
                Weights::$variant(pages.into())
            }
        }
    };
}

macro_rules! float_weight {
    ($type:ty, $variant:ident) => {
        impl Weight for $type {
            const NAME: &'static str = stringify!($type);
            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Option<Self> {
                Some(self + other).filter(|sum| sum.is_finite())
            }
            fn is_valid(self) -> bool {
                self.is_finite()
            }
            fn finish(pages: Pages<Self>) -> Weights {
                Weights::$variant(pages.into())
            }
        }
    };
}

integer_weight!(u32, U32);
integer_weight!(i32, I32);
float_weight!(f32, F32);
float_weight!(f64, F64);
