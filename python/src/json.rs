//! Converts between Python objects and JSON values: configurations on the way in, summaries and reports on the way out.

use crate::errors;
use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString},
};
use serde_json::{Map, Number, Value};

/// How deep lists and dicts may lie within each other.
const DEEPEST: usize = 16;

/// Returns a Python object as JSON. Numbers of NumPy count as numbers.
pub(crate) fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    value(object, DEEPEST)
}

fn value(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if object.is_none() {
        return Ok(Value::Null);
    }
    if depth == 0 {
        return Err(errors::invalid(object.py(), "lists within lists without end", "give plain values"));
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(Value::Bool(object.extract()?));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(text.to_string()));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let pair = |(key, item): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.str()?.to_string(), value(&item, depth - 1)?))
        };
        return dict.iter().map(pair).collect::<PyResult<Map<_, _>>>().map(Value::Object);
    }
    match number(object)? {
        Some(number) => Ok(number),
        None => list(object, depth),
    }
}

fn list(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let Ok(items) = object.try_iter() else {
        let what = format!("a value of type {} has no meaning here", object.get_type().name()?);
        return Err(errors::invalid(object.py(), what, "give numbers, text, or lists of them"));
    };
    items.map(|item| value(&item?, depth - 1)).collect::<PyResult<Vec<_>>>().map(Value::Array)
}

/// Returns a number as JSON; `None` if the object is none. A decimal that is not finite has no JSON form.
fn number(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if object.is_instance_of::<PyFloat>() {
        return decimal(object).map(Some);
    }
    if object.is_instance_of::<PyInt>() || object.hasattr("__index__")? && !object.hasattr("__len__")? {
        if let Ok(whole) = object.extract::<u64>() {
            return Ok(Some(whole.into()));
        }
        if let Ok(whole) = object.extract::<i64>() {
            return Ok(Some(whole.into()));
        }
    }
    match object.hasattr("__float__")? && !object.hasattr("__len__")? {
        true => decimal(object).map(Some),
        false => Ok(None),
    }
}

fn decimal(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let value: f64 = object.extract()?;
    Number::from_f64(value).map(Value::Number).ok_or_else(|| {
        errors::invalid(object.py(), format!("{value} is not a finite number"), "give a finite number")
    })
}

/// Returns a JSON value as Python object.
pub(crate) fn to_python(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Null => Ok(py.None()),
        Value::Bool(flag) => flag.into_py_any(py),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => whole.into_py_any(py),
            (_, Some(whole)) => whole.into_py_any(py),
            _ => number.as_f64().into_py_any(py),
        },
        Value::String(text) => text.into_py_any(py),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(to_python(py, item)?))?;
            list.into_py_any(py)
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            fields.iter().try_for_each(|(name, item)| dict.set_item(name, to_python(py, item)?))?;
            dict.into_py_any(py)
        }
    }
}
