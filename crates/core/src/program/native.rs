//! [`Native`]: values are plain numbers, so a program compiles to machine code inside the engine's loops.

use super::{Combine, Dialect, Float, Integer, Scalar};
use std::ops::{Add, Div, Mul, Sub};

/// The dialect that computes at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Native;

/// A number with the arithmetic of [`Scalar`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(transparent)]
pub struct Plain<T>(pub T);

macro_rules! operator {
    ($($trait:ident $method:ident $scalar:ident),*) => {$(
        impl<T: Scalar> $trait for Plain<T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$scalar(other.0))
            }
        }
    )*};
}
operator!(Add add plus, Sub sub minus, Mul mul times, Div div over);

impl Dialect for Native {
    type Val<T: Scalar> = Plain<T>;
    type Bool = bool;

    #[inline(always)]
    fn lit<T: Scalar>(&self, value: T) -> Plain<T> {
        Plain(value)
    }
    #[inline(always)]
    fn param<T: Scalar>(&self, _: &'static str, value: T) -> Plain<T> {
        Plain(value)
    }
    #[inline(always)]
    fn eq<T: Scalar>(&self, a: Plain<T>, b: Plain<T>) -> bool {
        a.0 == b.0
    }
    #[inline(always)]
    fn lt<T: Scalar>(&self, a: Plain<T>, b: Plain<T>) -> bool {
        a.0 < b.0
    }
    #[inline(always)]
    fn le<T: Scalar>(&self, a: Plain<T>, b: Plain<T>) -> bool {
        a.0 <= b.0
    }
    #[inline(always)]
    fn select<T: Scalar>(&self, condition: bool, a: Plain<T>, b: Plain<T>) -> Plain<T> {
        if condition { a } else { b }
    }
    #[inline(always)]
    fn cast<A: Scalar, B: Scalar>(&self, a: Plain<A>) -> Plain<B> {
        Plain(a.0.cast())
    }
    #[inline(always)]
    fn combine<T: Scalar>(&self, how: Combine, a: Plain<T>, b: Plain<T>) -> Plain<T> {
        Plain(how.join(a.0, b.0))
    }
    #[inline(always)]
    fn bits_and<T: Integer>(&self, a: Plain<T>, b: Plain<T>) -> Plain<T> {
        Plain(a.0.and(b.0))
    }
    #[inline(always)]
    fn bits_or<T: Integer>(&self, a: Plain<T>, b: Plain<T>) -> Plain<T> {
        Plain(a.0.or(b.0))
    }
    #[inline(always)]
    fn abs<T: Scalar>(&self, a: Plain<T>) -> Plain<T> {
        Plain(a.0.magnitude())
    }
    #[inline(always)]
    fn sqrt<T: Float>(&self, a: Plain<T>) -> Plain<T> {
        Plain(a.0.root())
    }
    #[inline(always)]
    fn pack(&self, hi: Plain<u32>, lo: Plain<u32>) -> Plain<u64> {
        Plain(u64::from(hi.0) << 32 | u64::from(lo.0))
    }
    #[inline(always)]
    fn hi(&self, a: Plain<u64>) -> Plain<u32> {
        Plain((a.0 >> 32) as u32)
    }
    #[inline(always)]
    fn lo(&self, a: Plain<u64>) -> Plain<u32> {
        Plain(a.0 as u32)
    }
}
