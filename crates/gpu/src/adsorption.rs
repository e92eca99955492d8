//! Adsorption, run as a program: a sum that distributes, over the columns `inject` and `pass`.

use crate::{
    DeviceGraph,
    program::{self, Ways},
};
use warpgraph_core::{
    Options, Result,
    adsorption::{Adsorption, AdsorptionAnswer},
    program::{Prepared, library},
};

/// How much of the injected label gets to every vertex.
///
/// # Errors
/// When interrupted, when memory is short, when a vertex of the labels is not in the graph, or when the device fails.
pub fn adsorption(
    device_graph: &DeviceGraph,
    config: &Adsorption,
    options: &Options,
) -> Result<AdsorptionAnswer> {
    let graph = device_graph.graph();
    let program = library::Adsorption {
        inject: config.injected(graph)?,
        pass: config.passed(graph)?,
        weighted: config.weighted,
        halt: config.halt(),
    };
    // The configuration speaks of this graph's own vertices already.
    let prepared = Prepared::new(&program, graph, None)?;
    let (values, residual, run) = program::run(device_graph, &prepared, options, Ways::Out)?;
    Ok(AdsorptionAnswer::new(graph, config, values, residual.unwrap_or(0.0), run))
}
