//! One cell of a suite: an algorithm on a graph, with a plan, in an order. A cell that cannot run says why; it ends
//! nothing but itself.

use crate::{
    Yardsticks,
    gpu_model::{Gauge, Seen},
    result::{CaseReport, Failure, GraphReport, Share, Timing},
};
use std::{sync::OnceLock, time::Duration};
use warpgraph::{
    Approximation, Control, Engine, Entry, Error, Graph, Loaded, Options, Order, Plan, Result,
    cost::{Shape, Work},
    measure::{Measured, Repeats, measure},
};

/// The default suite: a skewed, an even and a wide graph, small enough for a laptop.
pub const SUITE: [&str; 3] = ["kron:18,w=1..255", "uniform:18,w=1..255", "grid:512x512,drop=0.1,w=1..255"];

/// What is asked.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the types say it")]
pub struct Case<'a> {
    pub entry: &'static Entry,
    /// The graph, as the user named it.
    pub name: &'a str,
    pub plan: Plan,
    pub order: Order,
    pub approx: Approximation,
}

/// A graph that is ready to be asked, and what is said of it.
#[derive(Debug)]
#[allow(missing_docs, reason = "the types say it")]
pub struct Subject {
    pub loaded: Loaded,
    pub graph: GraphReport,
    pub shape: Shape,
    /// Seconds of loading it.
    pub load: f64,
    gauge: OnceLock<Gauge>,
}

impl Subject {
    /// Of a graph as it was read in `load` seconds, and on its engine; counts and hashes it on the threads of the pool.
    pub fn new(loaded: Loaded, graph: &Graph, load: f64) -> Self {
        let (graph, shape) = (GraphReport::new(graph), Shape::of(graph));
        Self { loaded, graph, shape, load, gauge: OnceLock::new() }
    }

    /// What models of runs on a GPU ask of it; looks at its arcs the first time.
    pub fn gauge(&self) -> &Gauge {
        self.gauge.get_or_init(|| Gauge::of(self.loaded.graph(), self.loaded.order()))
    }
}

impl Case<'_> {
    /// Runs it, and holds it against the limits of where it ran.
    ///
    /// # Errors
    /// Only when the whole measurement must stop: it was interrupted, or its time is over.
    pub fn run(
        &self,
        subject: &Subject,
        repeats: &Repeats,
        limits: &mut Yardsticks,
        control: &Control,
    ) -> Result<CaseReport> {
        let mut report = self.blank(subject.loaded.engine());
        report.graph = Some(subject.graph.clone());
        report.exactness = subject.loaded.exactness().cloned();
        let options = Options { plan: self.plan, control: control.clone(), ..Options::default() };
        match measure(&subject.loaded, &*self.entry.usual(), &options, repeats) {
            Ok(measured) => {
                report.device = measured.answer.run().device.to_string();
                report.timing = self.timing(subject, &measured, limits, control)?;
            }
            Err(error) if control.should_stop() => return Err(error),
            Err(error) => report.error = Some(explained(&error, repeats.limit)),
        }
        Ok(report)
    }

    /// Its figures, and the share of the limits. Models know the graph as it was read, and none knows a changed one.
    fn timing(
        &self,
        subject: &Subject,
        measured: &Measured,
        limits: &mut Yardsticks,
        control: &Control,
    ) -> Result<Timing> {
        let (run, median) = (measured.answer.run(), measured.figures.median().max(1e-9));
        let mut timing = Timing::new(measured, subject);
        if subject.loaded.exactness().is_some() {
            return Ok(timing);
        }
        if run.device.is_gpu() {
            let limits = limits.on_gpu(subject.loaded.engine(), control)?;
            let limit = |limits| subject.gauge().limit(self.entry, run, &Seen::from(measured), limits);
            timing.limit = limits.and_then(limit);
            timing.share = timing.limit.as_ref().map(|limit| limit.seconds / median);
        } else if let (Some(limits), Some(model)) = (&limits.processor, self.entry.cost.traffic) {
            let work = Work { rounds: run.rounds, arcs: measured.figures.median_arcs() as u64 };
            let least = model(&subject.shape, &work);
            let (bytes, seconds_at_limit) = (least.bytes(), limits.seconds_of(&least));
            let share = seconds_at_limit / median;
            timing.traffic = Some(Share { least, bytes, seconds_at_limit, share });
        }
        Ok(timing)
    }

    /// The report of a case whose graph could not be made ready.
    pub fn failed(&self, engine: &Engine, failure: Failure) -> CaseReport {
        CaseReport { error: Some(failure), ..self.blank(engine) }
    }

    fn blank(&self, engine: &Engine) -> CaseReport {
        CaseReport {
            algorithm: self.entry.name.to_owned(),
            config: self.entry.usual().config(),
            name: self.name.to_owned(),
            device: engine.device().to_string(),
            plan_asked: self.plan,
            order: self.order,
            approx: self.approx,
            threads: engine.threads(),
            ..CaseReport::default()
        }
    }
}

/// Returns an error; that of a case that took too long names the limit it met.
pub(crate) fn explained(error: &Error, limit: Option<Duration>) -> Failure {
    let late = |limit: Duration| format!("one run takes over {} s", 2 * limit.as_secs());
    limit.map_or_else(|| Failure::from(error), |limit| Failure::in_time(error, late(limit), "--case-limit"))
}
