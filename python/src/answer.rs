//! [`NativeAnswer`]: an answer, with its columns as NumPy arrays.
//!
//! Whole numbers are signed in Python, and -1 stands for "none": the greatest number of an unsigned type, which says that
//! in the engine, has the same bits. So columns are not copied, unless a value is too large for the signed type.

use crate::{
    arrays,
    arrow::export::{Export, Form},
    errors, json, work,
};
use bytemuck::cast_slice;
use pyo3::{
    prelude::*,
    types::{PyList, PyTuple},
};
use serde_json::Value;
use std::{borrow::Cow, sync::Arc};
use warpgraph::{
    AnyAnswer, Choice, Engine, Graph, VertexId,
    graph::{Ids, NO_VERTEX, Vertex},
    table::Values,
};

/// An answer and what it is about.
#[pyclass(frozen, module = "warpgraph._warpgraph")]
pub(crate) struct NativeAnswer {
    pub(crate) answer: AnyAnswer,
    pub(crate) choice: Option<Choice>,
    /// The graph that it is about; another one than was asked only if an approximation has changed that.
    pub(crate) graph: Graph,
    pub(crate) engine: Engine,
}

#[pymethods]
impl NativeAnswer {
    /// Returns the names of the columns.
    fn names(&self) -> Vec<String> {
        self.answer.table().columns.iter().map(|column| column.name.to_string()).collect()
    }

    /// Returns the number of rows.
    fn rows(&self) -> usize {
        self.answer.table().rows()
    }

    /// Returns a column as array; `None` if there is none of this name.
    fn column<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, this) = (slf.py(), slf.get());
        let table = this.answer.table();
        let Some(column) = table.columns.into_iter().find(|column| column.name == name) else {
            return Ok(None);
        };
        // SAFETY: a borrowed column lies in the answer or its graph, which `slf` owns and nothing changes.
        unsafe { values(py, column.values, slf.as_any()) }.map(Some)
    }

    /// Returns the form that each column has in Arrow, for [`KeptTable`](crate::arrow::kept::KeptTable).
    fn forms(slf: &Bound<'_, Self>) -> Vec<(String, Form)> {
        Self::export(slf).forms()
    }

    /// Returns a capsule with the rows, as `__arrow_c_stream__` does.
    fn arrow_stream<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::export(slf).stream_capsule(slf.py())
    }

    /// Returns capsules with the type of the rows and the rows, as `__arrow_c_array__` does.
    fn arrow_array<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        Self::export(slf).array_capsules(slf.py())
    }

    /// Returns a capsule with the type of the rows, as `__arrow_c_schema__` does.
    fn arrow_schema<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::export(slf).schema_capsule(slf.py())
    }

    /// Returns the number of the vertex with an id, which is its row in answers about vertices.
    fn vertex(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.graph.ids().vertex(&vertex_id(id)?).map_err(|error| errors::raise_graph(py, error))
    }

    /// Returns the figures of the summary.
    fn summary(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        json::to_python(py, &self.answer.summary())
    }

    /// Returns the report on the run.
    fn run(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let run = self.answer.run();
        let mut report = serde_json::to_value(run).unwrap_or_default();
        if let Value::Object(report) = &mut report {
            report.insert("plan".to_owned(), run.plan.to_string().into());
            report.insert("choice".to_owned(), self.choice.as_ref().map(ToString::to_string).into());
        }
        json::to_python(py, &report)
    }

    /// Checks the answer; raises if it is wrong.
    fn verify(slf: &Bound<'_, Self>) -> PyResult<()> {
        let kept = slf.clone().unbind();
        let check = move || {
            let this = kept.get();
            this.engine.install(|| this.answer.verify(&this.graph))
        };
        work::leave(slf.py(), check)?.map_err(|wrong| errors::raise_violation(slf.py(), &wrong))
    }

    /// Returns the path to a vertex as its ids and its length; `None` if it was not reached.
    fn path(&self, py: Python<'_>, target: &Bound<'_, PyAny>) -> PyResult<Option<(Py<PyAny>, Py<PyAny>)>> {
        let id = vertex_id(target)?;
        let target = self.graph.ids().vertex(&id).map_err(|error| errors::raise_graph(py, error))?;
        let Some(path) = self.answer.path(target) else { return Ok(None) };
        let ids = serde_json::to_value(&path.vertices).unwrap_or_default();
        Ok(Some((json::to_python(py, &ids)?, json::to_python(py, &Value::Number(path.length))?)))
    }
}

impl NativeAnswer {
    fn export(slf: &Bound<'_, Self>) -> Arc<Export> {
        let owner: Arc<Py<Self>> = Arc::new(slf.clone().unbind());
        // SAFETY: the table borrows from the answer and its graph, which the owner keeps and nothing changes.
        Arc::new(unsafe { Export::of(slf.get().answer.table(), owner) })
    }
}

/// Returns the id that a Python number or text names.
pub(crate) fn vertex_id(object: &Bound<'_, PyAny>) -> PyResult<VertexId> {
    let value = json::from_python(object)?;
    serde_json::from_value(value).map_err(|_| {
        let text = object.repr().map_or_else(|_| String::new(), |text| text.to_string());
        errors::invalid(
            object.py(),
            format!("{text} is no id of a vertex"),
            "an id is a number from 0, or text",
        )
    })
}

/// Returns values as array.
///
/// # Safety
/// What `values` borrow lies in memory that nothing frees or changes while `owner` lives.
pub(crate) unsafe fn values<'py>(
    py: Python<'py>,
    values: Values<'_>,
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! array {
        ($values:expr) => {
            match $values {
                // SAFETY: the caller's promise.
                Cow::Borrowed(values) => unsafe { arrays::borrowed(values, owner.clone()) },
                Cow::Owned(values) => arrays::owned(py, values),
            }
        };
    }
    Ok(match values {
        Values::Ids(all) => ids(py, all)?,
        Values::Vertices(all, vertices) => named(py, all, &vertices)?,
        Values::U32(values) => match values.iter().any(|&value| value > i32::MAX as u32 && value != u32::MAX)
        {
            false => array!(signed(values)),
            true => arrays::owned(py, values.iter().map(|&value| wider(value)).collect()),
        },
        Values::U64(values) => match values.iter().any(|&value| value > i64::MAX as u64 && value != u64::MAX)
        {
            false => array!(signed64(values)),
            true => array!(values),
        },
        Values::I64(values) => array!(values),
        Values::F32(values) => array!(values),
        Values::F64(values) => array!(values),
        Values::Labels(labels) => {
            PyList::new(py, (0..labels.len()).map(|v| labels.get(v as Vertex)))?.into_any()
        }
    })
}

fn wider(value: u32) -> i64 {
    if value == u32::MAX { -1 } else { value.into() }
}

fn signed(values: Cow<'_, [u32]>) -> Cow<'_, [i32]> {
    match values {
        Cow::Borrowed(values) => Cow::Borrowed(cast_slice(values)),
        Cow::Owned(values) => Cow::Owned(bytemuck::cast_vec(values)),
    }
}

fn signed64(values: Cow<'_, [u64]>) -> Cow<'_, [i64]> {
    match values {
        Cow::Borrowed(values) => Cow::Borrowed(cast_slice(values)),
        Cow::Owned(values) => Cow::Owned(bytemuck::cast_vec(values)),
    }
}

/// Returns the ids of all vertices: whole numbers, or a list of texts.
pub(crate) fn ids<'py>(py: Python<'py>, ids: &Ids) -> PyResult<Bound<'py, PyAny>> {
    Ok(match ids {
        Ids::Range { first, len } => {
            arrays::owned(py, (0..*len as u64).map(|v| (first + v) as i64).collect())
        }
        Ids::Numbers(numbers) if numbers.last().is_none_or(|&last| i64::try_from(last).is_ok()) => {
            arrays::owned(py, numbers.iter().map(|&id| id as i64).collect())
        }
        Ids::Numbers(numbers) => arrays::owned(py, numbers.to_vec()),
        Ids::Names(names) => PyList::new(py, (0..names.len()).map(|v| names.get(v)))?.into_any(),
    })
}

/// Returns the ids of some vertices; -1, or `None` among texts, for no vertex.
fn named<'py>(py: Python<'py>, ids: &Ids, vertices: &[Vertex]) -> PyResult<Bound<'py, PyAny>> {
    let id = |v: Vertex| if v == NO_VERTEX { None } else { Some(ids.id(v)) };
    match ids {
        Ids::Range { first, .. } => {
            let number = |&v: &Vertex| if v == NO_VERTEX { -1 } else { (first + u64::from(v)) as i64 };
            Ok(arrays::owned(py, vertices.iter().map(number).collect()))
        }
        Ids::Numbers(numbers) if numbers.last().is_none_or(|&last| i64::try_from(last).is_ok()) => {
            let number = |&v: &Vertex| if v == NO_VERTEX { -1 } else { numbers[v as usize] as i64 };
            Ok(arrays::owned(py, vertices.iter().map(number).collect()))
        }
        Ids::Numbers(numbers) => {
            let number = |&v: &Vertex| if v == NO_VERTEX { u64::MAX } else { numbers[v as usize] };
            Ok(arrays::owned(py, vertices.iter().map(number).collect()))
        }
        Ids::Names(_) => {
            let text = |&v: &Vertex| id(v).map(|id| id.to_string());
            Ok(PyList::new(py, vertices.iter().map(text))?.into_any())
        }
    }
}
