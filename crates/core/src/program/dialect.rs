//! [`Dialect`]: what the functions of a program may do with values, whatever values are.

use super::{Combine, Float, Integer, Scalar};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

/// A language programs are spoken in: [`Native`](super::Native) computes at once, [`Trace`](super::Trace) writes down what
/// is to be computed. `+ - * /` work on values, `& | !` on truth values; all else is a method. What each means for which
/// type is said once, in [`Scalar`](super::scalar), and is the same to the last bit in every dialect.
pub trait Dialect: Sized {
    /// A number.
    type Val<T: Scalar>: Copy
        + Add<Output = Self::Val<T>>
        + Sub<Output = Self::Val<T>>
        + Mul<Output = Self::Val<T>>
        + Div<Output = Self::Val<T>>;
    /// A truth value: what comparisons give and [`Dialect::select`] takes.
    type Bool: Copy + BitAnd<Output = Self::Bool> + BitOr<Output = Self::Bool> + Not<Output = Self::Bool>;

    /// A number that is part of the program: baked in.
    fn lit<T: Scalar>(&self, value: T) -> Self::Val<T>;
    /// A number that may be another one at the next run, such as a source or a damping: a compiled program is kept, and
    /// gets it anew. One name has one type and, within a run, one value.
    fn param<T: Scalar>(&self, name: &'static str, value: T) -> Self::Val<T>;

    /// `a == b`
    fn eq<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool;
    /// `a < b`; `<` itself can only give `bool`.
    fn lt<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool;
    /// `a <= b`
    fn le<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Bool;
    /// `a` where `condition` holds, else `b`. Both are computed.
    fn select<T: Scalar>(&self, condition: Self::Bool, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// As another type.
    fn cast<A: Scalar, B: Scalar>(&self, a: Self::Val<A>) -> Self::Val<B>;
    /// Both put together by a monoid.
    fn combine<T: Scalar>(&self, how: Combine, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// The bits set in both.
    fn bits_and<T: Integer>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// The bits set in either.
    fn bits_or<T: Integer>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T>;
    /// Without its sign.
    fn abs<T: Scalar>(&self, a: Self::Val<T>) -> Self::Val<T>;
    /// The square root.
    fn sqrt<T: Float>(&self, a: Self::Val<T>) -> Self::Val<T>;
    /// Two halves as one number, which orders by `hi` first: a distance and a parent under `Min`.
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
    /// The lesser; `a` if either is NaN.
    #[inline(always)]
    fn min<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T> {
        self.select(self.lt(b, a), b, a)
    }
    /// The greater; `a` if either is NaN.
    #[inline(always)]
    fn max<T: Scalar>(&self, a: Self::Val<T>, b: Self::Val<T>) -> Self::Val<T> {
        self.select(self.lt(a, b), b, a)
    }
    /// Both hold.
    #[inline(always)]
    fn and(&self, a: Self::Bool, b: Self::Bool) -> Self::Bool {
        a & b
    }
    /// One holds at least.
    #[inline(always)]
    fn or(&self, a: Self::Bool, b: Self::Bool) -> Self::Bool {
        a | b
    }
    /// It does not hold.
    #[inline(always)]
    fn not(&self, a: Self::Bool) -> Self::Bool {
        !a
    }
}
