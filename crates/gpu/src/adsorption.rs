//! Adsorption, run as a program: a sum that distributes, over the columns `inject` and `pass`.

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::general,
    memory::{Extent, Footprint},
    pagerank::SUMMED,
    program::{self, Ways},
    variants,
};
use std::sync::Arc;
use warpgraph_core::{
    Form, Options, Result,
    adsorption::{Adsorption, AdsorptionAnswer},
    program::{Prepared, library},
};
use warpgraph_device::Source;

impl OnGpu for Adsorption {
    fn form(&self, _: &dyn Extent, _: &Options) -> Form {
        general::<Self>()
    }

    fn bytes(&self, graph: &dyn Extent, _: Form, options: &Options) -> Footprint {
        SUMMED.bytes(graph, options.plan)
    }

    fn answer(&self, device_graph: &DeviceGraph, _: Form, options: &Options) -> Result<AdsorptionAnswer> {
        let graph = device_graph.graph();
        let program = library::Adsorption {
            inject: self.injected(graph)?,
            pass: self.passed(graph)?,
            weighted: self.weighted,
            halt: self.halt(),
        };
        // The configuration already names vertices of this graph.
        let prepared = Prepared::new(&program, graph, None)?;
        let (values, residual, run) = program::run(device_graph, &prepared, options, Ways::Out)?;
        Ok(AdsorptionAnswer::new(graph, self, values, residual.unwrap_or(0.0), run))
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        let (inject, pass) = (vec![0.0], vec![0.0]);
        let program = library::Adsorption { inject, pass, weighted: self.weighted, halt: self.halt() };
        variants::Functor::of(&program)?.ahead(outline, options, Ways::Out)
    }

    /// Returns no modules: the modules of library programs cover this one.
    fn modules() -> Result<Vec<Arc<Source>>> {
        Ok(Vec::new())
    }
}
