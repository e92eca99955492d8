//! [`OnGpu`]: what an algorithm needs to run on a GPU. One decision of form serves the run, the memory estimate and the
//! report.

use crate::{
    DeviceGraph, Outline, copies,
    memory::{Extent, Footprint},
    residency::{self, Settled, Wants},
};
use std::sync::Arc;
use warpgraph_core::{Algorithm, Answer as _, Form, Options, Residency, Result, Run};
use warpgraph_device::Source;
use warpgraph_graph::{Graph, timeline::Phase};

/// An algorithm that has forms for GPUs.
pub trait OnGpu: Algorithm {
    /// Returns the form that answers this question on this graph: the fast form if the plan is open and the form suits,
    /// otherwise the general form.
    fn form(&self, graph: &dyn Extent, options: &Options) -> Form;

    /// Returns the most bytes of device memory that the form takes, the graph included. This leaves out the tiles that
    /// an open balance keeps: the balance works without them if memory is short.
    fn bytes(&self, graph: &dyn Extent, form: Form, options: &Options) -> Footprint;

    /// Returns true if the form uses the heads of rows, where the residency keeps some.
    fn uses_heads(&self, _: Form) -> bool {
        false
    }

    /// Answers the question with the form that [`OnGpu::form`] chose.
    ///
    /// # Errors
    /// When interrupted, when memory is short, when a vertex of the question is not in the graph, or when the device
    /// fails.
    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<Self::Answer>;

    /// Returns the modules of the form that answers this question on such a graph, the ones needed first in front. See
    /// [`Outline`] for what it leaves out and adds.
    ///
    /// # Errors
    /// None that a user can cause.
    fn ahead(&self, outline: &Outline, options: &Options) -> Result<Vec<Arc<Source>>>;

    /// Returns every module that the algorithm's own kernels may need. A test compiles them all.
    ///
    /// # Errors
    /// None that a user can cause.
    fn modules() -> Result<Vec<Arc<Source>>>;
}

/// Returns the fast form of an algorithm if the plan is open and the form suits, otherwise the general form. Streamed
/// edges come in the order of a frontier that the host knows, which only general forms have; partitions are copied ahead for
/// such a frontier too. Fast forms reflect no copies.
pub(crate) fn choose<A: Algorithm>(options: &Options, fast: &'static str, suits: bool) -> Form {
    let residency = options.plan.residency;
    let is_sent = residency
        .is_some_and(|residency| residency == Residency::Streamed || residency.ahead().staging().is_some());
    let has_copies = options.map.as_ref().is_some_and(|map| !map.is_renumbering());
    if options.is_open() && suits && !is_sent && !has_copies {
        Form::Fast(fast)
    } else {
        Form::General(A::RULES.on_gpu)
    }
}

/// Returns true if a form of an algorithm that takes approximations answers on a graph with copies and holes as on the graph
/// in which copies are merged into their masters. Fast forms need the merged graph.
pub fn reflects(form: Form) -> bool {
    matches!(form, Form::General(_))
}

/// Returns the general form of an algorithm.
pub(crate) fn general<A: Algorithm>() -> Form {
    Form::General(A::RULES.on_gpu)
}

/// Answers a question on a device with the form that suits. The run in the answer reports the form.
///
/// # Errors
/// The errors of [`OnGpu::answer`].
pub fn run<A: OnGpu>(device_graph: &DeviceGraph, config: &A, options: &Options) -> Result<A::Answer> {
    let form = match device_graph.shared() {
        Some(_) => general::<A>(),
        None => config.form(device_graph.graph(), options),
    };
    let bytes = config.bytes(device_graph.graph(), form, options);
    let wants = Wants { bytes, heads: config.uses_heads(form) };
    let Some(settled) = residency::settle(device_graph, wants, options)? else {
        return run(&DeviceGraph::new(device_graph.gpu(), device_graph.graph()), config, options);
    };
    let options = &*settled.options;
    let mut answer = recorded(device_graph, options, || config.answer(device_graph, form, options))?;
    let run = answer.run_mut();
    // Some algorithms answer by another one, and report its plan.
    run.plan.residency = options.plan.residency;
    finish(&settled, run)?;
    // An algorithm whose fast form gave up midway has already set the form that ran.
    if run.form == Form::Native {
        run.form = form;
    }
    Ok(answer)
}

/// Adds to the report where the edges were stored, and what crossed the bus.
///
/// # Errors
/// When the device fails.
pub(crate) fn finish(settled: &Settled<'_, '_>, run: &mut Run) -> Result<()> {
    run.stored = (!settled.why.is_empty()).then(|| settled.why.clone());
    run.prepare_seconds += settled.seconds;
    run.transfer = run.transfer.or(settled.claim.counted()?);
    Ok(())
}

/// Answers, and records on the timeline of the run what the graph copies to the device and how long fetching took:
/// everything from the end of the run to the answer.
pub(crate) fn recorded<T>(
    device_graph: &DeviceGraph,
    options: &Options,
    answer: impl FnOnce() -> Result<T>,
) -> Result<T> {
    device_graph.record_by(&options.control);
    residency::begin(device_graph, options)?;
    let answer = answer()?;
    if let Some(timeline) = options.control.timeline() {
        timeline.record_since(Phase::Running, Phase::Fetching);
    }
    Ok(answer)
}

/// Returns the most bytes of device memory that a question takes on a graph, the graph included.
pub fn bytes_needed<A: OnGpu>(graph: &Graph, config: &A, options: &Options) -> Footprint {
    config.bytes(graph, config.form(graph, options), options)
}

/// Returns the most bytes of device memory that a question takes on such a graph, the graph included. The plan must name
/// no balance, because what a balance takes depends on the degrees. With an approximation, the outline is that of the changed
/// graph.
pub fn bytes_ahead<A: OnGpu>(outline: &Outline, config: &A, options: &Options) -> Footprint {
    let form = config.form(outline, options);
    let bytes = config.bytes(outline, form, options);
    match options.approximation.coalesce {
        Some(_) if reflects(form) => bytes + copies::bytes_ahead(outline),
        _ => bytes,
    }
}
