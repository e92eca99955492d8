//! Breadth-first search.
//!
//! An open plan gets [`walk`]: a direction-optimising search in one persistent kernel. Plans that name anything,
//! `deterministic` runs, which need the same parents every time, and graphs of nearly 2^32 arcs or more run
//! as a program.

mod walk;

pub(crate) use walk::{BfsArgs, Rows, scratch_words};

use crate::{
    DeviceGraph, OnGpu, Outline,
    edges::heads,
    form::choose,
    memory::{Extent, Footprint, Needs, walked},
    variants,
    walk::can_walk,
};
use std::sync::Arc;
use warpgraph_core::{
    Form, Heads, Options, Result,
    bfs::{Bfs, BfsAnswer, by_program},
    program::{Ways, library},
};
use warpgraph_device::Source;

impl OnGpu for Bfs {
    fn form(&self, graph: &dyn Extent, options: &Options) -> Form {
        choose::<Self>(options, "walker", !options.deterministic && can_walk(graph))
    }

    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint {
        match form {
            // Distances and parents, lists of frontiers, two bitmaps.
            Form::Fast(_) => walked(graph, 5 * 4, 0, 2, graph.has_incoming()),
            _ => Needs { vertex: 8, iterates: true, ..Needs::default() }.bytes(graph, options),
        }
    }

    fn uses_heads(&self, form: Form) -> bool {
        matches!(form, Form::Fast(_))
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<BfsAnswer> {
        match form {
            Form::Fast(_) => walk::bfs(device_graph, self, options),
            _ => by_program(device_graph, self, options),
        }
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        match choose::<Self>(options, "walker", !options.deterministic && outline.can_walk()) {
            Form::Fast(_) => Ok(vec![variants::bfs(heads::size(options.plan.residency))?]),
            _ => variants::Functor::of(&library::HopTree { source: 0, limit: 0 })?.ahead(
                outline,
                options,
                Ways::Out,
            ),
        }
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        [0].into_iter().chain(Heads::SIZES).map(variants::bfs).collect()
    }
}
