//! Single-source shortest paths.
//!
//! An open plan gets [`walk`]: near-far delta-stepping in one persistent kernel. Plans that name anything, negative
//! weights, and graphs of nearly 2^32 arcs or more run as a program ([`warpgraph_core::sssp::by_program`]).

mod kinds;
mod walk;

pub(crate) use walk::{SsspArgs, TYPES};

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::choose,
    memory::{Extent, Footprint, Needs, walked, weight},
    variants,
    walk::can_walk,
};
use std::sync::Arc;
use warpgraph_core::{
    Form, Options, Result, Run,
    program::{Prepared, Ran, Runs, Scalar, Ways, library::Lengths},
    sssp::{Finds, Sssp, SsspAnswer, answer_by},
};
use warpgraph_device::Source;
use warpgraph_graph::{self as graph, Pages};

impl OnGpu for Sssp {
    fn form(&self, graph: &dyn Extent, options: &Options) -> Form {
        let least = graph.weight_range().map_or(1.0, |(least, _)| least);
        choose::<Self>(options, "walker", least >= 0.0 && can_walk(graph))
    }

    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint {
        match form {
            // A distance, stamps, frontiers and piles per vertex; weights as wide as distances.
            Form::Fast(_) => walked(graph, 8 + 10 * 4, weight(graph), 1, false),
            _ => {
                let needs = Needs { vertex: 8, weight: weight(graph), iterates: true, ..Needs::default() };
                needs.bytes(graph, options)
            }
        }
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<SsspAnswer> {
        let graph = device_graph.graph();
        let source = self.source.resolve(graph, options.seed, options.run)?;
        let task = Task { device_graph, form, options, source, delta: self.delta };
        answer_by(&task, graph, source, options)
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        let Some(least) = outline.least_weight() else { return Ok(Vec::new()) };
        let is_fast = least >= 0.0 && outline.can_walk();
        match choose::<Self>(options, "walker", is_fast) {
            Form::Fast(_) => kinds::ahead(outline).map(|kinds| variants::sssp(kinds.0, kinds.1)).collect(),
            _ => {
                let programs = kinds::ahead(outline)
                    .map(|kinds| kinds::functor(kinds)?.ahead(outline, options, Ways::Out));
                Ok(programs.collect::<Result<Vec<_>>>()?.concat())
            }
        }
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        TYPES.iter().map(|&(distance, weight)| variants::sssp(distance, weight)).collect()
    }
}

/// The question, and how to answer it.
struct Task<'a> {
    device_graph: &'a DeviceGraph,
    form: Form,
    options: &'a Options,
    source: graph::Vertex,
    delta: Option<f64>,
}

impl Finds for Task<'_> {
    fn label(&self) -> String {
        Runs::label(self.device_graph)
    }

    fn find<T: Scalar, W: Scalar>(&self, prepared: &Prepared<'_, Lengths<T, W>>) -> Result<(Pages<T>, Run)> {
        if let Form::Fast(_) = self.form {
            return walk::run(self, prepared);
        }
        let Ran { values, run, .. } = self.device_graph.run(prepared, self.options, Ways::Out)?;
        Ok((values, run))
    }
}
