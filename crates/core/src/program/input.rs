//! What a program may read beside values and ids: the weight of an arc, and columns of numbers per vertex.

use super::{Dialect, Scalar};

/// The weight that a program reads: a number type, or `()` for none. The engine converts the graph's weights to this
/// type; an unweighted arc weighs 1.
pub trait Weight: 'static {
    /// The type that the engine reads.
    type Scalar: Scalar;
    /// True if the program reads weights.
    const USED: bool;
    /// What the program receives.
    type In<D: Dialect>: Copy;
    /// Passes a weight to the program if it reads weights.
    fn pass<D: Dialect>(weight: impl FnOnce() -> D::Val<Self::Scalar>) -> Self::In<D>;
}

impl Weight for () {
    type Scalar = u32;
    const USED: bool = false;
    type In<D: Dialect> = ();
    #[inline(always)]
    fn pass<D: Dialect>(_: impl FnOnce() -> D::Val<u32>) {}
}

impl<T: Scalar> Weight for T {
    type Scalar = T;
    const USED: bool = true;
    type In<D: Dialect> = D::Val<T>;
    #[inline(always)]
    fn pass<D: Dialect>(weight: impl FnOnce() -> D::Val<T>) -> D::Val<T> {
        weight()
    }
}

/// The read-only columns of a program: `()` for none, or `[T; N]` for `N` numbers per vertex.
pub trait Column: 'static {
    /// The type of their values.
    type Scalar: Scalar;
    /// The number of columns.
    const COUNT: usize;
    /// What the program receives.
    type In<D: Dialect>: Copy;
    /// One array per column.
    type Arrays<'a>: Copy + Send + Sync;
    /// Collects the arrays, in the order of the columns.
    fn arrays<'a>(column: impl FnMut(usize) -> &'a [Self::Scalar]) -> Self::Arrays<'a>;
    /// Returns the values of the columns at a vertex.
    ///
    /// # Safety
    /// Every array is longer than `vertex`.
    unsafe fn at<D: Dialect>(
        arrays: &Self::Arrays<'_>,
        vertex: usize,
        value: impl FnMut(usize, Self::Scalar) -> D::Val<Self::Scalar>,
    ) -> Self::In<D>;
    /// Returns one value per column, made from its number alone.
    fn each<D: Dialect>(value: impl FnMut(usize) -> D::Val<Self::Scalar>) -> Self::In<D>;
}

impl Column for () {
    type Scalar = u32;
    const COUNT: usize = 0;
    type In<D: Dialect> = ();
    type Arrays<'a> = ();
    fn arrays<'a>(_: impl FnMut(usize) -> &'a [u32]) {}
    #[inline(always)]
    unsafe fn at<D: Dialect>((): &(), _: usize, _: impl FnMut(usize, u32) -> D::Val<u32>) {}
    fn each<D: Dialect>(_: impl FnMut(usize) -> D::Val<u32>) {}
}

impl<T: Scalar, const N: usize> Column for [T; N] {
    type Scalar = T;
    const COUNT: usize = N;
    type In<D: Dialect> = [D::Val<T>; N];
    type Arrays<'a> = [&'a [T]; N];
    fn arrays<'a>(column: impl FnMut(usize) -> &'a [T]) -> [&'a [T]; N] {
        std::array::from_fn(column)
    }
    #[inline(always)]
    unsafe fn at<D: Dialect>(
        arrays: &[&[T]; N],
        vertex: usize,
        mut value: impl FnMut(usize, T) -> D::Val<T>,
    ) -> [D::Val<T>; N] {
        std::array::from_fn(|i| {
            debug_assert!(vertex < arrays[i].len());
            // SAFETY: the caller's promise.
            value(i, unsafe { *arrays[i].get_unchecked(vertex) })
        })
    }
    fn each<D: Dialect>(value: impl FnMut(usize) -> D::Val<T>) -> [D::Val<T>; N] {
        std::array::from_fn(value)
    }
}
