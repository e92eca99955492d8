//! What the fuzz targets do with their bytes: `cargo +nightly fuzz run <target>`.
//!
//! The same functions are run over `corpus/` by plain tests, `crates/graph/tests/corpus` and `crates/core/tests/corpus.rs`.

pub mod graph;
pub mod plan;
