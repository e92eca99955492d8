//! Adsorption, run as a program: a sum that distributes, over the columns `inject` and `pass`. While few vertices have any of the
//! label, changes are pushed; then sweeps pull, in place. O(m) work a sweep; memory 16 bytes a vertex beside the answer.

use crate::{Options, program};
use std::sync::Arc;
use warpgraph_core::{
    Answer, Result,
    adsorption::{Adsorption, AdsorptionAnswer},
    program::library,
};
use warpgraph_graph::Graph;

/// How much of the injected label gets to every vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when a vertex of the labels is not in the graph.
pub fn adsorption(graph: &Graph, config: &Adsorption, options: &Options) -> Result<AdsorptionAnswer> {
    let program = library::Adsorption {
        inject: config.injected(graph)?,
        pass: config.passed(graph)?,
        weighted: config.weighted,
        halt: config.halt(),
    };
    // The configuration speaks of this graph's own vertices already.
    let options = Options { map: None, ..options.clone() };
    let answer = program::program(graph, &Arc::new(program), &options)?;
    let (residual, run) = (answer.residual().unwrap_or(0.0), answer.run().clone());
    Ok(AdsorptionAnswer::new(graph, config, answer.into_values(), residual, run))
}
