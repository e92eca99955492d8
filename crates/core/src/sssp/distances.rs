//! [`Distances`]: distances in the type that the weights require.

use serde_json::Number;
use warpgraph_graph::Pages;

/// A type of distances.
pub trait Distance: bytemuck::Pod + PartialOrd + Send + Sync + std::fmt::Debug + 'static {
    /// Zero.
    const ZERO: Self;
    /// The distance of an unreached vertex: larger than any other.
    const UNREACHED: Self;
    /// Returns the sum; never wraps for the types that [`crate::sssp`] chooses.
    fn plus(self, weight: Self) -> Self;
    /// Converts to f64, for sums and messages.
    fn as_f64(self) -> f64;
    /// Converts to a JSON number; `None` for infinities.
    fn number(self) -> Option<Number>;
    /// Wraps an array of this type.
    fn wrap(values: Pages<Self>) -> Distances;
}

macro_rules! distance {
    ($type:ty, $variant:ident, $zero:expr, $unreached:expr, $number:expr) => {
        impl Distance for $type {
            const ZERO: Self = $zero;
            const UNREACHED: Self = $unreached;
            #[inline(always)]
            fn plus(self, weight: Self) -> Self {
                self + weight
            }
            fn as_f64(self) -> f64 {
                self as f64
            }
            fn number(self) -> Option<Number> {
                $number(self)
            }
            fn wrap(values: Pages<Self>) -> Distances {
                Distances::$variant(values)
            }
        }
    };
}

distance!(u32, U32, 0, u32::MAX, |d: u32| Some(d.into()));
distance!(u64, U64, 0, u64::MAX, |d: u64| Some(d.into()));
distance!(i64, I64, 0, i64::MAX, |d: i64| Some(d.into()));
distance!(f32, F32, 0.0, f32::INFINITY, |d: f32| Number::from_f64(d.into()));
distance!(f64, F64, 0.0, f64::INFINITY, Number::from_f64);

/// One distance per vertex; unreached vertices have the type's largest value.
#[derive(Debug)]
pub enum Distances {
    /// Integers that fit 32 bits.
    U32(Pages<u32>),
    /// Integers.
    U64(Pages<u64>),
    /// Integers, if a weight is negative.
    I64(Pages<i64>),
    /// Single-precision floating point.
    F32(Pages<f32>),
    /// Double-precision floating point.
    F64(Pages<f64>),
}

/// Runs an expression with the slice of distances, whatever its type: `with_distances!(distances, |d| expr)`.
#[macro_export]
macro_rules! with_distances {
    ($distances:expr, |$d:ident| $body:expr) => {
        match $distances {
            $crate::sssp::Distances::U32($d) => $body,
            $crate::sssp::Distances::U64($d) => $body,
            $crate::sssp::Distances::I64($d) => $body,
            $crate::sssp::Distances::F32($d) => $body,
            $crate::sssp::Distances::F64($d) => $body,
        }
    };
}
pub use with_distances;

impl Distances {
    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        with_distances!(self, |d| d.len())
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name of their type: `u32`, `u64`, `i64`, `f32`, `f64`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::U32(_) => "u32",
            Self::U64(_) => "u64",
            Self::I64(_) => "i64",
            Self::F32(_) => "f32",
            Self::F64(_) => "f64",
        }
    }

    /// Returns true if `v` was reached.
    pub fn is_reached(&self, v: usize) -> bool {
        fn reached<D: Distance>(d: &[D], v: usize) -> bool {
            d[v] < D::UNREACHED
        }
        with_distances!(self, |d| reached(d, v))
    }

    /// Returns the distance of `v` as f64; infinity if unreached.
    pub fn get(&self, v: usize) -> f64 {
        if self.is_reached(v) { with_distances!(self, |d| d[v].as_f64()) } else { f64::INFINITY }
    }

    /// Returns the distance of `v` for JSON; `None` if unreached.
    pub fn number(&self, v: usize) -> Option<Number> {
        if self.is_reached(v) { with_distances!(self, |d| d[v].number()) } else { None }
    }
}
