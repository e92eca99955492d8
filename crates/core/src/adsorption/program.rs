//! Adsorption as a program: a sum that distributes, over the columns `inject` and `pass`.

use super::{Adsorption, AdsorptionAnswer};
use crate::{
    Options, Result,
    program::{Prepared, Runs, Ways, library},
};
use warpgraph_graph::Graph;

impl Adsorption {
    /// Returns the program that computes it on a graph.
    ///
    /// # Errors
    /// When a vertex of the labels is not in the graph.
    pub fn program(&self, graph: &Graph) -> Result<library::Adsorption> {
        Ok(library::Adsorption {
            inject: self.injected(graph)?,
            pass: self.passed(graph)?,
            weighted: self.weighted,
            halt: self.halt(),
        })
    }
}

/// Returns how much of the injected label reaches every vertex.
///
/// # Errors
/// When a vertex of the labels is not in the graph, when interrupted, when memory is short, or when the device fails.
pub fn by_program(engine: &impl Runs, config: &Adsorption, options: &Options) -> Result<AdsorptionAnswer> {
    let graph = engine.graph();
    let program = config.program(graph)?;
    // The configuration already names vertices of this graph.
    let prepared = Prepared::new(&program, graph, None)?;
    let ran = engine.run(&prepared, options, Ways::Out)?;
    Ok(AdsorptionAnswer::new(graph, config, ran.values, ran.residual.unwrap_or(0.0), ran.run))
}
