//! The native module `warpgraph._warpgraph`, on which the Python package is built.
//!
//! It has the classes [`graph::NativeGraph`] and [`answer::NativeAnswer`], and functions that tell what there is: the table
//! of algorithms with their fields. The names that users meet are in `python/warpgraph`, which checks and converts what
//! Python offers; this module takes NumPy arrays of exact types.

mod answer;
mod arrays;
mod arrow;
mod edges;
mod engines;
mod errors;
mod gpu;
mod graph;
mod json;
mod make;
mod matrix;
mod nx;
mod options;
mod program;
mod table;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _warpgraph {
    #[pymodule_export]
    use super::{
        answer::NativeAnswer,
        arrow::kept::KeptTable,
        edges::addresses,
        gpu::from_gpu,
        graph::NativeGraph,
        make::{choose_columns, from_arrow, from_bytes, from_columns, generate, open},
        matrix::from_csr,
        nx::nx,
        program::run_program,
        table::{algorithms, version},
    };
}
