//! Graphs from the arrays of a sparse matrix in CSR form.
//!
//! If rows are sorted, without duplicates and of a type that a graph stores, the arrays become the graph as they are. They are
//! shared if the caller vouches that no code changes them, and otherwise copied, because engines rely on what was checked.

use crate::{graph::NativeGraph, make, work::Watched};
use bytemuck::Pod;
use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;
use warpgraph::{
    Graph,
    graph::{Arcs, Buffer, Csr, Ids, Offsets, Origin, Pages, Weights},
};

/// Returns the values of an array of this type; `None` if it has another.
fn values<T: Element + Pod + Send + Sync>(
    array: &Bound<'_, PyAny>,
    share: bool,
) -> PyResult<Option<Buffer<T>>> {
    let Ok(array) = array.cast::<PyArray1<T>>() else { return Ok(None) };
    if !array.is_c_contiguous() || !array.data().is_aligned() {
        return Ok(None);
    }
    if share {
        let owner: Arc<Py<PyAny>> = Arc::new(array.clone().into_any().unbind());
        // SAFETY: the array is contiguous, aligned and kept by the owner. The caller has promised that no code changes it.
        return Ok(Some(unsafe { Buffer::foreign(array.data(), array.len(), owner) }));
    }
    let copy = array.readonly().as_slice().map(<[T]>::to_vec);
    Ok(copy.ok().map(|copy| Buffer::from(Pages::from(copy))))
}

/// Returns the same numbers in another type of the same size.
fn recast<A: Pod + Send + Sync, B: Pod + Send + Sync>(values: Buffer<A>) -> Buffer<B> {
    const { assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>()) };
    let (start, len) = (values.as_ptr().cast(), values.len());
    // SAFETY: both types are plain data of one size and alignment; the first buffer keeps the memory.
    unsafe { Buffer::foreign(start, len, Arc::new(values)) }
}

fn offsets(array: &Bound<'_, PyAny>, share: bool) -> PyResult<Option<Offsets>> {
    if let Some(narrow) = values::<i32>(array, share)? {
        return Ok(Some(Offsets::Narrow(recast(narrow))));
    }
    Ok(values::<i64>(array, share)?.map(|wide| Offsets::Wide(recast(wide))))
}

fn weights(array: Option<&Bound<'_, PyAny>>, share: bool) -> PyResult<Option<Weights>> {
    let Some(array) = array else { return Ok(Some(Weights::None)) };
    if let Some(values) = values::<f64>(array, share)? {
        return Ok(values.par_iter().all(|w| w.is_finite()).then_some(Weights::F64(values)));
    }
    if let Some(values) = values::<f32>(array, share)? {
        return Ok(values.par_iter().all(|w| w.is_finite()).then_some(Weights::F32(values)));
    }
    if let Some(values) = values::<i32>(array, share)? {
        return Ok(Some(Weights::I32(values)));
    }
    Ok(values::<u32>(array, share)?.map(Weights::U32))
}

/// Returns true if every row is sorted and names no column twice.
fn is_sorted(csr: &Csr) -> bool {
    (0..csr.vertices() as u32).into_par_iter().all(|v| csr.neighbors(v).is_sorted_by(|a, b| a < b))
}

/// Returns the graph of a matrix; `None` if its arrays cannot be used as they are.
#[pyfunction]
pub(crate) fn from_csr(
    py: Python<'_>,
    indptr: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    data: Option<&Bound<'_, PyAny>>,
    directed: bool,
    share: bool,
) -> PyResult<Option<NativeGraph>> {
    let (Some(offsets), Some(targets), Some(weights)) =
        (offsets(indptr, share)?, values::<i32>(indices, share)?, weights(data, share)?)
    else {
        return Ok(None);
    };
    let make = |_: &_| {
        let name = "a sparse matrix";
        let csr = Csr::new(offsets, recast(targets), name)?;
        let origin = Origin {
            name: name.to_owned(),
            format: "memory".to_owned(),
            listed: csr.arcs() as u64,
            direction_because: "the caller said so".to_owned(),
            ..Origin::default()
        };
        let ids = Ids::zero_based(csr.vertices());
        if !is_sorted(&csr) {
            return Err(warpgraph::graph::Error::invalid("the rows are not sorted", "sort them").into());
        }
        Ok(Graph::new(Arcs { csr, weights }, directed, ids, origin)?)
    };
    // Whatever does not fit as it is goes through the builder, which also tells what is wrong with it.
    match make::made(py, &Watched::default(), make) {
        Ok(graph) => Ok(Some(graph)),
        Err(error) if error.is_instance_of::<pyo3::exceptions::PyValueError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}
