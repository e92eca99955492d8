//! [`OnGpu`]: what an algorithm brings to a GPU. One decision of form serves the run, the memory estimate and the report.

use crate::DeviceGraph;
use std::sync::Arc;
use warpgraph_core::{Algorithm, Answer as _, Form, Options, Result};
use warpgraph_device::Source;
use warpgraph_graph::Graph;

/// An algorithm with forms for GPUs.
pub trait OnGpu: Algorithm {
    /// Returns which form answers this question on this graph: a fast one for an open plan where it suits, else the general one.
    fn form(&self, graph: &Graph, options: &Options) -> Form;

    /// Returns the bytes of device memory that the form takes at most, the graph included. Left out are the tiles that an
    /// open balance keeps: it does without them where memory is short.
    fn bytes(&self, graph: &Graph, form: Form, options: &Options) -> u64;

    /// Answers by the form that [`OnGpu::form`] chose.
    ///
    /// # Errors
    /// When interrupted, when memory is short, when a vertex of the question is not in the graph, or when the device fails.
    fn answer(&self, device_graph: &DeviceGraph, form: Form, options: &Options) -> Result<Self::Answer>;

    /// Returns every module that the algorithm's own kernels may ask for, for a test that compiles all.
    ///
    /// # Errors
    /// None that a user could cause.
    fn modules() -> Result<Vec<Arc<Source>>>;
}

/// Returns the fast form of an algorithm for a plan that is open, else its general form.
pub(crate) fn choose<A: Algorithm>(options: &Options, fast: &'static str, suits: bool) -> Form {
    if options.is_open() && suits { Form::Fast(fast) } else { Form::General(A::RULES.on_gpu) }
}

/// Returns the general form of an algorithm.
pub(crate) fn general<A: Algorithm>() -> Form {
    Form::General(A::RULES.on_gpu)
}

/// Answers a question on a device by the form that suits. The answer's run reports the form.
///
/// # Errors
/// Those of [`OnGpu::answer`].
pub fn run<A: OnGpu>(device_graph: &DeviceGraph, config: &A, options: &Options) -> Result<A::Answer> {
    let form = config.form(device_graph.graph(), options);
    let mut answer = config.answer(device_graph, form, options)?;
    let run = answer.run_mut();
    // An algorithm whose fast form gives up midway has named the form that ran.
    if run.form == Form::Native {
        run.form = form;
    }
    Ok(answer)
}

/// Returns the bytes of device memory that a question takes on a graph at most, the graph included.
pub fn bytes_needed<A: OnGpu>(graph: &Graph, config: &A, options: &Options) -> u64 {
    config.bytes(graph, config.form(graph, options), options)
}
