//! [`Dialect`]: the operations that a program may use on values, independent of how values are represented.

use super::{Combine, Float, Integer, Scalar};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

/// An interpretation of a program's functions: [`Native`](super::Native) computes at once, [`Trace`](super::Trace)
/// records an expression. `+ - * /` work on values, `& | !` on truth values; everything else is a method.
/// [`Scalar`](super::scalar) defines each operation for each type; all dialects agree bit for bit.
pub trait Dialect: Sized {
    /// A number.
    type Val<T: Scalar>: Copy
        + Add<Output = Self::Val<T>>
        + Sub<Output = Self::Val<T>>
        + Mul<Output = Self::Val<T>>
        + Div<Output = Self::Val<T>>;
    /// A truth value: comparisons return it and [`Dialect::select`] accepts it.
    type Bool: Copy + BitAnd<Output = Self::Bool> + BitOr<Output = Self::Bool> + Not<Output = Self::Bool>;

    /// Returns a literal, which becomes part of the compiled program.
    fn lit<T: Scalar>(&self, value: T) -> Self::Val<T>;
    /// Returns a parameter: a number that may differ in the next run, such as a source or a damping factor. A new value
    /// needs no new compilation. Within a run, a name has one type and one value.
    fn param<T: Scalar>(&self, name: &'static str, value: T) -> Self::Val<T>;

    /// `a == b`
    fn eq<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool;
    /// `a < b`; a method, because the operator `<` can only return `bool`.
    fn lt<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool;
    /// `a <= b`
    fn le<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool;
    /// Returns `a` if `condition` is true, else `b`. Both are computed.
    fn select<T: Scalar>(&self, condition: Self::Bool, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// Converts to another type.
    fn cast<A: Scalar, B: Scalar>(&self, a: Self::Val<A>) -> Self::Val<B>;
    /// Combines two values by a monoid.
    fn combine<T: Scalar>(&self, how: Combine, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// Bitwise and.
    fn bits_and<T: Integer>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// Bitwise or.
    fn bits_or<T: Integer>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// The absolute value.
    fn abs<T: Scalar>(&self, a: Self::Val<T>) -> Self::Val<T>;
    /// The square root.
    fn sqrt<T: Float>(&self, a: Self::Val<T>) -> Self::Val<T>;
    /// Packs two halves into one number, which sorts by `hi` first: a distance and a parent under `Min`.
    fn pack(&self, hi: Self::Val<u32>, lo: Self::Val<u32>) -> Self::Val<u64>;
    /// The upper half.
    fn hi(&self, a: Self::Val<u64>) -> Self::Val<u32>;
    /// The lower half.
    fn lo(&self, a: Self::Val<u64>) -> Self::Val<u32>;

    /// `a != b`
    #[inline(always)]
    fn ne<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool {
        !self.eq(a, b)
    }
    /// `a > b`
    #[inline(always)]
    fn gt<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool {
        self.lt(b, a)
    }
    /// `a >= b`
    #[inline(always)]
    fn ge<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool {
        self.le(b, a)
    }
    /// The smaller value; `a` if either is NaN.
    #[inline(always)]
    fn min<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T> {
        self.select(self.lt(b, a), b, a)
    }
    /// The larger value; `a` if either is NaN.
    #[inline(always)]
    fn max<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T> {
        self.select(self.lt(a, b), b, a)
    }
    /// True if both are true.
    #[inline(always)]
    fn and(&self, a: Self::Bool, b: Self::Bool) -> Self::Bool {
        a & b
    }
    /// True if at least one is true.
    #[inline(always)]
    fn or(&self, a: Self::Bool, b: Self::Bool) -> Self::Bool {
        a | b
    }
    /// True if `a` is false.
    #[inline(always)]
    fn not(&self, a: Self::Bool) -> Self::Bool {
        !a
    }
}
