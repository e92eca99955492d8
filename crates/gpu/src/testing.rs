//! Provides a simulator and graphs for the tests of this crate.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph_device::{
    Gpu, Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_graph::{Control, Graph, generate::Spec};

/// Opens a simulator with default options.
pub(crate) fn simt() -> Gpu {
    Simt::open(&Settings::default(), SimtOptions::default()).unwrap()
}

/// Generates a graph from its description.
pub(crate) fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}
