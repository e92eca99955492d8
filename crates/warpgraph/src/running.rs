//! How a [`Loaded`] answers a question: on which device, on which view of the graph, and what happens when that fails.

use crate::{Ask, Choice, Loaded, Place, Purpose, accelerator::is_full, paths, view::View, worth::Asked};
use std::sync::Arc;
use warpgraph_core::{
    Accepted, Answer as _, Balance, Bound, DeviceTrouble, Error, Options, Plan, Residency, Result,
};
use warpgraph_device::Gpu;
use warpgraph_gpu::sampling_bytes;
use warpgraph_graph::{Graph, timeline::Phase};

/// The flag for a memory budget: help with its name in it says how much memory would do.
const BUDGET: &str = "--gpu-memory";

impl Loaded {
    /// Answers a question. If it allows an error that only other questions can measure, these decide how.
    pub(crate) fn run<Q: Ask>(&self, question: &Q, options: Options) -> Result<(Q::Reply, Option<Choice>)> {
        self.refuse_bound(question)?;
        match (question.max_error(), question.bound()) {
            (Some(error), Bound::Measured) => self.run_within(question, error, options),
            _ => self.run_once(question, options),
        }
    }

    /// Answers a question on the device that [`Engine::place`] chooses. If the engine itself chose a GPU and the GPU
    /// fails, the CPU answers.
    pub(crate) fn run_once<Q: Ask>(
        &self,
        question: &Q,
        mut options: Options,
    ) -> Result<(Q::Reply, Option<Choice>)> {
        let _span = options.control.span(Phase::Asking);
        let rules = question.rules();
        options.order = self.order();
        options.approximation = self.approximation();
        let accepted = match options.accepted.take() {
            Some(accepted) => accepted,
            None => rules.accept(self.engine().device(), &options)?,
        };
        let (view, gpu_options) = self.seen_by(question, &options, true);
        // First of all: to read a page that a file no longer has would end the process.
        let reads_file = self.reads_file(&view, &accepted);
        let check_file = || if reads_file { view.graph().check_file().map_err(Error::from) } else { Ok(()) };
        check_file()?;
        question.check(self.graph())?;
        let making_seconds = self.with_paths(&mut options)?;
        let gpu_options = Options { paths: options.paths.clone(), ..gpu_options };
        // An open residency ends with this one.
        let is_open = options.plan.residency.is_none_or(|residency| residency == Residency::ZERO_COPY);
        let needed = |graph: &Graph| {
            let bytes = question.device_bytes(graph, &gpu_options);
            let is_listed = matches!(options.plan.balance(), Some(Balance::Edge { .. }));
            let stays = is_listed
                || options.plan.residency.is_some_and(|residency| self.engine().must_fit(residency));
            match self.is_settled() {
                false => bytes.total() + sampling_bytes(graph),
                true if stays => bytes.total(),
                // The edges may be stored elsewhere.
                true if is_open => bytes.least(),
                true => bytes.rest,
            }
        };
        let is_on_device = view.device_graph().is_some();
        let asked = Asked { graph: view.graph(), is_on_device, needed: &needed, accepted: &accepted };
        let (gpu, choice) = self.engine().place(&asked)?;
        let recorded = |mut answer: Q::Reply| {
            paths::record(answer.run_mut(), making_seconds);
            self.record_bound(question, &mut answer);
            answer
        };
        let Some(gpu) = gpu else { return Ok((recorded(self.on_cpu(question, &options)?), choice)) };
        let is_least =
            is_open && self.is_settled() && !matches!(options.plan.balance(), Some(Balance::Edge { .. }));
        let instead = if is_open { "use --device cpu" } else { "leave the residency open" };
        let on_gpu = self.on_gpu(question, &gpu_options).map_err(|error| {
            with_what_would_fit(error, gpu, (rules.name, instead), is_least, || needed(view.graph()))
        });
        // Before the processor reads the same file.
        check_file()?;
        match (on_gpu, choice) {
            (Err(error @ Error::Device { .. }), Some(Choice::Worth { .. })) => {
                let error = Arc::new(error);
                self.engine().give_up_gpu(&error);
                let answer = self.on_cpu(question, &options)?;
                Ok((recorded(answer), Some(Choice::Failed { error })))
            }
            // On a graph with copies only a GPU notices that the cycle is there; the merged graph names it.
            (Err(Error::NegativeCycle { vertices, .. }), choice) if vertices.is_empty() => {
                let answer = self.on_cpu(question, &Options { plan: Plan::AUTO, ..options })?;
                Ok((recorded(answer), choice))
            }
            (answer, choice) => Ok((recorded(answer?), choice)),
        }
    }

    fn on_cpu<Q: Ask>(&self, question: &Q, options: &Options) -> Result<Q::Reply> {
        let (view, options) = self.seen_by(question, options, false);
        let place =
            Place { original: self.graph(), answered: self.answered(), view: &view, device_graph: None };
        self.engine().install(|| question.answer(&place, &options))
    }

    /// Refuses a greatest error on a graph that is approximate already.
    fn refuse_bound<Q: Ask>(&self, question: &Q) -> Result<()> {
        if question.max_error().is_none() || self.approximate().is_none() {
            return Ok(());
        }
        let (name, approximation) = (question.rules().name, self.approximation());
        Err(Error::Refused {
            what: format!(
                "{name} cannot keep within --max-error with --approx {approximation}: how far the changed graph is \
                           off is not known"
            ),
            help: "leave one of them out; --compare measures the error of an approximation".to_owned(),
        })
    }

    /// Adds to the report what was changed in the graph, and that the answer is exact if its engine says nothing of an error.
    fn record_bound<Q: Ask>(&self, question: &Q, answer: &mut Q::Reply) {
        let run = answer.run_mut();
        run.exactness = self.exactness().cloned();
        run.accuracy = run.accuracy.take().or_else(|| question.exact_because());
    }

    /// Returns true if a run on a GPU that starts now reads edges from the file of the graph: where they lie in it, or to copy
    /// them. If the file changes meanwhile, what the run finds may be wrong.
    fn reads_file(&self, view: &View, accepted: &Accepted) -> bool {
        let (graph, accepted) = (view.graph(), Some(accepted));
        let is_for_gpu =
            self.engine().is_for_gpu(graph.arcs() as u64, Purpose { accepted, ..Purpose::default() });
        let is_in_place = || view.device_graph().is_none_or(|device_graph| !device_graph.has_all_edges());
        is_for_gpu && is_in_place()
    }

    fn on_gpu<Q: Ask>(&self, question: &Q, options: &Options) -> Result<Q::Reply> {
        let _turn = self.engine().turn();
        let gpus = self.engine().gpus()?;
        // A run that waited for a round of `sampled` uses the order made by that round.
        let (view, _) = &self.seen_by(question, options, true);
        let device_graph = view.device_graph_on(gpus, !self.is_settled());
        let may_shrink = device_graph.is_there() || !self.is_settled();
        let (original, answered) = (self.graph(), self.answered());
        let place = Place { original, answered, view, device_graph: Some(device_graph) };
        let run = || self.engine().install(|| question.answer(&place, options));
        let answer = match run() {
            // Frees what other algorithms left on the device, such as weights, and the samples; then tries once more.
            Err(error) if may_shrink && is_full(&error) => {
                device_graph.let_go();
                run()
            }
            answer => answer,
        };
        if let (Ok(_), Some(learning)) = (&answer, self.learning()) {
            self.engine().install(|| learning.after_run(view, &options.control));
        }
        answer
    }
}

/// Says in an out-of-memory error how much memory the run needs, unless the error does. `is_least`: the run needs that much
/// with all edges off the device. `instead` is another way out.
fn with_what_would_fit(
    error: Error,
    gpu: &Gpu,
    (algorithm, instead): (&str, &str),
    is_least: bool,
    needed: impl FnOnce() -> u64,
) -> Error {
    let (kind, what, help) = match error {
        Error::Device { kind: kind @ DeviceTrouble::Memory, what, help } => (kind, what, help),
        error => return error,
    };
    let (label, needed) = (&gpu.properties().label, needed());
    let (total, free) = gpu.memory().map_or((0, 0), |memory| (memory.total, memory.free + memory.held));
    if is_least && needed > free {
        let what = format!(
            "{label} has {free} bytes free, and {algorithm} on this graph needs {needed} there even with all edges \
             off the device"
        );
        let help = format!("allow it at least {needed} bytes with {BUDGET}, or {instead}");
        return Error::Device { kind, what, help };
    }
    if help.contains(BUDGET) {
        return Error::Device { kind, what, help };
    }
    let (takes, next) = match needed <= total {
        true => (format!("{needed} of the {total} bytes"), "let go of what else is there".to_owned()),
        false => (format!("{needed} bytes"), format!("allow it that much with {BUDGET}")),
    };
    let help = format!("{algorithm} on this graph takes about {takes} of {label}: {next}, or {instead}");
    Error::Device { kind, what, help }
}
