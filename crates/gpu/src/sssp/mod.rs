//! Single-source shortest paths.
//!
//! An open plan gets [`walk`]: near-far delta-stepping in one persistent kernel. Plans that name anything, negative
//! weights, and graphs of nearly 2^32 arcs or more get the [`program`], which relaxes arcs until no distance falls.
//! With negative weights this is Bellman-Ford: if distances still fall after as many rounds as there are vertices, the
//! source reaches a negative cycle.

mod kinds;
mod program;
mod walk;

pub(crate) use program::Lengths;
pub(crate) use walk::{SsspArgs, TYPES};

use crate::{
    DeviceGraph, OnGpu, Outline,
    form::choose,
    memory::{Extent, Footprint, Needs, walked, weight},
    program as programs, variants,
    walk::can_walk,
};
use programs::Ways;
use std::sync::Arc;
use warpgraph_core::{
    Error, Form, Halted, Options, Result,
    program::{Prepared, Scalar, ScalarType},
    sssp::{Distances, Sssp, SsspAnswer},
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
            _ => Needs { vertex: 8, weight: weight(graph), ..Needs::default() }.bytes(graph, options.plan),
        }
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<SsspAnswer> {
        sssp(device_graph, self, form, options)
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

/// Returns the distance of every vertex from a source.
///
/// # Errors
/// When the source can reach a negative cycle, whose vertices the error does not name; when interrupted, when memory is
/// short, or when the device fails; when a distance is beyond the range of its type; when negative whole weights are so
/// large that their sums cannot be exact here.
fn sssp(device_graph: &DeviceGraph, config: &Sssp, form: Form, options: &Options) -> Result<SsspAnswer> {
    let graph = device_graph.graph();
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let task = Task { device_graph, form, options, source, delta: config.delta };
    let (least, most) = graph.weight_range().unwrap_or((1.0, 1.0));
    match kinds::of(graph.weight_type(), (least, most), graph.vertices() as u64) {
        Some((ScalarType::F32, _)) => task.answer::<f32, f32>(least, |d| Ok(Distances::F32(d))),
        Some((ScalarType::F64, ScalarType::F64)) => task.answer::<f64, f64>(least, |d| Ok(Distances::F64(d))),
        Some((ScalarType::F64, _)) => task.answer::<f64, i32>(least, whole),
        Some((ScalarType::U32, ScalarType::I32)) => task.answer::<u32, i32>(least, |d| Ok(Distances::U32(d))),
        Some((_, ScalarType::I32)) => task.answer::<u64, i32>(least, |d| Ok(Distances::U64(d))),
        Some((ScalarType::U32, _)) => task.answer::<u32, u32>(least, |d| Ok(Distances::U32(d))),
        Some(_) => task.answer::<u64, u32>(least, |d| Ok(Distances::U64(d))),
        None => Err(Error::Refused {
            what: format!("sssp on {} cannot add up negative weights of this size exactly", task.label()),
            help: "use --device cpu".to_owned(),
        }),
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

impl Task<'_> {
    fn label(&self) -> &str {
        &self.device_graph.gpu().properties().label
    }

    fn answer<T: Scalar, W: Scalar>(
        &self,
        least: f64,
        wrap: impl FnOnce(Pages<T>) -> Result<Distances>,
    ) -> Result<SsspAnswer> {
        let (graph, options) = (self.device_graph.graph(), self.options);
        let mut program = Lengths::<T, W>::from(options.original(self.source));
        // A shortest path has fewer arcs than there are vertices. One more round shows that no distance falls.
        program.rounds = (least < 0.0).then(|| graph.vertices() as u64 + 1);
        let prepared = Prepared::new(&program, graph, options.map.as_ref())?;
        if let Form::Fast(_) = self.form {
            let (distances, run) = walk::run(self, &prepared)?;
            return SsspAnswer::found(graph, self.source, wrap(distances)?, run);
        }
        let (distances, _, run) = programs::run(self.device_graph, &prepared, options, Ways::Out)?;
        if run.halt == Halted::MaxIterations {
            return Err(Error::NegativeCycle { vertices: Vec::new(), weight: f64::NAN });
        }
        SsspAnswer::found(graph, self.source, wrap(distances)?, run)
    }
}

/// Converts sums of whole numbers, computed in f64, to i64.
fn whole(decimals: Pages<f64>) -> Result<Distances> {
    let mut distances = Pages::<i64>::scratch(decimals.len())?;
    for (whole, &decimal) in distances.iter_mut().zip(&*decimals) {
        *whole = if decimal.is_finite() { decimal as i64 } else { i64::MAX };
    }
    Ok(Distances::I64(distances))
}
