//! Connected components: Afforest if the plan is open, otherwise a program.

mod afforest;

pub(crate) use afforest::{
    CHUNK, CHUNKS, GIANT, NEXT_CHUNKS, SAMPLES, SHORT, SLOTS, WccArgs, components as afforest,
};

use crate::{
    DeviceGraph, OnGpu, Outline,
    edges::heads,
    form::choose,
    memory::{Extent, FIXED, Footprint, Needs, rows},
    variants,
};
use std::sync::Arc;
use warpgraph_core::{
    Form, Heads, Options, Result,
    program::{Ways, library},
    wcc::{Wcc, WccAnswer, by_program},
};
use warpgraph_device::Source;

/// The name of the fast form.
pub(crate) const AFFOREST: &str = "afforest";

impl OnGpu for Wcc {
    fn form(&self, _: &dyn Extent, options: &Options) -> Form {
        choose::<Self>(options, AFFOREST, true)
    }

    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint {
        match form {
            Form::Fast(_) => {
                let (both, state) = afforest::bytes(graph);
                rows(graph, both, 0) + state + FIXED
            }
            _ => {
                let needs =
                    Needs { vertex: 4, value: 4, both_ways: true, iterates: true, ..Needs::default() };
                needs.bytes(graph, options)
            }
        }
    }

    fn uses_heads(&self, form: Form) -> bool {
        matches!(form, Form::Fast(_))
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<WccAnswer> {
        match form {
            Form::Fast(_) => {
                let (components, run) = afforest(device_graph, options)?;
                Ok(WccAnswer::new(device_graph.graph(), components, run))
            }
            _ => by_program(device_graph, options),
        }
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        match choose::<Self>(options, AFFOREST, true) {
            Form::Fast(_) => Ok(vec![variants::afforest(outline.wide, heads::size(options.plan.residency))?]),
            _ => variants::Functor::of(&library::Components {})?.ahead(outline, options, Ways::Both),
        }
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        let sizes = [0].into_iter().chain(Heads::SIZES);
        let modules = sizes.map(|size| variants::of_both_widths(|wide| variants::afforest(wide, size)));
        Ok(modules.collect::<Result<Vec<_>>>()?.concat())
    }
}
