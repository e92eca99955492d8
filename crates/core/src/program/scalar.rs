//! The numbers that programs compute with, and the arithmetic on which all dialects agree:
//!
//! - Integers wrap around. Division by zero gives 0; `i32::MIN / -1` wraps.
//! - Floating point follows IEEE 754; nothing is fused or reordered.
//! - A cast rounds to the nearest floating-point number, or towards zero for integers, and saturates at the range of
//!   its type; NaN becomes 0. A cast to a narrower integer drops the upper bits.
//! - [`Scalar::order`] is a total order: -0 is less than +0. NaN never improves a value, see [`Combine::improves`].

use super::Combine;
use std::{
    fmt::{Debug, Display},
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

/// The types of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum ScalarType {
    Bool,
    U32,
    I32,
    U64,
    F32,
    F64,
}

impl ScalarType {
    /// Returns true for numbers, false for truth values.
    pub fn is_number(self) -> bool {
        self != Self::Bool
    }

    /// Returns true for decimals.
    pub fn is_decimal(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Returns its name: `u32`, `f64`, ...
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

impl Display for ScalarType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A number: u32, i32, u64, f32 or f64.
pub trait Scalar:
    sealed::Sealed + bytemuck::Pod + PartialOrd + Default + Debug + Display + Send + Sync + 'static
{
    /// Its type.
    const TYPE: ScalarType;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The smallest value: minus infinity, or the smallest integer.
    const LEAST: Self;
    /// The largest value: infinity, or the largest integer.
    const GREATEST: Self;
    /// The type that [`Scalar::order`] returns.
    type Order: Ord + Copy;
    /// A type in which sums of many values lose little precision.
    type Wide: Scalar;
    /// The atomic of the same size.
    type Cell: Send + Sync;

    /// The sum; integers wrap.
    fn plus(self, other: Self) -> Self;
    /// The difference; integers wrap.
    fn minus(self, other: Self) -> Self;
    /// The product; integers wrap.
    fn times(self, other: Self) -> Self;
    /// The quotient; an integer divided by 0 is 0.
    fn over(self, other: Self) -> Self;
    /// Bitwise or; for floating point, which has no `Or`, the larger value.
    fn or(self, other: Self) -> Self;
    /// Bitwise and; for floating point the smaller value.
    fn and(self, other: Self) -> Self;
    /// The absolute value; `i32::MIN` stays itself.
    fn magnitude(self) -> Self;
    /// The square root; integers go through f64.
    fn root(self) -> Self;
    /// Returns the sort key of the total order.
    fn order(self) -> Self::Order;
    /// Returns true if it is not NaN.
    fn is_number(self) -> bool;
    /// Returns the bits, widened to 64.
    fn bits(self) -> u64;
    /// Returns the number with these bits.
    fn from_bits(bits: u64) -> Self;

    #[doc(hidden)]
    fn of_u32(value: u32) -> Self;
    #[doc(hidden)]
    fn of_i32(value: i32) -> Self;
    #[doc(hidden)]
    fn of_u64(value: u64) -> Self;
    #[doc(hidden)]
    fn of_f32(value: f32) -> Self;
    #[doc(hidden)]
    fn of_f64(value: f64) -> Self;

    /// Converts to another type.
    fn cast<T: Scalar>(self) -> T;

    /// Converts to f64, for sums of changes and for error messages.
    fn to_f64(self) -> f64 {
        self.cast()
    }

    /// Returns the absolute difference of two values.
    fn apart(self, other: Self) -> f64;

    /// Starts a wide sum.
    fn wide_zero() -> Self::Wide;
    /// Adds to a wide sum.
    fn widen(sum: Self::Wide, part: Self) -> Self::Wide;
    /// Ends a wide sum.
    fn narrow(sum: Self::Wide) -> Self;

    /// Returns an exclusively borrowed array as atomics, so that threads can write it together.
    fn cells(values: &mut [Self]) -> &[Self::Cell];
    /// Reads a cell; as cheap as a plain load.
    fn load(cell: &Self::Cell) -> Self;
    /// Writes a cell; as cheap as a plain store.
    fn store(cell: &Self::Cell, value: Self);
    /// Writes a cell and returns its previous value.
    fn swap(cell: &Self::Cell, value: Self) -> Self;
    /// Writes `new` if the cell holds `old`. May fail spuriously.
    ///
    /// # Errors
    /// The value of the cell.
    fn exchange(cell: &Self::Cell, old: Self, new: Self) -> Result<(), Self>;
}

/// An integer: accepted by `Or` and bit operations.
pub trait Integer: Scalar {}
impl Integer for u32 {}
impl Integer for i32 {}
impl Integer for u64 {}

/// A floating-point number: has square roots.
pub trait Float: Scalar {}
impl Float for f32 {}
impl Float for f64 {}

const _: () = assert!(align_of::<AtomicU32>() == 4 && align_of::<AtomicU64>() == align_of::<u64>());

/// The methods that are the same for all five types.
macro_rules! shared {
    ($type:ty, $of:ident, $cell:ty, $bits:ty, $to:expr, $from:expr) => {
        #[inline(always)]
        fn bits(self) -> u64 {
            u64::from($to(self))
        }
        #[inline(always)]
        fn from_bits(bits: u64) -> Self {
            $from(bits as $bits)
        }
        #[inline(always)]
        fn of_u32(value: u32) -> Self {
            value as Self
        }
        #[inline(always)]
        fn of_i32(value: i32) -> Self {
            value as Self
        }
        #[inline(always)]
        fn of_u64(value: u64) -> Self {
            value as Self
        }
        #[inline(always)]
        fn of_f32(value: f32) -> Self {
            value as Self
        }
        #[inline(always)]
        fn of_f64(value: f64) -> Self {
            value as Self
        }
        #[inline(always)]
        fn cast<T: Scalar>(self) -> T {
            T::$of(self)
        }
        fn cells(values: &mut [Self]) -> &[$cell] {
            let values: *mut [Self] = values;
            // SAFETY: the atomic has the size, the alignment (asserted above) and the valid bit patterns of the type,
            // and the exclusive borrow lasts as long as the view, so that the atomics are the only way to the memory.
            unsafe { &*(values as *const [$cell]) }
        }
        #[inline(always)]
        fn load(cell: &$cell) -> Self {
            $from(cell.load(Relaxed))
        }
        #[inline(always)]
        fn store(cell: &$cell, value: Self) {
            cell.store($to(value), Relaxed);
        }
        #[inline(always)]
        fn swap(cell: &$cell, value: Self) -> Self {
            $from(cell.swap($to(value), Relaxed))
        }
        #[inline(always)]
        fn exchange(cell: &$cell, old: Self, new: Self) -> Result<(), Self> {
            let swapped = cell.compare_exchange_weak($to(old), $to(new), Relaxed, Relaxed);
            swapped.map(drop).map_err($from)
        }
    };
}

macro_rules! integer {
    ($type:ident, $name:ident, $of:ident, $cell:ty, $bits:ty) => {
        impl sealed::Sealed for $type {}
        impl Scalar for $type {
            const TYPE: ScalarType = ScalarType::$name;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const LEAST: Self = <$type>::MIN;
            const GREATEST: Self = <$type>::MAX;
            type Order = Self;
            type Wide = Self;
            type Cell = $cell;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "two of the three types have no sign")]
            fn magnitude(self) -> Self {
                if self < 0 { (0 as Self).wrapping_sub(self) } else { self }
            }
            #[inline(always)]
            fn root(self) -> Self {
                (self as f64).sqrt() as Self
            }
            #[inline(always)]
            fn order(self) -> Self {
                self
            }
            #[inline(always)]
            fn is_number(self) -> bool {
                true
            }
            #[inline(always)]
            fn apart(self, other: Self) -> f64 {
                self.abs_diff(other) as f64
            }
            #[inline(always)]
            fn wide_zero() -> Self {
                0
            }
            #[inline(always)]
            fn widen(sum: Self, part: Self) -> Self {
                sum.wrapping_add(part)
            }
            #[inline(always)]
            fn narrow(sum: Self) -> Self {
                sum
            }
            shared!($type, $of, $cell, $bits, (|x: $type| x as $bits), (|x: $bits| x as $type));
        }
    };
}
integer!(u32, U32, of_u32, AtomicU32, u32);
integer!(i32, I32, of_i32, AtomicU32, u32);
integer!(u64, U64, of_u64, AtomicU64, u64);

macro_rules! float {
    ($type:ident, $name:ident, $of:ident, $cell:ty, $bits:ident, $signed:ident) => {
        impl sealed::Sealed for $type {}
        impl Scalar for $type {
            const TYPE: ScalarType = ScalarType::$name;
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const LEAST: Self = <$type>::NEG_INFINITY;
            const GREATEST: Self = <$type>::INFINITY;
            type Order = $signed;
            type Wide = f64;
            type Cell = $cell;

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                Combine::Max.join(self, other)
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                Combine::Min.join(self, other)
            }
            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn root(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn order(self) -> $signed {
                let bits = self.to_bits() as $signed;
                // Negative numbers sort in reverse, so flip all their bits except the sign.
                bits ^ (((bits >> ($bits::BITS - 1)) as $bits) >> 1) as $signed
            }
            #[inline(always)]
            fn is_number(self) -> bool {
                !self.is_nan()
            }
            #[inline(always)]
            fn apart(self, other: Self) -> f64 {
                f64::from((self - other).abs())
            }
            #[inline(always)]
            fn wide_zero() -> f64 {
                0.0
            }
            #[inline(always)]
            fn widen(sum: f64, part: Self) -> f64 {
                sum + f64::from(part)
            }
            #[inline(always)]
            fn narrow(sum: f64) -> Self {
                sum as Self
            }
            shared!($type, $of, $cell, $bits, $type::to_bits, $type::from_bits);
        }
    };
}
float!(f32, F32, of_f32, AtomicU32, u32, i32);
float!(f64, F64, of_f64, AtomicU64, u64, i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_order_as_they_should() {
        let rising = [f64::NEG_INFINITY, -1.5, -1e-300, -0.0, 0.0, 1e-300, 1.5, f64::INFINITY];
        assert!(rising.windows(2).all(|pair| pair[0].order() < pair[1].order()));
        let narrow = rising.map(|x| x as f32);
        assert!(narrow.windows(2).all(|pair| pair[0].order() <= pair[1].order()));
        assert!((-0.0f32).order() < 0.0f32.order());
    }

    #[test]
    fn whole_numbers_wrap_and_never_trap() {
        assert_eq!(u32::MAX.plus(2), 1);
        assert_eq!(i32::MIN.over(-1), i32::MIN);
        assert_eq!((7u64.over(0), 7u64.over(2)), (0, 3));
        assert_eq!(i32::MIN.magnitude(), i32::MIN);
        assert_eq!((-5i32).magnitude(), 5);
    }

    #[test]
    fn casts_stay_in_range() {
        assert_eq!((-1.5f64).cast::<u32>(), 0);
        assert_eq!(1e20f64.cast::<u32>(), u32::MAX);
        assert_eq!(f32::NAN.cast::<i32>(), 0);
        assert_eq!((1u64 << 33 | 5).cast::<u32>(), 5);
        assert_eq!((-1i32).cast::<u64>(), u64::MAX);
    }

    #[test]
    fn cells_are_the_values() {
        let mut values = [1.5f32, -2.0];
        let cells = f32::cells(&mut values);
        assert_eq!(f32::swap(&cells[1], 7.0), -2.0);
        assert_eq!(f32::load(&cells[1]), 7.0);
        assert_eq!(f32::exchange(&cells[0], 9.0, 1.0), Err(1.5));
        assert_eq!(values, [1.5, 7.0]);
    }
}
