//! [`Combine`]: how a vertex combines the messages that arrive. The engines derive push with atomics, pull and other
//! forms from it.

use super::{Scalar, trace::Binary};
use std::fmt;

/// A commutative monoid over numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// The minimum.
    Min,
    /// The maximum.
    Max,
    /// The sum.
    Sum,
    /// Bitwise or; integers only.
    Or,
}

impl Combine {
    /// Returns the neutral element, which stands for "nothing arrived".
    #[inline(always)]
    pub fn identity<T: Scalar>(self) -> T {
        match self {
            Self::Min => T::GREATEST,
            Self::Max => T::LEAST,
            Self::Sum | Self::Or => T::ZERO,
        }
    }

    /// Combines two values. `Min` and `Max` ignore a new NaN.
    #[inline(always)]
    pub fn join<T: Scalar>(self, old: T, new: T) -> T {
        match self {
            Self::Min | Self::Max => {
                if self.improves(old, new) {
                    new
                } else {
                    old
                }
            }
            Self::Sum => old.plus(new),
            Self::Or => old.or(new),
        }
    }

    /// Returns true if combining `new` with `old` changes `old`. For `Min` and `Max`, NaN changes nothing.
    #[inline(always)]
    pub fn improves<T: Scalar>(self, old: T, new: T) -> bool {
        match self {
            Self::Min => new.order() < old.order() && new.is_number(),
            Self::Max => new.order() > old.order() && new.is_number(),
            Self::Sum => new != T::ZERO,
            Self::Or => old.or(new) != old,
        }
    }

    /// Returns true if combining the same value twice changes nothing the second time: all but `Sum`.
    pub fn is_idempotent(self) -> bool {
        self != Self::Sum
    }

    /// Returns the operation that joins two values in a trace.
    pub(super) fn binary(self) -> Binary {
        match self {
            Self::Sum => Binary::Add,
            Self::Or => Binary::BitsOr,
            Self::Min => Binary::Least,
            Self::Max => Binary::Greatest,
        }
    }

    /// Returns its name: `min`, `max`, `sum`, `or`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Sum => "sum",
            Self::Or => "or",
        }
    }
}

impl fmt::Display for Combine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_a_number_never_wins() {
        for nan in [f32::NAN, -f32::NAN] {
            assert_eq!(Combine::Min.join(2.0, nan), 2.0);
            assert_eq!(Combine::Max.join(2.0, nan), 2.0);
        }
    }

    #[test]
    fn an_identity_changes_nothing() {
        for how in [Combine::Min, Combine::Max, Combine::Sum, Combine::Or] {
            assert_eq!(how.join(how.identity(), 7u32), 7);
            assert_eq!(how.join(7u32, how.identity()), 7);
            assert!(how == Combine::Or || how.join(how.identity(), -7.5f64) == -7.5);
        }
    }

    #[test]
    fn zeros_of_both_signs_are_put_in_order() {
        assert!(Combine::Min.join(0.0f64, -0.0).is_sign_negative());
        assert!(Combine::Max.join(-0.0f64, 0.0).is_sign_positive());
    }
}
