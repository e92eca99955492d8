//! Columns from Python objects: Arrow data, NumPy arrays, and lists of texts.

use super::{Column, Numbers, Piece, Shared, Texts, Values, column::with_numbers};
use crate::{arrow::import::Imported, errors};
use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::{
    prelude::*,
    types::{PyList, PyString},
};
use std::sync::Arc;

/// Returns the column that an object holds.
///
/// # Errors
/// `warpgraph.Error` for objects that hold none, or other values.
pub(crate) fn column(object: &Bound<'_, PyAny>) -> PyResult<Column> {
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return numbers(array);
    }
    if let Ok(list) = object.cast::<PyList>() {
        return texts(list);
    }
    let Some(imported) = Imported::of(object)? else {
        let what = format!("a value of type {} is no column", object.get_type().name()?);
        return Err(errors::invalid(object.py(), what, "give an array, a list or a column of a table"));
    };
    match imported.names().map(|names| names.len()) {
        None => imported.column(object.py(), None),
        Some(1) => imported.column(object.py(), Some(0)),
        Some(columns) => Err(errors::invalid(
            object.py(),
            format!("a table of {columns} columns where one column is expected"),
            "give one of its columns, or use Graph.from_arrow(table)",
        )),
    }
}

/// Returns where the pieces of a column of numbers lie as they are read, so that a test can tell a copy.
#[pyfunction]
pub(crate) fn addresses(column: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let place = |piece: &Piece| match &piece.values {
        Values::Numbers(numbers) => Some(with_numbers!(numbers, |values| values.as_ptr().addr())),
        _ => None,
    };
    Ok(self::column(column)?.pieces.iter().filter_map(place).collect())
}

/// Returns the numbers of a contiguous array, which is read in place.
fn numbers(array: &Bound<'_, PyUntypedArray>) -> PyResult<Column> {
    macro_rules! by_type {
        ($($variant:ident $kind:ty),*) => {
            $(if let Some(values) = shared::<$kind>(array) {
                return Ok(one(Values::Numbers(Numbers::$variant(values)), array.len()));
            })*
        };
    }
    by_type!(U32 u32, I32 i32, I64 i64, U64 u64, F64 f64, F32 f32, U8 u8, I8 i8, U16 u16, I16 i16);
    let what = format!("an array of type {} in {} dimensions", array.dtype(), array.ndim());
    Err(errors::invalid(array.py(), what, "columns are one-dimensional arrays of numbers"))
}

fn shared<T: Element + Sync + 'static>(array: &Bound<'_, PyUntypedArray>) -> Option<Shared<T>> {
    let array = array.as_any().cast::<PyArray1<T>>().ok()?;
    if !array.is_contiguous() {
        return None;
    }
    let owner: Arc<Py<PyAny>> = Arc::new(array.clone().into_any().unbind());
    // SAFETY: the array is contiguous, and its object owns the memory. A program that changes an array while another
    // thread builds a graph of it gets a graph of some mixture: whatever numbers are read are checked when they are used.
    Some(unsafe { Shared::new(array.data(), array.len(), owner) })
}

/// Returns the texts of a list.
fn texts(list: &Bound<'_, PyList>) -> PyResult<Column> {
    let (mut starts, mut text) = (vec![0], Vec::new());
    for (row, item) in list.iter().enumerate() {
        let Ok(item) = item.cast::<PyString>() else {
            let what = format!("{} in row {row} is no text", item.repr()?);
            return Err(errors::invalid(list.py(), what, "ids are all whole numbers from 0, or all text"));
        };
        text.extend_from_slice(item.to_str()?.as_bytes());
        starts.push(text.len() as i64);
    }
    Ok(one(Values::Texts(Texts::Wide(starts.into(), text.into())), list.len()))
}

fn one(values: Values, length: usize) -> Column {
    Column { pieces: vec![Piece { values, length }] }
}
