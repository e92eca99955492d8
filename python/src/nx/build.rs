//! Builds the lists, dictionaries and sets of answers. Creating objects is most of what an answer costs, so they are made
//! through the C interface, each key the object that the graph has.

use super::keys::Keys;
use pyo3::{
    ffi,
    prelude::*,
    types::{PyDict, PyList, PySet},
};

/// A value that becomes a Python object.
pub(crate) trait Number: Copy {
    /// Returns a new reference, or null with an error set.
    ///
    /// # Safety
    /// The caller is attached to the interpreter.
    unsafe fn object(self) -> *mut ffi::PyObject;
}

impl Number for f64 {
    unsafe fn object(self) -> *mut ffi::PyObject {
        // SAFETY: the caller is attached.
        unsafe { ffi::PyFloat_FromDouble(self) }
    }
}

impl Number for i64 {
    unsafe fn object(self) -> *mut ffi::PyObject {
        // SAFETY: the caller is attached.
        unsafe { ffi::PyLong_FromLongLong(self) }
    }
}

/// An integer, if the second part is true.
impl Number for (f64, bool) {
    unsafe fn object(self) -> *mut ffi::PyObject {
        // SAFETY: the caller is attached.
        unsafe {
            if self.1 { ffi::PyLong_FromLongLong(self.0 as i64) } else { ffi::PyFloat_FromDouble(self.0) }
        }
    }
}

/// The objects of all nodes, for fast access by number.
pub(crate) struct Nodes<'py> {
    list: Bound<'py, PyList>,
}

impl<'py> Nodes<'py> {
    pub(crate) fn new(py: Python<'py>, keys: &Keys) -> Self {
        Self { list: keys.list(py).clone() }
    }

    pub(crate) fn py(&self) -> Python<'py> {
        self.list.py()
    }

    /// Returns the key of a node, borrowed.
    #[inline]
    fn key(&self, v: u32) -> *mut ffi::PyObject {
        // SAFETY: the list is valid and keeps its items; a bad index gives null with an error, which callers check.
        unsafe { ffi::PyList_GetItem(self.list.as_ptr(), v as ffi::Py_ssize_t) }
    }

    pub(crate) fn object(&self, v: u32) -> PyResult<Bound<'py, PyAny>> {
        self.list.get_item(v as usize)
    }

    /// Returns `{node: value}` in the order of the pairs.
    pub(crate) fn dict<N: Number>(
        &self,
        pairs: impl Iterator<Item = (u32, N)>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py());
        for (v, value) in pairs {
            // SAFETY: attached; dictionary and key are valid, and SetItem takes references of its own, so the reference to
            // the value is given back.
            unsafe {
                let value = value.object();
                if value.is_null() {
                    return Err(PyErr::fetch(self.py()));
                }
                let result = ffi::PyDict_SetItem(dict.as_ptr(), self.key(v), value);
                ffi::Py_DecRef(value);
                if result < 0 {
                    return Err(PyErr::fetch(self.py()));
                }
            }
        }
        Ok(dict)
    }

    /// Returns `{node: list}`.
    pub(crate) fn dict_of(
        &self,
        pairs: impl Iterator<Item = (u32, PyResult<Bound<'py, PyList>>)>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(self.py());
        for (v, value) in pairs {
            // A list takes as long as it has items, so all of them may take minutes.
            self.py().check_signals()?;
            dict.set_item(self.object(v)?, value?)?;
        }
        Ok(dict)
    }

    /// Returns a list of nodes.
    pub(crate) fn list(&self, nodes: &[u32]) -> PyResult<Bound<'py, PyList>> {
        // SAFETY: attached. SetItem takes over the new reference of the key. A list that is not filled to its end is only
        // dropped, which allows null items.
        unsafe {
            let list = ffi::PyList_New(nodes.len() as ffi::Py_ssize_t);
            let list = Bound::from_owned_ptr_or_err(self.py(), list)?.cast_into_unchecked::<PyList>();
            for (at, &v) in nodes.iter().enumerate() {
                let key = self.key(v);
                if key.is_null() {
                    return Err(PyErr::fetch(self.py()));
                }
                ffi::Py_IncRef(key);
                ffi::PyList_SetItem(list.as_ptr(), at as ffi::Py_ssize_t, key);
            }
            Ok(list)
        }
    }

    /// Returns `[(node, node), ...]`.
    pub(crate) fn pairs(
        &self,
        pairs: impl ExactSizeIterator<Item = (u32, u32)>,
    ) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(self.py());
        for (u, v) in pairs {
            list.append((self.object(u)?, self.object(v)?))?;
        }
        Ok(list)
    }

    /// Returns a set of nodes. One that has most nodes is copied from the dictionary of all, which hashes nothing.
    pub(crate) fn set(&self, keys: &Keys, nodes: &[u32]) -> PyResult<Bound<'py, PySet>> {
        if nodes.len() < self.list.len() {
            let set = PySet::empty(self.py())?;
            for &v in nodes {
                // SAFETY: set and key are valid.
                if unsafe { ffi::PySet_Add(set.as_ptr(), self.key(v)) } < 0 {
                    return Err(PyErr::fetch(self.py()));
                }
            }
            return Ok(set);
        }
        // SAFETY: the dictionary is valid; the result is a new reference or null with an error.
        unsafe {
            let set = ffi::PySet_New(keys.numbers(self.py())?.as_ptr());
            Ok(Bound::from_owned_ptr_or_err(self.py(), set)?.cast_into_unchecked())
        }
    }
}

/// Returns the path from a source to `v` by its parents; a source is its own parent.
pub(crate) fn path(parents: &[u32], v: u32) -> Vec<u32> {
    let mut path = vec![v];
    let mut at = v;
    while parents[at as usize] != at {
        at = parents[at as usize];
        path.push(at);
    }
    path.reverse();
    path
}
