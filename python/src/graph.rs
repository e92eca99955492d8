//! [`NativeGraph`]: a graph, and what engines keep of it between runs.

use crate::{
    answer::{self, NativeAnswer},
    arrays,
    arrow::export::Export,
    engines::{self, Key},
    errors, json,
    options::How,
    work::{self, Watched},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict, PyTuple},
};
use serde_json::Value;
use std::{
    borrow::Cow,
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};
use warpgraph::{
    AnyAnswer, Approximation, Choice, Control, Error, Graph, Loaded, Options, Order, Rules,
    graph::{
        Offsets, Vertex, Weights,
        format::write::{self, OutputFormat, WriteOptions},
    },
    table::{Table, Values},
};

/// What distinguishes two preparations of a graph.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Preparation {
    key: Key,
    order: Option<Order>,
    approximation: String,
    seed: u64,
}

/// A graph, and its preparations by engines.
#[pyclass(frozen, module = "warpgraph._warpgraph")]
pub(crate) struct NativeGraph {
    pub(crate) graph: Graph,
    loaded: Mutex<HashMap<Preparation, Loaded>>,
}

impl From<Graph> for NativeGraph {
    fn from(graph: Graph) -> Self {
        Self { graph, loaded: Mutex::default() }
    }
}

#[pymethods]
impl NativeGraph {
    #[getter]
    fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    #[getter]
    fn edges(&self, py: Python<'_>) -> PyResult<u64> {
        self.on_threads(py, |graph| graph.edges())
    }

    #[getter]
    fn arcs(&self) -> usize {
        self.graph.arcs()
    }

    #[getter]
    fn directed(&self) -> bool {
        self.graph.is_directed()
    }

    #[getter]
    fn weight_type(&self) -> Option<&'static str> {
        self.graph.weight_type().map(|kind| kind.name())
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.graph.bytes()
    }

    /// Returns true if the arcs lie in a mapped file.
    #[getter]
    fn is_mapped(&self) -> bool {
        self.graph.stored().is_some() || self.graph.out().csr.targets().is_mapped()
    }

    /// Returns the devices whose engines keep something of the graph.
    fn prepared(&self) -> Vec<String> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<String> =
            loaded.keys().map(|preparation| preparation.key.device.to_string()).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Returns where the offsets, the targets and the weights lie, so that a test can tell a copy.
    fn addresses(&self) -> Vec<usize> {
        let arcs = self.graph.out();
        let offsets = match arcs.csr.offsets() {
            Offsets::Narrow(offsets) => offsets.as_ptr().addr(),
            Offsets::Wide(offsets) => offsets.as_ptr().addr(),
        };
        let weights = match &arcs.weights {
            Weights::None => None,
            Weights::U32(weights) => Some(weights.as_ptr().addr()),
            Weights::I32(weights) => Some(weights.as_ptr().addr()),
            Weights::F32(weights) => Some(weights.as_ptr().addr()),
            Weights::F64(weights) => Some(weights.as_ptr().addr()),
        };
        [offsets, arcs.csr.targets().as_ptr().addr()].into_iter().chain(weights).collect()
    }

    /// Returns what was assumed or left out when the graph was made, one sentence each.
    fn warnings(&self) -> Vec<String> {
        self.graph.origin().warnings.clone()
    }

    /// Returns what the reader or builder did, and the counts that take a pass over the graph.
    fn info(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let info = self.on_threads(py, |graph| {
            let mut info = serde_json::to_value(graph.counts()).unwrap_or_default();
            let origin = serde_json::to_value(graph.origin()).unwrap_or_default();
            if let (Value::Object(info), Value::Object(origin)) = (&mut info, origin) {
                info.insert("ids".to_owned(), graph.ids().describe().into());
                let max_degree_id = (graph.vertices() > 0)
                    .then(|| graph.ids().id(graph.counts().max_degree_vertex).to_string());
                info.insert("max_degree_vertex".to_owned(), max_degree_id.into());
                info.extend(origin);
            }
            info
        })?;
        json::to_python(py, &info)
    }

    /// Returns the ids of all vertices.
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        answer::ids(py, self.graph.ids())
    }

    /// Returns the number of arcs from every vertex.
    fn degrees<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let degrees = self.on_threads(py, |graph| {
            (0..graph.vertices()).map(|v| graph.degree(v as Vertex) as i64).collect::<Vec<_>>()
        })?;
        Ok(arrays::owned(py, degrees))
    }

    /// Returns the sources, targets and weights of all edges: ids, and `None` if there are no weights.
    fn edge_columns<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        let (py, this) = (slf.py(), slf.get());
        let listed = this.on_threads(py, Listed::of)?;
        listed
            .table(&this.graph)
            .columns
            .into_iter()
            .map(|column| {
                // SAFETY: nothing but ids is borrowed from elsewhere than the graph, which `slf` owns; ids are copied.
                Ok((column.name.to_string(), unsafe {
                    answer::values(py, owned(column.values), slf.as_any())
                }?))
            })
            .collect()
    }

    /// Returns a capsule with the edges, as `__arrow_c_stream__` does.
    fn arrow_stream<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::export(slf)?.stream_capsule(slf.py())
    }

    /// Returns capsules with the type of the edges and the edges, as `__arrow_c_array__` does.
    fn arrow_array<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        Self::export(slf)?.array_capsules(slf.py())
    }

    /// Returns a capsule with the type of the edges, as `__arrow_c_schema__` does.
    fn arrow_schema<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::export(slf)?.schema_capsule(slf.py())
    }

    /// Returns the graph as the bytes of a `.wg` file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let write = |control: &Control| {
            let mut bytes = Vec::new();
            write::to_writer(&self.graph, OutputFormat::Wg, &mut bytes, "bytes", control)?;
            Ok(bytes)
        };
        Ok(PyBytes::new(py, &work::run(py, &Watched::default(), write)?))
    }

    /// Writes the graph to a file; the ending of its name says the format.
    fn write(&self, py: Python<'_>, path: PathBuf, force: bool) -> PyResult<()> {
        let options = WriteOptions { force, ..WriteOptions::default() };
        let write = |control: &Control| {
            engines::engine(Key::usual())?.install(|| Ok(self.graph.write(&path, &options, control)?))
        };
        work::run(py, &Watched::default(), write)
    }

    /// Asks an algorithm by name.
    fn run(
        &self,
        py: Python<'_>,
        algorithm: &str,
        config: &Bound<'_, PyDict>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<NativeAnswer> {
        let refuse = |error: Error| errors::raise(py, &error);
        let entry = warpgraph::find(algorithm).map_err(refuse)?;
        let question = entry.question(json::from_python(config)?).map_err(refuse)?;
        question.check_config().map_err(refuse)?;
        let (how, rules) = (How::new(options)?, question.rules());
        self.ask(py, how, rules, |loaded, options| loaded.ask(&*question, options))
    }

    /// Returns the number of the vertex with an id: its position among the ids in ascending order.
    fn number(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.graph.ids().vertex(&answer::vertex_id(id)?).map_err(|error| errors::raise_graph(py, error))
    }
}

/// The edges of a graph, each once.
struct Listed {
    sources: Vec<Vertex>,
    targets: Vec<Vertex>,
    weights: Weights,
}

impl Listed {
    fn of(graph: &Graph) -> Self {
        let (csr, kept) = (&graph.out().csr, &graph.out().weights);
        let (mut sources, mut targets, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for u in 0..graph.vertices() as Vertex {
            for (&v, arc) in csr.neighbors(u).iter().zip(csr.arcs_of(u)) {
                if graph.is_directed() || u <= v {
                    sources.push(u);
                    targets.push(v);
                    places.push(arc);
                }
            }
        }
        let weights = match kept {
            Weights::None => Weights::None,
            Weights::U32(w) => Weights::U32(places.iter().map(|&arc| w[arc]).collect::<Vec<_>>().into()),
            Weights::I32(w) => Weights::I32(places.iter().map(|&arc| w[arc]).collect::<Vec<_>>().into()),
            Weights::F32(w) => Weights::F32(places.iter().map(|&arc| w[arc]).collect::<Vec<_>>().into()),
            Weights::F64(w) => Weights::F64(places.iter().map(|&arc| w[arc]).collect::<Vec<_>>().into()),
        };
        Self { sources, targets, weights }
    }

    fn table<'a>(&'a self, graph: &'a Graph) -> Table<'a> {
        let table = Table::of_edges(graph.ids(), &self.sources, &self.targets);
        match &self.weights {
            Weights::None => table,
            // In 64 bits no weight is the number that stands for "none".
            Weights::U32(w) => table.with("weight", Values::I64(w.iter().map(|&w| w.into()).collect())),
            Weights::I32(w) => table.with("weight", Values::I64(w.iter().map(|&w| w.into()).collect())),
            Weights::F32(w) => table.with("weight", Values::F32(Cow::Borrowed(w))),
            Weights::F64(w) => table.with("weight", Values::F64(Cow::Borrowed(w))),
        }
    }
}

/// Returns values that borrow nothing but ids.
fn owned(values: Values<'_>) -> Values<'_> {
    match values {
        Values::F32(values) => Values::F32(values.into_owned().into()),
        Values::F64(values) => Values::F64(values.into_owned().into()),
        other => other,
    }
}

impl NativeGraph {
    /// Asks on the engine that the options name, if the rules allow them.
    pub(crate) fn ask(
        &self,
        py: Python<'_>,
        mut how: How<'_>,
        rules: Rules,
        ask: impl FnOnce(&Loaded, &Options) -> Result<(AnyAnswer, Option<Choice>), Error> + Send,
    ) -> PyResult<NativeAnswer> {
        let accepted =
            rules.accept(how.key.device, &how.options).map_err(|error| errors::raise(py, &error))?;
        how.options.accepted = Some(accepted);
        let (key, order, approximation, mut options) = (how.key, how.order, how.approximation, how.options);
        let (answer, choice, loaded) = work::run(py, &how.watched, |control| {
            options.control = control.clone();
            let loaded = self.loaded(key, order, approximation, options.seed, control)?;
            let (answer, choice) = ask(&loaded, &options)?;
            Ok((answer, choice, loaded))
        })?;
        let (graph, engine) = (loaded.answered().clone(), loaded.engine().clone());
        Ok(NativeAnswer { answer, choice, graph, engine })
    }

    fn export(slf: &Bound<'_, Self>) -> PyResult<Arc<Export>> {
        let this = slf.get();
        let listed = Arc::new(this.on_threads(slf.py(), Listed::of)?);
        // SAFETY: the table borrows its columns from the list, which the export keeps; ids are copied.
        Ok(Arc::new(unsafe { Export::of(listed.table(&this.graph), listed.clone()) }))
    }

    /// Runs short work on the threads of an engine.
    pub(crate) fn on_threads<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Graph) -> T + Send,
    ) -> PyResult<T> {
        let work = |_: &Control| Ok(engines::engine(Key::usual())?.install(|| work(&self.graph)));
        work::run(py, &Watched::default(), work)
    }

    /// Returns the graph prepared by an engine, and keeps it for later runs.
    fn loaded(
        &self,
        key: Key,
        order: Option<Order>,
        approximation: Approximation,
        seed: u64,
        control: &Control,
    ) -> Result<Loaded, Error> {
        // Only randomised orders and approximations depend on the seed.
        let seed_matters =
            !approximation.is_none() || order.is_some_and(|order| order.label(seed).seed.is_some());
        let seed = if seed_matters { seed } else { 0 };
        let preparation = Preparation { key, order, approximation: approximation.to_string(), seed };
        let kept = |preparation: &Preparation| {
            self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(preparation).cloned()
        };
        if let Some(loaded) = kept(&preparation) {
            return Ok(loaded);
        }
        let engine = engines::engine(key)?;
        let loaded = match order {
            Some(order) => engine.load_with(&self.graph, order, seed, control),
            None if approximation.is_none() => engine.load_as_stored(&self.graph),
            None => engine.load_with(&self.graph, Order::Natural, seed, control),
        }?;
        let loaded = loaded.approximated(approximation, seed, control)?;
        let mut all = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(all.entry(preparation).or_insert(loaded).clone())
    }
}
