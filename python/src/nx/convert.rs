//! Reads the dictionaries of a NetworkX graph: `adj[u][v]` is the data of the edge, in a multigraph `adj[u][v][key]`.
//!
//! Cost: one pass over all arcs, bound by reads of memory that the interpreter has scattered. A row is first gathered, with
//! prefetches of the objects that it names, and handled after the next row was gathered.
//!
//! No Python code runs while a dictionary is iterated: keys that may have methods of their own are looked up after their row
//! was gathered, and every object is owned until it is done with. A user's `__eq__`, or a handler of a signal, may thus
//! change the graph without harm to memory; the result is then that of some moment.

use super::{
    column::{Collected, Column, Value, refused},
    keys::Keys,
    rows::Rows,
};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError},
    ffi,
    prelude::*,
    types::{PyDict, PyList, PyString},
};
use std::ptr;

/// An attribute to read: its name, and the value of edges without it.
pub(crate) struct Attribute<'py> {
    name: Bound<'py, PyString>,
    default: Value,
}

impl<'py> Attribute<'py> {
    /// # Errors
    /// `NotImplementedError` if the name is no string, or the default no number.
    pub(crate) fn new(name: &Bound<'py, PyAny>, default: &Bound<'py, PyAny>) -> PyResult<Self> {
        let name =
            name.cast_exact::<PyString>().map_err(|_| refused("an edge attribute is not named by a str"))?;
        // SAFETY: `default` is a valid object.
        let default = unsafe { Value::read(name.py(), default.as_ptr(), name) }?;
        Ok(Self { name: name.clone(), default })
    }

    /// Reads the value of an edge from its data.
    fn value(&self, data: &Bound<'py, PyAny>) -> PyResult<Value> {
        let data = data.cast::<PyDict>()?;
        if data.is_empty() {
            return Ok(self.default);
        }
        // SAFETY: both are valid objects, and the dictionary keeps the value while it is read.
        unsafe {
            let value = ffi::PyDict_GetItemWithError(data.as_ptr(), self.name.as_ptr());
            if !value.is_null() {
                return Value::read(data.py(), value, &self.name);
            }
        }
        match PyErr::take(data.py()) {
            Some(error) => Err(error),
            None => Ok(self.default),
        }
    }
}

/// What a pass over the dictionaries has found.
pub(crate) struct Read {
    pub(crate) keys: Keys,
    pub(crate) rows: Rows,
    /// In a multigraph, the number of edges of each arc.
    pub(crate) parallel: Option<Vec<u32>>,
    /// Per attribute a column, and in a multigraph a second one: the least value, and the sum.
    pub(crate) columns: Vec<Column>,
}

/// A row while it is gathered: numbers or keys of the neighbours, and the data of the arcs.
#[derive(Default)]
struct Gathered<'py> {
    targets: Vec<Bound<'py, PyAny>>,
    numbers: Vec<u32>,
    data: Vec<Bound<'py, PyAny>>,
}

/// Rows between two looks at signals.
const ROWS: usize = 1 << 10;

/// Reads `adj`, or its keys and neighbours only if there are no attributes.
///
/// # Errors
/// `NotImplementedError` for values that are no numbers; `RuntimeError` if a neighbour is no node, or a dictionary changes
/// size while it is read.
pub(crate) fn read<'py>(
    adj: &Bound<'py, PyDict>,
    multigraph: bool,
    attributes: &[Attribute<'py>],
) -> PyResult<Read> {
    let py = adj.py();
    let lists = entries(adj)?;
    if u32::try_from(lists.len()).is_err() {
        return Err(refused("more than 2**32 - 1 nodes"));
    }
    let keys = Keys::new(PyList::new(py, lists.iter().map(|(key, _)| key))?);
    let arcs = lists.iter().map(|(_, row)| row.cast::<PyDict>().map_or(0, |row| row.len())).sum();
    let mut pass = Pass {
        rows: Rows::new(lists.len()),
        parallel: multigraph.then(|| Vec::with_capacity(arcs)),
        collected: attributes.iter().map(|_| [Collected::default(), Collected::default()]).collect(),
        attributes,
        keys,
    };
    pass.rows.targets.reserve_exact(arcs);
    let (mut now, mut next) = (Gathered::default(), Gathered::default());
    for at in 0..=lists.len() {
        if let Some((_, row)) = lists.get(at) {
            pass.gather(row.cast_exact::<PyDict>().map_err(|_| no_dictionary())?, &mut next);
        }
        if at > 0 {
            pass.handle(py, &mut now)?;
        }
        if at.is_multiple_of(ROWS) {
            py.check_signals()?;
        }
        std::mem::swap(&mut now, &mut next);
    }
    pass.finish()
}

fn no_dictionary() -> PyErr {
    PyTypeError::new_err("the neighbours of a node are not in a dict")
}

/// Returns the entries of a dictionary.
fn entries<'py>(dict: &Bound<'py, PyDict>) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let py = dict.py();
    let mut all = Vec::with_capacity(dict.len());
    each(dict, |key, value| {
        // SAFETY: `each` passes valid objects.
        unsafe { all.push((Bound::from_borrowed_ptr(py, key), Bound::from_borrowed_ptr(py, value))) };
    });
    if all.len() == dict.len() {
        Ok(all)
    } else {
        Err(PyRuntimeError::new_err("the graph changed while it was read"))
    }
}

/// Calls `entry` with every key and value, which are valid objects. `entry` must not call code that may change the
/// dictionary.
#[inline]
fn each(dict: &Bound<'_, PyDict>, mut entry: impl FnMut(*mut ffi::PyObject, *mut ffi::PyObject)) {
    let (mut position, mut key, mut value) = (0, ptr::null_mut(), ptr::null_mut());
    // SAFETY: the dictionary is valid and does not change meanwhile; the pointers are to variables of this function.
    while unsafe { ffi::PyDict_Next(dict.as_ptr(), &raw mut position, &raw mut key, &raw mut value) } != 0 {
        entry(key, value);
    }
}

/// Asks the processor to have an object in its cache soon.
#[inline]
fn prefetch(object: *mut ffi::PyObject) {
    // SAFETY: a prefetch reads nothing that the program sees and accepts any address.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(object.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = object;
}

/// A pass over all rows.
struct Pass<'a, 'py> {
    keys: Keys,
    rows: Rows,
    parallel: Option<Vec<u32>>,
    attributes: &'a [Attribute<'py>],
    /// Per attribute the least values and the sums; the latter only in a multigraph.
    collected: Vec<[Collected; 2]>,
}

impl<'py> Pass<'_, 'py> {
    /// Gathers a row.
    fn gather(&self, row: &Bound<'py, PyDict>, into: &mut Gathered<'py>) {
        let py = row.py();
        let wants_data = self.parallel.is_some() || !self.attributes.is_empty();
        each(row, |key, data| {
            prefetch(key);
            // SAFETY: `each` passes valid objects.
            into.targets.push(unsafe { Bound::from_borrowed_ptr(py, key) });
            if wants_data {
                prefetch(data);
                // SAFETY: as above.
                into.data.push(unsafe { Bound::from_borrowed_ptr(py, data) });
            }
        });
    }

    /// Appends a gathered row to the result, and empties it.
    fn handle(&mut self, py: Python<'py>, row: &mut Gathered<'py>) -> PyResult<()> {
        for key in row.targets.drain(..) {
            // SAFETY: the row owns the key.
            let number = match unsafe { self.keys.find_integer(key.as_ptr()) } {
                Some(number) => number,
                None => self.keys.find(py, &key)?.ok_or_else(|| not_a_node(&key))?,
            };
            row.numbers.push(number);
        }
        self.rows.targets.append(&mut row.numbers);
        self.rows.end_row();
        for data in row.data.drain(..) {
            match &mut self.parallel {
                None => {
                    for (attribute, collected) in self.attributes.iter().zip(&mut self.collected) {
                        collected[0].push(attribute.value(&data)?);
                    }
                }
                Some(parallel) => {
                    let edges = entries(data.cast_exact::<PyDict>().map_err(|_| no_dictionary())?)?;
                    parallel.push(edges.len() as u32);
                    for (attribute, collected) in self.attributes.iter().zip(&mut self.collected) {
                        let [least, sum] = combine(attribute, &edges)?;
                        collected[0].push(least);
                        collected[1].push(sum);
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> PyResult<Read> {
        let (nodes, multigraph) = (self.rows.nodes(), self.parallel.is_some());
        let kinds = if multigraph { 2 } else { 1 };
        let columns = self.collected.into_iter().flat_map(|both| both.into_iter().take(kinds));
        let columns = columns.map(|column| column.finish(nodes)).collect::<PyResult<_>>()?;
        Ok(Read { keys: self.keys, rows: self.rows, parallel: self.parallel, columns })
    }
}

/// Returns the least value and the sum over parallel edges.
fn combine<'py>(
    attribute: &Attribute<'py>,
    edges: &[(Bound<'py, PyAny>, Bound<'py, PyAny>)],
) -> PyResult<[Value; 2]> {
    let mut values = edges.iter().map(|(_, data)| attribute.value(data));
    let first = values.next().ok_or_else(|| refused("an arc of the multigraph has no edges"))??;
    values.try_fold([first; 2], |[least, sum], value| {
        let value = value?;
        let sum = sum.plus(value).ok_or_else(|| refused("a sum of parallel edges overflows 64 bits"))?;
        Ok([least.least(value), sum])
    })
}

fn not_a_node(key: &Bound<'_, PyAny>) -> PyErr {
    PyRuntimeError::new_err(format!("{key:?} is a neighbour in the graph, but no node of it"))
}

/// Reads the incoming neighbours, in the order of the graph: `pred[v]` has the sources of the arcs to `v`.
///
/// # Errors
/// `RuntimeError` if a source is no node.
pub(crate) fn read_sources(keys: &Keys, pred: &Bound<'_, PyDict>) -> PyResult<Rows> {
    let py = pred.py();
    let lists = entries(pred)?;
    let mut rows = Rows::new(lists.len());
    for (_, row) in &lists {
        let row = entries(row.cast_exact::<PyDict>().map_err(|_| no_dictionary())?)?;
        for (key, _) in &row {
            rows.targets.push(keys.find(py, key)?.ok_or_else(|| not_a_node(key))?);
        }
        rows.end_row();
    }
    Ok(rows)
}
