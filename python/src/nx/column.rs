//! [`Column`]: the values of an edge attribute, one per arc, in the order of the arcs.

use super::{engine::Kept, pickled};
use pyo3::{
    exceptions::PyNotImplementedError,
    ffi,
    prelude::*,
    types::{PyList, PyString, PyTuple},
};

/// The values, exact: integers stay integers.
#[derive(Debug, Clone)]
pub(crate) enum Values {
    Ints(Vec<i64>),
    /// `whole[i]` is true if value `i` was an integer, so that sums of integers are returned as integers.
    Floats {
        values: Vec<f64>,
        whole: Vec<bool>,
    },
}

/// The values of an edge attribute. In a multigraph, a value combines those of parallel edges.
#[pyclass(frozen, module = "warpgraph._warpgraph.nx")]
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) values: Values,
    /// The graph with these weights, prepared by an engine.
    pub(crate) loaded: Kept,
}

#[pymethods]
impl Column {
    /// Returns the smallest value; `None` without arcs.
    #[getter]
    pub(super) fn least(&self) -> Option<f64> {
        match &self.values {
            Values::Ints(values) => values.iter().min().map(|&least| least as f64),
            Values::Floats { values, .. } => values.iter().copied().reduce(f64::min),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickled::column(py, self)
    }

    /// Returns all values, in the order of the arcs.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match &self.values {
            Values::Ints(values) => PyList::new(py, values),
            Values::Floats { values, .. } => PyList::new(py, values),
        }
    }
}

impl From<Values> for Column {
    fn from(values: Values) -> Self {
        Self { values, loaded: Kept::default() }
    }
}

/// One value of an attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    Int(i64),
    Float(f64),
}

impl Value {
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Returns the smaller value, the first one on ties.
    pub(crate) fn least(self, other: Self) -> Self {
        if other.as_f64() < self.as_f64() { other } else { self }
    }

    /// Returns the sum; `None` if integers overflow.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.checked_add(b).map(Self::Int),
            (a, b) => Some(Self::Float(a.as_f64() + b.as_f64())),
        }
    }

    /// Reads a number.
    ///
    /// # Errors
    /// `NotImplementedError`, so that NetworkX does the work itself, for anything but an `int` of at most 53 bits or a
    /// finite `float`.
    ///
    /// # Safety
    /// `value` is a valid object, and the caller is attached to the interpreter.
    #[inline]
    pub(crate) unsafe fn read(
        py: Python<'_>,
        value: *mut ffi::PyObject,
        name: &Bound<'_, PyString>,
    ) -> PyResult<Self> {
        // SAFETY: the value is valid. Neither call runs code of the user: both read the number of a built-in type or of
        // one derived from it.
        unsafe {
            if ffi::PyFloat_Check(value) != 0 {
                let value = ffi::PyFloat_AsDouble(value);
                if value.is_finite() {
                    return Ok(Self::Float(value));
                }
                return Err(refused(format!("the edge attribute {name} has the value {value}")));
            }
            if ffi::PyLong_Check(value) != 0 {
                let mut overflow = 0;
                let value = ffi::PyLong_AsLongLongAndOverflow(value, &raw mut overflow);
                if overflow == 0 && value.unsigned_abs() < 1 << 53 {
                    return Ok(Self::Int(value));
                }
                return Err(refused(format!("the edge attribute {name} has an integer of 2**53 or more")));
            }
            let kind = Bound::from_borrowed_ptr(py, value).get_type();
            Err(refused(format!("the edge attribute {name} has a value of type {}", kind.name()?)))
        }
    }
}

/// Returns the exception after which NetworkX runs its own function.
pub(crate) fn refused(reason: impl Into<String>) -> PyErr {
    PyNotImplementedError::new_err(reason.into())
}

/// Collects values; integers until a decimal comes.
#[derive(Debug)]
pub(crate) struct Collected(Values);

impl Default for Collected {
    fn default() -> Self {
        Self(Values::Ints(Vec::new()))
    }
}

impl Collected {
    #[inline]
    pub(crate) fn push(&mut self, value: Value) {
        match (&mut self.0, value) {
            (Values::Ints(values), Value::Int(value)) => values.push(value),
            (Values::Floats { values, whole }, value) => {
                values.push(value.as_f64());
                whole.push(matches!(value, Value::Int(_)));
            }
            (Values::Ints(ints), Value::Float(_)) => {
                let values = ints.iter().map(|&value| value as f64).collect();
                self.0 = Values::Floats { values, whole: vec![true; ints.len()] };
                self.push(value);
            }
        }
    }

    /// Returns the column.
    ///
    /// # Errors
    /// `NotImplementedError` if the sum of all values of a path could exceed what a float represents exactly.
    pub(crate) fn finish(self, nodes: usize) -> PyResult<Column> {
        if let Values::Ints(values) = &self.0 {
            let greatest = values.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0);
            if u128::from(greatest) * (nodes as u128 + 1) >= 1 << 62 {
                return Err(refused("sums of such large integers could overflow 64 bits"));
            }
        }
        Ok(self.0.into())
    }
}
