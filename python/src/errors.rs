//! Raises the project's errors as the exceptions that `warpgraph/_errors.py` defines.

use pyo3::{exceptions::PyRuntimeError, prelude::*, sync::PyOnceLock};
use warpgraph::{Error, Violation, graph};

/// Returns the exception of an error, with its message, stable word, place and help.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    made(py, (error.kind(), error.to_string(), error.place(), error.help()))
}

/// Returns the exception of an error of reading, building or writing.
pub(crate) fn raise_graph(py: Python<'_>, error: graph::Error) -> PyErr {
    raise(py, &Error::from(error))
}

/// Returns the exception of an argument that is not valid.
pub(crate) fn invalid(py: Python<'_>, what: impl Into<String>, help: impl Into<String>) -> PyErr {
    made(py, ("invalid", what.into(), None, Some(help.into())))
}

/// Returns the exception of a device that fails.
pub(crate) fn device(py: Python<'_>, what: impl Into<String>, help: impl Into<String>) -> PyErr {
    made(py, ("driver", what.into(), None, Some(help.into())))
}

/// Returns the exception of an answer that is wrong.
pub(crate) fn raise_violation(py: Python<'_>, violation: &Violation) -> PyErr {
    let help = "the answer is wrong: please report it, with the graph or how to make it";
    made(py, ("verification", violation.to_string(), None, Some(help.to_owned())))
}

/// Stable word, message, place and help of an error.
type Parts = (&'static str, String, Option<String>, Option<String>);

fn made(py: Python<'_>, parts: Parts) -> PyErr {
    static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let message = parts.1.clone();
    let make = MAKE
        .get_or_try_init(py, || Ok::<_, PyErr>(py.import("warpgraph._errors")?.getattr("make")?.unbind()));
    match make.and_then(|make| make.call1(py, parts)) {
        Ok(exception) => PyErr::from_value(exception.into_bound(py)),
        Err(_) => PyRuntimeError::new_err(message),
    }
}
