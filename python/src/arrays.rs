//! NumPy arrays over memory of answers and graphs, without copying it.

use numpy::{Element, PyArray1, PyArrayMethods, ndarray::ArrayView1};
use pyo3::prelude::*;

/// Returns a read-only array over `values`, which `owner` keeps alive and unchanged.
///
/// # Safety
/// `values` lie in memory that nothing frees or changes while `owner` lives.
pub(crate) unsafe fn borrowed<'py, T: Element>(values: &[T], owner: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    // SAFETY: by the caller's promise, the owner, which becomes the base of the array, keeps the memory alive.
    let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(values), owner) };
    array.readwrite().make_nonwriteable();
    array.into_any()
}

/// Returns an array that owns `values`.
pub(crate) fn owned<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyAny> {
    PyArray1::from_vec(py, values).into_any()
}
