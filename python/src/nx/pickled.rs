//! Conversions as plain values, and back: what `pickle` and `copy.deepcopy` keep of them.
//!
//! NetworkX keeps the conversions of a graph with that graph, so copies of the graph contain them. The restored keys are the
//! restored nodes of the graph. What an engine has prepared is left out and made again when needed.

use super::{
    adjacency::Adjacency,
    column::{Column, Values},
    keys::Keys,
    rows::Rows,
};
use bytemuck::{AnyBitPattern, NoUninit, cast_slice, pod_collect_to_vec};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyList, PyTuple},
};

/// Returns numbers as bytes.
fn bytes<'py, T: NoUninit>(py: Python<'py>, numbers: &[T]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, cast_slice(numbers))
}

fn numbers<T: NoUninit + AnyBitPattern>(bytes: &[u8]) -> PyResult<Vec<T>> {
    if !bytes.len().is_multiple_of(size_of::<T>()) {
        return Err(damaged("an array ends within a number"));
    }
    Ok(pod_collect_to_vec(bytes))
}

fn damaged(what: &str) -> PyErr {
    PyValueError::new_err(format!("the pickled graph is damaged: {what}"))
}

/// Offsets and targets of rows.
type Kept<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

fn kept<'py>(py: Python<'py>, rows: &Rows) -> Kept<'py> {
    let offsets: Vec<u64> = rows.offsets.iter().map(|&at| at as u64).collect();
    (bytes(py, &offsets), bytes(py, &rows.targets))
}

/// Returns the rows of `nodes` nodes, after checking the invariant of [`Rows`].
fn rows((offsets, targets): &Kept<'_>, nodes: usize) -> PyResult<Rows> {
    let offsets: Vec<u64> = numbers(offsets.as_bytes())?;
    let targets: Vec<u32> = numbers(targets.as_bytes())?;
    let ends = offsets.first() == Some(&0) && offsets.last() == Some(&(targets.len() as u64));
    if offsets.len() != nodes + 1 || !ends || !offsets.is_sorted() {
        return Err(damaged("its rows do not fit together"));
    }
    if targets.iter().any(|&v| v as usize >= nodes) {
        return Err(damaged("an edge leads to no node"));
    }
    Ok(Rows { offsets: offsets.into_iter().map(|at| at as usize).collect(), targets })
}

/// Returns what `__reduce__` of [`Adjacency`] does: the function that calls [`restored`], and its arguments.
pub(super) fn adjacency<'py>(py: Python<'py>, graph: &Adjacency) -> PyResult<Bound<'py, PyTuple>> {
    let keys = graph.keys.list(py).clone();
    let sources = graph.known_sources().map(|rows| kept(py, rows));
    let parallel = graph.parallel.as_ref().map(|parallel| bytes(py, parallel));
    let arguments = (keys, kept(py, &graph.out), sources, graph.directed, parallel, graph.device_name());
    (function(py, "_restored_adjacency")?, arguments).into_pyobject(py)
}

/// Returns the adjacency that [`adjacency`] has described.
#[pyfunction]
pub(crate) fn restored(
    py: Python<'_>,
    keys: Bound<'_, PyList>,
    out: Kept<'_>,
    sources: Option<Kept<'_>>,
    directed: bool,
    parallel: Option<&[u8]>,
    device: &str,
) -> PyResult<Adjacency> {
    let out = rows(&out, keys.len())?;
    let sources = sources.map(|sources| rows(&sources, keys.len())).transpose()?;
    let parallel = parallel.map(numbers::<u32>).transpose()?;
    let lengths = [sources.as_ref().map(|rows| rows.targets.len()), parallel.as_ref().map(Vec::len)];
    if lengths.into_iter().flatten().any(|length| length != out.targets.len()) {
        return Err(damaged("its arrays have different lengths"));
    }
    let graph = Adjacency::new(Keys::new(keys), out, directed, parallel);
    graph.set_device(py, device)?;
    Ok(match sources {
        Some(sources) => graph.with_sources(sources),
        None => graph,
    })
}

/// Returns what `__reduce__` of [`Column`] does: the function that calls [`restored_column`], and its arguments.
pub(super) fn column<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyTuple>> {
    let arguments = match &column.values {
        Values::Ints(values) => (bytes(py, values), None),
        Values::Floats { values, whole } => {
            let whole: Vec<u8> = whole.iter().map(|&whole| whole.into()).collect();
            (bytes(py, values), Some(bytes(py, &whole)))
        }
    };
    (function(py, "_restored_column")?, arguments).into_pyobject(py)
}

/// Returns the column that [`column`] has described.
#[pyfunction]
pub(crate) fn restored_column(values: &[u8], whole: Option<&[u8]>) -> PyResult<Column> {
    let Some(whole) = whole else { return Ok(Values::Ints(numbers(values)?).into()) };
    let values: Vec<f64> = numbers(values)?;
    if values.len() != whole.len() {
        return Err(damaged("its arrays have different lengths"));
    }
    Ok(Values::Floats { values, whole: whole.iter().map(|&whole| whole != 0).collect() }.into())
}

/// Returns a function that `pickle` can name, which those of a native submodule are not.
fn function<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("warpgraph.nx._graph")?.getattr(name)
}
