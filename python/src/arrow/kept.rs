//! Tables of answers that were pickled: their columns as NumPy arrays, which export to Arrow as the answers did.
//!
//! An array shows "none" by a number, so its [`Form`] is kept beside it: the type of the column and which rows are null.

use super::export::{Export, Form, Made, Text};
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyTuple};
use std::sync::Arc;

/// The table of an answer that was pickled.
#[pyclass(frozen, module = "warpgraph._warpgraph")]
pub(crate) struct KeptTable {
    export: Arc<Export>,
}

#[pymethods]
impl KeptTable {
    /// Makes the table of columns: name, array or list of texts, and form.
    #[new]
    fn new(columns: Vec<(String, Bound<'_, PyAny>, Form)>) -> PyResult<Self> {
        let rows = columns.first().map_or(Ok(0), |(_, values, _)| values.len())?;
        let column = |(name, values, form): (String, Bound<'_, PyAny>, Form)| {
            if values.len()? != rows || form.nulls.as_ref().is_some_and(|bits| bits.len() != rows.div_ceil(8))
            {
                return Err(PyValueError::new_err(
                    "the pickled answer is damaged: its columns differ in length",
                ));
            }
            Ok(made(&values, &form)?.with_nulls(form.nulls, rows).named(&name))
        };
        let columns = columns.into_iter().map(column).collect::<PyResult<_>>()?;
        Ok(Self { export: Arc::new(Export::new(columns, rows)) })
    }

    /// Returns a capsule with the rows, as `__arrow_c_stream__` does.
    fn arrow_stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.export.clone().stream_capsule(py)
    }

    /// Returns capsules with the type of the rows and the rows, as `__arrow_c_array__` does.
    fn arrow_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.export.array_capsules(py)
    }

    /// Returns a capsule with the type of the rows, as `__arrow_c_schema__` does.
    fn arrow_schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.export.schema_capsule(py)
    }
}

/// Returns a column of a form from its array. Unsigned numbers may come as signed ones, in which -1 stands for "none".
fn made(values: &Bound<'_, PyAny>, form: &Form) -> PyResult<Made> {
    let Form { is_nullable, .. } = *form;
    Ok(match form.format.as_str() {
        "I" => match numbers::<i32>(values) {
            Ok(narrow) => Made::of_numbers(c"I", narrow, is_nullable),
            Err(_) => {
                let wide = numbers::<i64>(values)?;
                Made::of_numbers(c"I", wide.into_iter().map(|value| value as u32).collect(), is_nullable)
            }
        },
        "L" => match numbers::<u64>(values) {
            Ok(unsigned) => Made::of_numbers(c"L", unsigned, is_nullable),
            Err(_) => Made::of_numbers(c"L", numbers::<i64>(values)?, is_nullable),
        },
        "l" => Made::of_numbers(c"l", numbers::<i64>(values)?, is_nullable),
        "f" => Made::of_numbers(c"f", numbers::<f32>(values)?, is_nullable),
        "g" => Made::of_numbers(c"g", numbers::<f64>(values)?, is_nullable),
        "U" => {
            let texts: Vec<Option<String>> = values.extract()?;
            let texts = Text::of(texts.iter().map(|text| text.as_deref().unwrap_or("")));
            let mut made = texts.made(None);
            made.is_nullable = is_nullable;
            made
        }
        other => {
            return Err(PyValueError::new_err(format!("the pickled answer is damaged: no type {other:?}")));
        }
    })
}

fn numbers<T: Element + Copy>(values: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    Ok(values.cast::<PyArray1<T>>()?.to_vec()?)
}
