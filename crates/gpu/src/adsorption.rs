//! Adsorption, run as a program: a sum that distributes, over the columns `inject` and `pass`.

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::general,
    memory::{Extent, Footprint},
    pagerank::SUMMED,
    variants,
};
use std::sync::Arc;
use warpgraph_core::{
    Form, Options, Result,
    adsorption::{self, Adsorption, AdsorptionAnswer},
    program::{Ways, library},
};
use warpgraph_device::Source;

impl OnGpu for Adsorption {
    fn form(&self, _: &dyn Extent, _: &Options) -> Form {
        general::<Self>()
    }

    fn bytes(&self, graph: &dyn Extent, _: Form, options: &Options) -> Footprint {
        SUMMED.bytes(graph, options)
    }

    fn answer(&self, device_graph: &DeviceGraph, _: Form, options: &Options) -> Result<AdsorptionAnswer> {
        adsorption::by_program(device_graph, self, options)
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
