//! Weights in the type that a graph stores: as they are if that is one of its four types, otherwise like the readers of
//! files, u32 or i32 if all values fit, else f64.

use super::{Column, Numbers, Values, column::with_numbers};
use std::fmt;
use warpgraph::graph::build::EdgeWeights;

/// The largest whole number up to which f64 holds every one.
const EXACT: u64 = 1 << 53;

/// Returns the weights.
///
/// # Errors
/// What is wrong: text, a number that no type of weights holds.
pub(super) fn weights(column: &Column) -> Result<EdgeWeights, String> {
    let mut pieces = Vec::with_capacity(column.pieces.len());
    for piece in &column.pieces {
        match &piece.values {
            Values::Numbers(numbers) => pieces.push(numbers),
            _ => return Err("the weights are text".to_owned()),
        }
    }
    macro_rules! all {
        ($variant:ident) => {
            pieces.iter().all(|piece| matches!(piece, Numbers::$variant(_)))
        };
    }
    macro_rules! copied {
        ($variant:ident) => {
            EdgeWeights::$variant(
                pieces
                    .iter()
                    .flat_map(|piece| match piece {
                        Numbers::$variant(values) => values.to_vec(),
                        _ => Vec::new(),
                    })
                    .collect(),
            )
        };
    }
    let weights = match () {
        () if all!(U32) => copied!(U32),
        () if all!(I32) => copied!(I32),
        () if all!(F32) => copied!(F32),
        () if all!(F64) => copied!(F64),
        () if pieces.iter().any(|piece| matches!(piece, Numbers::F32(_) | Numbers::F64(_))) => {
            decimals(&pieces)?
        }
        () => whole(&pieces)?,
    };
    refuse_infinite(&weights)?;
    Ok(weights)
}

/// A number that may become a weight.
trait Number: Copy + fmt::Display {
    fn wide(self) -> i128;
    fn decimal(self) -> Option<f64>;
}

macro_rules! whole_number {
    ($($kind:ty),*) => {$(
        impl Number for $kind {
            fn wide(self) -> i128 {
                self.into()
            }
            fn decimal(self) -> Option<f64> {
                (self.wide().unsigned_abs() <= EXACT.into()).then_some(self as f64)
            }
        }
    )*};
}
whole_number!(u8, u16, u32, u64, i8, i16, i32, i64);

macro_rules! decimal_number {
    ($($kind:ty),*) => {$(
        impl Number for $kind {
            fn wide(self) -> i128 {
                self as i128
            }
            fn decimal(self) -> Option<f64> {
                Some(self.into())
            }
        }
    )*};
}
decimal_number!(f32, f64);

fn decimals(pieces: &[&Numbers]) -> Result<EdgeWeights, String> {
    let mut all = Vec::new();
    for piece in pieces {
        with_numbers!(piece, |values| for &value in values.iter() {
            all.push(value.decimal().ok_or_else(|| inexact(value))?);
        });
    }
    Ok(EdgeWeights::F64(all))
}

fn inexact(value: impl fmt::Display) -> String {
    format!("weight {value} is beyond 2^53, and no type of weights holds it exactly")
}

fn whole(pieces: &[&Numbers]) -> Result<EdgeWeights, String> {
    let (mut least, mut most) = (0, 0);
    for piece in pieces {
        with_numbers!(piece, |values| for &value in values.iter() {
            (least, most) = (value.wide().min(least), value.wide().max(most));
        });
    }
    macro_rules! narrowed {
        ($variant:ident $kind:ty) => {{
            let mut all: Vec<$kind> = Vec::new();
            for piece in pieces {
                with_numbers!(piece, |values| all.extend(values.iter().map(|&value| value as $kind)));
            }
            Ok(EdgeWeights::$variant(all))
        }};
    }
    match (least, most) {
        (0, most) if most <= u32::MAX.into() => narrowed!(U32 u32),
        (least, most) if least >= i32::MIN.into() && most <= i32::MAX.into() => narrowed!(I32 i32),
        _ => decimals(pieces),
    }
}

fn refuse_infinite(weights: &EdgeWeights) -> Result<(), String> {
    let bad = match weights {
        EdgeWeights::F32(values) => values.iter().position(|w| !w.is_finite()),
        EdgeWeights::F64(values) => values.iter().position(|w| !w.is_finite()),
        _ => None,
    };
    bad.map_or(Ok(()), |edge| Err(format!("the weight of edge {edge} is not a finite number")))
}
