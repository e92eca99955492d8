//! [`Adjacency`]: the structure of a NetworkX graph.

use super::{
    column::Column,
    convert::{self, Attribute, Read},
    engine::Kept,
    keys::Keys,
    pickled,
    rows::Rows,
};
use crate::{engines::Key, errors};
use pyo3::{
    exceptions::PyRuntimeError,
    prelude::*,
    types::{PyDict, PyList, PyTuple},
};
use std::sync::{Mutex, OnceLock, PoisonError};
use warpgraph::Device;

/// The nodes and arcs of a graph. An undirected edge is two arcs, a self-loop one.
#[pyclass(frozen, module = "warpgraph._warpgraph.nx")]
pub(crate) struct Adjacency {
    pub(super) keys: Keys,
    pub(super) out: Rows,
    /// Incoming arcs of a directed graph, in the order of the graph, once they were given.
    sources: OnceLock<Rows>,
    pub(super) directed: bool,
    /// In a multigraph, the number of edges of each arc.
    pub(super) parallel: Option<Vec<u32>>,
    /// The graph without weights, prepared by an engine.
    pub(super) loaded: Kept,
    /// One for every arc, in place of weights.
    ones: OnceLock<Column>,
    device: Mutex<Device>,
}

impl Adjacency {
    pub(super) fn new(keys: Keys, out: Rows, directed: bool, parallel: Option<Vec<u32>>) -> Self {
        Self {
            keys,
            out,
            sources: OnceLock::new(),
            directed,
            parallel,
            loaded: Kept::default(),
            ones: OnceLock::new(),
            device: Mutex::new(Device::Auto),
        }
    }

    /// Takes incoming arcs in the order of the graph.
    pub(super) fn with_sources(self, sources: Rows) -> Self {
        let _ = self.sources.set(sources);
        self
    }

    pub(super) fn nodes(&self) -> usize {
        self.out.nodes()
    }

    /// Returns the incoming arcs.
    ///
    /// # Errors
    /// `RuntimeError` if they were not given, which is a mistake of the caller.
    pub(super) fn sources(&self) -> PyResult<&Rows> {
        if !self.directed {
            return Ok(&self.out);
        }
        self.sources.get().ok_or_else(|| PyRuntimeError::new_err("the incoming arcs were not read"))
    }

    /// Returns the incoming arcs of a directed graph, if they were given.
    pub(super) fn known_sources(&self) -> Option<&Rows> {
        self.sources.get()
    }

    /// Returns the arcs along which a search goes.
    pub(super) fn along(&self, backwards: bool) -> PyResult<&Rows> {
        if backwards { self.sources() } else { Ok(&self.out) }
    }

    /// Returns a column of ones.
    pub(super) fn ones(&self) -> &Column {
        self.ones.get_or_init(|| super::column::Values::Ints(vec![1; self.out.targets.len()]).into())
    }

    pub(super) fn device(&self) -> Key {
        Key::new(*self.device.lock().unwrap_or_else(PoisonError::into_inner), None, None)
    }
}

#[pymethods]
impl Adjacency {
    /// Reads `adj[u][v]`, with the attributes `(name, default)`. Returns the structure, and one column per attribute; two in a
    /// multigraph: the least value of parallel edges, and the sum.
    #[staticmethod]
    fn from_dicts(
        adj: &Bound<'_, PyDict>,
        directed: bool,
        multigraph: bool,
        attributes: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    ) -> PyResult<(Self, Vec<Column>)> {
        let attributes = attributes.iter().map(|(name, default)| Attribute::new(name, default));
        let attributes = attributes.collect::<PyResult<Vec<_>>>()?;
        let Read { keys, rows, parallel, columns } = convert::read(adj, multigraph, &attributes)?;
        Ok((Self::new(keys, rows, directed, parallel), columns))
    }

    /// Reads the incoming arcs `pred[v][u]` of a directed graph, if they are not there yet.
    fn read_sources(&self, pred: &Bound<'_, PyDict>) -> PyResult<()> {
        if self.sources.get().is_none() {
            let sources = convert::read_sources(&self.keys, pred)?;
            let sorted = |rows: &Rows| {
                let mut rows = rows.clone();
                (0..rows.nodes() as u32).for_each(|v| {
                    let range = rows.range(v);
                    rows.targets[range].sort_unstable();
                });
                (rows.offsets, rows.targets)
            };
            if sorted(&sources) != sorted(&self.out.reversed().0) {
                return Err(PyRuntimeError::new_err("the graph changed after it was converted"));
            }
            let _ = self.sources.set(sources);
        }
        Ok(())
    }

    #[getter]
    fn has_sources(&self) -> bool {
        !self.directed || self.sources.get().is_some()
    }

    /// Returns the graph with all arcs reversed. Neighbours come in the order of nodes, not of the graph.
    fn reversed(&self, py: Python<'_>) -> Self {
        let keys = Keys::new(self.keys.list(py).clone());
        let reversed = Self::new(keys, self.out.reversed().0, self.directed, None);
        reversed.set_device_to(*self.device.lock().unwrap_or_else(PoisonError::into_inner));
        reversed
    }

    /// Chooses where answers are computed: `auto`, `cpu`, `cuda`.
    pub(super) fn set_device(&self, py: Python<'_>, device: &str) -> PyResult<()> {
        self.set_device_to(device.parse().map_err(|error| errors::raise(py, &error))?);
        Ok(())
    }

    #[getter]
    fn directed(&self) -> bool {
        self.directed
    }

    #[getter]
    fn multigraph(&self) -> bool {
        self.parallel.is_some()
    }

    /// Returns the keys of the nodes in the order of the graph. Callers must not change the list.
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> Bound<'py, PyList> {
        self.keys.list(py).clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickled::adjacency(py, self)
    }

    fn __len__(&self) -> usize {
        self.nodes()
    }

    /// Returns the number of arcs.
    #[getter]
    fn arcs(&self) -> usize {
        self.out.targets.len()
    }

    /// Returns the number of edges, parallel ones included.
    #[getter]
    fn edges(&self) -> usize {
        let count = |places: &mut dyn Iterator<Item = usize>| -> usize {
            places.map(|place| self.parallel.as_ref().map_or(1, |parallel| parallel[place] as usize)).sum()
        };
        let all = count(&mut (0..self.out.targets.len()));
        if self.directed {
            return all;
        }
        let loops = (0..self.nodes() as u32).filter_map(|v| self.out.find(v, v));
        (all + count(&mut { loops })) / 2
    }

    /// Returns the number of nodes with an edge to themselves.
    #[getter]
    fn self_loops(&self) -> usize {
        self.out.self_loops()
    }

    /// Returns the number of a node by its key; `None` if there is none.
    fn find(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        self.keys.find(py, key)
    }

    /// Returns the dictionary from key to number. Callers must not change it.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.keys.numbers(py).cloned()
    }

    /// Returns the neighbours of all nodes, for a copy of the graph: offsets, and targets by number.
    #[pyo3(signature = (backwards = false))]
    fn rows(&self, backwards: bool) -> PyResult<(Vec<usize>, Vec<u32>)> {
        let rows = self.along(backwards)?;
        Ok((rows.offsets.clone(), rows.targets.clone()))
    }
}

impl Adjacency {
    pub(super) fn device_name(&self) -> String {
        self.device.lock().unwrap_or_else(PoisonError::into_inner).to_string()
    }

    fn set_device_to(&self, device: Device) {
        *self.device.lock().unwrap_or_else(PoisonError::into_inner) = device;
    }
}
