//! Betweenness by Brandes' algorithm \[1\], from several sources at once, as filters.
//!
//! A batch of k sources works on k copies of the graph, of which one is stored. Vertex v of copy c is `c * n + v`, and
//! all arrays have an entry for each. The layers of all copies are expanded together ([`walk`]). The free memory
//! decides how many sources run at once ([`State`]).
//!
//! Forward: by hops, a layer is what the layer before finds. With weights, the run first finds distances; then a vertex
//! is on the layer after that of the last of its predecessors. The paths to a layer are counted over its incoming arcs.
//! Backward, layer by layer, each vertex gathers its dependency over its outgoing arcs. Scores are added up source by
//! source. Under `node`, one thread sums each row, so `--deterministic` gives the same bits.
//!
//! Counts of paths are f64. Once a count passes 2^900, the counts of all layers get an exponent. That changes no bit of
//! any count that f64 can hold, so scores do not depend on which sources run together.
//!
//! A graph may have copies of vertices, which reflect their masters ([`copies`]).
//!
//! An open plan runs one source after the other in persistent kernels, if that suits ([`single`]). Within an error that the
//! user allows, it samples paths ([`sampled`]).
//!
//! \[1\] U. Brandes, A faster algorithm for betweenness centrality, 2001.

mod copies;
mod kernels;
mod sampled;
mod single;
mod state;
mod walk;

pub(crate) use kernels::{ARCS, MANY, TYPES, Types, VANISHED};
pub(crate) use sampled::{BcPathsArgs, DEFINES as PATHS_DEFINES};
pub(crate) use single::{ARCS_WALKED, BcWalkArgs, ENDED, MANY_PATHS, SCALED_ARRIVED, SCALED_ENDED};

use crate::{
    DeviceGraph, OnGpu, Outline, ahead,
    form::{choose, general},
    machine::Machine,
    memory::{Extent, Footprint, Needs, weight},
    variants,
    walk::can_walk,
};
use state::State;
use std::sync::Arc;
use std::time::Instant;
use walk::{Trouble, Walk};
use warpgraph_core::{
    Accuracy, Answer as _, Direction, Error, Form, Halted, Options, Plan, Result,
    bc::{Bc, BcAnswer, sampling::OF, vanishes},
    program::{Scalar, ScalarType},
};
use warpgraph_device::Source;
use warpgraph_graph::{Vertex, WeightType};

impl OnGpu for Bc {
    fn form(&self, graph: &dyn Extent, options: &Options) -> Form {
        match choose::<Self>(options, SAMPLED, self.allowed().is_some()) {
            Form::Fast(form) => Form::Fast(form),
            _ => exact_form(self, graph, options),
        }
    }

    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint {
        // Samples are drawn before or after an exact form runs, and take less. One source at a time takes a distance, a count, a dependency and a score per vertex; further sources only
        // take memory that is free. The walker also keeps levels, and may hand over to the general form.
        let levels = if matches!(form, Form::Fast(_)) { 16 } else { 0 };
        Needs { vertex: 4 * 8 + levels, weight: weight(graph), both_ways: true, ..Needs::default() }
            .bytes(graph, options)
    }

    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<BcAnswer> {
        let exact = exact_form(self, device_graph.graph(), options);
        match self.allowed() {
            Some(_) if form == Form::Fast(SAMPLED) => sampled::bc(device_graph, self, exact, options),
            Some(_) => exactly(device_graph, self, exact, options, "the plan leaves no choice".to_owned()),
            None => bc(device_graph, self, form, options),
        }
    }

    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>> {
        if let Form::Fast(_) = choose::<Self>(options, SAMPLED, self.allowed().is_some()) {
            let exact = Self { max_error: None, top: None, ..self.clone() };
            let mut all = vec![variants::bc_paths(outline.wide)?];
            all.extend(sampled::ahead(outline)?);
            all.extend(exact.ahead(outline, options)?);
            return Ok(all);
        }
        let sources = ahead::sources(&self.source, self.sources, outline.vertices);
        let by_weights = outline.weights.filter(|_| self.weighted);
        let suits = by_weights.is_none() && outline.can_walk();
        let suits = suits && single::suits(self, outline.arcs, sources, options);
        if let Form::Fast(_) = choose::<Self>(options, "walker", suits) {
            return Ok(vec![variants::bfs(0)?, variants::bc_walk()?]);
        }
        let (wide, types) = (outline.wide, types_of(by_weights));
        let mut all = vec![variants::betweenness_vertices(wide, types)?];
        if options.approximation.coalesce.is_some() {
            all.push(variants::betweenness_copies(wide, types)?);
        }
        let module = |scheme| variants::betweenness_walk(wide, types, scheme);
        all.extend(ahead::expansion(outline, options, options.deterministic, |_| true, module)?);
        Ok(all)
    }

    fn modules() -> Result<Vec<Arc<Source>>> {
        let mut all = variants::all_betweenness()?;
        all.push(variants::bc_walk()?);
        all.extend(variants::of_both_widths(variants::bc_paths)?);
        Ok(all)
    }
}

/// The form that samples paths.
const SAMPLED: &str = "sampled";

/// Returns the form that answers exactly.
fn exact_form(config: &Bc, graph: &dyn Extent, options: &Options) -> Form {
    let sources = ahead::sources(&config.source, config.sources, graph.vertices() as u64);
    let by_weights = config.weighted && graph.weight_type().is_some();
    let suits = !by_weights && can_walk(graph);
    let suits = suits && single::suits(config, graph.arcs() as u64, sources, options);
    choose::<Bc>(options, "walker", suits)
}

/// Answers a question that allows an error exactly, for this reason.
fn exactly(
    device_graph: &DeviceGraph,
    config: &Bc,
    form: Form,
    options: &Options,
    why: String,
) -> Result<BcAnswer> {
    let mut answer = bc(device_graph, config, form, options)?;
    let run = answer.run_mut();
    if run.form == Form::Native {
        run.form = form;
    }
    run.accuracy = Some(Accuracy::exact(OF, config.allowed().unwrap_or_default(), why));
    Ok(answer)
}

/// Returns the score of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, when a source is not in the graph, when a weight vanishes beside a distance,
/// or when the device fails.
fn bc(device_graph: &DeviceGraph, config: &Bc, form: Form, options: &Options) -> Result<BcAnswer> {
    // Of graphs without weights, only those without arcs pass the check of a weighted question.
    let types = types_of(device_graph.graph().weight_type().filter(|_| config.weighted));
    let task = Task { device_graph, config, form, options, types };
    match types.distance {
        ScalarType::U32 => task.answer::<u32>(),
        ScalarType::U64 => task.answer::<u64>(),
        _ => task.answer::<f64>(),
    }
}

/// Returns the types of distances along these weights; `None`: hops.
fn types_of(weights: Option<WeightType>) -> Types {
    let [hops, by_u32, by_i32, by_f32, by_f64] = TYPES;
    match weights {
        None => hops,
        Some(WeightType::U32) => by_u32,
        Some(WeightType::I32) => by_i32,
        Some(WeightType::F32) => by_f32,
        Some(WeightType::F64) => by_f64,
    }
}

/// The question, and how to answer it.
#[derive(Clone, Copy)]
struct Task<'a> {
    device_graph: &'a DeviceGraph,
    config: &'a Bc,
    form: Form,
    options: &'a Options,
    types: Types,
}

impl Task<'_> {
    /// Answers the question with distances of type `T`.
    fn answer<T: Scalar>(self) -> Result<BcAnswer> {
        let (graph, options) = (self.device_graph.graph(), self.options);
        let chosen = self.config.resolve(graph, options.seed, options.run)?;
        let n = graph.vertices();
        let mut sources: Vec<Vertex> = chosen.clone().unwrap_or_else(|| (0..n as Vertex).collect());
        // Sources without outgoing arcs reach nothing.
        let known = copies::Sources::new(self)?;
        sources.retain(|&s| known.leads_on(self, s));
        let machine = Machine::new(self.device_graph.gpu(), options, "counting paths");
        machine.check()?;
        if let Form::Fast(_) = self.form
            && let Some((sums, arcs, run)) = single::scores(self, &machine, &sources)?
        {
            return Ok(BcAnswer::new(graph, self.config, chosen, sums, arcs, run));
        }
        let transferred = self.device_graph.transfer_seconds();
        let mut walk = Walk::new(self, &machine, sources.len(), known)?;
        let mut recorder = machine.recorder(self.device_graph.transfer_seconds() - transferred);
        let compiled = machine.gpu().compile_seconds();
        let mut arcs = 0;
        for batch in sources.chunks(walk.at_once) {
            let walked = match walk.batch(batch) {
                Ok(walked) => walked,
                Err(Trouble::Vanished { copy }) => return Err(self.find_vanished::<T>(&walk.state, copy)),
                Err(Trouble::Other(error)) => return Err(error),
            };
            arcs += walked.arcs;
            let seen = walk.balancer.seen(&machine)?;
            let note = || format!("{} sources at once, {} layers{seen}", batch.len(), walked.layers);
            recorder.step_by(walked.reached, Some(walked.arcs), Direction::Push, seen.balance(), note);
        }
        let start = Instant::now();
        let sums = walk.state.scores()?;
        recorder.hold_on_device(machine.gpu().peak());
        walk.balancer.spent(&machine)?.tell(&mut recorder);
        let plan = Plan::bsp(None).by(options.plan.balance());
        let mut run = recorder.finish(plan, Halted::Converged, walk.state.bytes());
        run.form = general::<Bc>();
        run.fetch_seconds += start.elapsed().as_secs_f64();
        // The kernels that count with an exponent are compiled when first needed.
        let late = machine.gpu().compile_seconds() - compiled;
        run.compile_seconds += late;
        run.seconds = (run.seconds - late).max(0.0);
        // With copies of vertices, the scale is that of the graph without them.
        Ok(BcAnswer::new(options.whole(graph), self.config, chosen, sums, arcs, run))
    }

    /// Returns the error that names an arc whose weight vanishes beside the distance: the first that a search by
    /// distance meets.
    fn find_vanished<T: Scalar>(self, state: &State, copy: usize) -> Error {
        let graph = self.device_graph.graph();
        let distances = match state.distances_of::<T>(copy) {
            Ok(distances) => distances,
            Err(error) => return error,
        };
        let out = graph.out();
        let vanished = |u: Vertex| {
            let distance = distances[u as usize];
            out.csr.arcs_of(u).find(|&arc| {
                let v = out.csr.targets()[arc];
                v != u
                    && distances[v as usize] == distance
                    && distance.plus(out.weights.get(arc).cast()) == distance
            })
        };
        let mut reached: Vec<Vertex> =
            (0..graph.vertices() as Vertex).filter(|&u| distances[u as usize] != T::GREATEST).collect();
        reached.sort_by_key(|&u| distances[u as usize].order());
        let (u, arc) = reached
            .into_iter()
            .find_map(|u| vanished(u).map(|arc| (u, arc)))
            .unwrap_or_else(|| unreachable!("the device has met such an arc"));
        vanishes(graph, u, out.csr.targets()[arc], arc, distances[u as usize].to_f64())
    }
}
