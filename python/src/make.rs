//! Makes graphs: from columns, tables, sparse matrices, files, generators and bytes.

use crate::{
    arrow::import::Imported,
    edges::{self, Build, Universe},
    engines::{self, Key},
    errors,
    graph::NativeGraph,
    json,
    work::{self, Watched},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use warpgraph::{
    Control, Error, Graph,
    graph::{
        self, Format, Input, ReadOptions,
        build::Options,
        format::{self, Columns, EdgeColumns},
        generate::Spec,
    },
};

/// Runs work that makes a graph on the threads of an engine.
pub(crate) fn made(
    py: Python<'_>,
    watched: &Watched<'_>,
    make: impl FnOnce(&Control) -> Result<Graph, Error> + Send,
) -> PyResult<NativeGraph> {
    let make = |control: &Control| engines::engine(Key::usual())?.install(|| make(control));
    work::run(py, watched, make).map(NativeGraph::from)
}

/// Returns an entry of a dict; `None` if it is missing or `None`.
fn given<'py, T>(how: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
{
    let item = how.get_item(name)?.filter(|value| !value.is_none());
    item.map(|value| value.extract::<T>().map_err(Into::into)).transpose()
}

/// Returns a choice such as `keep` by its word.
fn word<T: DeserializeOwned + Default>(how: &Bound<'_, PyDict>, name: &str) -> PyResult<T> {
    let Some(word) = given::<String>(how, name)? else { return Ok(T::default()) };
    let wrong = |error: serde_json::Error| {
        let why = error.to_string();
        let expected = why.split_once("expected").map_or("", |(_, words)| words.trim());
        errors::invalid(how.py(), format!("{name}={word:?} is no choice"), format!("one of {expected}"))
    };
    serde_json::from_value(word.clone().into()).map_err(wrong)
}

fn build_options(how: &Bound<'_, PyDict>) -> PyResult<Options> {
    Ok(Options {
        directed: given(how, "directed")?.unwrap_or(true),
        loops: word(how, "loops")?,
        parallel: word(how, "parallel")?,
    })
}

/// Returns the vertices that the caller asks for: a number, a column of ids, or those that occur.
fn universe(how: &Bound<'_, PyDict>) -> PyResult<Universe> {
    match how.get_item("vertices")?.filter(|value| !value.is_none()) {
        None => Ok(Universe::Listed),
        Some(count) if count.hasattr("__index__")? && !count.hasattr("__len__")? => {
            let wrong = |_| {
                errors::invalid(
                    how.py(),
                    format!("vertices={count} is no number of vertices"),
                    "give a number from 0",
                )
            };
            Ok(Universe::Range(count.extract().map_err(wrong)?))
        }
        Some(ids) => Ok(Universe::Column(edges::column(&ids)?)),
    }
}

/// Builds a graph from columns of sources, targets and weights.
#[pyfunction]
pub(crate) fn from_columns(
    py: Python<'_>,
    src: &Bound<'_, PyAny>,
    dst: &Bound<'_, PyAny>,
    weights: Option<&Bound<'_, PyAny>>,
    name: String,
    how: &Bound<'_, PyDict>,
) -> PyResult<NativeGraph> {
    let ends = [edges::column(src)?, edges::column(dst)?];
    let weights = weights.map(edges::column).transpose()?;
    let (universe, options) = (universe(how)?, build_options(how)?);
    let build = Build { ends, weights, universe, options, name, warnings: Vec::new() };
    made(py, &Watched::of(how)?, |control| build.build(control))
}

/// Builds a graph from a table of edges; `columns` says which columns to use, as on the command line.
#[pyfunction]
pub(crate) fn from_arrow(
    py: Python<'_>,
    table: &Bound<'_, PyAny>,
    columns: &str,
    weighted: bool,
    how: &Bound<'_, PyDict>,
) -> PyResult<NativeGraph> {
    let kind = table.get_type().name()?.to_string();
    let Some(imported) = Imported::of(table)? else {
        let help = "give a table with __arrow_c_stream__: of polars, pandas, PyArrow or DuckDB";
        return Err(errors::invalid(py, format!("a value of type {kind} is no table"), help));
    };
    let Some(names) = imported.names() else {
        let help = "use Graph.from_edges(source_column, target_column)";
        return Err(errors::invalid(py, format!("the {kind} is a single column"), help));
    };
    let chosen = chosen(py, names, columns)?;
    let column = |at| imported.column(py, Some(at));
    let weights = chosen.weight.filter(|_| weighted).map(column).transpose()?;
    let ends = [column(chosen.ids[0])?, column(chosen.ids[1])?];
    let warnings = if weighted { chosen.warnings } else { Vec::new() };
    let (universe, options) = (universe(how)?, build_options(how)?);
    let build = Build { ends, weights, universe, options, name: kind, warnings };
    made(py, &Watched::of(how)?, |control| build.build(control))
}

/// Returns the positions of sources, targets and weights among columns with these names, and warnings.
#[pyfunction]
pub(crate) fn choose_columns(
    py: Python<'_>,
    names: Vec<String>,
    columns: &str,
) -> PyResult<([usize; 2], Option<usize>, Vec<String>)> {
    let chosen = chosen(py, names, columns)?;
    Ok((chosen.ids, chosen.weight, chosen.warnings))
}

fn chosen(py: Python<'_>, names: Vec<String>, columns: &str) -> PyResult<EdgeColumns> {
    let asked: Columns = match columns {
        "" => Columns::default(),
        text => text.parse().map_err(|error| errors::raise_graph(py, error))?,
    };
    EdgeColumns::choose(&names, &asked)
        .map_err(|what| errors::invalid(py, what, "say which: source=\"a\", target=\"b\", weight=\"c\""))
}

fn read_options(py: Python<'_>, how: &Bound<'_, PyDict>) -> PyResult<ReadOptions> {
    let refuse = |error: graph::Error| errors::raise_graph(py, error);
    let format = given::<String>(how, "format")?.map(|text| text.parse::<Format>()).transpose();
    let columns = given::<String>(how, "columns")?.map(|text| text.parse::<Columns>()).transpose();
    let narrow_weights = match given::<String>(how, "weight_type")?.as_deref() {
        None => false,
        Some("f32") => true,
        Some(other) => {
            return Err(errors::invalid(
                py,
                format!("weight_type={other:?} is no choice"),
                "f32, or leave it out",
            ));
        }
    };
    Ok(ReadOptions {
        format: format.map_err(refuse)?,
        directed: given(how, "directed")?,
        base: given(how, "base")?,
        no_weights: given(how, "weights")? == Some(false),
        narrow_weights,
        loops: word(how, "loops")?,
        parallel: word(how, "parallel")?,
        vertices: given(how, "vertices")?,
        ids: word(how, "ids")?,
        vertex_table: given(how, "vertex_table")?,
        columns: columns.map_err(refuse)?.unwrap_or_default(),
        header: word(how, "header")?,
    })
}

/// Reads the graph in a file of any format.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf, how: &Bound<'_, PyDict>) -> PyResult<NativeGraph> {
    let options = read_options(py, how)?;
    made(py, &Watched::of(how)?, |control| Ok(Graph::open_with(&path, &options, control)?))
}

/// Generates the graph that a line such as `kron:20` describes.
#[pyfunction]
pub(crate) fn generate(py: Python<'_>, spec: &str, how: &Bound<'_, PyDict>) -> PyResult<NativeGraph> {
    let spec: Spec = spec.parse().map_err(|error| errors::raise_graph(py, error))?;
    made(py, &Watched::of(how)?, |control| Ok(spec.generate(control)?))
}

/// Reads what `NativeGraph.to_bytes` has written.
#[pyfunction]
pub(crate) fn from_bytes(py: Python<'_>, name: String, bytes: &Bound<'_, PyBytes>) -> PyResult<NativeGraph> {
    let data = bytes.as_bytes().to_vec();
    made(py, &Watched::default(), |control| {
        Ok(format::read(Input::from_bytes(name, data), &ReadOptions::default(), control)?)
    })
}

/// Returns bytes from a number or a text such as `4G`.
pub(crate) fn size(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let text = match json::from_python(value)? {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    graph::memory::parse_bytes(&text)
        .map_err(|expected| errors::invalid(value.py(), format!("{text:?} is no size"), expected))
}
