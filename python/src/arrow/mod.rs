//! Tables of other libraries, in and out, by the Arrow PyCapsule interface: no library is needed for it.
//!
//! [`import`] reads what has `__arrow_c_stream__` or `__arrow_c_array__`: tables, frames and columns of polars, pandas,
//! PyArrow, DuckDB and others. [`export`] makes the capsules by which they read answers and edges. [`ffi`] has the structs of
//! the interface, [`kept`] the tables of answers that were pickled. Memory is shared in both directions, and each side frees it when the other has released it.

pub(crate) mod export;
mod ffi;
pub(crate) mod import;
pub(crate) mod kept;
