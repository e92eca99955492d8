//! Connected components: Afforest if the plan is open, otherwise a program.

mod afforest;
mod program;

pub(crate) use afforest::{CHUNK, CHUNKS, GIANT, NEXT_CHUNKS, SAMPLES, SHORT, SLOTS, WccArgs};

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::choose,
    memory::{FIXED, Needs, rows},
    program::Ways,
    variants,
};
use std::sync::Arc;
use warpgraph_core::{
    Form, Options, Result,
    program::library,
    wcc::{Wcc, WccAnswer},
};
use warpgraph_device::Source;
use warpgraph_graph::Graph;

impl OnGpu for Wcc {
    fn form(&self, _: &Graph, options: &Options) -> Form {
        choose::<Self>(options, "afforest", true)
    }

    fn bytes(&self, graph: &Graph, form: Form, options: &Options) -> u64 {
        match form {
            Form::Fast(_) => {
                let (both, state) = afforest::bytes(graph);
                rows(graph, both, 0) + state + FIXED
            }
            _ => Needs { vertex: 4, both_ways: true, ..Needs::default() }.bytes(graph, options.plan),
        }
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<WccAnswer> {
        match form {
            Form::Fast(_) => afforest::wcc(device_graph, options),
            _ => program::wcc(device_graph, options),
        }
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        match choose::<Self>(options, "afforest", true) {
            Form::Fast(_) => Ok(vec![variants::afforest(outline.wide)?]),
            _ => variants::Functor::of(&library::Components {})?.ahead(outline, options, Ways::Both),
        }
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        variants::of_both_widths(variants::afforest)
    }
}
