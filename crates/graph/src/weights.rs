//! Stores arc weights in one array parallel to the targets of a CSR.

use crate::{error::Result, memory::Buffer, par};
use serde::{Deserialize, Serialize};

/// The type of a graph's weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightType {
    /// Integers from 0 to 2^32-1; the default for integers.
    U32,
    /// Integers of which at least one is negative.
    I32,
    /// Decimals, narrowed on request.
    F32,
    /// Decimals.
    F64,
}

impl WeightType {
    /// Returns the name: `u32`, `i32`, `f32` or `f64`.
    pub fn name(self) -> &'static str {
        match self {
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

impl std::fmt::Display for WeightType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The weights of a graph's arcs, in the order of the arcs.
///
/// Invariant: floats are finite. Readers and `FromEdges` refuse NaN and infinities.
#[derive(Debug, Clone, Default)]
pub enum Weights {
    /// An unweighted graph.
    #[default]
    None,
    /// See [`WeightType::U32`].
    U32(Buffer<u32>),
    /// See [`WeightType::I32`].
    I32(Buffer<i32>),
    /// See [`WeightType::F32`].
    F32(Buffer<f32>),
    /// See [`WeightType::F64`].
    F64(Buffer<f64>),
}

/// Evaluates an expression with the slice of weights, whatever its type:
/// `with_weights!(weights, |w| expr, none: expr)`.
#[macro_export]
macro_rules! with_weights {
    ($weights:expr, |$w:ident| $body:expr, none: $none:expr) => {
        match $weights {
            $crate::Weights::None => $none,
            $crate::Weights::U32($w) => $body,
            $crate::Weights::I32($w) => $body,
            $crate::Weights::F32($w) => $body,
            $crate::Weights::F64($w) => $body,
        }
    };
}

impl Weights {
    /// Returns the type of the weights, or `None` for an unweighted graph.
    pub fn weight_type(&self) -> Option<WeightType> {
        match self {
            Self::None => None,
            Self::U32(_) => Some(WeightType::U32),
            Self::I32(_) => Some(WeightType::I32),
            Self::F32(_) => Some(WeightType::F32),
            Self::F64(_) => Some(WeightType::F64),
        }
    }

    /// Returns the number of weights; 0 for an unweighted graph.
    pub fn len(&self) -> usize {
        with_weights!(self, |w| w.len(), none: 0)
    }

    /// Returns true if the graph is unweighted or has no arcs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        with_weights!(self, |w| w.bytes(), none: 0)
    }

    /// Returns the weight of arc `index` as f64; 1 for an unweighted graph.
    #[allow(clippy::useless_conversion, reason = "one of the four types is f64 already")]
    pub fn get(&self, index: usize) -> f64 {
        match self {
            Self::None => 1.0,
            Self::U32(w) => w[index].into(),
            Self::I32(w) => w[index].into(),
            Self::F32(w) => w[index].into(),
            Self::F64(w) => w[index],
        }
    }

    /// Returns the smallest and the largest weight as f64; `None` if there are no weights.
    pub fn range(&self) -> Option<(f64, f64)> {
        fn scan<T: bytemuck::Pod + Into<f64> + Send + Sync>(w: &[T]) -> Option<(f64, f64)> {
            let range = |range: std::ops::Range<usize>| {
                w[range].iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &x| {
                    let x: f64 = x.into();
                    (lo.min(x), hi.max(x))
                })
            };
            par::reduce(w.len(), 1 << 16, range, |a, b| (a.0.min(b.0), a.1.max(b.1)))
        }
        with_weights!(self, |w| scan(w), none: None)
    }

    /// Returns F64 weights narrowed to f32, as `--weight-type f32` requests; weights of other types stay as they are.
    ///
    /// # Errors
    /// [`crate::Error::TooLarge`] if memory is short.
    pub fn narrowed(&self) -> Result<Self> {
        let Self::F64(wide) = self else { return Ok(self.clone()) };
        let mut narrow = crate::memory::Pages::<f32>::zeroed(wide.len())?;
        par::parts_mut(&mut narrow, par::FINE, |first, part| {
            part.iter_mut().zip(&wide[first..]).for_each(|(n, w)| *n = *w as f32);
        });
        Ok(Self::F32(narrow.into()))
    }
}
