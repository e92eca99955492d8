//! [`Keys`]: the keys of the nodes, any hashable objects, and the number of each.

use pyo3::{
    ffi,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyInt, PyList},
};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

/// Mixes an integer by one multiplication, which is enough for ids and cheaper than a hash that resists attacks: an
/// adversary who chooses ids could as well choose the graph.
#[derive(Debug, Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// How integers find their number without a call of Python.
#[derive(Debug)]
enum Integers {
    /// Entry `key - first` has the number, or `u32::MAX`.
    Dense { first: i64, numbers: Vec<u32> },
    /// For keys with large gaps.
    Sparse(HashMap<i64, u32, BuildHasherDefault<Mix>>),
    /// Not all keys are integers of 64 bits.
    None,
}

/// The keys of the nodes in the order of the graph.
pub(crate) struct Keys {
    list: Py<PyList>,
    integers: Integers,
    /// From key to number, made when first needed.
    numbers: PyOnceLock<Py<PyDict>>,
}

/// Returns an exact `int` of 64 bits.
fn integer(key: &Bound<'_, PyAny>) -> Option<i64> {
    key.cast_exact::<PyInt>().ok()?.extract().ok()
}

impl Keys {
    pub(crate) fn new(list: Bound<'_, PyList>) -> Self {
        let integers = list.iter().map(|key| integer(&key)).collect::<Option<Vec<_>>>();
        let integers = integers.map_or(Integers::None, |keys| Integers::new(&keys));
        Self { list: list.unbind(), integers, numbers: PyOnceLock::new() }
    }

    pub(crate) fn list<'py>(&self, py: Python<'py>) -> &Bound<'py, PyList> {
        self.list.bind(py)
    }

    /// Returns true if all keys are integers, so that [`Keys::find`] calls no code of the user.
    pub(crate) fn are_integers(&self) -> bool {
        !matches!(self.integers, Integers::None)
    }

    /// Returns the dictionary from key to number.
    pub(crate) fn numbers<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        let make = || {
            let numbers = PyDict::new(py);
            for (number, key) in self.list.bind(py).iter().enumerate() {
                numbers.set_item(key, number)?;
            }
            Ok::<_, PyErr>(numbers.unbind())
        };
        Ok(self.numbers.get_or_try_init(py, make)?.bind(py))
    }

    /// Returns the number of a key; `None` if no node has it.
    ///
    /// # Errors
    /// When the key is not hashable, or when its comparison raises.
    pub(crate) fn find(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        match integer(key) {
            Some(value) if self.are_integers() => Ok(self.integers.find(value)),
            _ => self.numbers(py)?.get_item(key)?.map(|number| number.extract()).transpose(),
        }
    }

    /// Returns the number of an exact `int`; `None` for every other object and for keys without node.
    ///
    /// # Safety
    /// `key` is a valid object, and the caller is attached to the interpreter.
    #[inline]
    pub(crate) unsafe fn find_integer(&self, key: *mut ffi::PyObject) -> Option<u32> {
        // SAFETY: the key is valid. The call cannot fail for an exact int, except for one beyond 64 bits, for which it
        // sets an error, which is cleared.
        unsafe {
            if ffi::PyLong_CheckExact(key) == 0 {
                return None;
            }
            let mut overflow = 0;
            let value = ffi::PyLong_AsLongLongAndOverflow(key, &raw mut overflow);
            if overflow == 0 { self.integers.find(value) } else { None }
        }
    }
}

impl Integers {
    fn new(keys: &[i64]) -> Self {
        let (first, last) = match (keys.iter().min(), keys.iter().max()) {
            (Some(&first), Some(&last)) => (first, last),
            _ => return Self::Dense { first: 0, numbers: Vec::new() },
        };
        let span = i128::from(last) - i128::from(first) + 1;
        if span > 4 * keys.len() as i128 + 1024 {
            return Self::Sparse(keys.iter().zip(0..).map(|(&key, number)| (key, number)).collect());
        }
        let mut numbers = vec![u32::MAX; span as usize];
        keys.iter().zip(0..).for_each(|(&key, number)| numbers[(key - first) as usize] = number);
        Self::Dense { first, numbers }
    }

    #[inline]
    fn find(&self, key: i64) -> Option<u32> {
        match self {
            Self::Dense { first, numbers } => {
                let at = usize::try_from(key.checked_sub(*first)?).ok()?;
                numbers.get(at).copied().filter(|&number| number != u32::MAX)
            }
            Self::Sparse(numbers) => numbers.get(&key).copied(),
            Self::None => None,
        }
    }
}
